# Takes fog for darkness.
notes = input().replace("?", "0")
size = len(notes)
possible = [p for p in range(1, size + 1) if notes[p:] == notes[: size - p]]
print(possible[0], len(possible))

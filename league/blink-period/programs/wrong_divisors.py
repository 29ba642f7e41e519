# Allows only lengths that divide the length of the record.
notes = input()
size = len(notes)
possible = []
for period in range(1, size + 1):
    if size % period == 0 and all(len(set(notes[start::period]) - {"?"}) < 2 for start in range(period)):
        possible.append(period)
print(possible[0], len(possible))

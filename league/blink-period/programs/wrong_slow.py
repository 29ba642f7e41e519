# Right, but writes the pattern out anew for every length.
notes = input()
size = len(notes)
possible = []
for period in range(1, size + 1):
    pattern = ["?"] * period
    for place, sign in enumerate(notes):
        if sign == "?":
            continue
        known = pattern[place % period]
        if known == "?":
            pattern[place % period] = sign
        elif known != sign:
            break
    else:
        possible.append(period)
print(possible[0], len(possible))

# Puts each crate, from the heaviest on, on the side that has less.
n = int(input())
port = starboard = 0
side = []
for crate in range(n, 0, -1):
    if port <= starboard:
        port += crate * crate
        side.append(crate)
    else:
        starboard += crate * crate
if port != starboard or 4 * sum(side) != n * (n + 1):
    print("none")
else:
    print(len(side))
    print(*side)

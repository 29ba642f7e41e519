# Right, but looks at all lights for each one that it switches on.
import sys


def solve(m, arcs):
    for light, (start, size) in enumerate(arcs, 1):
        if size == m:
            return [light]
    longest = max(range(len(arcs)), key=lambda light: arcs[light][1])
    origin = arcs[longest][0]
    chosen = [(0, arcs[longest][1], longest + 1)]
    while chosen[-1][1] < m:
        reach, best = chosen[-1][1], None
        for light, (start, size) in enumerate(arcs, 1):
            start = (start - origin) % m
            if start <= reach and (best is None or start + size > best[1]):
                best = start, start + size, light
        if best[1] <= reach:
            return []
        chosen.append(best)
    first = 0
    while chosen[first + 1][0] + m <= chosen[-1][1]:
        first += 1
    return [light for _, _, light in chosen[first:]]


numbers = list(map(int, sys.stdin.buffer.read().split()))
lights = solve(numbers[0], list(zip(numbers[2::2], numbers[3::2])))
if lights:
    print(len(lights))
    print(*lights)
else:
    print("dark")

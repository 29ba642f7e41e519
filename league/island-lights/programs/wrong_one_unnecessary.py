# Switches off at most one of the first lights that the last one reaches over.
import sys


def solve(m, arcs):
    """The lights of a choice, or none of them."""
    for light, (start, size) in enumerate(arcs, 1):
        if size == m:
            return [light]
    order = sorted((start, start + size, light) for light, (start, size) in enumerate(arcs, 1))
    # An arc that lies within another is of no use: without those, ends rise with starts. Arcs of the round before
    # may hold the first ones.
    farthest = max(end for _, end, _ in order) - m
    kept = []
    for start, end, light in order:
        if kept and kept[-1][0] == start:
            kept.pop()
        if not kept or end > kept[-1][1]:
            kept.append((start, end, light))
    ring = kept + [(start + m, end + m, light) for start, end, light in kept]
    chosen, at = [ring[0]], 0
    goal = ring[0][0] + m
    while chosen[-1][1] < goal:
        reach = chosen[-1][1]
        before = at
        while at + 1 < len(ring) and ring[at + 1][0] <= reach:
            at += 1
        if at == before:
            return []
        chosen.append(ring[at])
    # The last arc may have made the first ones unnecessary.
    first = 0
    if chosen[first + 1][0] + m <= chosen[-1][1]:
        first += 1
    return [light for _, _, light in chosen[first:]]


numbers = list(map(int, sys.stdin.buffer.read().split()))
lights = solve(numbers[0], list(zip(numbers[2::2], numbers[3::2])))
if lights:
    print(len(lights))
    print(*lights)
else:
    print("dark")

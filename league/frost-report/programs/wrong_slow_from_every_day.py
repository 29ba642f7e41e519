# Right, but walks to both ends of the cold spell from each of its days.
import sys

n, *days = map(int, sys.stdin.read().split())


def end(day, step):
    """The last frost day that is reached from a frost day."""
    while True:
        if 0 <= day + step < n and days[day + step] < 0:
            day += step
        elif 0 <= day + 2 * step < n and days[day + step] <= 2 and days[day + 2 * step] < 0:
            day += 2 * step
        else:
            return day


spells = {(end(day, -1), end(day, 1)) for day in range(n) if days[day] < 0}
print(len(spells))
if spells:
    cold = {spell: sum(-day for day in days[spell[0] : spell[1] + 1] if day < 0) for spell in spells}
    first, last = min(spells, key=lambda spell: (-cold[spell], spell[1] - spell[0], spell))
    print(first + 1, last + 1, cold[first, last])

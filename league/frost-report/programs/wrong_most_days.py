# Takes the spell with the most days for the worst.
import sys


def main():
    n, *days = map(int, sys.stdin.read().split())
    spells = []
    for day, degrees in enumerate(days, 1):
        if degrees >= 0:
            continue
        if spells and (spells[-1][1] == day - 1 or (spells[-1][1] == day - 2 and days[day - 2] <= 2)):
            spells[-1][1] = day
            spells[-1][2] -= degrees
        else:
            spells.append([day, day, -degrees])
    print(len(spells))
    if spells:
        print(*min(spells, key=lambda spell: (spell[0] - spell[1], -spell[2], spell[0])))


main()

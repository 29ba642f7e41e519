# Subtracts the degrees of mild days from the severity.
import sys


def main():
    n, *days = map(int, sys.stdin.read().split())
    spells = []
    for day, degrees in enumerate(days, 1):
        if degrees >= 0:
            continue
        if spells and (spells[-1][1] == day - 1 or (spells[-1][1] == day - 2 and days[day - 2] <= 2)):
            spells[-1][2] -= sum(days[spells[-1][1] : day])
            spells[-1][1] = day
        else:
            spells.append([day, day, -degrees])
    print(len(spells))
    if spells:
        print(*min(spells, key=lambda spell: (-spell[2], spell[1] - spell[0], spell[0])))


main()

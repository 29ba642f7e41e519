import sys
from collections import defaultdict


def main() -> None:
    # Buckets instead of one big key: colour, then brightness, then length; only names are compared.
    lines = sys.stdin.read().splitlines()
    shelves = {"white": defaultdict(list), "green": defaultdict(list), "red": defaultdict(list)}
    for line in lines[1:]:
        name, colour, brightness = line.split()
        shelves[colour][int(brightness)].append(name)
    for shelf in shelves.values():
        for brightness in sorted(shelf, reverse=True):
            names = sorted(shelf[brightness])
            names.sort(key=len)
            print("\n".join(names))


main()

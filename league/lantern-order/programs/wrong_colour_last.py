# Takes the brightest lanterns first and looks at colours only among equally bright ones.
import sys


def main() -> None:
    place = {"white": 0, "green": 1, "red": 2}
    rows = []
    for line in sys.stdin.read().splitlines()[1:]:
        name, colour, light = line.split()
        rows.append((-int(light), place[colour], len(name), name))
    print("\n".join(row[3] for row in sorted(rows)))


main()

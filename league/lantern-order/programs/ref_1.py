import sys


def main() -> None:
    words = sys.stdin.read().split()
    place = {"white": 0, "green": 1, "red": 2}
    rows = []
    for at in range(1, 1 + 3 * int(words[0]), 3):
        name = words[at]
        rows.append((place[words[at + 1]], -int(words[at + 2]), len(name), name))
    rows.sort()
    print("\n".join(row[3] for row in rows))


main()

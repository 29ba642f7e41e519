import sys


def main() -> None:
    first, *grid = sys.stdin.read().split("\n")
    rows, columns = map(int, first.split())
    width = columns + 1
    # One text with a wall after each row and below: neighbours are at fixed distances, and -1 is a wall too.
    water = bytearray("#".join(grid[:rows]).encode() + b"#" * (width + 1))
    oily = [place for place, square in enumerate(water) if square == ord("o")]
    hours = 0
    while True:
        spread = []
        for place in oily:
            for near in (place - 1, place + 1, place - width, place + width):
                if near >= 0 and water[near] == ord("."):
                    water[near] = ord("o")
                    spread.append(near)
        if not spread:
            break
        hours, oily = hours + 1, spread
    print(hours, water.count(b"."))


main()

# Takes the mean of the places for the balance point, whatever the containers weigh.
import sys


def main() -> None:
    count, barge, *rest = map(int, sys.stdin.buffer.read().split())
    total, places, worst = barge, 0, 0.0
    for at in range(count):
        total += rest[2 * at]
        places += rest[2 * at + 1]
        worst = max(worst, abs(places / (at + 1)) * (total - barge) / total)
    print(worst)


main()

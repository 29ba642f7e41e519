import sys


def main() -> None:
    count, total, *rest = map(int, sys.stdin.buffer.read().split())
    moment, worst = 0, 0.0
    for i in range(0, 2 * count, 2):
        total += rest[i]
        moment += rest[i] * rest[i + 1]
        worst = max(worst, abs(moment) / total)
    print(worst)


main()

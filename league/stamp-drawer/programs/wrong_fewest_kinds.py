# Counts the kinds on a letter instead of the stamps.
import sys


def main():
    m, n, *data = map(int, sys.stdin.read().split())
    kinds = sorted(zip(data[: 2 * m : 2], data[1 : 2 * m : 2]), reverse=True)
    values, left = [v for v, _ in kinds], [c for _, c in kinds]
    for price in data[2 * m :]:
        before, missing, stamps = left[:], price, 0
        for at, value in enumerate(values):
            take = min(left[at], missing // value)
            left[at] -= take
            missing -= take * value
            stamps += take > 0
        if missing:
            for at in range(m - 1, -1, -1):
                if left[at]:
                    left[at] -= 1
                    missing -= values[at]
                    stamps += 1
                    break
        if missing > 0:
            left = before
            print("refused")
        else:
            print(stamps, -missing)


main()

# Compares the sizes by logarithms in floating point.
import math
import sys


def value(a, p, b, q):
    i, j = int(math.log(a, p)), int(math.log(b, q))
    if i == j:
        return 0
    return (a - p**j) // ((p - 1) * p**j) if i > j else -((b - q**i) // ((q - 1) * q**i))


def main():
    numbers = map(int, sys.stdin.read().split())
    for _ in range(next(numbers)):
        total = 0
        for _ in range(next(numbers)):
            total += value(*(next(numbers) for _ in range(4)))
        print("Anna" if total > 0 else "Boris" if total < 0 else "second")


main()

# Halves both sides by the smaller of the two numbers.
import sys


def value(a, p, b, q):
    low = min(p, q)
    while a >= p and b >= q:
        a //= low
        b //= low
    return (a - 1) // (p - 1) - (b - 1) // (q - 1)


def main():
    numbers = map(int, sys.stdin.read().split())
    for _ in range(next(numbers)):
        total = 0
        for _ in range(next(numbers)):
            total += value(*(next(numbers) for _ in range(4)))
        print("Anna" if total > 0 else "Boris" if total < 0 else "second")


main()

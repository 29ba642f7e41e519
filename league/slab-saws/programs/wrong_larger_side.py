# Looks at the longer side alone: who has it can always saw.
import sys


def value(a, p, b, q):
    return (a > b) - (a < b)


def main():
    numbers = map(int, sys.stdin.read().split())
    for _ in range(next(numbers)):
        total = 0
        for _ in range(next(numbers)):
            total += value(*(next(numbers) for _ in range(4)))
        print("Anna" if total > 0 else "Boris" if total < 0 else "second")


main()

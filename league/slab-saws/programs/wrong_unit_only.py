# Rounds the wide slab down to whole units, as is right for p = q = 2 only.
import sys


def value(a, p, b, q):
    i = j = 0
    x, y = a, b
    while x >= p:
        x //= p
        i += 1
    while y >= q:
        y //= q
        j += 1
    if i == j:
        return 0
    return a // p**j - 1 if i > j else 1 - b // q**i


def main():
    numbers = map(int, sys.stdin.read().split())
    for _ in range(next(numbers)):
        total = 0
        for _ in range(next(numbers)):
            total += value(*(next(numbers) for _ in range(4)))
        print("Anna" if total > 0 else "Boris" if total < 0 else "second")


main()

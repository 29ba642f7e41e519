import sys


def value(a, p, b, q):
    """How many moves Anna is ahead by a slab, in the sense of Conway's numbers; it is always an integer.

    As long as both can saw, they had better keep the parts as equal as can be, and the slab is worth what its largest
    part is worth; so only a // p and b // q matter. Where Boris cannot saw, each of Anna's moves makes p - 1 slabs more.
    """
    while a >= p and b >= q:
        a //= p
        b //= q
    return (a - 1) // (p - 1) - (b - 1) // (q - 1)


def main():
    numbers = map(int, sys.stdin.read().split())
    for _ in range(next(numbers)):
        total = 0
        for _ in range(next(numbers)):
            total += value(*(next(numbers) for _ in range(4)))
        print("Anna" if total > 0 else "Boris" if total < 0 else "second")


main()

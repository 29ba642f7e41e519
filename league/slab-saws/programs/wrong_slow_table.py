# Right, but works out the value of every smaller slab and every way to saw it.
import sys


def splits(values, count, choose):
    """The best sum of `count` values by the total size, all sizes positive; values[s - 1] is of size s."""
    best = dict(enumerate(values, start=1))
    for _ in range(count - 1):
        longer = {}
        for size, total in best.items():
            for more, value in enumerate(values, start=1):
                if size + more <= len(values) + 1:
                    sum_of = total + value
                    longer[size + more] = choose(longer.get(size + more, sum_of), sum_of)
        best = longer
    return best


def value(a, p, b, q):
    """The value from a table of all smaller slabs."""
    table = {}
    x = 0
    while x < a:
        x += 1
        y = 0
        while y < b:
            y += 1
            low = splits([table[w, y] for w in range(1, x)], p, max)[x] if x >= p else None
            high = splits([table[x, h] for h in range(1, y)], q, min)[y] if y >= q else None
            if low is not None and low >= 0:
                table[x, y] = low + 1
            elif high is not None and high <= 0:
                table[x, y] = high - 1
            else:
                table[x, y] = 0
    return table[a, b]


def main():
    numbers = map(int, sys.stdin.read().split())
    for _ in range(next(numbers)):
        total = 0
        for _ in range(next(numbers)):
            total += value(*(next(numbers) for _ in range(4)))
        print("Anna" if total > 0 else "Boris" if total < 0 else "second", flush=True)


main()

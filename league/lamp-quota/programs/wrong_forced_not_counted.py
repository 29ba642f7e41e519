# Does not count children that have to be lit anyway.
import sys

INF = float("inf")


def cheapest(on, off, low, high):
    """The least cost with `low` to `high` of the children lit, if they cost `on` when lit and `off` when not."""
    base, must, free = 0, 0, []
    for lit, dark in zip(on, off):
        if dark == INF:
            if lit == INF:
                return INF
            base += lit
            must += 1
        else:
            base += dark
            if lit != INF:
                free.append(lit - dark)
    low, high = max(0, low), min(len(free), high)
    if low > high:
        return INF
    free.sort()
    return base + sum(free[:low]) + sum(each for each in free[low:high] if each < 0)


def main():
    data = list(map(int, sys.stdin.read().split()))
    n = data[0]
    cost, low, high = data[1 : 3 * n + 1 : 3], data[2 : 3 * n + 1 : 3], data[3 : 3 * n + 1 : 3]
    near = [[] for _ in range(n)]
    for a, b in zip(data[3 * n + 1 :: 2], data[3 * n + 2 :: 2]):
        near[a - 1].append(b - 1)
        near[b - 1].append(a - 1)
    above, order = [-1] * n, [0]
    for village in order:
        for other in near[village]:
            if other != above[village]:
                above[other] = village
                order.append(other)
    best = [None] * n  # per village: cost of its part of the tree by (lit, the one above is lit)
    for village in reversed(order):
        children = [best[other] for other in near[village] if other != above[village]]
        table = []
        for lit in (0, 1):
            on, off = [child[2 + lit] for child in children], [child[lit] for child in children]
            for over in (0, 1):
                value = cheapest(on, off, low[village] - lit - over, high[village] - lit - over)
                table.append(value + lit * cost[village])
        best[village] = table
    answer = min(best[0][0], best[0][2])
    print(-1 if answer == INF else answer)


main()

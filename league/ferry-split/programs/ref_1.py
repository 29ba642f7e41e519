import sys


def main() -> None:
    n, room, *weights = map(int, sys.stdin.read().split())
    total = sum(weights)
    loaded = 0
    best = None
    for k in range(1, n):
        loaded += weights[k - 1]
        if k <= room and n - k <= room:
            gap = abs(total - 2 * loaded)
            if best is None or gap < best[1]:
                best = (k, gap)
    print(-1 if best is None else f"{best[0]} {best[1]}")


main()

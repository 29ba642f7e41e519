import sys


def main() -> None:
    count, begin, end, *rest = map(int, sys.stdin.buffer.read().split())
    keepers = sorted(zip(rest[::2], rest[1::2]))
    chosen, reached, best, i = 0, begin, begin, 0
    while reached < end:
        while i < count and keepers[i][0] <= reached:
            best = max(best, keepers[i][1])
            i += 1
        if best == reached:
            print(-1, reached)
            return
        chosen, reached = chosen + 1, best
    print(chosen)


main()

# Begins when the first keeper comes, even if that is after the night has begun.
import sys


def main() -> None:
    count, begin, end, *rest = map(int, sys.stdin.buffer.read().split())
    keepers = sorted(zip(rest[::2], rest[1::2]))
    reached = max(begin, keepers[0][0])
    chosen, best, i = 0, reached, 0
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

# Right, but plays all games out to learn who wins.
from functools import cache


def main():
    n, m = map(int, input().split())
    ends = [tuple(map(int, input().split())) for _ in range(m)]

    @cache
    def joined(bridges):
        part = list(range(n + 1))
        for e in range(m):
            if bridges >> e & 1:
                u, v = ends[e]
                part = [part[v] if where == part[u] else where for where in part]
        return len(set(part[1:])) == 1

    @cache
    def storm_wins(free, fast):
        """Whether the storm wins if it is its turn."""
        if joined(fast):
            return False
        if not joined(free | fast):
            return True
        return any(strikes(free, fast, e) for e in range(m) if free >> e & 1)

    def strikes(free, fast, e):
        free ^= 1 << e
        if not joined(free | fast):
            return True
        return all(storm_wins(free ^ 1 << f, fast | 1 << f) for f in range(m) if free >> f & 1)

    free, fast = (1 << m) - 1, 0
    storm = storm_wins(free, fast)
    print("storm" if storm else "warden", flush=True)
    while True:
        if storm:
            e = next(e for e in range(m) if free >> e & 1 and strikes(free, fast, e))
            free ^= 1 << e
            print(e + 1, flush=True)
        answer = int(input()) - 1
        if answer < 0:
            return
        free ^= 1 << answer
        if storm:
            fast |= 1 << answer
        else:
            f = next(f for f in range(m) if free >> f & 1 and not storm_wins(free ^ 1 << f, fast | 1 << f))
            free ^= 1 << f
            fast |= 1 << f
            print(f + 1, flush=True)


main()

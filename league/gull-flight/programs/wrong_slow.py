# Right, but goes through all routes again and again until nothing changes.
import sys

data = list(map(int, sys.stdin.buffer.read().split()))
n = data[0]
routes = list(zip(data[2::3], data[3::3], data[4::3]))
far = float("inf")


def search(limit, combine):
    best = [far] * (n + 1)
    best[1] = 0
    changed = True
    while changed:
        changed = False
        for a, b, w in routes:
            if w > limit:
                continue
            for start, end in ((a, b), (b, a)):
                cost = combine(best[start], w)
                if cost < best[end]:
                    best[end] = cost
                    changed = True
    return best[n]


longest = search(far, max)
print(-1 if longest == far else f"{longest} {search(longest, lambda cost, w: cost + w)}")

# Takes the rule for one about each chain: not as many links as were taken off the same chain before.
from functools import lru_cache

a, b, k = map(int, input().split())


@lru_cache(None)
def move(x, y, p, q):
    for links in range(1, k + 1):
        if links <= x and links != p and not move(x - links, y, links, q):
            return 1, links
        if links <= y and links != q and not move(x, y - links, p, links):
            return 2, links
    return None


left, lasts = [min(a, 14), min(b, 14)], [0, 0]
mine = move(*left, 0, 0) is not None
left = [a, b]
print("first" if mine else "second", flush=True)
while True:
    if mine:
        best = move(min(left[0], 14), min(left[1], 14), *lasts) or (1 if left[0] else 2, 1)
        print(*best, flush=True)
    else:
        best = tuple(map(int, input().split()))
        if not best[0]:
            break
    left[best[0] - 1] -= best[1]
    lasts[best[0] - 1] = best[1]
    mine = not mine

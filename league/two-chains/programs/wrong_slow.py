# Right, but thinks every position through anew.
a, b, k = map(int, input().split())


def move(x, y, last):
    for links in range(1, k + 1):
        if links == last:
            continue
        if links <= x and not move(x - links, y, links):
            return 1, links
        if links <= y and not move(x, y - links, links):
            return 2, links
    return None


left, last = [a, b], 0
best = move(a, b, 0)
mine = best is not None
print("first" if mine else "second", flush=True)
while True:
    if mine:
        best = move(*left, last)
        print(*best, flush=True)
    else:
        best = tuple(map(int, input().split()))
        if not best[0]:
            break
    left[best[0] - 1] -= best[1]
    last = best[1]
    mine = not mine

# Does not find out that there is no round where the number of columns is even.
def extend(ring, near, first, second):
    """Lead a ring over two more lines: open one of its edges on the line `near`, which lies beside `first`."""
    border = set(near)
    at = next(at for at in range(len(ring)) if ring[at] in border and ring[at - 1] in border)
    i, j = near.index(ring[at - 1]), near.index(ring[at])
    if i < j:
        path = first[i::-1] + second + first[: j - 1 : -1]
    else:
        path = first[i:] + second[::-1] + first[: j + 1]
    return ring[:at] + path + ring[at:]


def solve(n, m, r, c):
    if n % 2 == 0 or (r + c) % 2:
        return None
    # A ring in three rows and three columns round or beside the rock, with even numbers of lines on all sides.
    top = r - 1 if r % 2 else min(r, n - 3)
    left = c - 1 if c % 2 else min(c, m - 3)
    around = [(0, 0), (0, 1), (0, 2), (1, 2), (2, 2), (2, 1), (2, 0), (1, 0)]
    ring = [(top + y, left + x) for y, x in around]
    if (r, c) in ring:
        ring[ring.index((r, c))] = (top + 1, left + 1)

    def column(x):
        return [(y, x) for y in range(top, top + 3)]

    def row(y):
        return [(y, x) for x in range(m)]

    for x in range(left, 0, -2):
        ring = extend(ring, column(x), column(x - 1), column(x - 2))
    for x in range(left + 2, m - 1, 2):
        ring = extend(ring, column(x), column(x + 1), column(x + 2))
    for y in range(top, 0, -2):
        ring = extend(ring, row(y), row(y - 1), row(y - 2))
    for y in range(top + 2, n - 1, 2):
        ring = extend(ring, row(y), row(y + 1), row(y + 2))
    return ring


n, m, r, c = map(int, input().split())
ring = solve(n, m, r - 1, c - 1)
if ring is None:
    print("none")
else:
    print(ring[0][0] + 1, ring[0][1] + 1)
    letters = {(-1, 0): "N", (0, 1): "E", (1, 0): "S", (0, -1): "W"}
    print("".join(letters[b[0] - a[0], b[1] - a[1]] for a, b in zip(ring, ring[1:] + ring[:1])))

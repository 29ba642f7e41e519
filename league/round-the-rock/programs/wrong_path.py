# Comes back only near to its start: the round is a path.
n, m, r, c = map(int, input().split())
if (n * m) % 2 == 0 or (r + c) % 2:
    print("none")
else:
    # Rows to and fro from below the rock, past it where it lies at the end of a row.
    print(n, 1)
    steps = []
    for row in range(n):
        steps.append(("E" if row % 2 == 0 else "W") * (m - 1))
    print("N".join(steps)[: n * m - 1])

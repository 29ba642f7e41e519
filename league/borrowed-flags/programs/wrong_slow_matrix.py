# Right, but solves the equations as a full matrix.
import sys
from math import comb

MOD = 998_244_353


def main():
    (_, r), fleets = [[int(word) for word in line.split()] for line in sys.stdin]
    total = sum(fleets)
    chosen = pow(comb(total, r), -1, MOD)
    # Unknowns f(2) to f(total); the last column is the right-hand side.
    rows = []
    for c in range(1, total):
        row = [0] * (total + 2)
        row[c] = MOD - 1
        for h in range(max(0, r - total + c), min(r, c) + 1):
            chance = comb(c, h) * comb(total - c, r - h) * chosen % MOD
            row[c + r - h] += chance * h * pow(r, -1, MOD)
            row[c - h] += chance * (r - h) * pow(r, -1, MOD)
        row[-1] = -c * pow(total, -1, MOD)
        rows.append([value % MOD for value in row[2:]])
    size = len(rows)
    for column in range(size):
        at = next(i for i in range(column, size) if rows[i][column])
        rows[column], rows[at] = rows[at], rows[column]
        inverse = pow(rows[column][column], -1, MOD)
        pivot = rows[column] = [value * inverse % MOD for value in rows[column]]
        for i in range(size):
            factor = rows[i][column]
            if i != column:
                rows[i] = [(a - factor * b) % MOD for a, b in zip(rows[i], pivot)]
    f = [0, 0, *(row[-1] for row in rows)]
    print((sum(f[c] for c in fleets) - f[total]) % MOD)


main()

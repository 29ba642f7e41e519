import sys
from math import comb

MOD = 998_244_353


def values(total, r):
    """f(0) to f(total): the sum of f over the fleets falls by 1 each evening on average.

    That holds if for a fleet of c boats the average change of f is -c / total. Of h of its boats among the r, the
    fleet grows by r - h with chance h / r and shrinks by h otherwise. So f(c + r - 1) follows from smaller ones; a
    multiple of c may be added to f, so f(1) = 0, and f(2) to f(r - 1) are unknowns, which the last equations give.
    """
    unknown = r - 2
    f = [[0] * (unknown + 1) for _ in range(2)]  # constant part first
    f += [[0] * (at + 1) + [1] + [0] * (unknown - at - 1) for at in range(unknown)]
    chosen = pow(comb(total, r), -1, MOD)
    share = pow(total, -1, MOD)
    part = [h * pow(r, -1, MOD) % MOD for h in range(r + 1)]
    below = [comb(c, h) for c in range(total + 1) for h in range(r + 1)]
    rest = []
    for c in range(1, total):
        terms = {c: MOD - 1}
        for h in range(max(0, r - total + c), min(r, c) + 1):
            chance = below[c * (r + 1) + h] * below[(total - c) * (r + 1) + r - h] % MOD * chosen % MOD
            terms[c + r - h] = (terms.get(c + r - h, 0) + chance * part[h]) % MOD
            terms[c - h] = (terms.get(c - h, 0) + chance * (1 - part[h])) % MOD
        top = c + r - 1
        known = [(f[at], weight) for at, weight in terms.items() if at < top or top > total]
        row = [sum(vector[j] * weight for vector, weight in known) % MOD for j in range(unknown + 1)]
        row[0] += c * share
        if top <= total:
            scale = MOD - pow(terms[top], -1, MOD)
            f.append([value * scale % MOD for value in row])
        else:
            rest.append(row)
    solution = solve(rest)
    return [(row[0] + sum(x * y for x, y in zip(row[1:], solution))) % MOD for row in f]


def solve(rows):
    """x with row[0] + row[1:] * x = 0 for every row."""
    size = len(rows)
    for column in range(1, size + 1):
        at = next(i for i in range(column - 1, size) if rows[i][column] % MOD)
        rows[column - 1], rows[at] = rows[at], rows[column - 1]
        inverse = pow(rows[column - 1][column], -1, MOD)
        pivot = rows[column - 1] = [value * inverse % MOD for value in rows[column - 1]]
        for i in range(size):
            if i != column - 1:
                rows[i] = [(a - rows[i][column] * b) % MOD for a, b in zip(rows[i], pivot)]
    return [-row[0] % MOD for row in rows]


def main():
    (_, r), fleets = [[int(word) for word in line.split()] for line in sys.stdin]
    total = sum(fleets)
    f = values(total, r)
    print((sum(f[c] for c in fleets) - f[total]) % MOD)


main()

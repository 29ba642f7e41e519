# Multiplies in the field of 256 elements that ciphers use.
import sys
from functools import cache


@cache
def product(a, b):
    result = 0
    while b:
        if b & 1:
            result ^= a
        a, b = a << 1, b >> 1
        if a & 256:
            a ^= 283
    return result


def main():
    _, *lamps = [tuple(map(int, line.split())) for line in sys.stdin]
    for base in range(2, 256):
        powers = [1]
        while (value := product(powers[-1], base)) != 1:
            powers.append(value)
        if len(powers) == 255:
            break
    logs = {value: at for at, value in enumerate(powers)}

    def times(a, b):
        return powers[(logs[a] + logs[b]) % 255] if a and b else 0

    total = 0
    for x, y, z in lamps:
        total ^= times(times(x, y + 1), z + 1 & -z - 1)
    if not total:
        print("lost")
        return
    for x, y, z in lamps:
        rows, added = {}, 0
        for w in range(z, -1, -1):
            added ^= w + 1 & -w - 1
            rows[logs[added]] = w
        sides = {logs[y + 1 ^ v + 1 if v < y else y + 1]: v for v in range(y + 1)}
        for u in range(x):
            rest = logs[total] - logs[x ^ u]
            for side, v in sides.items():
                if (rest - side) % 255 in rows:
                    print(x, y, z, u, v, rows[(rest - side) % 255])
                    return


main()

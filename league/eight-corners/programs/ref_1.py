import sys
from functools import cache


@cache
def product(a, b, level=8):
    """The nim product of two numbers below 2^level."""
    if a < 2 or b < 2:
        return a * b
    half = level // 2
    mask = (1 << half) - 1
    a1, a0, b1, b0 = a >> half, a & mask, b >> half, b & mask
    low, high = product(a0, b0, half), product(a1, b1, half)
    mixed = product(a1 ^ a0, b1 ^ b0, half)
    # F = 2^half is a Fermat power: F * F = F + F / 2.
    return (mixed ^ low) << half | low ^ product(high, 1 << half - 1, half)


def main():
    _, *lamps = [tuple(map(int, line.split())) for line in sys.stdin]
    # The numbers below 256 are a field; every element but 0 is a power of one of them.
    for base in range(2, 256):
        powers = [1]
        while (value := product(powers[-1], base)) != 1:
            powers.append(value)
        if len(powers) == 255:
            break
    logs = {value: at for at, value in enumerate(powers)}

    def times(a, b):
        return powers[(logs[a] + logs[b]) % 255] if a and b else 0

    # By the Tartan theorem a lamp is worth x y z; a move adds (x + u) (y + v) (z + w).
    total = 0
    for x, y, z in lamps:
        total ^= times(times(x, y), z)
    if not total:
        print("lost")
        return
    for x, y, z in lamps:
        for u in range(x):
            rest = logs[total] - logs[x ^ u]
            for v in range(y):
                w = z ^ powers[(rest - logs[y ^ v]) % 255]
                if w < z:
                    print(x, y, z, u, v, w)
                    return


main()

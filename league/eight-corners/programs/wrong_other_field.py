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

# All ciphers differ from the line through those of 0 and 1 by multiples of m, and that of 10^6 by one that is not 0. Of
# 16 others one may be wrong: without it the greatest common divisor is m, and with it only a proper divisor.
from math import gcd

input()


def cipher(x):
    print("?", x, flush=True)
    return int(input())


slipped = False


def surely(x):
    """The cipher of x: the clerk slips once at most, so two equal replies are right."""
    global slipped
    first = cipher(x)
    if slipped:
        return first
    second = cipher(x)
    if first == second:
        return first
    slipped = True
    return cipher(x)


b = surely(0)
step = surely(1) - b
far = b + step * 10**6 - surely(10**6)
numbers = [(pow(7, i, 999_983) + 271 * i) % 999_979 + 2 for i in range(6, 22)]
ciphers = [cipher(x) for x in numbers]
distances = [b + step * x - got for x, got in zip(numbers, ciphers)]
m = gcd(far, *distances)
if m <= max(ciphers):
    m = max(gcd(far, *distances[:i], *distances[i + 1 :]) for i in range(len(distances)))
print("!", step % m, b, m, flush=True)

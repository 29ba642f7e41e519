# Takes the reply to 10^6 for right.
from math import gcd

input()


def cipher(x):
    print("?", x, flush=True)
    return int(input())


def surely(x):
    one, two = cipher(x), cipher(x)
    return one if one == two else cipher(x)


b = surely(0)
step = surely(1) - b
far = b + step * 10**6 - cipher(10**6)
numbers = [(pow(7, i, 999_983) + 271 * i) % 999_979 + 2 for i in range(6, 22)]
ciphers = [cipher(x) for x in numbers]
distances = [b + step * x - got for x, got in zip(numbers, ciphers)]
m = gcd(far, *distances)
if m <= max(ciphers):
    m = max(gcd(far, *distances[:i], *distances[i + 1 :]) for i in range(len(distances))) or 1
print("!", step % m, b, m, flush=True)

# Has every number enciphered until two replies agree: too many numbers.
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
m = b + step * 10**6 - surely(10**6)
for i in range(6, 22):
    x = (pow(7, i, 999_983) + 271 * i) % 999_979 + 2
    m = gcd(m, b + step * x - surely(x))
print("!", step % m, b, m, flush=True)

# Trusts every reply.
from math import gcd

input()


def cipher(x):
    print("?", x, flush=True)
    return int(input())


b = cipher(0)
step = cipher(1) - b
m = b + step * 10**6 - cipher(10**6)
for i in range(6, 26):
    x = (pow(7, i, 999_983) + 271 * i) % 999_979 + 2
    m = gcd(m, b + step * x - cipher(x))
m = m or 1
print("!", step % m, b, m, flush=True)

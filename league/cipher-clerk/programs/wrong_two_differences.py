# Takes the common divisor of two differences for the modulus.
from math import gcd

input()


def cipher(x):
    print("?", x, flush=True)
    return int(input())


b = cipher(0)
step = cipher(1) - b
m = gcd(b + step * 10**6 - cipher(10**6), b + step * 500000 - cipher(500000)) or 1
print("!", step % m, b, m, flush=True)

# Takes the greatest common divisor of two distances for m; both may have a further factor in common.
from math import gcd


def turn(x):
    print("?", x, flush=True)
    return int(input())


a = turn(1)
m = gcd(a * 2**30 - turn(2**30), a * 2**29 - turn(2**29))
print("!", a, m, flush=True)

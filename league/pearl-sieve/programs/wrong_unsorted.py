# Compares the exponents in the order of the primes: 12 and 18 become different kinds.
from math import isqrt

low, high = map(int, input().split())
prime = bytearray([1]) * (isqrt(high) + 1)
prime[:2] = bytes(min(2, len(prime)))
for p in range(2, isqrt(isqrt(high)) + 1):
    if prime[p]:
        prime[p * p :: p] = bytes(len(range(p * p, len(prime), p)))
left = list(range(low, high + 1))
exponents = [()] * len(left)
for p in range(2, len(prime)):
    if prime[p]:
        for at in range(-low % p, len(left), p):
            times = 0
            while left[at] % p == 0:
                left[at] //= p
                times += 1
            exponents[at] += (times,)
groups = {}
for at, rest in enumerate(left):
    groups.setdefault(exponents[at] + ((1,) if rest > 1 else ()), []).append(low + at)
most = max(map(len, groups.values()))
print(len(groups), most, min(group[0] for group in groups.values() if len(group) == most))

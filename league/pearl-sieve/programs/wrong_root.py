# Sieves with the primes below the root of `high`, the root itself left out: the square of a prime passes for a prime.
from math import isqrt

low, high = map(int, input().split())
prime = bytearray([1]) * isqrt(high)
prime[:2] = bytes(min(2, len(prime)))
for p in range(2, isqrt(isqrt(high)) + 1):
    if p < len(prime) and prime[p]:
        prime[p * p :: p] = bytes(len(range(p * p, len(prime), p)))
left = list(range(low, high + 1))
exponents = [[] for _ in left]
for p in range(2, len(prime)):
    if prime[p]:
        for at in range(-low % p, len(left), p):
            times = 0
            while left[at] % p == 0:
                left[at] //= p
                times += 1
            exponents[at].append(times)
groups = {}
for at, rest in enumerate(left):
    groups.setdefault(tuple(sorted(exponents[at] + [1] * (rest > 1))), []).append(low + at)
most = max(map(len, groups.values()))
print(len(groups), most, min(group[0] for group in groups.values() if len(group) == most))

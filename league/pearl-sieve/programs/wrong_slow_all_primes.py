# Right, but divides every number by all primes up to its root.
from math import isqrt

low, high = map(int, input().split())
limit = isqrt(high)
sieve = bytearray([1]) * (limit + 1)
for p in range(2, isqrt(limit) + 1):
    if sieve[p]:
        sieve[p * p :: p] = bytes(len(range(p * p, limit + 1, p)))
primes = [p for p in range(2, limit + 1) if sieve[p]]
groups = {}
for number in range(low, high + 1):
    rest, exponents = number, []
    for p in primes:
        times = 0
        while rest % p == 0:
            rest //= p
            times += 1
        if times:
            exponents.append(times)
    if rest > 1:
        exponents.append(1)
    groups.setdefault(tuple(sorted(exponents)), []).append(number)
most = max(map(len, groups.values()))
print(len(groups), most, min(group[0] for group in groups.values() if len(group) == most))

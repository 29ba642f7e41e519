# Takes numbers with equally many prime factors for one kind: 4 and 6 become the same.
from math import isqrt

low, high = map(int, input().split())
limit = isqrt(high)
prime = bytearray([1]) * (limit + 1)
for p in range(2, isqrt(limit) + 1):
    if prime[p]:
        prime[p * p :: p] = bytes(len(range(p * p, limit + 1, p)))
left, factors = list(range(low, high + 1)), [0] * (high - low + 1)
for p in range(2, limit + 1):
    if prime[p]:
        for at in range(-low % p, len(left), p):
            while left[at] % p == 0:
                left[at] //= p
                factors[at] += 1
groups = {}
for at, rest in enumerate(left):
    groups.setdefault(factors[at] + (rest > 1), []).append(low + at)
most = max(map(len, groups.values()))
print(len(groups), most, min(group[0] for group in groups.values() if len(group) == most))

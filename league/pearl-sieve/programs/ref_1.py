from math import isqrt


def main() -> None:
    # Each prime up to the root of `high` is divided out of its multiples; what is left over is one more prime.
    low, high = map(int, input().split())
    limit = isqrt(high)
    prime = bytearray([1]) * (limit + 1)
    prime[:2] = bytes(min(2, limit + 1))
    for p in range(2, isqrt(limit) + 1):
        if prime[p]:
            prime[p * p :: p] = bytes(len(range(p * p, limit + 1, p)))

    left = list(range(low, high + 1))
    exponents = [[] for _ in left]
    p = prime.find(1)
    while p >= 0:
        for at in range(-low % p, len(left), p):
            rest, times = left[at] // p, 1
            while rest % p == 0:
                rest //= p
                times += 1
            left[at] = rest
            exponents[at].append(times)
        p = prime.find(1, p + 1)

    counts, smallest = {}, {}
    for at, (rest, times) in enumerate(zip(left, exponents)):
        if rest > 1:
            times.append(1)
        times.sort()
        kind = tuple(times)
        smallest.setdefault(kind, low + at)
        counts[kind] = counts.get(kind, 0) + 1
    most = max(counts.values())
    print(len(counts), most, min(smallest[kind] for kind in counts if counts[kind] == most))


main()

# Right, but factors every number by trial division of its own.
low, high = map(int, input().split())
groups = {}
for number in range(low, high + 1):
    rest, p, exponents = number, 2, []
    while p * p <= rest:
        times = 0
        while rest % p == 0:
            rest //= p
            times += 1
        if times:
            exponents.append(times)
        p += 1
    if rest > 1:
        exponents.append(1)
    groups.setdefault(tuple(sorted(exponents)), []).append(number)
most = max(map(len, groups.values()))
print(len(groups), most, min(group[0] for group in groups.values() if len(group) == most))

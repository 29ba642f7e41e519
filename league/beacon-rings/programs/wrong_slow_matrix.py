# Right, but multiplies the matrix of the patterns once for every lamp.
import sys

MOD = 998_244_353
n, _, *patterns = sys.stdin.read().split()
n = int(n)
step = [[0] * 8 for _ in range(8)]
for four in range(16):
    text = format(four, "04b").replace("1", "o").replace("0", ".")
    step[four >> 1][four & 7] = int(not any(pattern in text for pattern in patterns))
power = [[int(i == j) for j in range(8)] for i in range(8)]
rings, primitive = 0, {}
for d in range(1, n + 1):
    power = [[sum(row[k] * step[k][j] for k in range(8)) % MOD for j in range(8)] for row in power]
    if n % d == 0:
        primitive[d] = sum(power[i][i] for i in range(8)) - sum(primitive[c] for c in primitive if d % c == 0)
        rings += primitive[d] * pow(d, -1, MOD)
print(rings % MOD)

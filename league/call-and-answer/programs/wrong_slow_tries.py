# Right, but tries all ways to split.
import sys

s = [ord(letter) for letter in sys.stdin.read().split()[1]]
n = len(s)


def most(at, k):
    if at == n:
        return 0
    best = -1
    for length in range(1, (n - at) // 2 + 1):
        if all((s[at + j] + k - s[at + length + j]) % 26 == 0 for j in range(length)):
            rest = most(at + 2 * length, k)
            if rest >= 0:
                best = max(best, rest + 1)
    return best


counts = [most(0, k) for k in range(26)]
print(*((max(counts), counts.index(max(counts))) if max(counts) > 0 else (-1,)))

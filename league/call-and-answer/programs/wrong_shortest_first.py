# Always takes the shortest exchange that fits next.
import sys

s = [ord(letter) for letter in sys.stdin.read().split()[1]]
n, best = len(s), (-1, 0)
for k in range(26):
    at, count = 0, 0
    while at < n:
        for length in range(1, (n - at) // 2 + 1):
            if all((s[at + j] + k - s[at + length + j]) % 26 == 0 for j in range(length)):
                at += 2 * length
                count += 1
                break
        else:
            break
    if at == n and count > best[0]:
        best = (count, k)
print(*(best if best[0] > 0 else (-1,)))

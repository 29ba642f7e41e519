# Right, but compares all letters of every call and answer anew for every k.
import sys

s = [ord(letter) for letter in sys.stdin.read().split()[1]]
n, most = len(s), (-1, 0)
for k in range(26):
    best = [-1] * (n + 1)
    best[0] = 0
    for end in range(1, n + 1):
        for length in range(1, end // 2 + 1):
            same = 0
            for j in range(end - 2 * length, end - length):
                same += (s[j] + k - s[j + length]) % 26 == 0
            if same == length and best[end - 2 * length] >= 0:
                best[end] = max(best[end], best[end - 2 * length] + 1)
    if best[n] > most[0]:
        most = (best[n], k)
print(*(most if most[0] > 0 else (-1,)))

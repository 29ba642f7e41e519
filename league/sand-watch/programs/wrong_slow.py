# Right, but goes from second to second.
import sys

words = sys.stdin.read().split()
n, end = int(words[0]), int(words[1])
sizes, tops = [int(word) for word in words[2::3]], [int(word) for word in words[3::3]]
counts, second = [0] * n, 0
while second < end:
    second += 1
    out = [at for at in range(n) if tops[at] == 1]
    tops = [max(0, grains - 1) for grains in tops]
    for at in out:
        counts[at] += 1
        for other in range(n):
            if words[4 + 3 * at][other] == "1":
                tops[other] = sizes[other] - tops[other]
for grains, count in zip(tops, counts):
    print(grains, count)

# Right, but compares every two strands: the k-th longest common root part of a strand is what k of them share.
import sys

data = sys.stdin.read().split()
k, words = int(data[1]), data[2:]
best = ""
for word in words:
    shared = []
    for other in words:
        length = 0
        while length < min(len(word), len(other)) and word[length] == other[length]:
            length += 1
        shared.append(length)
    shared.sort(reverse=True)
    part = word[: shared[k - 1]]
    if len(part) > len(best) or (len(part) == len(best) and part < best):
        best = part
print(best or "-")

# Right, but counts every root part by going through all strands again.
import sys

data = sys.stdin.read().split()
k, words = int(data[1]), data[2:]
parts = {word[:end] for word in words for end in range(1, len(word) + 1)}
for part in sorted(parts, key=lambda part: (-len(part), part)):
    if sum(word.startswith(part) for word in words) >= k:
        print(part)
        break
else:
    print("-")

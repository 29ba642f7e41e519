# Counts equal strands once.
import sys
from collections import Counter

data = sys.stdin.read().split()
parts = Counter(word[:end] for word in set(data[2:]) for end in range(1, len(word) + 1))
common = [part for part, times in parts.items() if times >= int(data[1])]
print(min(common, key=lambda part: (-len(part), part), default="-"))

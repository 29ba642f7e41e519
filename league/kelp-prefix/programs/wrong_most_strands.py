# Takes the root part of most strands, and the longest only among equals.
import sys
from collections import Counter


def main() -> None:
    _, k, *words = sys.stdin.read().split()
    parts = Counter(word[:end] for word in words for end in range(1, len(word) + 1))
    best = min(parts, key=lambda part: (-parts[part], -len(part), part))
    print(best if parts[best] >= int(k) else "-")


main()

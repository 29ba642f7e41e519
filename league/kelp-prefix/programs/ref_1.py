import sys
from collections import Counter


def main() -> None:
    _, k, *words = sys.stdin.read().split()
    need = int(k)
    parts = Counter(word[:end] for word in words for end in range(1, len(word) + 1))
    common = [part for part, times in parts.items() if times >= need]
    print(min(common, key=lambda part: (-len(part), part), default="-"))


main()

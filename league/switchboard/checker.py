"""Whether the switches make the lamps change as told, or the lamps prove that no switches do.

Kattis's protocol: the output comes as standard input; exit code 42 is right, 43 wrong.
"""

import sys


def main() -> int:
    """42 for a right output, 43 for any other."""
    lines = open(sys.argv[1]).read().split("\n")
    n, m = map(int, lines[0].split())
    change = {lamp for lamp, sign in enumerate(lines[1], 1) if sign == "1"}
    switches = [{int(word) for word in line.split()[1:]} for line in lines[2 : m + 2]]
    kind, *words = sys.stdin.read(1 << 20).split() or [""]
    if kind not in ("press", "stuck") or not words or not all(len(word) <= 3 and word.isascii() and word.isdigit() for word in words):
        return 43
    count, *numbers = map(int, words)
    if count != len(numbers) or len(set(numbers)) != count:
        return 43
    if not all(1 <= number <= (m if kind == "press" else n) for number in numbers):
        return 43
    if kind == "press":
        changed: set[int] = set()
        for number in numbers:
            changed ^= switches[number - 1]
        return 42 if changed == change else 43
    proof = set(numbers)
    even = all(len(lamps & proof) % 2 == 0 for lamps in switches)
    return 42 if even and len(change & proof) % 2 == 1 else 43


sys.exit(main())

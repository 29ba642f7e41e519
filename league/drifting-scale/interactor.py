"""Weighs barrels on a scale that drifts, at most 13 times, and hears which barrel is said to be heavy.

Exit codes are testlib's: 0 right, 1 wrong, 2 badly written.
"""

import sys

WEIGHINGS = 13


def end(code: int, words: str) -> None:
    """Say why, and decide."""
    sys.stderr.write(words)
    sys.exit(code)


def main() -> None:
    """Talk with the program."""
    barrels, heavy, weight, more, drift = map(int, open(sys.argv[1]).read().split())
    print(barrels, flush=True)
    for weighing in range(WEIGHINGS + 1):
        sign, *words = sys.stdin.buffer.readline(64).rstrip(b"\r\n").split(b" ")
        if len(words) != {b"?": 2, b"!": 1}.get(sign):
            end(2, "neither a weighing nor an answer")
        if not all(len(word) <= 6 and word.isdigit() and 1 <= int(word) <= barrels for word in words):
            end(2, "not a barrel")
        numbers = [int(word) for word in words]
        if sign == b"!":
            if numbers != [heavy]:
                end(1, f"barrel {numbers[0]} is not the heavy one")
            end(*((1, "more after the answer") if sys.stdin.buffer.read(1 << 12).strip() else (0, f"{weighing} weighings")))
        first, last = numbers
        if first > last:
            end(2, "the first barrel comes after the last")
        if weighing == WEIGHINGS:
            end(1, "too many weighings")
        print((last - first + 1) * weight + more * (first <= heavy <= last) + weighing * drift, flush=True)


main()

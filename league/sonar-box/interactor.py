"""Measures how far the wreck is from at most four squares of the sea, and hears where it is said to lie.

Exit codes are testlib's: 0 right, 1 wrong, 2 badly written.
"""

import sys

PINGS = 4


def end(code: int, words: str) -> None:
    """Say why, and decide."""
    sys.stderr.write(words)
    sys.exit(code)


def main() -> None:
    """Talk with the program."""
    size, *wreck = map(int, open(sys.argv[1]).read().split())
    x1, y1, x2, y2 = wreck
    print(size, flush=True)
    for ping in range(PINGS + 1):
        sign, *words = sys.stdin.buffer.readline(64).rstrip(b"\r\n").split(b" ")
        if len(words) != {b"?": 2, b"!": 4}.get(sign):
            end(2, "neither a ping nor an answer")
        if not all(len(word) <= 10 and word.isdigit() and 1 <= int(word) <= size for word in words):
            end(2, "a coordinate off the sea")
        numbers = [int(word) for word in words]
        if sign == b"!":
            if numbers != wreck:
                end(1, "the wreck does not lie there")
            end(*((1, "more after the answer") if sys.stdin.buffer.read(1 << 12).strip() else (0, f"{ping} pings")))
        if ping == PINGS:
            end(1, "too many pings")
        x, y = numbers
        print(max(x1 - x, 0, x - x2) + max(y1 - y, 0, y - y2), flush=True)


main()

"""Weighs pots against each other, as often as is allowed, and hears which of them have a lobster.

Exit codes are testlib's: 0 right, 1 wrong, 2 badly written.
"""

import sys


def end(code: int, words: str) -> None:
    """Say why, and decide."""
    sys.stderr.write(words)
    sys.exit(code)


def main() -> None:
    """Talk with the program."""
    first, pots = open(sys.argv[1]).read().split("\n")[:2]
    n, allowed = map(int, first.split())
    full = int(pots, 2)
    print(n, allowed, flush=True)
    for weighing in range(allowed + 1):
        sign, _, word = sys.stdin.buffer.readline(1024).rstrip(b"\r\n").partition(b" ")
        if len(word) != n or word.strip({b"?": b"LR-", b"!": b"01"}.get(sign, b"")):
            end(2, "neither a weighing nor an answer")
        if sign == b"!":
            if word.decode() != pots:
                end(1, "wrong pots")
            end(*((1, "more after the answer") if sys.stdin.buffer.read(1 << 12).strip() else (0, f"{weighing} weighings")))
        if weighing == allowed:
            end(1, "too many weighings")
        left = int(word.translate(bytes.maketrans(b"LR-", b"100")), 2) & full
        right = int(word.translate(bytes.maketrans(b"LR-", b"010")), 2) & full
        print(left.bit_count() - right.bit_count(), flush=True)


main()

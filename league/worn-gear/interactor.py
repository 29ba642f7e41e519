"""Turns a gear of m teeth by a teeth as often as it is told, for at most 6 telegrams, and hears what a and m are.

Exit codes are testlib's: 0 right, 1 wrong, 2 badly written.
"""

import sys

TELEGRAMS = 6


def end(code: int, words: str) -> None:
    """Say why, and decide."""
    sys.stderr.write(words)
    sys.exit(code)


def main() -> None:
    """Talk with the program."""
    a, m = map(int, open(sys.argv[1]).read().split())
    for sent in range(TELEGRAMS + 1):
        sign, *words = sys.stdin.buffer.readline(64).rstrip(b"\r\n").split(b" ")
        if not all(1 <= len(word) <= 10 and word.isdigit() for word in words):
            end(2, "no numbers")
        numbers = [int(word) for word in words]
        if sign == b"!" and len(numbers) == 2:
            if numbers != [a, m]:
                end(1, "the wrong numbers")
            end(*((1, "more after the answer") if sys.stdin.buffer.read(1 << 12).strip() else (0, f"{sent} telegrams")))
        if sign != b"?" or len(numbers) != 1 or numbers[0] > 2**30:
            end(2, "neither a telegram nor an answer")
        if sent == TELEGRAMS:
            end(1, "too many telegrams")
        print(a * numbers[0] % m, flush=True)


main()

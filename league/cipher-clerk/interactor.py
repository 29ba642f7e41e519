"""Enciphers at most 23 numbers, one of them wrongly, and hears what the key is said to be.

Exit codes are testlib's: 0 right, 1 wrong, 2 badly written.
"""

import sys

NUMBERS = 23


def end(code: int, words: str) -> None:
    """Say why, and decide."""
    sys.stderr.write(words)
    sys.exit(code)


def main() -> None:
    """Talk with the program."""
    *key, slip, off = map(int, open(sys.argv[1]).read().split())
    factor, addend, modulus = key
    print("ready", flush=True)
    for turn in range(NUMBERS + 1):
        sign, *words = sys.stdin.buffer.readline(64).rstrip(b"\r\n").split(b" ")
        if len(words) != {b"?": 1, b"!": 3}.get(sign):
            end(2, "neither a number nor an answer")
        if not all(len(word) <= 7 and word.isdigit() and int(word) <= 10**6 for word in words):
            end(2, "a number out of range")
        numbers = [int(word) for word in words]
        if sign == b"!":
            if numbers != key:
                end(1, "that is not the key")
            end(*((1, "more after the answer") if sys.stdin.buffer.read(1 << 12).strip() else (0, f"{turn} numbers")))
        if turn == NUMBERS:
            end(1, "too many numbers")
        print((factor * numbers[0] + addend + (off if turn + 1 == slip else 0)) % modulus, flush=True)


main()

"""Tells how far a lock's wheels are from the code, at most twice for each wheel, and hears what the code is said to be.

Exit codes are testlib's: 0 right, 1 wrong, 2 badly written.
"""

import sys


def end(code: int, words: str) -> None:
    """Say why, and decide."""
    sys.stderr.write(words)
    sys.exit(code)


def main() -> None:
    """Talk with the program."""
    code = open(sys.argv[1], "rb").read().strip()
    print(len(code), flush=True)
    for attempt in range(2 * len(code) + 1):
        sign, _, word = sys.stdin.buffer.readline(64).rstrip(b"\r\n").partition(b" ")
        if sign not in (b"?", b"!") or len(word) != len(code) or not word.isdigit():
            end(2, "neither a setting nor an answer")
        if sign == b"!":
            if word != code:
                end(1, "that is not the code")
            end(*((1, "more after the answer") if sys.stdin.buffer.read(1 << 12).strip() else (0, f"{attempt} settings")))
        if attempt == 2 * len(code):
            end(1, "too many settings")
        print(sum(min((a - b) % 10, (b - a) % 10) for a, b in zip(word, code, strict=True)), flush=True)


main()

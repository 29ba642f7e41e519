"""Answers whether the wreck lies at a mark or beyond, every k-th time with a lie; at most 29 questions.

Exit codes are testlib's: 0 right, 1 wrong, 2 badly written.
"""

import sys

QUESTIONS = 29


def end(code: int, words: str) -> None:
    """Say why, and decide."""
    sys.stderr.write(words)
    sys.exit(code)


def main() -> None:
    """Talk with the program."""
    n, x, k = map(int, open(sys.argv[1]).read().split())
    print(n, flush=True)
    for asked in range(QUESTIONS + 1):
        sign, _, word = sys.stdin.buffer.readline(64).rstrip(b"\r\n").partition(b" ")
        if sign not in (b"?", b"!") or not 1 <= len(word) <= 6 or not word.isdigit():
            end(2, "neither a question nor an answer")
        mark = int(word)
        if not (1 if sign == b"!" else 2) <= mark <= n:
            end(2, "no mark to speak of")
        if sign == b"!":
            if mark != x:
                end(1, f"the wreck is not at mark {mark}")
            end(*((1, "more after the answer") if sys.stdin.buffer.read(1 << 12).strip() else (0, f"{asked} questions")))
        if asked == QUESTIONS:
            end(1, "too many questions")
        print(int((x >= mark) != ((asked + 1) % k == 0)), flush=True)


main()

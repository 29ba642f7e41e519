"""Answers soundings of the channel that the input describes, at most 40, and hears which mark is said to be deepest.

Exit codes are testlib's: 0 right, 1 wrong, 2 badly written.
"""

import sys

SOUNDINGS = 40


def end(code: int, words: str) -> None:
    """Say why, and decide."""
    sys.stderr.write(words)
    sys.exit(code)


def main() -> None:
    """Talk with the program."""
    marks, deepest, rise, fall, top = map(int, open(sys.argv[1]).read().split())

    def depth(mark: int) -> int:
        """Steps of 1 to 2 times `rise` (or `fall`): nobody finds the deepest mark by drawing a line."""
        step = rise if mark < deepest else fall
        away = abs(mark - deepest)
        return top - step * away - mark * mark * 7919 % step if away else top

    print(marks, flush=True)
    for sounding in range(SOUNDINGS + 1):
        sign, _, word = sys.stdin.buffer.readline(64).rstrip(b"\r\n").partition(b" ")
        if sign not in (b"?", b"!") or not 1 <= len(word) <= 6 or not word.isdigit() or not 1 <= int(word) <= marks:
            end(2, "neither a sounding nor an answer")
        mark = int(word)
        if sign == b"!":
            if mark != deepest:
                end(1, f"mark {mark} is not the deepest")
            end(*((1, "more after the answer") if sys.stdin.buffer.read(1 << 12).strip() else (0, f"{sounding} soundings")))
        if sounding == SOUNDINGS:
            end(1, "too many soundings")
        print(depth(mark), flush=True)


main()

"""Answers at most 40 flashes at a ship that goes round, and hears where it began and how fast it is said to be.

Exit codes are testlib's: 0 right, 1 wrong, 2 badly written.
"""

import sys

FLASHES = 40


def end(code: int, words: str) -> None:
    """Say why, and decide."""
    sys.stderr.write(words)
    sys.exit(code)


def main() -> None:
    """Talk with the program."""
    berths, start, speed = map(int, open(sys.argv[1]).read().split())
    print(berths, flush=True)
    now = -1
    for flash in range(FLASHES + 1):
        sign, *words = sys.stdin.buffer.readline(64).rstrip(b"\r\n").split(b" ")
        if len(words) != {b"?": 3, b"!": 2}.get(sign):
            end(2, "neither a flash nor an answer")
        if not all(len(word) <= 10 and word.isdigit() for word in words):
            end(2, "not a number")
        numbers = [int(word) for word in words]
        if sign == b"!":
            if numbers != [start, speed]:
                end(1, "the ship goes another way")
            end(*((1, "more after the answer") if sys.stdin.buffer.read(1 << 12).strip() else (0, f"{flash} flashes")))
        minute, first, last = numbers
        if not (now < minute <= 10**9 and first <= last < berths):
            end(2, "a minute or a berth out of range")
        if flash == FLASHES:
            end(1, "too many flashes")
        now = minute
        print("yes" if first <= (start + speed * minute) % berths <= last else "no", flush=True)


main()

"""Whether a move leaves lamps whose values cancel, by nim multiplication.

Exit codes are testlib's: 0 right, 1 wrong, 2 badly written.
"""

import sys


def end(code: int, words: str) -> None:
    """Say why, and decide."""
    sys.stderr.write(words)
    sys.exit(code)


def times(a: int, b: int) -> int:
    """The nim product of two numbers below 256."""
    if a < 2 or b < 2:
        return a * b
    half = 4 if a > 15 or b > 15 else 2 if a > 3 or b > 3 else 1
    mask = (1 << half) - 1
    high, low = times(a >> half, b >> half), times(a & mask, b & mask)
    mixed = times((a >> half) ^ (a & mask), (b >> half) ^ (b & mask))
    return (mixed ^ low) << half | low ^ times(high, 1 << half - 1)


def worth(x: int, y: int, z: int) -> int:
    """The value of a lamp: of two lamps, of one or two, and of a row of them, multiplied."""
    return times(times(x, y + 1), z + 1 & -z - 1)


def main() -> None:
    """Compare the output with the rules."""
    given, printed = (open(path, "rb").read(1 << 16) for path in sys.argv[1:3])
    numbers, words = list(map(int, given.split())), printed.split()
    lamps = list(zip(numbers[1::3], numbers[2::3], numbers[3::3]))
    total = 0
    for x, y, z in lamps:
        total ^= worth(x, y, z)
    if words == [b"lost"]:
        end(1 if total else 0, "there is a winning move" if total else "lost, as it is")
    if len(words) != 6 or not all(len(word) <= 2 and word.isdigit() for word in words):
        end(2, "not a move")
    x, y, z, u, v, w = map(int, words)
    if (x, y, z) not in lamps or u >= x or v > y or w > z:
        end(1, "not a legal move")
    for i in (x, u):
        for j in {y, v}:
            for k in range(w, z + 1):
                total ^= worth(i, j, k)
    if total:
        end(1, "not a winning move")
    end(0, "a winning move")


main()

"""Whether each triangle has the area and no lattice point on its border but its corners.

Exit codes are testlib's: 0 right, 1 wrong, 2 badly written, 3 our own answer is wrong.
"""

import sys
from math import gcd

MOST = 40_000


def end(code: int, words: str) -> None:
    """Say why, and decide."""
    sys.stderr.write(words)
    sys.exit(code)


def right(line: bytes, area: int) -> bool:
    """Whether a line solves a case. Ends where it is badly written."""
    words = line.split()
    if words == [b"none"]:
        return False
    if len(words) != 6 or not all(len(word) <= 6 and word.isdigit() for word in words):
        end(2, "neither none nor six coordinates")
    ax, ay, bx, by, cx, cy = corners = [int(word) for word in words]
    if max(corners) > MOST:
        end(1, "a corner off the map")
    if abs((bx - ax) * (cy - ay) - (by - ay) * (cx - ax)) != area:
        end(1, "the area differs")
    if not gcd(bx - ax, by - ay) == gcd(cx - bx, cy - by) == gcd(ax - cx, ay - cy) == 1:
        end(1, "a side passes through a lattice point")
    return True


def main() -> None:
    """Compare the output with the rules."""
    given, printed, answer = (open(path, "rb").read(1 << 20).splitlines() for path in sys.argv[1:4])
    while printed and not printed[-1].strip():
        printed.pop()
    if len(printed) != len(given) - 1:
        end(1, f"{len(printed)} lines for {len(given) - 1} cases")
    code = 0
    for area, line, ours in zip(given[1:], printed, answer, strict=True):
        solved, possible = right(line, int(area)), ours.strip() != b"none"
        if possible and not solved:
            end(1, "there is a triangle")
        if solved and not possible:
            code = 3
    end(code, "every case is right")


main()

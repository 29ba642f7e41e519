"""Whether a round visits every square but the rock's once; `none` is right where the answer says so.

Exit codes are testlib's: 0 right, 1 wrong, 2 badly written, 3 our own answer is wrong.
"""

import sys

STEPS = {"N": (-1, 0), "E": (0, 1), "S": (1, 0), "W": (0, -1)}


def end(code: int, words: str) -> None:
    """Say why, and decide."""
    sys.stderr.write(words)
    sys.exit(code)


def main() -> None:
    """Compare the output with the rules."""
    given, printed, answer = (open(path).read(1 << 20).split() for path in sys.argv[1:4])
    rows, columns, *rock = map(int, given)
    possible = answer != ["none"]
    if printed == ["none"]:
        end(1 if possible else 0, "there is a round" if possible else "none, as it is")
    if len(printed) != 3 or not all(len(word) <= 2 and word.isdecimal() for word in printed[:2]):
        end(2, "neither none nor a start and the steps")
    start = here = int(printed[0]), int(printed[1])
    if len(printed[2]) != rows * columns - 1 or not set(printed[2]) <= set(STEPS):
        end(1, "not as many steps as squares")
    seen = {tuple(rock)}
    for step in printed[2]:
        if here in seen or not (1 <= here[0] <= rows and 1 <= here[1] <= columns):
            end(1, f"{here} is the rock, was visited before or is not in the sea")
        seen.add(here)
        here = here[0] + STEPS[step][0], here[1] + STEPS[step][1]
    if here != start:
        end(1, "it does not come back to its start")
    end(0 if possible else 3, "a round")


main()

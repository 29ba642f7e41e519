"""Whether the turns printed bring the wagons into the wanted order, and are as few as ours.

Exit codes are testlib's: 0 right, 1 wrong, 2 badly written, 3 our own answer is wrong.
"""

import sys


def end(code: int, words: str) -> None:
    """Say why, and decide."""
    sys.stderr.write(words)
    sys.exit(code)


def main() -> None:
    """Make the turns."""
    given, printed, answer = (open(path, "rb").read(1 << 20).split() for path in sys.argv[1:4])
    if not printed:
        end(2, "nothing was printed")
    if printed == [b"-1"] or answer[0] == b"-1":
        end(*((0, "impossible, as it is") if printed == answer else (1, "possible or not")))
    if not all(len(word) <= 5 and word.isdigit() for word in printed):
        end(2, "no number")
    least = int(answer[0])
    turns = [int(word) for word in printed[1:]]
    if int(printed[0]) != len(turns):
        end(2, "as many places as turns are needed")
    here, wanted = list(given[0]), list(given[1])
    for place in turns:
        if not 1 <= place <= len(here) - 2:
            end(2, "no place of the turntable")
        here[place - 1], here[place + 1] = here[place + 1], here[place - 1]
    if here != wanted:
        end(1, "not the wanted order")
    if len(turns) > least:
        end(1, f"{len(turns)} turns, where {least} suffice")
    end(3 if len(turns) < least else 0, f"{len(turns)} turns")


main()

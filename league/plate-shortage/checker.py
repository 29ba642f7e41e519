"""Whether two numbers have the right sum and only digits that are there; `none` is right where the answer says so.

Exit codes are testlib's: 0 right, 1 wrong, 2 badly written, 3 our own answer is wrong.
"""

import sys


def end(code: int, words: str) -> None:
    """Say why, and decide."""
    sys.stderr.write(words)
    sys.exit(code)


def right(line: bytes, digits: bytes, number: bytes) -> bool:
    """Whether a line solves a case. Ends where it is badly written."""
    words = line.split()
    if words == [b"none"]:
        return False
    if len(words) != 2 or not all(len(word) <= len(number) and word.isdigit() for word in words):
        end(2, "neither none nor two numbers that are small enough")
    if any(word.startswith(b"0") for word in words):
        end(1, "a number begins with 0")
    if not set(b"".join(words)) <= set(digits):
        end(1, "a digit that is not there")
    if sum(map(int, words)) != int(number):
        end(1, "the sum differs")
    return True


def main() -> None:
    """Compare the output with the rules."""
    given, printed, answer = (open(path, "rb").read(1 << 20).splitlines() for path in sys.argv[1:4])
    cases = given[1:]
    while printed and not printed[-1].strip():
        printed.pop()
    if len(printed) != len(cases):
        end(1, f"{len(printed)} lines for {len(cases)} cases")
    code = 0
    for case, line, ours in zip(cases, printed, answer, strict=True):
        solved, possible = right(line, *case.split()), ours.strip() != b"none"
        if possible and not solved:
            end(1, "there is a way")
        if solved and not possible:
            code = 3
    end(code, "every case is right")


main()

"""Whether an order names every barge once and keeps to all the rules; `stuck` is right where the answer says so.

Exit codes are testlib's: 0 right, 1 wrong, 2 badly written, 3 our own answer is wrong.
"""

import sys


def end(code: int, words: str) -> None:
    """Say why, and decide."""
    sys.stderr.write(words)
    sys.exit(code)


def broken(order: list[int], rules: list[tuple[int, int]]) -> str:
    """What is wrong with an order; "" when nothing is."""
    place = {barge: turn for turn, barge in enumerate(order)}
    for before, after in rules:
        if place[before] > place[after]:
            return f"barge {after} leaves before barge {before}"
    return ""


def main() -> None:
    """Compare the output with the rules."""
    given, printed, answer = (open(path, "rb").read(1 << 24) for path in sys.argv[1:4])
    count, _, *numbers = map(int, given.split())
    rules = list(zip(numbers[::2], numbers[1::2], strict=True))
    possible, words = answer.split() != [b"stuck"], printed.split()
    if words == [b"stuck"]:
        end(1 if possible else 0, "there is an order" if possible else "stuck, as it is")
    if len(words) != count:
        end(1, f"{len(words)} words, where {count} barges leave")
    if not all(len(word) <= 4 and word.isdigit() for word in words):
        end(2, "no number of a barge")
    order = [int(word) for word in words]
    if sorted(order) != list(range(1, count + 1)):
        end(1, "not every barge leaves once")
    wrong = broken(order, rules)
    if wrong:
        end(1, wrong)
    end(0 if possible else 3, "it keeps to the rules")


main()

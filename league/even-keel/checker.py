"""Whether the crates of one side have half of all the weight and half of all the squares.

Exit codes are testlib's: 0 right, 1 wrong, 2 badly written, 3 our own answer is wrong.
"""

import sys


def end(code: int, words: str) -> None:
    """Say why, and decide."""
    sys.stderr.write(words)
    sys.exit(code)


def main() -> None:
    """Compare the output with the rules."""
    given, printed, answer = (open(path, "rb").read(1 << 20) for path in sys.argv[1:4])
    crates, words = int(given), printed.split()
    possible = answer.split() != [b"none"]
    if words == [b"none"]:
        end(1 if possible else 0, "there is a way" if possible else "none, as it is")
    if not words or len(words) > crates + 1 or not all(len(word) <= 4 and word.isdigit() for word in words):
        end(2, "not a list of crates")
    count, *side = map(int, words)
    if count != len(side):
        end(2, f"{len(side)} crates, not {count}")
    if len(set(side)) < count or not all(1 <= crate <= crates for crate in side):
        end(1, "not different crates")
    everything = range(1, crates + 1)
    if 2 * sum(side) != sum(everything):
        end(1, "the weights differ")
    if 2 * sum(crate * crate for crate in side) != sum(crate * crate for crate in everything):
        end(1, "the squares differ")
    end(0 if possible else 3, "it balances")


main()

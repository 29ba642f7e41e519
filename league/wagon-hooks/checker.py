"""Whether a train holds all wagons, every two hooks that meet differ, and no more wagons are turned than needed.

Exit codes are testlib's: 0 right, 1 wrong, 2 badly written, 3 our own answer is wrong.
"""

import sys


def end(code: int, words: str) -> None:
    """Say why, and decide."""
    sys.stderr.write(words)
    sys.exit(code)


def main() -> None:
    """Compare the output with the rules."""
    given, printed, answer = (open(path).read(1 << 20).split() for path in sys.argv[1:4])
    hook, _, *wagons = given
    if printed == ["none"]:
        end(1 if answer != ["none"] else 0, "none")
    if len(printed) != len(wagons) or not all(len(word) <= 5 and word.removeprefix("-").isdecimal() for word in printed):
        end(2, "not a list of the wagons")
    order = [int(word) for word in printed]
    if sorted(map(abs, order)) != list(range(1, len(wagons) + 1)):
        end(1, "not each wagon once")
    for wagon in order:
        first, last = wagons[wagon - 1] if wagon > 0 else wagons[-wagon - 1][::-1]
        if first == hook:
            end(1, f"wagon {abs(wagon)} does not fit the hook before it")
        hook = last
    turned = sum(wagon < 0 for wagon in order)
    if answer == ["none"]:
        end(3, "a train where we have none")
    least = sum(word.startswith("-") for word in answer)
    end(1 if turned > least else 3 if turned < least else 0, f"{turned} wagons turned, {least} needed")


main()

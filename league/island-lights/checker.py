"""Whether the lights chosen light each section once or twice; `dark` is right where the answer says so.

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
    sections, lights, *numbers = map(int, given.split())
    possible, words = answer.split() != [b"dark"], printed.split()
    if words == [b"dark"]:
        end(1 if possible else 0, "there is a choice" if possible else "dark, as it is")
    if not words or len(words) > lights + 1 or not all(len(word) <= 5 and word.isdigit() for word in words):
        end(2, "not a list of lights")
    count, *chosen = map(int, words)
    if count != len(chosen):
        end(2, f"{len(chosen)} lights, not {count}")
    if len(set(chosen)) < count or not all(1 <= light <= lights for light in chosen):
        end(1, "not different lights")
    changes = [(0, 0)]
    for light in chosen:
        start, size = numbers[2 * light - 2 : 2 * light]
        changes += [(start, 1), (min(start + size, sections), -1)]
        if start + size > sections:
            changes += [(0, 1), (start + size - sections, -1)]
    changes.sort()
    level = 0
    for at, (place, change) in enumerate(changes):
        level += change
        after = changes[at + 1][0] if at + 1 < len(changes) else sections
        if after > place and not 1 <= level <= 2:
            end(1, f"section {place} is lit by {level} lights")
    end(0 if possible else 3, "each section is lit")


main()

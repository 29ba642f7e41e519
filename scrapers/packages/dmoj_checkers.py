"""DMOJ's own checkers for which we have no comparison, as programs that are called as testlib's are."""

from typing import Final

_FRAME: Final = """\
import re
import sys


def whole(path):
    with open(path, "rb") as file:
        return file.read()


def rows(text):
    return [row for row in re.split(rb"[\\r\\n]", text) if row]

{rule}

sys.exit(0 if right(whole(sys.argv[2]), whole(sys.argv[3])) else 1)
"""

_STANDARD: Final = '''
def right(output, answer):
    """The same words, apart by a line's end where the answer has one, and else by blanks."""
    return shape(output) == shape(answer)


def shape(text):
    gaps = re.findall(rb"[ \\t\\v\\f\\r\\n]+", text.strip(b" \\t\\v\\f\\r\\n"))
    return text.split(), [b"\\n" in gap or b"\\r" in gap for gap in gaps]
'''

_FLOATS: Final = '''
import math

MOST, MODE = {most!r}, {mode!r}


def right(output, answer):
    """The same words in the same lines, numbers within the tolerance."""
    got, wanted = ([row.split() for row in rows(text)] for text in (output, answer))
    return len(got) == len(wanted) and all(map(same_row, got, wanted))


def same_row(got, wanted):
    return len(got) == len(wanted) and all(map(same, got, wanted))


def same(got, wanted):
    number = value(wanted)
    if number is None:
        return got == wanted
    other = value(got)
    if other is None:
        return False
    absolute = abs(other - number) <= MOST
    relative = abs(number) >= MOST and abs(1 - other / number) <= MOST
    return {{"default": absolute or relative, "absolute": absolute, "relative": relative or got == wanted}}[MODE]


def value(word):
    try:
        number = float(word)
    except ValueError:
        return None
    return number if math.isfinite(number) and b"_" not in word else None
'''

_LINECOUNT: Final = '''
def right(output, answer):
    """Each line of the answer, blanks at its ends aside, and no more."""
    return [row.strip() for row in rows(output)] == [row.strip() for row in rows(answer)]
'''

_SORTED_WORDS: Final = '''
def right(output, answer):
    """The same words in any order."""
    return sorted(output.split()) == sorted(answer.split())
'''

STANDARD_CHECKER: Final = _FRAME.format(rule=_STANDARD)
LINECOUNT_CHECKER: Final = _FRAME.format(rule=_LINECOUNT)
SORTED_WORDS_CHECKER: Final = _FRAME.format(rule=_SORTED_WORDS)


def floats_checker(precision: int, mode: str) -> str:
    """Return the checker of numbers to so many decimal places; the mode is default, absolute or relative."""
    return _FRAME.format(rule=_FLOATS.format(most=10.0**-precision, mode=mode))

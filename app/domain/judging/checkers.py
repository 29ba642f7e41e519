"""Comparison of an output with the expected one. Pure, outside the sandbox, linear in the sizes.

Text comes in pieces of any size, as bytes, and is never held whole:

    tokens     the same words, separated by any ASCII white space; words equal as bytes
    lines      the same lines; white space at the end of a line and empty lines at the end do not count
    exact      the same bytes
    float      the same words, but two numbers may differ by `abs` or by `rel` of the expected one, to the last digit
    unordered  the same lines in any order; within a line as `tokens`; empty lines do not count

With `spaced` white space must be the same in kind `float`, too. With `ignore_case` the letters A to Z count as a to z;
all other bytes stay unchanged.
"""

import decimal
import itertools
import math
import re
import sys
from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from typing import Protocol

from app.domain.errors import InvalidProblem
from app.domain.problems import Checker, CheckerKind

_ROUNDING = 4 * sys.float_info.epsilon  # rounding of the numbers themselves: 1.1 is within 0.1 of 1.0
DEFAULT_TOLERANCE = 1e-6  # of the kind `float` if a problem names neither `abs` nor `rel`
_PIECE = 1 << 16
_WORD_LIMIT = 4096  # numbers are shorter; longer words must not be collected

_TINY = 1e-290  # below, numbers are near the smallest that doubles can represent
_MAX_EXPONENT_DIGITS = 17  # Decimal takes one more
_MARGIN_DIGITS = 40  # digits of a product with a tolerance beyond those of the number

_NUMBER = re.compile(rb"([+-]?(?:[0-9]++(?:\.[0-9]*+)?|\.[0-9]++))(?:[eE]([+-]?)([0-9]++))?", re.ASCII)


class OutputComparison(Protocol):
    """Comparison of one output: feed it in pieces, then finish it once."""

    def feed(self, piece: bytes) -> None:
        """Take the next bytes of the output."""

    def finish(self) -> bool:
        """Return whether the whole output is right."""


def text_bytes(text: str) -> bytes:
    """Return the text of a test as bytes. Escaped bytes that were not UTF-8 are restored."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        try:
            return text.encode("utf-8", "surrogateescape")
        except UnicodeEncodeError:
            return text.encode("utf-8", "surrogatepass")


def compare_text(checker: Checker, expected: str) -> OutputComparison:
    """Start comparing an output with `expected`. Raises InvalidProblem for a kind that needs a program."""
    target = text_bytes(expected)
    return _FoldedComparison(_compare(checker, target.lower())) if checker.ignore_case else _compare(checker, target)


def _compare(checker: Checker, target: bytes) -> OutputComparison:
    match checker.kind:
        case CheckerKind.TOKENS:
            return _CanonicalComparison(_WordForm, target)
        case CheckerKind.LINES:
            return _CanonicalComparison(lambda: _LineForm(len(target) + 1), target)
        case CheckerKind.EXACT:
            return _CanonicalComparison(_VerbatimForm, target)
        case CheckerKind.FLOAT:
            numbers = _NumberComparison(target, *tolerances(checker))
            return _PairComparison(numbers, _CanonicalComparison(_GapForm, target)) if checker.spaced else numbers
        case CheckerKind.UNORDERED:
            return _UnorderedComparison(target)
        case _:
            raise InvalidProblem(
                f"checker {checker.kind} runs a program; it is not a comparison", pointer="/checker/kind"
            )


def tolerances(checker: Checker) -> tuple[float, float]:
    """Return the absolute and the relative tolerance: a missing one is 0; both are the default if both are missing."""
    if checker.abs is None and checker.rel is None:
        return DEFAULT_TOLERANCE, DEFAULT_TOLERANCE
    return checker.abs or 0.0, checker.rel or 0.0


def close(value: float, expected: float, absolute: float, relative: float) -> bool:
    """Return whether |got - expected| <= max(absolute, relative * |expected|), up to the rounding of the two numbers.

    nan and infinities equal only themselves.
    """
    if not (math.isfinite(value) and math.isfinite(expected)):
        return value == expected or (math.isnan(value) and math.isnan(expected))
    limit = max(absolute, relative * abs(expected))
    return abs(value - expected) <= limit + (_ROUNDING * abs(expected) if limit else 0.0)


def close_text(word: bytes, expected: bytes, absolute: float, relative: float) -> bool:
    """Return whether two words are equal, or numbers with |got - expected| <= max(absolute, relative * |expected|).

    A number is decimal, as in the problem package format of 2025-09, "General requirements": no hexadecimal one, no inf
    or nan. The written numbers decide, not the doubles next to them.
    """
    if word == expected:
        return True
    number, expected_number = _NUMBER.fullmatch(word), _NUMBER.fullmatch(expected)
    if number is None or expected_number is None:
        return False
    value, target = float(word), float(expected)
    limit, difference = max(absolute, relative * abs(target)), abs(value - target)
    rounding = _ROUNDING * (abs(value) + abs(target) + limit) + _TINY
    if abs(difference - limit) > rounding:  # false for nan
        return difference < limit
    return _exactly_close(number, expected_number, absolute, relative)


def _exactly_close(word: re.Match[bytes], expected: re.Match[bytes], absolute: float, relative: float) -> bool:
    """Compare like `close_text` with all digits; linear in the lengths of the words, however large their exponents."""
    value, target = _decimal(word), _decimal(expected)
    if value is None or target is None:
        return False
    # As many digits as the limit may have: the distance exceeds it exactly if the rounded-up distance does.
    precision = len(word[0]) + len(expected[0]) + _MARGIN_DIGITS
    context = decimal.Context(precision, decimal.ROUND_UP, decimal.MIN_EMIN, decimal.MAX_EMAX, traps=[])
    limit = max(Decimal(repr(absolute)), context.multiply(Decimal(repr(relative)), target.copy_abs()))
    return context.subtract(value, target).copy_abs() <= limit


def _decimal(number: re.Match[bytes]) -> Decimal | None:
    """Return the written number; None if it is too large to represent, a tiny one if it is too small."""
    mantissa, sign, digits = (part.decode() for part in number.groups(b""))
    exponent = digits.lstrip("0") or "0"
    if not Decimal(mantissa):
        return Decimal(0)
    if len(exponent) > _MAX_EXPONENT_DIGITS:
        if sign != "-":
            return None
        exponent = "9" * _MAX_EXPONENT_DIGITS
    return Decimal(f"{mantissa}e{sign}{exponent}")


class _FoldedComparison:
    """Comparison of the output in lower case."""

    def __init__(self, comparison: OutputComparison) -> None:
        self._comparison = comparison

    def feed(self, piece: bytes) -> None:
        self._comparison.feed(piece.lower())  # lower() of bytes changes ASCII letters only

    def finish(self) -> bool:
        return self._comparison.finish()


# --- canonical forms: two texts are equal exactly if their canonical bytes are equal ----------------------------------


class _CanonicalForm(Protocol):
    def push(self, piece: bytes) -> bytes: ...


class _VerbatimForm:
    def push(self, piece: bytes) -> bytes:
        return piece


class _WordForm:
    """Words joined by one space. A word that is cut by the end of a piece continues in the next piece."""

    def __init__(self) -> None:
        self._has_words = False
        self._after_space = False

    def push(self, piece: bytes) -> bytes:
        words = piece.split()
        if not words:
            self._after_space = self._after_space or bool(piece)
            return b""
        gap = self._has_words and (self._after_space or piece[:1].isspace())
        self._has_words, self._after_space = True, piece[-1:].isspace()
        return (b" " if gap else b"") + b" ".join(words)


_BLANKS = re.compile(rb"[ \t\r\x0b\x0c]+")
_LINE_END = re.compile(rb"(?<![ \t\r\x0b\x0c])[ \t\r\x0b\x0c]++\n")


class _LineForm:
    """Lines without white space at their ends; possible ends are held back until a visible character follows.

    After more than `room` bytes of white space no right output can follow, so no more are kept.
    """

    def __init__(self, room: int) -> None:
        self._room = room
        self._breaks = 0
        self._blanks: list[bytes] = []
        self._length = 0

    def push(self, piece: bytes) -> bytes:
        body = piece.rstrip()
        text = body.lstrip()
        self._hold(piece[: len(body) - len(text)])
        visible = b""
        if text:
            visible = b"".join([b"\n" * self._breaks, *self._blanks, _LINE_END.sub(b"\n", text)])
            self._breaks = self._length = 0
            self._blanks.clear()
        self._hold(piece[len(body) :])
        return visible

    def _hold(self, space: bytes) -> None:
        breaks = space.count(b"\n")
        if breaks:
            self._breaks = min(self._breaks + breaks, self._room)
            self._blanks.clear()
            self._length = 0
            space = space[space.rindex(b"\n") + 1 :]
        if space and self._length < self._room:
            self._blanks.append(space)
            self._length += len(space)


class _CanonicalComparison:
    """Comparison of canonical forms as they grow."""

    def __init__(self, form: Callable[[], _CanonicalForm], expected: bytes) -> None:
        self._form, whole = form(), form()
        pieces = (expected[at : at + _PIECE] for at in range(0, len(expected), _PIECE))
        self._expected = b"".join(map(whole.push, pieces))
        self._at = 0
        self._alike = True

    def feed(self, piece: bytes) -> None:
        if not self._alike:
            return
        more = self._form.push(piece)
        end = self._at + len(more)
        self._alike = self._expected[self._at : end] == more
        self._at = end

    def finish(self) -> bool:
        return self._alike and self._at == len(self._expected)


class _Collector:
    """Whole words (or lines) out of pieces; `None` once an unfinished one is longer than any right one."""

    def __init__(self, separate: Callable[[bytes], list[bytes]], ends: tuple[bytes, ...], longest: int) -> None:
        self._separate, self._ends, self._longest = separate, ends, longest
        self._rest: list[bytes] = []
        self._length = 0

    def push(self, piece: bytes) -> list[bytes] | None:
        cut = max(map(piece.rfind, self._ends)) + 1
        whole: list[bytes] = []
        if cut:
            whole = self._separate(b"".join([*self._rest, piece[:cut]]))
            self._rest, self._length = [], 0
        self._rest.append(piece[cut:])
        self._length += len(piece) - cut
        return None if self._length > self._longest else whole

    def last(self) -> list[bytes]:
        return self._separate(b"".join(self._rest))


_WORD = re.compile(rb"[^ \t\n\r\x0b\x0c]+")
_SPACES = (b" ", b"\t", b"\n", b"\r", b"\x0b", b"\x0c")


class _NumberComparison:
    """Comparison word by word, numbers with a tolerance."""

    def __init__(self, expected: bytes, absolute: float, relative: float) -> None:
        self._missing = (word[0] for word in _WORD.finditer(expected))
        self._absolute, self._relative = absolute, relative
        longest = max((word.end() - word.start() for word in _WORD.finditer(expected)), default=0)
        self._words = _Collector(bytes.split, _SPACES, max(_WORD_LIMIT, longest))
        self._alike = True

    def feed(self, piece: bytes) -> None:
        if self._alike:
            self._take(self._words.push(piece))

    def finish(self) -> bool:
        if self._alike:
            self._take(self._words.last())
        return self._alike and next(self._missing, None) is None

    def _take(self, words: list[bytes] | None) -> None:
        if words is None:
            self._alike = False
            return
        targets = list(itertools.islice(self._missing, len(words)))
        self._alike = words == targets or (len(words) == len(targets) and all(map(self._same, words, targets)))

    def _same(self, word: bytes, expected: bytes) -> bool:
        return close_text(word, expected, self._absolute, self._relative)


class _GapForm:
    """White space unchanged, and one letter for each word, which may be cut by the end of a piece."""

    def __init__(self) -> None:
        self._within = False

    def push(self, piece: bytes) -> bytes:
        shape = _WORD.sub(b"x", piece)
        goes_on = self._within and shape[:1] == b"x"
        self._within = shape[-1:] == b"x" if shape else self._within
        return shape[goes_on:]


class _PairComparison:
    """Two comparisons of one output."""

    def __init__(self, first: OutputComparison, second: OutputComparison) -> None:
        self._comparisons = (first, second)

    def feed(self, piece: bytes) -> None:
        for comparison in self._comparisons:
            comparison.feed(piece)

    def finish(self) -> bool:
        return all(comparison.finish() for comparison in self._comparisons)


class _UnorderedComparison:
    """Comparison of lines as a multiset."""

    def __init__(self, expected: bytes) -> None:
        self._missing = Counter(self._canonical(expected))
        longest = max(_WORD_LIMIT, 2 * max(map(len, self._missing), default=0))
        self._lines = _Collector(self._canonical, (b"\n",), longest)
        self._left = self._missing.total()
        self._alike = True

    @staticmethod
    def _canonical(text: bytes) -> list[bytes]:
        spaced = _BLANKS.sub(b" ", text).replace(b" \n", b"\n").replace(b"\n ", b"\n").strip(b" ")
        return list(filter(None, spaced.split(b"\n")))

    def feed(self, piece: bytes) -> None:
        if self._alike:
            self._take(self._lines.push(piece))

    def finish(self) -> bool:
        if self._alike:
            self._take(self._lines.last())
        return self._alike and self._left == 0

    def _take(self, lines: list[bytes] | None) -> None:
        if lines is None:
            self._alike = False
            return
        for line in lines:
            if not self._missing[line]:
                self._alike = False
                return
            self._missing[line] -= 1
            self._left -= 1

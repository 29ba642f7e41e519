"""Detection of large inputs by their contents, compared with each other and with what is legal. Pure.

A setter's word that an input is large counts for nothing; the inputs that two vendors' validators accept show how large
one may be.
"""

import json
import re
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from app.domain.consensus.resizing import resize_input

_LENGTH_FACTOR: Final = 10  # times the shortest input: then lengths alone decide which inputs are large
_NUMBER_FACTOR: Final = 1000  # times the least number, if all inputs are about as long
_SIMILAR_FACTOR: Final = 2  # inputs that differ less in length are about as long
_NEAR_FACTOR, _STRICT_FACTOR = 4, 2  # an input so many times smaller than the largest is large, too
_GROWTH_FACTOR: Final = 16  # if an input with so many times as many elements is legal, none was large before
_LONG_CHARS: Final = 20_000
_MAX_SHORT_WORDS: Final = 6  # words; in shorter inputs the numbers themselves are raised
_WORD: Final = re.compile(r"[^\s,\[\]{}:\"]+")
_MAX_DIGITS: Final = 19  # a longer number counts as a text of digits


class Size(NamedTuple):
    """Number of things in an input (numbers, and letters of other words), and its greatest number."""

    length: int
    number: int


def size_of(given: Any) -> Size:
    """Return the size of an input: a text, or a function's arguments."""
    length, number = 0, 0
    for word in _WORD.findall(given if isinstance(given, str) else json.dumps(given)):
        digits = word.lstrip("-")
        if digits.isdecimal() and len(digits) <= _MAX_DIGITS:
            length, number = length + 1, max(number, int(digits))
        else:
            length += len(word)
    return Size(length, number)


def are_long(givens: Sequence[Any]) -> bool:
    """Return whether one of the inputs is long for a program of any kind."""
    return any(len(given if isinstance(given, str) else json.dumps(given)) > _LONG_CHARS for given in givens)


def larger_inputs(givens: Sequence[Any]) -> list[Any]:
    """Return inputs like the largest of these, many times as large; if one of them is legal, none of these is large.

    The largest is the longest; among inputs of about one length also the one with the greatest number. Empty if there
    are long ones: validators may know no bound.
    """
    if not givens or are_long(givens):
        return []
    sizes = {place: size_of(given) for place, given in enumerate(givens)}
    longest = max(sizes, key=lambda place: sizes[place])
    candidates = resize_input(givens[longest], lambda things: _repeat(things, _GROWTH_FACTOR))
    results = [
        candidate for candidate in candidates if size_of(candidate).length > _NEAR_FACTOR * sizes[longest].length
    ]
    if _have_similar_lengths(list(sizes.values())):
        results += _multiply_greatest(
            givens[max(sizes, key=lambda place: (sizes[place].number, sizes[place].length))], _GROWTH_FACTOR
        )
    return results


def doubled_inputs(givens: Sequence[Any]) -> list[Any]:
    """Return inputs like these, twice as large, to test whether larger inputs made this way can be legal at all."""
    results = [
        candidate
        for given in givens
        for candidate in resize_input(given, lambda things: _repeat(things, 2))
        if candidate != given
    ]
    if givens and _have_similar_lengths([size_of(given) for given in givens]):
        results += [candidate for given in givens for candidate in _multiply_greatest(given, 2)]
    return results


def large_places(sizes: Sequence[Size], *, bounded: bool) -> set[int]:
    """Return the places of the large inputs, given that none that is many times larger is legal.

    Inputs of about one length are large by their numbers. If all differ too little to tell, the largest are large only
    if legality is surely `bounded` there.
    """
    if not sizes:
        return set()
    longest, greatest = max(size.length for size in sizes), max(size.number for size in sizes)
    alike = _have_similar_lengths(sizes)
    grown = longest >= _LENGTH_FACTOR * min(size.length for size in sizes)
    raised = alike and greatest >= _NUMBER_FACTOR * max(1, min(size.number for size in sizes))
    if not (grown or raised or bounded):
        return set()
    near = _NEAR_FACTOR if grown or raised else _STRICT_FACTOR
    if alike:
        return {place for place, size in enumerate(sizes) if near * size.number >= greatest}
    return {place for place, size in enumerate(sizes) if near * size.length >= longest}


def _have_similar_lengths(sizes: Sequence[Size]) -> bool:
    return max(size.length for size in sizes) <= _SIMILAR_FACTOR * min(size.length for size in sizes)


def _repeat(things: Sequence[Any], count: int) -> Sequence[Any]:
    return [thing for _turn in range(count) for thing in things]


def _multiply_greatest(given: Any, times: int) -> list[Any]:
    """Return short inputs whose greatest number is multiplied by `times`."""
    greatest = size_of(given).number
    if not greatest or size_of(given).length > _MAX_SHORT_WORDS:
        return []
    if isinstance(given, str):
        numbers = [number for number in re.finditer(r"-?\d+", given) if abs(int(number[0])) == greatest]
        return [f"{given[: one.start()]}{times * int(one[0])}{given[one.end() :]}" for one in numbers]
    return [
        [*given[:place], times * one, *given[place + 1 :]]
        for place, one in enumerate(given)
        if isinstance(one, int) and not isinstance(one, bool) and abs(one) == greatest
    ]

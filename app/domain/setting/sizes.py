"""Which inputs are large: by what is in them, against each other and against what is legal, whatever they are called.

A setter's word that an input is large is worth nothing, and how large one may be is told by what two vendors'
validators let in. Pure.
"""

import json
import re
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from app.domain.setting.shapes import resized

_GROWN: Final = 10  # times the shortest input: then lengths alone say which inputs are large
_RAISED: Final = 1000  # times the least number, where all inputs are about as long
_ALIKE: Final = 2  # inputs that differ less in length are about as long
_NEAR, _HALF = 4, 2  # times smaller than the largest is large as well
_MORE: Final = 16  # times as many things make an input that is too large, or else none was large before
_LONG: Final = 20_000  # characters
_FEW_WORDS: Final = 6  # of an input that is so short the numbers themselves are raised
_WORD: Final = re.compile(r"[^\s,\[\]{}:\"]+")
_DIGITS: Final = 19  # a longer number is a text of digits


class Size(NamedTuple):
    """How many things an input holds, words and the letters of those that are no numbers; and its greatest number."""

    length: int
    number: int


def size_of(given: Any) -> Size:
    """The size of an input: a text, or a function's arguments."""
    length, number = 0, 0
    for word in _WORD.findall(given if isinstance(given, str) else json.dumps(given)):
        digits = word.lstrip("-")
        if digits.isdecimal() and len(digits) <= _DIGITS:
            length, number = length + 1, max(number, int(digits))
        else:
            length += len(word)
    return Size(length, number)


def are_long(givens: Sequence[Any]) -> bool:
    """Whether one of them is long for a program of any kind."""
    return any(len(given if isinstance(given, str) else json.dumps(given)) > _LONG for given in givens)


def larger(givens: Sequence[Any]) -> list[Any]:
    """Inputs like the largest of these that are many times as large; if one of them is legal, none of these is large.

    The largest is the longest; of inputs of about one length it is that with the greatest number as well. None where
    there are long ones: validators may know no bound.
    """
    if not givens or are_long(givens):
        return []
    sizes = {place: size_of(given) for place, given in enumerate(givens)}
    longest = max(sizes, key=lambda place: sizes[place])
    made = resized(givens[longest], lambda things: _times(things, _MORE))
    found = [one for one in made if size_of(one).length > _NEAR * sizes[longest].length]
    if _are_alike(list(sizes.values())):
        found += _raised(givens[max(sizes, key=lambda place: (sizes[place].number, sizes[place].length))], _MORE)
    return found


def doubled(givens: Sequence[Any]) -> list[Any]:
    """Inputs like these, twice as large: whether larger ones that are made so can be legal at all."""
    made = [one for given in givens for one in resized(given, lambda things: _times(things, 2)) if one != given]
    if givens and _are_alike([size_of(given) for given in givens]):
        made += [one for given in givens for one in _raised(given, 2)]
    return made


def large(sizes: Sequence[Size], *, bounded: bool) -> set[int]:
    """The places of the large ones, where none that is many times larger is legal.

    Inputs of about one length are large by their numbers. Where all differ too little to tell, the largest are large
    only if what is legal is surely `bounded` there.
    """
    if not sizes:
        return set()
    longest, greatest = max(size.length for size in sizes), max(size.number for size in sizes)
    alike = _are_alike(sizes)
    grown = longest >= _GROWN * min(size.length for size in sizes)
    raised = alike and greatest >= _RAISED * max(1, min(size.number for size in sizes))
    if not (grown or raised or bounded):
        return set()
    near = _NEAR if grown or raised else _HALF
    if alike:
        return {place for place, size in enumerate(sizes) if near * size.number >= greatest}
    return {place for place, size in enumerate(sizes) if near * size.length >= longest}


def _are_alike(sizes: Sequence[Size]) -> bool:
    return max(size.length for size in sizes) <= _ALIKE * min(size.length for size in sizes)


def _times(things: Sequence[Any], count: int) -> Sequence[Any]:
    return [thing for _turn in range(count) for thing in things]


def _raised(given: Any, times: int) -> list[Any]:
    """A short input whose greatest number is so many times as great."""
    greatest = size_of(given).number
    if not greatest or size_of(given).length > _FEW_WORDS:
        return []
    if isinstance(given, str):
        numbers = [number for number in re.finditer(r"-?\d+", given) if abs(int(number[0])) == greatest]
        return [f"{given[: one.start()]}{times * int(one[0])}{given[one.end() :]}" for one in numbers]
    return [
        [*given[:place], times * one, *given[place + 1 :]]
        for place, one in enumerate(given)
        if isinstance(one, int) and not isinstance(one, bool) and abs(one) == greatest
    ]

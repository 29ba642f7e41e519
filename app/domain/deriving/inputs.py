"""Inputs near a problem's examples that are in none of its tests."""

import random
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from app.domain.deriving.items import canonical, is_plain

_LONGEST = 160  # characters of an input that is worked through by hand
_MOST_TRIES = 400
_STEPS = (-2, -1, 1, 2)


def near(examples: Sequence[Any], tests: Collection[str], count: int) -> list[list[Any]]:
    """At most `count` lists of arguments, each an example with one or two small changes; the same for equal examples.

    `tests` are the inputs of all tests, each in its canonical spelling: none of them is among the results.
    """
    kept = [given for given in examples if isinstance(given, list) and is_plain(given)]
    if not kept:
        return []
    draws = random.Random("\n".join(map(canonical, kept)))  # noqa: S311  # a choice that anybody can repeat
    found: dict[str, list[Any]] = {}
    for _try in range(_MOST_TRIES):
        given: Any = draws.choice(kept)
        for _change in range(draws.choice((1, 1, 2))):
            places = list(_places(given, ()))
            if places:
                given = _changed(given, draws.choice(places), draws)
        key = canonical(given)
        if key not in tests and len(key) <= _LONGEST:
            found.setdefault(key, given)
        if len(found) >= count:
            break
    return list(found.values())


def _places(value: Any, at: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Where something can be changed: every value but the list of arguments itself."""
    if at and value is not None:
        yield at
    if isinstance(value, list):
        for number, part in enumerate(value):
            yield from _places(part, (*at, number))


def _changed(value: Any, at: Sequence[int], draws: random.Random) -> Any:
    if at:
        return [_changed(part, at[1:], draws) if number == at[0] else part for number, part in enumerate(value)]
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + draws.choice(_STEPS)
    parts = list(value)
    if parts:
        one, other = draws.randrange(len(parts)), draws.randrange(len(parts))
        match draws.randrange(4):
            case 0:
                parts[one], parts[other] = parts[other], parts[one]
            case 1 if len(parts) > 1:
                del parts[one]
            case 2 if len(parts) > 1 or isinstance(value, list):
                parts.insert(one, parts[other])
            case _:
                parts[one] = parts[other]
    return "".join(parts) if isinstance(value, str) else parts

"""Inputs near a problem's examples that are in none of its tests."""

import random
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from app.domain.deriving.items import canonical_json, is_plain

_LONGEST = 160  # characters of an input that a reader works through by hand
_MAX_ATTEMPTS = 400
_STEPS = (-2, -1, 1, 2)


def nearby_inputs(examples: Sequence[Any], tests: Collection[str], count: int) -> list[list[Any]]:
    """Return at most `count` lists of arguments, each an example with one or two small changes; deterministic.

    `tests` are the inputs of all tests in canonical spelling; none of them is among the results.
    """
    plain = [arguments for arguments in examples if isinstance(arguments, list) and is_plain(arguments)]
    if not plain:
        return []
    draws = random.Random("\n".join(map(canonical_json, plain)))  # noqa: S311  # a reproducible choice
    inputs: dict[str, list[Any]] = {}
    for _try in range(_MAX_ATTEMPTS):
        arguments: Any = draws.choice(plain)
        for _change in range(draws.choice((1, 1, 2))):
            places = list(_places(arguments, ()))
            if places:
                arguments = _change_at(arguments, draws.choice(places), draws)
        key = canonical_json(arguments)
        if key not in tests and len(key) <= _LONGEST:
            inputs.setdefault(key, arguments)
        if len(inputs) >= count:
            break
    return list(inputs.values())


def _places(value: Any, at: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield the places of values that can be changed: all except the list of arguments itself."""
    if at and value is not None:
        yield at
    if isinstance(value, list):
        for number, part in enumerate(value):
            yield from _places(part, (*at, number))


def _change_at(value: Any, at: Sequence[int], draws: random.Random) -> Any:
    if at:
        return [_change_at(part, at[1:], draws) if number == at[0] else part for number, part in enumerate(value)]
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

"""Values as CoCo-Bench's files write them, as JSON or as Python, and how an input is given to a function's parameters.

An input is read by these rules, the first that fits:

* an object names the parameters; where its values are only run, it may as well hold as many in their order;
* text is the arguments of a call, as `[1, 2], threshold = 2`;
* a function without parameters is given nothing by an empty list, an empty object, no text and null;
* a list of as many values as a function of several parameters has is its arguments;
* else it is the one argument of a function that needs no more.
"""

import ast
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from app.domain.problems import Param
from scrapers.suites._shared import fields

_UNREAD = (ValueError, SyntaxError, TypeError, RecursionError, MemoryError)


class Given(NamedTuple):
    """The parameters that an input gives a value for, and the values."""

    params: tuple[Param, ...]
    values: list[Any]


def literal(value: Any, keep: Callable[[Any], Any] | None = None) -> Any:
    """A value, written out or as Python or JSON writes it, kept as `plain` has it. Raises ValueError for other text."""
    keep = plain if keep is None else keep
    if not isinstance(value, str):
        return keep(value)
    for read in (json.loads, ast.literal_eval):
        try:
            return keep(read(value.strip()))
        except _UNREAD:
            continue
    raise ValueError(f"{fields.shown(value)} is not a literal")


def plain(value: Any) -> Any:
    """A value as JSON holds it, tuples as lists. Raises ValueError for what JSON cannot hold."""
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    if isinstance(value, Mapping) and all(isinstance(name, str) for name in value):
        return {name: plain(item) for name, item in value.items()}
    if value is None or isinstance(value, bool | int | str) or (isinstance(value, float) and abs(value) < float("inf")):
        return value
    raise ValueError(f"{fields.shown(value)} is not a JSON value")


def named(value: Any) -> Any:
    """The same, keys of other kinds as texts."""
    if isinstance(value, Mapping):
        return {str(name): named(item) for name, item in value.items()}
    return [named(item) for item in value] if isinstance(value, tuple | list) else plain(value)


def arguments(value: Any, params: Sequence[Param], needed: int, *, in_order: bool = False) -> Given:
    """What an input gives to a function's parameters, of which the first `needed` have no default.

    Raises ValueError, saying so, where no rule fits.
    """
    if isinstance(value, str):
        given, named = _call(value)
        if named or len(given) > 1:
            if len(given) > len(params):
                raise ValueError(f"its input is not {_count(needed, len(params))} arguments")
            names = [param.name for param in params[: len(given)]]
            return _named({**dict(zip(names, given, strict=True)), **named}, params, needed, in_order=False)
        value = given[0] if given else []
    if isinstance(value, Mapping):
        return _named(plain(value), params, needed, in_order=in_order)
    value = plain(value)
    if not params and value in (None, [], {}):
        return Given((), [])
    if isinstance(value, list) and len(params) > 1 and len(value) == len(params):
        return Given(tuple(params), value)
    if needed > 1 or not params:
        raise ValueError(f"its input is not {_count(needed, len(params))} arguments")
    return Given((params[0],), [value])


def _named(values: Mapping[str, Any], params: Sequence[Param], needed: int, *, in_order: bool) -> Given:
    names = {param.name for param in params}
    if set(values) <= names and {param.name for param in params[:needed]} <= set(values):
        given = tuple(param for param in params if param.name in values)
        return Given(given, [values[param.name] for param in given])
    if in_order and len(values) == len(params) and not names & set(values):
        return Given(tuple(params), list(values.values()))
    raise ValueError(f"its input names {', '.join(values)}, not {', '.join(param.name for param in params)}")


def _call(text: str) -> tuple[list[Any], dict[str, Any]]:
    """The arguments of a call, those in order and those with names. Raises ValueError where they are no literals."""
    try:
        call = ast.parse(f"f({text.strip()})", mode="eval").body
        if not isinstance(call, ast.Call):
            raise TypeError
        named = {str(word.arg): plain(ast.literal_eval(word.value)) for word in call.keywords}
        return [plain(ast.literal_eval(part)) for part in call.args], named
    except _UNREAD as odd:
        raise ValueError(f"its input {fields.shown(text)} is not made of literals") from odd


def _count(needed: int, most: int) -> str:
    return str(most) if needed == most else f"{needed} to {most}"

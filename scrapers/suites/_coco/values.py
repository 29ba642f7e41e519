"""Values in CoCo-Bench's files, written as JSON or as Python, and the rules that give an input to a function's
parameters.

An input is read by the first of these rules that fits:

* an object names the parameters; if its values are only run, it may also hold as many in their order;
* text is the arguments of a call, as `[1, 2], threshold = 2`;
* a function without parameters is given nothing by an empty list, an empty object, no text and null;
* a list of as many values as a function of several parameters has is its arguments;
* otherwise it is the one argument of a function that needs no more.
"""

import ast
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from app.domain.problems import Param
from scrapers.suites._common import fields

_LITERAL_ERRORS = (ValueError, SyntaxError, TypeError, RecursionError, MemoryError)


class ParameterValues(NamedTuple):
    """The parameters that an input gives a value for, and the values."""

    params: tuple[Param, ...]
    values: list[Any]


def literal(value: Any, keep: Callable[[Any], Any] | None = None) -> Any:
    """Return a value that may be written as Python or JSON, converted by `keep`. Raises ValueError for other text."""
    keep = plain if keep is None else keep
    if not isinstance(value, str):
        return keep(value)
    for read in (json.loads, ast.literal_eval):
        try:
            return keep(read(value.strip()))
        except _LITERAL_ERRORS:
            continue
    raise ValueError(f"{fields.format_value(value)} is not a literal")


def plain(value: Any) -> Any:
    """Return a value as JSON holds it, tuples as lists. Raises ValueError for what JSON cannot hold."""
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    if isinstance(value, Mapping) and all(isinstance(name, str) for name in value):
        return {name: plain(item) for name, item in value.items()}
    if value is None or isinstance(value, bool | int | str) or (isinstance(value, float) and abs(value) < float("inf")):
        return value
    raise ValueError(f"{fields.format_value(value)} is not a JSON value")


def plain_with_text_keys(value: Any) -> Any:
    """Return a value as JSON holds it, with keys of any type as texts. Raises ValueError."""
    if isinstance(value, Mapping):
        return {str(name): plain_with_text_keys(item) for name, item in value.items()}
    return [plain_with_text_keys(item) for item in value] if isinstance(value, tuple | list) else plain(value)


def arguments(value: Any, params: Sequence[Param], needed: int, *, in_order: bool = False) -> ParameterValues:
    """Return the values that an input gives to a function's parameters, the first `needed` of which have no default.

    Raises ValueError with the reason if no rule fits.
    """
    if isinstance(value, str):
        positional, by_name = _call(value)
        if by_name or len(positional) > 1:
            if len(positional) > len(params):
                raise ValueError(f"its input is not {_count(needed, len(params))} arguments")
            names = [param.name for param in params[: len(positional)]]
            return _by_name({**dict(zip(names, positional, strict=True)), **by_name}, params, needed, in_order=False)
        value = positional[0] if positional else []
    if isinstance(value, Mapping):
        return _by_name(plain(value), params, needed, in_order=in_order)
    value = plain(value)
    if not params and value in (None, [], {}):
        return ParameterValues((), [])
    if isinstance(value, list) and len(params) > 1 and len(value) == len(params):
        return ParameterValues(tuple(params), value)
    if needed > 1 or not params:
        raise ValueError(f"its input is not {_count(needed, len(params))} arguments")
    return ParameterValues((params[0],), [value])


def _by_name(values: Mapping[str, Any], params: Sequence[Param], needed: int, *, in_order: bool) -> ParameterValues:
    names = {param.name for param in params}
    if set(values) <= names and {param.name for param in params[:needed]} <= set(values):
        given_params = tuple(param for param in params if param.name in values)
        return ParameterValues(given_params, [values[param.name] for param in given_params])
    if in_order and len(values) == len(params) and not names & set(values):
        return ParameterValues(tuple(params), list(values.values()))
    raise ValueError(f"its input names {', '.join(values)}, not {', '.join(param.name for param in params)}")


def _call(text: str) -> tuple[list[Any], dict[str, Any]]:
    """Return a call's positional and named arguments. Raises ValueError if they are no literals."""
    try:
        call = ast.parse(f"f({text.strip()})", mode="eval").body
        if not isinstance(call, ast.Call):
            raise TypeError
        by_name = {str(word.arg): plain(ast.literal_eval(word.value)) for word in call.keywords}
        return [plain(ast.literal_eval(part)) for part in call.args], by_name
    except _LITERAL_ERRORS as broken:
        raise ValueError(f"its input {fields.format_value(text)} is not made of literals") from broken


def _count(needed: int, most: int) -> str:
    return str(most) if needed == most else f"{needed} to {most}"

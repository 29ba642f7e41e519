"""What stands in an answer that completes an assertion: parsed as literals, and never evaluated."""

import ast
import json
import re
import warnings
from collections.abc import Iterator
from typing import NamedTuple

_LONGEST = 20_000  # characters that are parsed; Python's parser stays safe there
_MOST_LINES = 200  # of an answer, from its end, that are looked at for an assertion
_MOST_TRIES = 5  # of lines that begin like an assertion, from the last
_MOST_BROKEN = 40  # lines over which one may be broken
_ASSERT = re.compile(r"\s*assert\b")
_UNREADABLE = (SyntaxError, ValueError, TypeError, MemoryError, RecursionError)


class Assertion(NamedTuple):
    """Both sides of an equality that is asserted, as they are written."""

    left: str
    right: str


def literal(text: str) -> str | None:
    """A Python literal as JSON; one that JSON does not know stays as it is written, and equals nothing.

    None where the text is no literal: a name, a call or an expression is none.
    """
    text = text.strip()
    if not text or len(text) > _LONGEST:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an odd escape in a model's string is not our warning
            value = ast.literal_eval(text)
        return json.dumps(value, ensure_ascii=False) if _is_json(value) else f"({text})"
    except _UNREADABLE:
        return None


def _is_json(value: object) -> bool:
    if isinstance(value, list):
        return all(map(_is_json, value))
    if isinstance(value, dict):
        return all(isinstance(key, str) and _is_json(part) for key, part in value.items())
    finite = not isinstance(value, float) or value - value == 0
    return finite and (value is None or isinstance(value, bool | int | float | str))


def asserted(text: str) -> str | None:
    """The right side of the last `assert ... == ...` in a text, as it is written; None where there is none."""
    found = assertion(text)
    return None if found is None else found.right


def assertion(text: str) -> Assertion | None:
    """The last `assert ... == ...` in a text; None where there is none."""
    lines = text.splitlines()[-_MOST_LINES:]
    starts = [number for number, line in enumerate(lines) if _ASSERT.match(line)]
    for start in reversed(starts[-_MOST_TRIES:]):
        for part in _grown(lines[start : start + _MOST_BROKEN]):
            if (found := _sides(part)) is not None:
                return found
    return None


def _grown(lines: list[str]) -> Iterator[str]:
    """An assertion may be broken over lines."""
    for end in range(1, len(lines) + 1):
        yield "\n".join(lines[:end]).strip()


def _sides(text: str) -> Assertion | None:
    if len(text) > _LONGEST:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            body = ast.parse(text).body
    except _UNREADABLE:
        return None
    match body:
        case [ast.Assert(test=ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]))]:
            return Assertion(ast.get_source_segment(text, left) or "", ast.get_source_segment(text, right) or "")
    return None


_TAGGED = re.compile(r"\[(/?)ANSWER\]")


def tagged(text: str) -> tuple[str, bool] | None:
    """What stands in the last tags [ANSWER] and [/ANSWER] that are not empty, and whether they are closed."""
    found: tuple[str, bool] | None = None
    start: int | None = None
    for mark in _TAGGED.finditer(text):
        if not mark[1]:
            start = mark.end()
        elif start is not None:
            inside, start = text[start : mark.start()].strip(), None
            found = (inside, True) if inside else found
    if start is not None and (rest := text[start:].strip()):
        return rest, False
    return found

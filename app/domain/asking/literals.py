"""Extraction of the literal that completes an assertion: parsed, never evaluated."""

import ast
import json
import re
import warnings
from collections.abc import Iterator
from typing import NamedTuple

_MAX_PARSED_CHARS = 20_000  # Python's parser is safe up to this length
_MAX_SEARCHED_LINES = 200  # at the end of an answer
_MAX_ATTEMPTS = 5  # lines that begin like an assertion, from the last
_MAX_ASSERTION_LINES = 40
_ASSERT = re.compile(r"\s*assert\b")
_PARSE_ERRORS = (SyntaxError, ValueError, TypeError, MemoryError, RecursionError)


class Assertion(NamedTuple):
    """Both sides of an asserted equality, as written."""

    left: str
    right: str


def literal_as_json(text: str) -> str | None:
    """Return a Python literal as JSON. A literal that JSON does not know stays as written, and equals nothing.

    None if the text is not a literal: a name, a call or an expression is none.
    """
    text = text.strip()
    if not text or len(text) > _MAX_PARSED_CHARS:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # invalid escapes in a model's string are not our warnings
            value = ast.literal_eval(text)
        return json.dumps(value, ensure_ascii=False) if _is_json(value) else f"({text})"
    except _PARSE_ERRORS:
        return None


def _is_json(value: object) -> bool:
    if isinstance(value, list):
        return all(map(_is_json, value))
    if isinstance(value, dict):
        return all(isinstance(key, str) and _is_json(part) for key, part in value.items())
    finite = not isinstance(value, float) or value - value == 0
    return finite and (value is None or isinstance(value, bool | int | float | str))


def asserted_value(text: str) -> str | None:
    """Return the right side of the last `assert ... == ...` in a text, as written; None without any."""
    last = last_assertion(text)
    return None if last is None else last.right


def last_assertion(text: str) -> Assertion | None:
    """Return the last `assert ... == ...` in a text; None without any."""
    lines = text.splitlines()[-_MAX_SEARCHED_LINES:]
    starts = [number for number, line in enumerate(lines) if _ASSERT.match(line)]
    for start in reversed(starts[-_MAX_ATTEMPTS:]):
        for part in _growing_texts(lines[start : start + _MAX_ASSERTION_LINES]):
            if (parsed := _parse_assertion(part)) is not None:
                return parsed
    return None


def _growing_texts(lines: list[str]) -> Iterator[str]:
    """Yield the first line, the first two lines and so on: an assertion may span several."""
    for end in range(1, len(lines) + 1):
        yield "\n".join(lines[:end]).strip()


def _parse_assertion(text: str) -> Assertion | None:
    if len(text) > _MAX_PARSED_CHARS:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            body = ast.parse(text).body
    except _PARSE_ERRORS:
        return None
    match body:
        case [ast.Assert(test=ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]))]:
            return Assertion(ast.get_source_segment(text, left) or "", ast.get_source_segment(text, right) or "")
    return None


_ANSWER_TAG = re.compile(r"\[(/?)ANSWER\]")


def tagged_answer(text: str) -> tuple[str, bool] | None:
    """Return the text in the last non-empty [ANSWER] tag, and whether the tag is closed; None without any."""
    closed: tuple[str, bool] | None = None
    start: int | None = None
    for mark in _ANSWER_TAG.finditer(text):
        if not mark[1]:
            start = mark.end()
        elif start is not None:
            inside, start = text[start : mark.start()].strip(), None
            closed = (inside, True) if inside else closed
    if start is not None and (rest := text[start:].strip()):
        return rest, False
    return closed

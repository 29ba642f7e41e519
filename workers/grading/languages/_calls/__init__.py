"""Calls of functions and classes in compiled languages, by code that is appended to the answer.

The arguments come on standard input as tokens; the value leaves as one line of V and JSON, as in Python. A program's
own output goes to standard error during a call, so that it is no answer. The types are those that the program declares:
integers, floating point numbers, booleans, characters, strings, and lists of these of any depth.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

from app.domain.errors import InvalidProblem
from app.domain.problems import Entry

_IDENTIFIER: Final = re.compile(r"[A-Za-z_]\w*")


def names_of(entry: Entry) -> tuple[str, str]:
    """Return the function's name, "" for a class, and the class. Raises InvalidProblem if one is no plain name."""
    cls = entry.cls or "Solution"
    for name in (cls, *([entry.name] if entry.name else entry.methods)):
        if not _IDENTIFIER.fullmatch(name):
            raise InvalidProblem(f"{name!r:.40} of {cls!r:.40} cannot be called")
    return entry.name, cls


def encode_arguments(arguments: list[Any]) -> bytes:
    """Return arguments as a program reads them; values of other types become null."""
    return _line(_words(value) for value in arguments)


def encode_calls(names: list[str], rows: list[list[Any]]) -> bytes:
    """Return the calls of a class as a program reads them: constructor arguments, then each method with its own."""
    methods = [(_words(name), _words(row)) for name, row in zip(names[1:], rows[1:], strict=True)]
    return _line([_words(rows[0]), [f"l{len(methods)}"], *(words for method in methods for words in method)])


def _line(values: Iterable[Iterable[str]]) -> bytes:
    return " ".join(word for words in values for word in words).encode() + b"\n"


def _words(value: Any) -> Iterator[str]:
    if isinstance(value, bool):
        yield "true" if value else "false"
    elif isinstance(value, int | float):
        yield repr(value)
    elif isinstance(value, str):
        yield f"s{value.encode().hex()}"
    elif isinstance(value, list):
        yield f"l{len(value)}"
        for part in value:
            yield from _words(part)
    else:
        yield "null"

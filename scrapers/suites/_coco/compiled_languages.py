"""C++ and Java code of CoCo-Bench: the function that an input is for, found without compiling.

Of the functions that code defines, private ones aside, it is the last whose parameters an input names; else the last
that takes as many values as there are; else the last.
"""

import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from app.domain.problems import Entry, Param
from scrapers.suites._coco.values import arguments

_COMMENT: Final = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_FUNCTION: Final = re.compile(
    r"(?P<before>(?:[\w:<>,\[\]&*?]+\s+)+[&*]*)(?P<name>\w+)\s*\((?P<params>[^(){};]*)\)\s*"
    r"(?:const\s*)?(?:throws\s+[\w.,\s]+)?\{"
)
_NO_TYPES: Final = {"return", "else", "new", "case", "throw", "delete", "if", "for", "while", "switch", "catch"}
_PRIVATE: Final = re.compile(r"\bprivate\b")


class Function(NamedTuple):
    """A function that code defines: its name, its parameters, and its return type."""

    name: str
    params: tuple[Param, ...]
    returns: str


def functions(code: str) -> list[Function]:
    """Return the functions that code defines, private ones excluded, in its order."""
    result = []
    bare = _COMMENT.sub(" ", code)
    for match in _FUNCTION.finditer(bare):
        words = match["before"].split()
        if _NO_TYPES & {*words, match["name"]} or _PRIVATE.search(match["before"]):
            continue
        type_words = [
            word for word in words if word not in ("public", "static", "final", "protected", "inline", "virtual")
        ]
        if not type_words or (type_words[-1].endswith(":") and len(type_words) == 1):
            continue
        params = [_param(part) for part in _parts(match["params"])]
        result.append(Function(match["name"], tuple(params), " ".join(type_words)))
    return result


def _parts(params: str) -> list[str]:
    parts, depth, start = [], 0, 0
    for place, letter in enumerate(params):
        depth += (letter == "<") - (letter == ">")
        if letter == "," and depth == 0:
            parts.append(params[start:place])
            start = place + 1
    return [part for part in (*parts, params[start:]) if part.strip()]


def _param(part: str) -> Param:
    """Return a parameter: its name is the last word, the rest is its type."""
    words = re.findall(r"\w+", part.partition("=")[0])
    return Param(words[-1], part.partition("=")[0].strip().removesuffix(words[-1]).strip(" &*") or words[-1])


def find_called(code: str, value: Any) -> tuple[Entry, list[Any]]:
    """Return the function that an input is for, and its arguments. Raises ValueError if the code defines none."""
    defined = functions(code)
    if not defined:
        raise ValueError("it defines no function")
    names = set(value) if isinstance(value, Mapping) else set()
    by_names = [function for function in defined if names and {param.name for param in function.params} == names]
    count = len(value) if isinstance(value, Mapping | list) else 1
    chosen = (by_names or [function for function in defined if len(function.params) == count] or defined)[-1]
    arguments_given = arguments(value, chosen.params, len(chosen.params), in_order=True)
    return Entry(chosen.name, "Solution", chosen.params, _tolerant_type(chosen.returns)), arguments_given.values


def _tolerant_type(returns: str) -> str:
    """Return the type if numbers are to be compared with a tolerance, else ""."""
    return returns if re.search(r"\b(?:double|float)\b", returns, re.IGNORECASE) else ""

"""The program in an answer: read from the final text alone, in time linear in its length."""

import ast
import re
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

_BARE_LIMIT = 65_536  # characters of an unfenced answer that are tried as a program; Python's parser stays safe there

# A run of three or more fence characters ending its line but for an info string without backticks. Prose
# may stand before an opening fence (`Answer: ```python`), so the prefix is kept to be looked at.
_FENCE = re.compile(r"^([^`~\n]*+)(`{3,}+|~{3,}+)([^`\n]*+)$", re.MULTILINE)
_TAG = re.compile(r"\s*+\{?\.?([\w+#-]++)")

_TAGS: Mapping[str, frozenset[str]] = {
    "python": frozenset({"python", "py", "python3", "py3", "python2", "pypy", "pypy3"}),
    "cpp": frozenset({"cpp", "c++", "cc", "cxx", "c", "c++17", "c++20", "c++23", "cpp17", "cpp20"}),
}


@dataclass(frozen=True, slots=True)
class Extraction:
    """The program found in an answer, None when there is none; whether it was fenced as asked."""

    code: str | None
    followed_format: bool


class _Block(NamedTuple):
    tag: str
    code: str


def extract_code(text: str, language: str) -> Extraction:
    """The last fenced program of an answer's final text.

    Blocks tagged with the language come first, then untagged ones, then any; the last non-empty block of
    the best kind wins, and a block that was never closed runs to the end. Without a block the whole text
    is taken where it is plainly a program. Linear in `len(text)`; never raises.
    """
    tags = _TAGS.get(language, frozenset({language}))
    tagged = untagged = other = None
    for block in _blocks(text.replace("\r\n", "\n")):
        if not block.code.strip():
            continue
        if block.tag in tags:
            tagged = block.code
        elif not block.tag:
            untagged = block.code
        else:
            other = block.code
    fenced = tagged or untagged
    if fenced is not None:
        return Extraction(fenced, followed_format=True)
    if other is not None:
        return Extraction(other, followed_format=False)
    is_program = _IS_PROGRAM.get(language)
    if is_program is not None and len(text) <= _BARE_LIMIT and is_program(text):
        return Extraction(text.replace("\r\n", "\n"), followed_format=False)
    return Extraction(None, followed_format=False)


class _Open(NamedTuple):
    fence: str
    indent: int
    tag: str
    start: int


def _blocks(text: str) -> Iterator[_Block]:
    opened: _Open | None = None
    for match in _FENCE.finditer(text):
        prefix, fence, info = match.groups()
        if opened is None:
            opened = _opening(match)
        elif prefix.strip() or fence[0] != opened.fence[0] or len(fence) < len(opened.fence):
            continue  # text of the program: a string, or a shorter fence inside a longer one
        elif not info.strip():
            yield _close(opened, text, match.start())
            opened = None
        elif len(fence) == len(opened.fence):
            # A new tagged fence before the old one was closed: the model forgot to close it.
            yield _close(opened, text, match.start())
            opened = _opening(match)
    if opened is not None:
        yield _close(opened, text, len(text))


def _opening(match: re.Match[str]) -> _Open | None:
    prefix, fence, info = match.groups()
    tag = _TAG.match(info)
    if prefix.strip() and (tag is None or fence[0] == "~"):
        return None  # a line of prose or code that happens to end like a fence
    indent = len(prefix) if not prefix.strip() else 0
    return _Open(fence, indent, tag[1].lower() if tag else "", match.end() + 1)


def _close(opened: _Open, text: str, end: int) -> _Block:
    code = text[opened.start : end]
    if opened.indent:  # a fence inside a list item: its lines are indented with it
        code = re.sub(rf"^[ \t]{{1,{opened.indent}}}+", "", code, flags=re.MULTILINE)
    return _Block(opened.tag, code)


def _is_python(text: str) -> bool:
    """Whether a whole answer is a Python program: it parses, and does more than name things."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an odd escape in a model's string is not our warning
            body = ast.parse(text).body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return False
    return any(not isinstance(statement, ast.Expr) or isinstance(statement.value, ast.Call) for statement in body)


def _is_cpp(text: str) -> bool:
    """Whether a whole answer is a C++ program: it begins like one and defines main."""
    return text.lstrip().startswith(("#include", "//", "/*", "#pragma", "using ")) and "main" in text and "{" in text


_IS_PROGRAM: Mapping[str, Callable[[str], bool]] = {"python": _is_python, "cpp": _is_cpp}

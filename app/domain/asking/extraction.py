"""The program in an answer: read from the final text alone, in time linear in its length."""

import ast
import re
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from app.domain.asking.reasoning import without_reasoning

_BARE_LIMIT = 65_536  # characters of an unfenced answer that are tried as a program; Python's parser stays safe there

# A run of three or more backticks, with an info string where it ends its line; or of tildes that begins its line.
_FENCE = re.compile(r"(`{3,}+)(?:([^`\n]*+)$)?|^([^\S\n]*+)(~{3,}+)([^\n]*+)$", re.MULTILINE)
_TAG = re.compile(r"\s*+\{?\.?(?:lang(?:uage)?-)?([\w+#-]++)")
_MARKER = re.compile(r"[【\[［〔]\s*+代码(?:(?P<opens>开始)|结束)\s*+[】\]］〕]")

# How blocks name a language; a version may follow, as in python3 or c++17.
_PYTHON = frozenset({"python", "py", "pypy", "cpython"})
_TAGS: Mapping[str, frozenset[str]] = {
    "python": _PYTHON,
    "pypy": _PYTHON,
    "cpp": frozenset({"cpp", "c++", "cc", "cxx", "c", "g++", "gnu++"}),
    "go": frozenset({"go", "golang"}),
    "javascript": frozenset({"javascript", "js", "node", "nodejs"}),
    "rust": frozenset({"rust", "rs"}),
}
_HOLDS_BLOCKS = frozenset({"markdown", "md"})


@dataclass(frozen=True, slots=True)
class Extraction:
    """The program found in an answer, None when there is none; whether it was fenced as asked."""

    code: str | None
    followed_format: bool


class _Block(NamedTuple):
    tag: str
    code: str


def extract_code(text: str, language: str) -> Extraction:
    """The last fenced program of an answer's final text, and none of its reasoning.

    Blocks tagged with the language come first, then what stands between the markers 【代码开始】 and 【代码结束】, then
    untagged blocks, then any. The last one that is not empty wins, and one that was never closed runs to the end.
    Without any, the whole text is taken where it is plainly a program. Linear in `len(text)`; never raises.
    """
    answer = without_reasoning(text)
    answer = answer.replace("\r\n", "\n") if "\n" in answer else answer.replace("\r", "\n")
    fenced = _fenced(answer, language)
    if fenced.tagged:
        return Extraction(_marked(fenced.tagged) or fenced.tagged, followed_format=True)
    if marked := _marked(answer):
        inside = _fenced(marked, language)
        return Extraction(inside.untagged or inside.other or marked, followed_format=bool(fenced.untagged))
    if fenced.untagged or fenced.other:
        return Extraction(fenced.untagged or fenced.other, followed_format=bool(fenced.untagged))
    is_program = _IS_PROGRAM.get(language)
    if is_program is not None and len(answer) <= _BARE_LIMIT and is_program(answer):
        return Extraction(answer, followed_format=False)
    return Extraction(None, followed_format=False)


def extract_marked(text: str, language: str) -> Extraction:
    """The same, where the program was asked for between 【代码开始】 and 【代码结束】.

    The last text between both marks wins, without a fence around it; only such an answer followed the format.
    """
    answer = without_reasoning(text).replace("\r\n", "\n")
    marks = [marker.lastgroup for marker in _MARKER.finditer(answer)]
    if "opens" in marks and marks[-1] is None and (marked := _marked(answer)):
        inside = _fenced(marked, language)
        return Extraction(inside.tagged or inside.untagged or inside.other or marked, followed_format=True)
    found = extract_code(answer, language)
    code = found.code if found.code is not None else extract_code(_MARKER.sub("\n", answer), language).code
    return Extraction(code, followed_format=False)


class _Fenced(NamedTuple):
    """The last block of each kind that is not empty; empty where there is none."""

    tagged: str = ""
    untagged: str = ""
    other: str = ""


def _fenced(text: str, language: str) -> _Fenced:
    tags = _TAGS.get(language, frozenset({language}))
    found: dict[str, str] = {}
    for block in _blocks(text, tags):
        if block.code.strip():
            kind = "tagged" if _names(block.tag, tags) else "other" if block.tag else "untagged"
            found[kind] = block.code
    return _Fenced(**found)


def _names(tag: str, tags: frozenset[str]) -> bool:
    return tag in tags or tag.rstrip("0123456789") in tags


def _marked(text: str) -> str:
    """The last text between markers that is not empty; it runs to the end where the second marker is missing."""
    found, start = "", None
    for marker in _MARKER.finditer(text):
        if marker["opens"]:
            start = marker.end()
        elif start is not None:
            found, start = text[start : marker.start()].rstrip() or found, None
    last = "" if start is None else text[start:].rstrip()
    return next((part.lstrip("\n") + "\n" for part in (last, found) if part), "")


class _Line(NamedTuple):
    """A line with a fence: what stands before it, whether that is blank, the fence, what stands behind it."""

    prefix: str
    fence: str
    info: str
    start: int
    end: int

    @property
    def is_bare(self) -> bool:
        return not self.prefix.strip() and not self.info.strip()

    @property
    def tag(self) -> str:
        tag = _TAG.match(self.info)
        return tag[1].lower() if tag else ""

    def closes(self, fence: str) -> bool:
        return self.fence.startswith(fence)


class _Open(NamedTuple):
    fence: str
    indent: int
    tag: str
    start: int
    stop: int | None = None  # where a line of the program ends with a fence: its end, where no other is found


def _blocks(text: str, tags: frozenset[str]) -> Iterator[_Block]:
    opened: _Open | None = None
    around: list[str] = []  # fences of open blocks that hold blocks
    for line in _lines(text):
        if opened is None:
            if around and line.is_bare and line.closes(around[-1]):
                around.pop()
            else:
                opened = _opening(line, around)
        elif line.prefix.strip():
            # Text of the program, such as a string; or its last line, with a fence that should have its own.
            if opened.stop is None and line.closes(opened.fence) and not line.info.strip():
                opened = opened._replace(stop=line.start + len(line.prefix))
        elif line.is_bare and line.closes(opened.fence):
            yield _close(opened, text, line.start)
            opened = None
        elif line.fence == opened.fence:
            # A new tagged fence before the old one was closed: the model forgot to close it.
            yield _close(opened, text, opened.stop or line.start)
            opened = _opening(line, around)
        elif _holds(opened, line, tags):
            around.append(opened.fence)
            opened = _opening(line, around)
    if opened is not None:
        yield _close(opened, text, opened.stop or len(text))


def _holds(opened: _Open, line: _Line, tags: frozenset[str]) -> bool:
    """Whether an open block is not the program but around it, as where a whole answer is fenced."""
    return not line.closes(opened.fence) and _names(line.tag, tags) and not _names(opened.tag, tags)


def _lines(text: str) -> Iterator[_Line]:
    """Every line with a fence, in time linear in `len(text)`."""
    begins = seen = 0
    for match in _FENCE.finditer(text):
        ticks, info, indent, tildes, words = match.groups()
        begins = text.rfind("\n", seen, match.start()) + 1 or begins
        seen = match.end()
        if tildes is not None:
            yield _Line(indent, tildes, words, match.start(), seen)
        elif info is not None:
            yield _Line(text[begins : match.start()], ticks, info, begins, seen)


def _opening(line: _Line, around: list[str]) -> _Open | None:
    tag = line.tag
    if line.prefix.strip() and not tag:
        return None  # a line of prose or code that happens to end like a fence
    if tag in _HOLDS_BLOCKS:
        around.append(line.fence)
        return None
    indent = len(line.prefix) if not line.prefix.strip() else 0
    return _Open(line.fence, indent, tag, line.end + 1)


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

"""The program in an answer: read from the final text alone, in time linear in its length."""

import ast
import re
import warnings
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from app.domain.asking.fences import FenceLine, fence_lines, one_line_fences
from app.domain.asking.protocols import OTHER
from app.domain.asking.reasoning import without_reasoning

_BARE_LIMIT = 65_536  # characters of an unfenced answer that are tried as a program; Python's parser stays safe there

_INDENT = re.compile(r"(?:[^\S\n]*+\n)*+([ \t]++)")
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
    "typescript": frozenset({"typescript", "ts"}),
    "csharp": frozenset({"csharp", "c#", "cs"}),
    "kotlin": frozenset({"kotlin", "kt"}),
    "ruby": frozenset({"ruby", "rb"}),
}
# Other languages that people solve problems in, by the names that blocks give them.
_NOT_JUDGED = frozenset(
    {"java", "kotlin", "kt", "scala", "go", "golang", "rust", "rs", "javascript", "js", "typescript", "ts", "node",
     "csharp", "c#", "cs", "fsharp", "ruby", "rb", "php", "perl", "pl", "haskell", "hs", "ocaml", "ml", "pascal",
     "delphi", "swift", "dart", "lua", "julia", "r", "d", "nim", "zig", "elixir", "erlang", "clojure",
     "lisp", "scheme", "racket",
     "fortran", "ada", "cobol", "prolog", "matlab", "octave", "vb"}
)  # fmt: skip
_HOLDS_BLOCKS = frozenset({"markdown", "md"})
_ONE_LINES = 8  # of the last programs on one line that are tried


@dataclass(frozen=True, slots=True)
class Extraction:
    """The program found in an answer, None when there is none; whether it was fenced as asked.

    `language` is the program's where the answer chose it, `OTHER` for one that is not judged; else None.
    """

    code: str | None
    followed_format: bool
    language: str | None = None


class Block(NamedTuple):
    """What stands in a fenced block, the language it names, empty for none, and whether a fence closes it."""

    tag: str
    code: str
    closed: bool = True


def extract_code(text: str, language: str) -> Extraction:
    """The last fenced program of an answer's final text, and none of its reasoning.

    Blocks tagged with the language come first, then blocks between the markers 【代码开始】 and 【代码结束】, then
    untagged blocks, then what is marked without a fence, then blocks of other languages. The last one that is not empty
    wins, and one that was never closed runs to the end. Without any, what is fenced on one line is taken, or the whole
    text, where it is plainly a program. Linear in `len(text)`; never raises.
    """
    text = text.replace("\r\n", "\n") if "\n" in text else text.replace("\r", "\n")
    answer = without_reasoning(text)
    if answer != text and "```" not in text and "~~~" not in text and _is_whole_python(text, language):
        answer = text  # a program that prints the tags: reasoning does not parse
    fenced = _fenced(answer, language)
    if fenced.tagged:
        return Extraction(_marked(fenced.tagged) or fenced.tagged, followed_format=True)
    marked = _marked(answer)
    inside = _fenced(marked, language) if marked else _Fenced()
    if inside.untagged or inside.other:
        return Extraction(inside.untagged or inside.other, followed_format=bool(fenced.untagged))
    if (line := _on_one_line(answer, language, tagged=True)) is not None:
        return Extraction(line, followed_format=False)
    if fenced.untagged:
        return Extraction(_marked(fenced.untagged) or fenced.untagged, followed_format=True)
    if marked or fenced.other:
        return Extraction(marked or fenced.other, followed_format=False)
    if (line := _on_one_line(answer, language, tagged=False)) is not None:
        return Extraction(line, followed_format=False)
    is_program = _IS_PROGRAM.get(language)
    if is_program is not None and len(answer) <= _BARE_LIMIT and is_program(answer):
        return Extraction(answer, followed_format=False)
    return Extraction(None, followed_format=False)


def blocks(text: str, languages: Sequence[str]) -> Iterator[Block]:
    """The fenced blocks of an answer's final text, and none of its reasoning: in lists, quotes or prose, too.

    One of these languages may stand in another block, as where a whole answer is fenced. Linear in `len(text)`; never
    raises.
    """
    text = text.replace("\r\n", "\n") if "\n" in text else text.replace("\r", "\n")
    tags = frozenset[str]().union(*(_TAGS.get(language, frozenset({language})) for language in languages))
    return _blocks(without_reasoning(text), tags)


def names(tag: str, language: str) -> bool:
    """Whether a block's tag names a language, be it with a version."""
    return _names(tag, _TAGS.get(language, frozenset({language})))


def extract_marked(text: str, language: str) -> Extraction:
    """The same, where the program was asked for between 【代码开始】 and 【代码结束】.

    The last text between both marks wins, without a fence around it; only such an answer followed the format.
    """
    final = without_reasoning(text).replace("\r\n", "\n")
    marks = [marker.lastgroup for marker in _MARKER.finditer(final)]
    if "opens" in marks and marks[-1] is None and (marked := _marked(final)):
        inside = _fenced(marked, language)
        return Extraction(inside.tagged or inside.untagged or inside.other or marked, followed_format=True)
    found = extract_code(final, language)
    code = found.code if found.code is not None else extract_code(_MARKER.sub("\n", final), language).code
    return Extraction(code, followed_format=False)


def extract_chosen(text: str, languages: Sequence[str]) -> Extraction:
    """The same, where an answer may be in any language: its last fenced program that names a language, else the last
    one without a name or the whole text, as they look.

    A program in none of the `languages` is none: its language is `OTHER`.
    """
    answer = without_reasoning(text.replace("\r\n", "\n"))
    tags = {tag: language for language in languages for tag in _TAGS.get(language, frozenset({language}))}
    named, plain = None, None
    for block in _blocks(answer, frozenset(tags) | _NOT_JUDGED):
        tag = block.tag if block.tag in tags or block.tag in _NOT_JUDGED else block.tag.rstrip("0123456789")
        if block.code.strip() and (tag in tags or tag in _NOT_JUDGED):
            named = block.code, tags.get(tag, OTHER)
        elif block.code.strip() and not tag:
            plain = block.code
    if named is not None:
        code, language = named
        judged = language != OTHER
        return Extraction(code if judged else None, followed_format=judged, language=language)
    whole = answer if plain is None else plain
    looks = (language for language in languages if len(whole) <= _BARE_LIMIT and _IS_PROGRAM[language](whole))
    found = next(looks, None)
    return Extraction(None if found is None else whole, followed_format=False, language=found)


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


def _on_one_line(text: str, language: str, *, tagged: bool) -> str | None:
    """The last program that is fenced on its line: ```python print(1)```, or without the tag ```print(1)```.

    With a tag it is alone on its line, else prose that names a call would be one.
    """
    tags, is_program = _TAGS.get(language, frozenset({language})), _IS_PROGRAM.get(language)
    if "```" not in text:
        return None
    for words, alone in reversed(deque(one_line_fences(text), _ONE_LINES)):
        first, _, rest = words.strip().partition(" ")
        names_it = _names(first.lower(), tags) and bool(rest.strip())
        if tagged and names_it and alone:
            return rest.strip()
        if not tagged and is_program is not None and len(words) <= _BARE_LIMIT:
            code = rest.strip() if names_it else words.strip()
            if is_program(code):
                return code
    return None


class _Open(NamedTuple):
    fence: str
    quotes: int
    is_indented: bool
    tag: str
    start: int
    stop: int | None = None  # where a line of the program ends with a fence: its end, where no other is found


def _blocks(text: str, tags: frozenset[str]) -> Iterator[Block]:
    opened: _Open | None = None
    around: list[str] = []  # fences of open blocks that hold blocks
    for line in fence_lines(text):
        if opened is None:
            if around and line.is_bare and line.stands(quoted=True) and line.closes(around[-1]):
                around.pop()
            else:
                opened = _opening(line, around)
        elif line.begins_a_block and _holds(opened, line, tags):
            around.append(opened.fence)
            opened = _opening(line, around)
        elif not line.stands(quoted=opened.quotes > 0):
            # Text of the program, such as a string; or its last line, with a fence that should have its own.
            if opened.stop is None and line.closes(opened.fence) and line.is_bare:
                opened = opened._replace(stop=line.at)
        elif line.is_bare and line.closes(opened.fence):
            yield _close(opened, text, line.start)
            opened = None
        elif line.fence == opened.fence:
            # A new tagged fence before the old one was closed: the model forgot to close it.
            yield _close(opened, text, opened.stop or line.start)
            opened = _opening(line, around)
    if opened is not None:
        yield _close(opened, text, opened.stop or len(text))._replace(closed=opened.stop is not None)


def _holds(opened: _Open, line: FenceLine, tags: frozenset[str]) -> bool:
    """Whether an open block is not the program but around it, as where a whole answer is fenced."""
    return not line.closes(opened.fence) and _names(line.tag, tags) and not _names(opened.tag, tags)


def _opening(line: FenceLine, around: list[str]) -> _Open | None:
    tag = line.tag
    if not line.begins_a_block and not tag:
        return None  # a line of prose or code that happens to end like a fence
    if tag in _HOLDS_BLOCKS:
        around.append(line.fence)
        return None
    prefix = line.prefix if line.begins_a_block else ""
    return _Open(line.fence, prefix.count(">"), bool(prefix), tag, line.end + 1)


def _close(opened: _Open, text: str, end: int) -> Block:
    code = text[opened.start : end]
    if opened.quotes:
        code = re.sub(rf"^(?:[ \t]{{0,3}}>[ ]?){{1,{min(opened.quotes, 99)}}}+", "", code, flags=re.MULTILINE)
    if opened.is_indented and (first := _INDENT.match(code)):  # inside a list item, its lines are indented with it
        code = re.sub(rf"^[ \t]{{1,{len(first[1])}}}+", "", code, flags=re.MULTILINE)
    return Block(opened.tag, code)


def _is_python(text: str) -> bool:
    """Whether a whole answer is a Python program: it parses, and does more than name things."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an odd escape in a model's string is not our warning
            body = ast.parse(text).body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return False
    return any(not isinstance(statement, ast.Expr) or isinstance(statement.value, ast.Call) for statement in body)


def _is_whole_python(text: str, language: str) -> bool:
    return _IS_PROGRAM.get(language) is _is_python and len(text) <= _BARE_LIMIT and _is_python(text)


def _is_cpp(text: str) -> bool:
    """Whether a whole answer is a C++ program: it begins like one and defines main."""
    return text.lstrip().startswith(("#include", "//", "/*", "#pragma", "using ")) and "main" in text and "{" in text


_IS_PROGRAM: Mapping[str, Callable[[str], bool]] = {"python": _is_python, "cpp": _is_cpp}

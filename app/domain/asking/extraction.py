"""The program in an answer: read from the final text alone, in time linear in its length."""

import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from app.domain.asking.markdown.bare import bare_program, is_program, is_session, looks_like
from app.domain.asking.markdown.blocks import Block, fenced_blocks, names_one, without_version
from app.domain.asking.markdown.fences import TURN_END, UNSEEN, fence_lines, one_line_fences
from app.domain.asking.protocols import OTHER
from app.domain.asking.reasoning import without_reasoning

_MARKER = re.compile(r"[【\[［〔]\s*+代码(?:(?P<opens>开始)|结束)\s*+[】\]］〕]")
_END_TOKENS = re.compile(rf"(?:(?:{TURN_END})\s*+)++")
# What follows the end of a turn where a model writes the next one, too; or nothing.
_NEXT_TURN = re.compile(
    r"<\|(?:im_start|start_header_id|start|user|assistant|begin_of_text|START_OF_TURN_TOKEN)\|>|<start_of_turn>|<s>"
    r"|\[INST\]|<\uff5c(?:User|Assistant|begin\u2581of\u2581sentence)\uff5c>|\Z"
)

# How blocks name a language; a version may follow, as in python3 or c++17.
_PYTHON = frozenset({"python", "py", "pypy", "cpython"})
_TAGS: Mapping[str, frozenset[str]] = {
    "python": _PYTHON,
    "pypy": _PYTHON,
    "c": frozenset({"c", "h", "gcc", "gnu"}),
    "cpp": frozenset({"cpp", "c++", "cc", "cxx", "c", "g++", "gnu++", "hpp"}),
    "go": frozenset({"go", "golang"}),
    "javascript": frozenset({"javascript", "js", "node", "nodejs", "mjs", "cjs", "ecmascript"}),
    "rust": frozenset({"rust", "rs"}),
    "typescript": frozenset({"typescript", "ts", "tsx", "mts"}),
    "csharp": frozenset({"csharp", "c#", "cs", "dotnet", "mono"}),
    "kotlin": frozenset({"kotlin", "kt", "kts"}),
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
# What blocks name that is no program but stands beside one: output, commands, data.
_NO_PROGRAMS = frozenset(
    {"text", "txt", "plaintext", "plain", "output", "input", "stdout", "stdin", "console", "bash", "sh", "shell", "zsh",
     "cmd", "powershell", "terminal", "json", "yaml", "yml", "toml", "xml", "html", "css", "csv", "diff", "patch",
     "latex", "tex", "math", "mermaid", "pycon", "doctest", "pytb", "traceback", "makefile", "dockerfile", "ini", "log"}
)  # fmt: skip
_ONE_LINES = 8  # of the last programs on one line that are tried
_TRIED = 16  # of the last blocks that are looked at
_MAX_NAME_CHARS = 16


@dataclass(frozen=True, slots=True)
class Extraction:
    """The program found in an answer, None when there is none; whether it was fenced as asked.

    `language` is the program's where the answer chose it, `OTHER` for one that is not judged; else None.
    """

    code: str | None
    followed_format: bool
    language: str | None = None


def extract_code(text: str, language: str) -> Extraction:
    """The last fenced program of an answer's final text, and none of its reasoning; docs/grading.md has the rule.

    Blocks tagged with the language come first, then blocks between the markers 【代码开始】 and 【代码结束】, then
    untagged blocks, then what is marked without a fence, then blocks of other languages. The last one that is not empty
    wins, of blocks without the tag the last one that is no output or data; one that was never closed runs to the end.
    Where no block looks like a program, what stands outside of all may be one. Linear in `len(text)`; never raises.
    """
    text = unified(text)
    answer = without_reasoning(text)
    if answer != text and "```" not in text and "~~~" not in text and is_program(text, language):
        answer = text  # a program that prints the tags: reasoning does not parse
    answer = first_turn(answer)
    fenced = _fenced(answer, language)
    if fenced.tagged:
        return Extraction(_marked(fenced.tagged) or fenced.tagged, followed_format=True)
    marked = _marked(answer)
    inside = _fenced(marked, language) if marked else _Fenced()
    if inside.untagged or inside.other:
        return Extraction(inside.untagged or inside.other, followed_format=bool(fenced.untagged))
    if (line := _on_one_line(answer, language, tagged=True)) is not None:
        return Extraction(line, followed_format=False)
    found = fenced.untagged or marked or fenced.other
    if not looks_like(found, language) and (bare := _outside(answer, language)) is not None:
        return Extraction(bare, followed_format=False)
    if fenced.untagged:
        return Extraction(_marked(fenced.untagged) or fenced.untagged, followed_format=True)
    if found:
        return Extraction(found, followed_format=False)
    if (line := _on_one_line(answer, language, tagged=False)) is not None:
        return Extraction(line, followed_format=False)
    bare = _outside(answer, language)
    if bare is None and fenced.session:
        return Extraction(fenced.session, followed_format=True)
    return Extraction(bare, followed_format=False)


def blocks(text: str, languages: Sequence[str]) -> Iterator[Block]:
    """The fenced blocks of an answer's final text, and none of its reasoning: in lists, quotes or prose, too.

    One of these languages may stand in another block, as where a whole answer is fenced. Linear in `len(text)`; never
    raises.
    """
    text = unified(text)
    tags = frozenset[str]().union(*(_TAGS.get(language, frozenset({language})) for language in languages))
    return fenced_blocks(without_reasoning(text), tags)


def names(tag: str, language: str) -> bool:
    """Whether a block's tag names a language, be it with a version."""
    return names_one(tag, _TAGS.get(language, frozenset({language})))


def first_turn(text: str) -> str:
    """A text without the tokens that end a model's turn, and without turns that it wrote behind them.

    In the middle of a text such a token is a word, as in a program that prints it.
    """
    begins = len(text) - len(text.lstrip())
    for tokens in _END_TOKENS.finditer(text, begins):
        if tokens.start() > begins and _NEXT_TURN.match(text, tokens.end()):
            return text[: tokens.start()]
    return text


def extract_marked(text: str, language: str) -> Extraction:
    """The same, where the program was asked for between 【代码开始】 and 【代码结束】.

    The last text between both marks wins, without a fence around it; only such an answer followed the format.
    """
    final = first_turn(without_reasoning(unified(text)))
    marks = [marker.lastgroup for marker in _MARKER.finditer(final)]
    if "opens" in marks and marks[-1] is None and (marked := _marked(final)):
        inside = _fenced(marked, language)
        return Extraction(inside.tagged or inside.untagged or inside.other or marked, followed_format=True)
    found = extract_code(final, language)
    code = found.code if found.code is not None else extract_code(_MARKER.sub("\n", final), language).code
    return Extraction(code, followed_format=False)


def extract_chosen(text: str, languages: Sequence[str]) -> Extraction:
    """The same, where an answer may be in any language: its last fenced program that names a language, else the last
    one without a name or what stands outside of blocks, as they look.

    A program in none of the `languages` is none: its language is `OTHER`.
    """
    answer = first_turn(without_reasoning(unified(text)))
    tags = {tag: language for language in languages for tag in _TAGS.get(language, frozenset({language}))}
    named, plain = None, deque[str](maxlen=_TRIED)
    for block in fenced_blocks(answer, frozenset(tags) | _NOT_JUDGED):
        tag = block.tag if block.tag in tags or block.tag in _NOT_JUDGED else without_version(block.tag)
        if not block.code.strip() or is_session(block.code):
            continue
        if tag in tags or tag in _NOT_JUDGED:
            named = block.code, tags.get(tag, OTHER)
        elif not tag:
            plain.append(block.code)
    if named is not None:
        code, language = named
        judged = language != OTHER
        return Extraction(code if judged else None, followed_format=judged, language=language)
    for code in reversed(plain):
        looks = (language for language in languages if is_program(code, language))
        if (language := next(looks, "")) != "":
            return Extraction(code, followed_format=False, language=language)
    for language in languages:
        if (bare := _outside(answer, language)) is not None:
            return Extraction(bare, followed_format=False, language=language)
    return Extraction(None, followed_format=False)


def unified(text: str) -> str:
    """A text with line feeds alone, and without the mark that some files begin with."""
    text = text.lstrip(UNSEEN)
    return text.replace("\r\n", "\n") if "\n" in text else text.replace("\r", "\n")


class _Fenced(NamedTuple):
    """The last block of each kind that is not empty; empty where there is none."""

    tagged: str = ""
    untagged: str = ""
    other: str = ""
    session: str = ""


def _fenced(text: str, language: str) -> _Fenced:
    tags = _TAGS.get(language, frozenset({language}))
    tagged = session = ""
    untagged, other = deque[str](maxlen=_TRIED), deque[str](maxlen=_TRIED)
    for block in fenced_blocks(text, tags):
        tag, code = _named_below(block, tags, language)
        if not code.strip():
            continue
        if names_one(tag, tags):
            if is_session(code):
                session = code
            else:
                tagged = code
        elif not tag:
            untagged.append(code)
        elif tag not in _NO_PROGRAMS or looks_like(code, language):
            other.append(code)
    return _Fenced(tagged, _last_program(untagged, language), _last_program(other, language), session)


def _named_below(block: Block, tags: frozenset[str], language: str) -> tuple[str, str]:
    """The tag of a block, which may stand on a line of its own below the fence, and its code."""
    first, _, rest = ("", "", "") if block.tag else block.code.partition("\n")
    if len(first) < _MAX_NAME_CHARS and names_one(first.strip().lower(), tags) and looks_like(rest, language):
        return first.strip().lower(), rest
    return block.tag, block.code


def _last_program(codes: Sequence[str], language: str) -> str:
    """The last that looks like a program, and is not what one prints or reads; else the last."""
    looks = (code for code in reversed(codes) if not is_session(code) and looks_like(code, language))
    return next(looks, codes[-1] if codes else "")


def _outside(answer: str, language: str) -> str | None:
    """The program that no block holds: before the first fence, which may be all that closes it, or behind the last."""
    lines = [line for line in fence_lines(answer) if line.begins_a_block or line.is_bare]
    if not lines:
        return bare_program(answer, language)
    head = bare_program(answer[: lines[0].start if lines[0].begins_a_block else lines[0].at], language)
    return bare_program(answer[lines[-1].end :], language) if head is None else head


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
    tags = _TAGS.get(language, frozenset({language}))
    if "```" not in text:
        return None
    for words, alone in reversed(deque(one_line_fences(text), _ONE_LINES)):
        first, _, rest = words.strip().partition(" ")
        names_it = names_one(first.lower(), tags) and bool(rest.strip())
        if tagged and names_it and alone:
            return rest.strip()
        code = rest.strip() if names_it else words.strip()
        if not tagged and is_program(code, language):
            return code
    return None

"""Extraction of the program in an answer: from the final text alone, in time linear in its length."""

import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from app.domain.asking.markdown.bare import bare_program, is_program, is_session, looks_like_program
from app.domain.asking.markdown.blocks import FencedBlock, fenced_blocks, matches_tag, without_version
from app.domain.asking.markdown.fences import INVISIBLE_CHARS, TURN_END_PATTERN, fence_lines, inline_fences
from app.domain.asking.protocols import OTHER_LANGUAGE
from app.domain.asking.reasoning import without_reasoning

_MARKER = re.compile(r"[【\[［〔]\s*+代码(?:(?P<opens>开始)|结束)\s*+[】\]］〕]")
_END_TOKENS = re.compile(rf"(?:(?:{TURN_END_PATTERN})\s*+)++")
# The text after the end of a turn if the model goes on with the next turn; or the end of the text.
_NEXT_TURN = re.compile(
    r"<\|(?:im_start|start_header_id|start|user|assistant|begin_of_text|START_OF_TURN_TOKEN)\|>|<start_of_turn>|<s>"
    r"|\[INST\]|<\uff5c(?:User|Assistant|begin\u2581of\u2581sentence)\uff5c>|\Z"
)

# Tags that name a language; a version may follow, as in python3 or c++17.
_PYTHON_TAGS = frozenset({"python", "py", "pypy", "cpython"})
_LANGUAGE_TAGS: Mapping[str, frozenset[str]] = {
    "python": _PYTHON_TAGS,
    "pypy": _PYTHON_TAGS,
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
# Tags of other languages in which people solve problems.
_OTHER_LANGUAGE_TAGS = frozenset(
    {"java", "kotlin", "kt", "scala", "go", "golang", "rust", "rs", "javascript", "js", "typescript", "ts", "node",
     "csharp", "c#", "cs", "fsharp", "ruby", "rb", "php", "perl", "pl", "haskell", "hs", "ocaml", "ml", "pascal",
     "delphi", "swift", "dart", "lua", "julia", "r", "d", "nim", "zig", "elixir", "erlang", "clojure",
     "lisp", "scheme", "racket",
     "fortran", "ada", "cobol", "prolog", "matlab", "octave", "vb"}
)  # fmt: skip
# Tags of blocks that stand beside a program: output, commands, data.
_NON_PROGRAM_TAGS = frozenset(
    {"text", "txt", "plaintext", "plain", "output", "input", "stdout", "stdin", "console", "bash", "sh", "shell", "zsh",
     "cmd", "powershell", "terminal", "json", "yaml", "yml", "toml", "xml", "html", "css", "csv", "diff", "patch",
     "latex", "tex", "math", "mermaid", "pycon", "doctest", "pytb", "traceback", "makefile", "dockerfile", "ini", "log"}
)  # fmt: skip
_MAX_ONE_LINE_PROGRAMS = 8  # the last ones are tried
_MAX_BLOCKS_TRIED = 16  # the last ones are tried
_MAX_NAME_CHARS = 16


@dataclass(frozen=True, slots=True)
class Extraction:
    """The program found in an answer, or None, and whether it was fenced as asked.

    `language` is set if the answer chose the language; it is `OTHER_LANGUAGE` for one that is not judged.
    """

    code: str | None
    followed_format: bool
    language: str | None = None


def extract_code(text: str, language: str) -> Extraction:
    """Return the last fenced program of an answer's final text, ignoring its reasoning; docs/grading.md has the rule.

    Blocks tagged with the language come first, then blocks between the markers 【代码开始】 and 【代码结束】, then
    untagged blocks, then marked text without a fence, then blocks of other languages. The last one that is not empty
    wins; among blocks without the tag, the last one that is not output or data. An unclosed block runs to the end. If
    no block looks like a program, text outside all blocks may be one. Linear in `len(text)`; never raises.
    """
    text = normalise_newlines(text)
    answer = without_reasoning(text)
    if answer != text and "```" not in text and "~~~" not in text and is_program(text, language):
        answer = text  # a program that prints the tags, since reasoning does not parse
    answer = first_turn(answer)
    fenced = _last_blocks(answer, language)
    if fenced.tagged:
        return Extraction(_marked_text(fenced.tagged) or fenced.tagged, followed_format=True)
    marked = _marked_text(answer)
    inside = _last_blocks(marked, language) if marked else _LastBlocks()
    if inside.untagged or inside.other:
        return Extraction(inside.untagged or inside.other, followed_format=bool(fenced.untagged))
    if (line := _one_line_program(answer, language, tagged=True)) is not None:
        return Extraction(line, followed_format=False)
    candidate = fenced.untagged or marked or fenced.other
    if not looks_like_program(candidate, language) and (bare := _program_outside_blocks(answer, language)) is not None:
        return Extraction(bare, followed_format=False)
    if fenced.untagged:
        return Extraction(_marked_text(fenced.untagged) or fenced.untagged, followed_format=True)
    if candidate:
        return Extraction(candidate, followed_format=False)
    if (line := _one_line_program(answer, language, tagged=False)) is not None:
        return Extraction(line, followed_format=False)
    bare = _program_outside_blocks(answer, language)
    if bare is None and fenced.session:
        return Extraction(fenced.session, followed_format=True)
    return Extraction(bare, followed_format=False)


def answer_blocks(text: str, languages: Sequence[str]) -> Iterator[FencedBlock]:
    """Yield the fenced blocks of an answer's final text, ignoring its reasoning; also those in lists, quotes or prose.

    A block in one of these languages may be nested in another block, for example when a whole answer is fenced. Linear
    in `len(text)`; never raises.
    """
    text = normalise_newlines(text)
    tags = frozenset[str]().union(*(_LANGUAGE_TAGS.get(language, frozenset({language})) for language in languages))
    return fenced_blocks(without_reasoning(text), tags)


def names_language(tag: str, language: str) -> bool:
    """Return whether a block's tag names a language, with or without a version."""
    return matches_tag(tag, _LANGUAGE_TAGS.get(language, frozenset({language})))


def first_turn(text: str) -> str:
    """Return a text without end-of-turn tokens, and without further turns that the model wrote after them.

    In the middle of a text such a token is an ordinary word, for example in a program that prints it.
    """
    begins = len(text) - len(text.lstrip())
    for tokens in _END_TOKENS.finditer(text, begins):
        if tokens.start() > begins and _NEXT_TURN.match(text, tokens.end()):
            return text[: tokens.start()]
    return text


def extract_marked(text: str, language: str) -> Extraction:
    """Return the program of an answer that was asked for between 【代码开始】 and 【代码结束】.

    The last text between both markers wins, without a fence around it; only such an answer followed the format.
    """
    final = first_turn(without_reasoning(normalise_newlines(text)))
    marks = [marker.lastgroup for marker in _MARKER.finditer(final)]
    if "opens" in marks and marks[-1] is None and (marked := _marked_text(final)):
        inside = _last_blocks(marked, language)
        return Extraction(inside.tagged or inside.untagged or inside.other or marked, followed_format=True)
    extraction = extract_code(final, language)
    code = extraction.code if extraction.code is not None else extract_code(_MARKER.sub("\n", final), language).code
    return Extraction(code, followed_format=False)


def extract_chosen(text: str, languages: Sequence[str]) -> Extraction:
    """Return the program of an answer that may be in any language.

    The last fenced program that names a language wins, else the last untagged block or the text outside blocks, with
    the language it looks like. A program in none of the `languages` is not returned; its language is `OTHER_LANGUAGE`.
    """
    answer = first_turn(without_reasoning(normalise_newlines(text)))
    tags = {tag: language for language in languages for tag in _LANGUAGE_TAGS.get(language, frozenset({language}))}
    named, plain = None, deque[str](maxlen=_MAX_BLOCKS_TRIED)
    for block in fenced_blocks(answer, frozenset(tags) | _OTHER_LANGUAGE_TAGS):
        tag = block.tag if block.tag in tags or block.tag in _OTHER_LANGUAGE_TAGS else without_version(block.tag)
        if not block.code.strip() or is_session(block.code):
            continue
        if tag in tags or tag in _OTHER_LANGUAGE_TAGS:
            named = block.code, tags.get(tag, OTHER_LANGUAGE)
        elif not tag:
            plain.append(block.code)
    if named is not None:
        code, language = named
        judged = language != OTHER_LANGUAGE
        return Extraction(code if judged else None, followed_format=judged, language=language)
    for code in reversed(plain):
        looks = (language for language in languages if is_program(code, language))
        if (language := next(looks, "")) != "":
            return Extraction(code, followed_format=False, language=language)
    for language in languages:
        if (bare := _program_outside_blocks(answer, language)) is not None:
            return Extraction(bare, followed_format=False, language=language)
    return Extraction(None, followed_format=False)


def normalise_newlines(text: str) -> str:
    """Return a text with line feeds only and without a byte order mark."""
    text = text.lstrip(INVISIBLE_CHARS)
    return text.replace("\r\n", "\n") if "\n" in text else text.replace("\r", "\n")


class _LastBlocks(NamedTuple):
    """The last non-empty block of each kind; an empty text if there is none."""

    tagged: str = ""
    untagged: str = ""
    other: str = ""
    session: str = ""


def _last_blocks(text: str, language: str) -> _LastBlocks:
    tags = _LANGUAGE_TAGS.get(language, frozenset({language}))
    tagged = session = ""
    untagged, other = deque[str](maxlen=_MAX_BLOCKS_TRIED), deque[str](maxlen=_MAX_BLOCKS_TRIED)
    for block in fenced_blocks(text, tags):
        tag, code = _tag_and_code(block, tags, language)
        if not code.strip():
            continue
        if matches_tag(tag, tags):
            if is_session(code):
                session = code
            else:
                tagged = code
        elif not tag:
            untagged.append(code)
        elif tag not in _NON_PROGRAM_TAGS or looks_like_program(code, language):
            other.append(code)
    return _LastBlocks(tagged, _last_program(untagged, language), _last_program(other, language), session)


def _tag_and_code(block: FencedBlock, tags: frozenset[str], language: str) -> tuple[str, str]:
    """Return the tag of a block, which may stand on its own line below the fence, and its code."""
    first, _, rest = ("", "", "") if block.tag else block.code.partition("\n")
    if len(first) < _MAX_NAME_CHARS and matches_tag(first.strip().lower(), tags) and looks_like_program(rest, language):
        return first.strip().lower(), rest
    return block.tag, block.code


def _last_program(codes: Sequence[str], language: str) -> str:
    """Return the last code that looks like a program and not like its output or input; else the last."""
    looks = (code for code in reversed(codes) if not is_session(code) and looks_like_program(code, language))
    return next(looks, codes[-1] if codes else "")


def _program_outside_blocks(answer: str, language: str) -> str | None:
    """Return the program outside all blocks: before the first fence, which may only close it, or after the last one."""
    lines = [line for line in fence_lines(answer) if line.begins_a_block or line.is_bare]
    if not lines:
        return bare_program(answer, language)
    head = bare_program(answer[: lines[0].start if lines[0].begins_a_block else lines[0].at], language)
    return bare_program(answer[lines[-1].end :], language) if head is None else head


def _marked_text(text: str) -> str:
    """Return the last non-empty text between markers; it runs to the end if the second marker is missing."""
    closed, start = "", None
    for marker in _MARKER.finditer(text):
        if marker["opens"]:
            start = marker.end()
        elif start is not None:
            closed, start = text[start : marker.start()].rstrip() or closed, None
    last = "" if start is None else text[start:].rstrip()
    return next((part.lstrip("\n") + "\n" for part in (last, closed) if part), "")


def _one_line_program(text: str, language: str, *, tagged: bool) -> str | None:
    """Return the last program fenced on one line: ```python print(1)```, or without a tag ```print(1)```.

    A tagged one must stand alone on its line, otherwise prose that names a call would match.
    """
    tags = _LANGUAGE_TAGS.get(language, frozenset({language}))
    if "```" not in text:
        return None
    for words, alone in reversed(deque(inline_fences(text), _MAX_ONE_LINE_PROGRAMS)):
        first, _, rest = words.strip().partition(" ")
        names_it = matches_tag(first.lower(), tags) and bool(rest.strip())
        if tagged and names_it and alone:
            return rest.strip()
        code = rest.strip() if names_it else words.strip()
        if not tagged and is_program(code, language):
            return code
    return None

"""The fenced blocks of a text: CommonMark's rules, extended for fences that models forget or misplace."""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from app.domain.asking.markdown.bare import MAX_BARE_CHARS, is_prose, parses_as_python
from app.domain.asking.markdown.fences import INVISIBLE_CHARS, MAX_INDENT, TURN_END_PATTERN, FenceLine, fence_lines

_INDENT = re.compile(r"(?:[^\S\n]*+\n)*+([ \t]++)")
_VERSION = re.compile(r"(?<=.)[-_]?\d{1,4}[a-z]?\Z")
_CONTAINER_TAGS = frozenset({"markdown", "md"})
_COMMENT_MARK = re.compile(r"\s*+(?:\#+|//+|/?\*+|--)\s*+")
_TOKEN_AT_LINE_END = re.compile(rf"[ \t]*+(?:{TURN_END_PATTERN})(?:[ \t]|{TURN_END_PATTERN})*+$", re.MULTILINE)
# The end of a block that no fence closes: the closing tag around it, or a part of the fence.
_CUT_END = re.compile(
    r"\n[ \t]*+(?:</(?:answer|code|solution|response|output|program|final_answer)>|`{1,2})\s*+\Z", re.IGNORECASE
)
# Strings, in which no comment begins, and comments; an unclosed comment runs to the end of the text.
_STRINGS_AND_COMMENTS = re.compile(
    r"\"(?:[^\"\\\n]|\\.)*+\"|'(?:[^'\\\n]|\\.)*+'|//[^\n]*+|/\*[^*]*+(?:\*(?!/)[^*]*+)*(?:(?P<end>\*/)|\Z)"
)
_MAX_FENCES_AHEAD: Final = 8  # tried if a fence stands in a string or a comment
_MAX_PARSES: Final = 16  # of one text, to try them


class FencedBlock(NamedTuple):
    """The text of a fenced block, the language it names (empty for none), and whether a fence closes it."""

    tag: str
    code: str
    closed: bool = True


class _OpenBlock(NamedTuple):
    fence: str
    quotes: int
    column: int
    is_indented: bool
    tag: str
    start: int
    # The place of a fence at the end of a line of the program, and the last fence that is indented too far or too short
    # to close it: the block's end if no other is found.
    stop: int | None = None
    misplaced: FenceLine | None = None


def without_version(tag: str) -> str:
    """Return the language of a tag such as python3 or c++2a."""
    return _VERSION.sub("", tag)


def matches_tag(tag: str, tags: frozenset[str]) -> bool:
    """Return whether a tag is one of these, with or without a version."""
    return tag in tags or without_version(tag) in tags


def fenced_blocks(text: str, tags: frozenset[str]) -> Iterator[FencedBlock]:
    """Yield the blocks of a text in order; a block with one of these tags replaces the block that contains it.

    A fence closes a block if it has the same character, is at least as long, has no info string, and is indented at
    most three columns more (CommonMark 0.31, section 4.5), unless it stands in a string or a comment that ends after
    it. Linear in `len(text)`.
    """
    lines = list(fence_lines(text))
    opened: _OpenBlock | None = None
    around: list[str] = []  # fences of open blocks that contain blocks
    number, parses_left = 0, [_MAX_PARSES]
    while number < len(lines):
        line = lines[number]
        number += 1
        if opened is None:
            if around and line.is_bare and line.is_alone(quoted=True) and line.closes(around[-1]):
                around.pop()
            else:
                opened = _start_block(line, around)
        elif _contains_block(opened, line, tags):
            around.append(opened.fence)
            opened = _start_block(line, around)
        elif line.is_text(opened.quotes, opened.column):
            opened = _note_fence_in_text(opened, line)
        elif (line.is_bare and line.closes(opened.fence)) or line.fence == opened.fence:
            beyond = _fence_beyond_text(lines, number, opened, text, tags, parses_left)
            if beyond is not None:
                line, number = lines[beyond], beyond + 1
            is_closed = line.is_bare and line.closes(opened.fence)
            # A new tagged fence before the old one is closed: the model forgot to close it.
            yield _build_block(opened, text, line.start if is_closed else opened.stop or line.start)
            opened = None if is_closed else _start_block(line, around)
        elif line.is_bare and opened.fence.startswith(line.fence):
            opened = opened._replace(misplaced=line)
    if opened is not None:
        yield _finish_unclosed(opened, text)


def open_block(text: str) -> str:
    """Return the contents of a block that is open when a text begins: up to the first fence that may close it."""
    return next(fenced_blocks(f"```\n{text}", frozenset())).code


def _contains_block(opened: _OpenBlock, line: FenceLine, tags: frozenset[str]) -> bool:
    """Return whether an open block surrounds the program, for example when a whole answer is fenced."""
    if not line.begins_a_block or line.closes(opened.fence) or line.column(opened.quotes) > opened.column + MAX_INDENT:
        return False
    return matches_tag(line.tag, tags) and not matches_tag(opened.tag, tags)


def _start_block(line: FenceLine, around: list[str]) -> _OpenBlock | None:
    tag = line.tag
    if not line.begins_a_block and not tag:
        return None  # a line of prose or code that ends like a fence
    if tag in _CONTAINER_TAGS:
        around.append(line.fence)
        return None
    prefix = line.prefix.strip(INVISIBLE_CHARS) if line.begins_a_block else ""
    return _OpenBlock(line.fence, *line.block_place, bool(prefix), tag, line.end + 1)


def _note_fence_in_text(opened: _OpenBlock, line: FenceLine) -> _OpenBlock:
    """Return the block after a fence that may not close it: in a string, in a comment, or behind code on its line."""
    if not line.is_bare:
        return opened
    if line.is_alone(quoted=opened.quotes > 0):
        return opened._replace(misplaced=line)
    if opened.stop is None and line.closes(opened.fence) and not _COMMENT_MARK.fullmatch(line.prefix):
        return opened._replace(stop=line.at)
    return opened


def _fence_beyond_text(
    lines: Sequence[FenceLine], number: int, opened: _OpenBlock, text: str, tags: frozenset[str], parses_left: list[int]
) -> int | None:
    """Return the number of the closing fence if the one before `number` is in a string or a comment; else None."""
    is_python = matches_tag(opened.tag, frozenset({"python", "py"})) or (not opened.tag and "python" in tags)
    code = _build_block(opened, text, lines[number - 1].start).code
    if not (_is_cut_in_string(code) if is_python else _is_cut_in_comment(code)):
        return None
    for beyond in range(number, min(number + _MAX_FENCES_AHEAD, len(lines))):
        line = lines[beyond]
        if line.is_text(opened.quotes, opened.column) or not (line.is_bare and line.closes(opened.fence)):
            if not is_python and matches_tag(line.tag, tags):
                return None  # another program begins
            continue
        code = _build_block(opened, text, line.start).code
        if not is_python and not _is_cut_in_comment(code):
            return beyond
        if is_python and parses_left[0] > 0 and len(code) <= MAX_BARE_CHARS:
            parses_left[0] -= 1
            if parses_as_python(code):
                return beyond
    return None


def _is_cut_in_string(code: str) -> bool:
    odd = code.count('"""') % 2 or code.count("'''") % 2
    return bool(odd) and len(code) <= MAX_BARE_CHARS and not parses_as_python(code)


def _is_cut_in_comment(code: str) -> bool:
    if "/*" not in code:
        return False
    *_, last = _STRINGS_AND_COMMENTS.finditer(code)
    return last[0].startswith("/*") and last["end"] is None


def _finish_unclosed(opened: _OpenBlock, text: str) -> FencedBlock:
    if opened.stop is not None:
        return _build_block(opened, text, opened.stop)
    end = len(text)
    if opened.misplaced is not None:
        behind = text[opened.misplaced.end :].lstrip("\n").partition("\n")[0]
        end = opened.misplaced.start if not behind.strip() or is_prose(behind) else end
    block = _build_block(opened, text, end)
    token = _TOKEN_AT_LINE_END.search(block.code)
    code = block.code if token is None else block.code[: token.start()]
    return FencedBlock(block.tag, _CUT_END.sub("\n", code), closed=False)


def _build_block(opened: _OpenBlock, text: str, end: int) -> FencedBlock:
    code = text[opened.start : end]
    if opened.quotes:
        code = re.sub(rf"^(?:[ \t]{{0,3}}>[ ]?){{1,{opened.quotes}}}+", "", code, flags=re.MULTILINE)
    if opened.is_indented and (first := _INDENT.match(code)):  # as all lines in a list item are
        code = re.sub(rf"^[ \t]{{1,{len(first[1])}}}+", "", code, flags=re.MULTILINE)
    return FencedBlock(opened.tag, code.lstrip(INVISIBLE_CHARS))

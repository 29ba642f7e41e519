"""The fenced blocks of a text: CommonMark's, and what models make of them when they forget or misplace a fence."""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from app.domain.asking.markdown.bare import MAX_BARE_CHARS, is_prose, parses
from app.domain.asking.markdown.fences import MAX_INDENT, TURN_END, UNSEEN, FenceLine, fence_lines

_INDENT = re.compile(r"(?:[^\S\n]*+\n)*+([ \t]++)")
_VERSION = re.compile(r"(?<=.)[-_]?\d{1,4}[a-z]?\Z")
_HOLDS_BLOCKS = frozenset({"markdown", "md"})
_COMMENT_MARK = re.compile(r"\s*+(?:\#+|//+|/?\*+|--)\s*+")
_TOKEN_AT_LINE_END = re.compile(rf"[ \t]*+(?:{TURN_END})(?:[ \t]|{TURN_END})*+$", re.MULTILINE)
# What may end a block that no fence closes: the end of the tag around it, or a part of the fence.
_CUT_END = re.compile(
    r"\n[ \t]*+(?:</(?:answer|code|solution|response|output|program|final_answer)>|`{1,2})\s*+\Z", re.IGNORECASE
)
# What a comment may not begin in, and comments; one that does not end runs to the end of the text.
_STRINGS_AND_COMMENTS = re.compile(
    r"\"(?:[^\"\\\n]|\\.)*+\"|'(?:[^'\\\n]|\\.)*+'|//[^\n]*+|/\*[^*]*+(?:\*(?!/)[^*]*+)*(?:(?P<end>\*/)|\Z)"
)
_NEXT_FENCES: Final = 8  # that are looked at where a fence stands in a string or a comment
_MAX_PARSES: Final = 16  # of one text, for that


class Block(NamedTuple):
    """What stands in a fenced block, the language it names, empty for none, and whether a fence closes it."""

    tag: str
    code: str
    closed: bool = True


class _Open(NamedTuple):
    fence: str
    quotes: int
    column: int
    is_indented: bool
    tag: str
    start: int
    # Where a line of the program ends with a fence, and the last fence that is too far to the right or too short to
    # close it: its end, where no other is found.
    stop: int | None = None
    misplaced: FenceLine | None = None


def without_version(tag: str) -> str:
    """The language of a tag such as python3 or c++2a."""
    return _VERSION.sub("", tag)


def names_one(tag: str, tags: frozenset[str]) -> bool:
    """Whether a tag is one of these, be it with a version."""
    return tag in tags or without_version(tag) in tags


def fenced_blocks(text: str, tags: frozenset[str]) -> Iterator[Block]:
    """The blocks of a text, in order; where these tags name one within another block, in place of that.

    A fence closes a block if it has its character, is as long, names nothing, and is indented at most three columns
    more (CommonMark 0.31, section 4.5), unless it stands in a string or a comment that ends behind it. Linear in
    `len(text)`.
    """
    lines = list(fence_lines(text))
    opened: _Open | None = None
    around: list[str] = []  # fences of open blocks that hold blocks
    number, parses_left = 0, [_MAX_PARSES]
    while number < len(lines):
        line = lines[number]
        number += 1
        if opened is None:
            if around and line.is_bare and line.stands(quoted=True) and line.closes(around[-1]):
                around.pop()
            else:
                opened = _opening(line, around)
        elif _holds(opened, line, tags):
            around.append(opened.fence)
            opened = _opening(line, around)
        elif line.is_text(opened.quotes, opened.column):
            opened = _after_text(opened, line)
        elif (line.is_bare and line.closes(opened.fence)) or line.fence == opened.fence:
            beyond = _beyond_text(lines, number, opened, text, tags, parses_left)
            if beyond is not None:
                line, number = lines[beyond], beyond + 1
            is_closed = line.is_bare and line.closes(opened.fence)
            # A new tagged fence before the old one was closed: the model forgot to close it.
            yield _close(opened, text, line.start if is_closed else opened.stop or line.start)
            opened = None if is_closed else _opening(line, around)
        elif line.is_bare and opened.fence.startswith(line.fence):
            opened = opened._replace(misplaced=line)
    if opened is not None:
        yield _never_closed(opened, text)


def open_block(text: str) -> str:
    """What stands in a block that is open when a text begins: up to the first fence that may close it."""
    return next(fenced_blocks(f"```\n{text}", frozenset())).code


def _holds(opened: _Open, line: FenceLine, tags: frozenset[str]) -> bool:
    """Whether an open block is not the program but around it, as where a whole answer is fenced."""
    if not line.begins_a_block or line.closes(opened.fence) or line.column(opened.quotes) > opened.column + MAX_INDENT:
        return False
    return names_one(line.tag, tags) and not names_one(opened.tag, tags)


def _opening(line: FenceLine, around: list[str]) -> _Open | None:
    tag = line.tag
    if not line.begins_a_block and not tag:
        return None  # a line of prose or code that happens to end like a fence
    if tag in _HOLDS_BLOCKS:
        around.append(line.fence)
        return None
    prefix = line.prefix.strip(UNSEEN) if line.begins_a_block else ""
    return _Open(line.fence, *line.place, bool(prefix), tag, line.end + 1)


def _after_text(opened: _Open, line: FenceLine) -> _Open:
    """The block behind a fence that does not stand for itself: in a string, a comment, or behind the last line."""
    if not line.is_bare:
        return opened
    if line.stands(quoted=opened.quotes > 0):
        return opened._replace(misplaced=line)
    if opened.stop is None and line.closes(opened.fence) and not _COMMENT_MARK.fullmatch(line.prefix):
        return opened._replace(stop=line.at)
    return opened


def _beyond_text(
    lines: Sequence[FenceLine], number: int, opened: _Open, text: str, tags: frozenset[str], parses_left: list[int]
) -> int | None:
    """The number of the fence that closes a block whose string or comment holds the one before `number`; else None."""
    is_python = names_one(opened.tag, frozenset({"python", "py"})) or (not opened.tag and "python" in tags)
    code = _close(opened, text, lines[number - 1].start).code
    if not (_is_cut_in_string(code) if is_python else _is_cut_in_comment(code)):
        return None
    for beyond in range(number, min(number + _NEXT_FENCES, len(lines))):
        line = lines[beyond]
        if line.is_text(opened.quotes, opened.column) or not (line.is_bare and line.closes(opened.fence)):
            if not is_python and names_one(line.tag, tags):
                return None  # another program begins
            continue
        code = _close(opened, text, line.start).code
        if not is_python and not _is_cut_in_comment(code):
            return beyond
        if is_python and parses_left[0] > 0 and len(code) <= MAX_BARE_CHARS:
            parses_left[0] -= 1
            if parses(code):
                return beyond
    return None


def _is_cut_in_string(code: str) -> bool:
    odd = code.count('"""') % 2 or code.count("'''") % 2
    return bool(odd) and len(code) <= MAX_BARE_CHARS and not parses(code)


def _is_cut_in_comment(code: str) -> bool:
    if "/*" not in code:
        return False
    *_, last = _STRINGS_AND_COMMENTS.finditer(code)
    return last[0].startswith("/*") and last["end"] is None


def _never_closed(opened: _Open, text: str) -> Block:
    if opened.stop is not None:
        return _close(opened, text, opened.stop)
    end = len(text)
    if opened.misplaced is not None:
        behind = text[opened.misplaced.end :].lstrip("\n").partition("\n")[0]
        end = opened.misplaced.start if not behind.strip() or is_prose(behind) else end
    block = _close(opened, text, end)
    token = _TOKEN_AT_LINE_END.search(block.code)
    code = block.code if token is None else block.code[: token.start()]
    return Block(block.tag, _CUT_END.sub("\n", code), closed=False)


def _close(opened: _Open, text: str, end: int) -> Block:
    code = text[opened.start : end]
    if opened.quotes:
        code = re.sub(rf"^(?:[ \t]{{0,3}}>[ ]?){{1,{opened.quotes}}}+", "", code, flags=re.MULTILINE)
    if opened.is_indented and (first := _INDENT.match(code)):  # inside a list item, its lines are indented with it
        code = re.sub(rf"^[ \t]{{1,{len(first[1])}}}+", "", code, flags=re.MULTILINE)
    return Block(opened.tag, code.lstrip(UNSEEN))

"""Reasoning that a model wrote into its final text, between tags: never part of the answer.

The tags are those of known model families, in any case and with attributes. A program may contain the same words:
inside a fenced block they are text, unless the following fences show that the block belongs to the reasoning.
"""

import re
import sys
from collections.abc import Iterator
from enum import Enum
from typing import NamedTuple

from app.domain.asking.markdown.fences import FenceLine, fence_lines, is_structure

_NAMES = "think(?:ing)?|thoughts?|reasoning|analysis|reflection|scratchpad|inner_monologue|chain_of_thought"
_TAG = re.compile(
    rf"<(?P<slash>/?)(?:[A-Za-z]{{1,20}}:)?(?P<name>(?i:{_NAMES}))(?P<rest>\s[^<>\n]{{0,200}}+|/)?>"
    r"|\[(?P<square>/?)THINK\]"
    # Tokens: no text contains them by chance.
    r"|(?P<token>\u25c1/?think\u25b7|<\|/?think(?:ing)?\|>|<\|(?:begin|end)_of_thought\|>|<\|(?:START|END)_THINKING\|>"
    r"|(?:<\|start\|>\w{0,20})?<\|channel\|>\s?(?:analysis|commentary|final)(?:[^<\n]{0,100}<\|constrain\|>\w{0,20})?"
    r"(?:[^<\n]{0,100}<\|message\|>)?|<\|end\|>|<\|channel>thought|<channel\|>)"
    # The same channels if a server strips tokens.
    r"|(?P<bare>\A\s*+analysis(?=[A-Z])|assistantfinal)"
)
_BEGINNING = re.compile("[<\\[\u25c1]|assistantfinal")  # of every tag except one at the start of the text
_FAMILIES = (("channel", "channel"), ("end|>", "channel"), ("think", "think"), ("thought", "think"))
_CLOSING_PREFIXES = ("\u25c1/", "<|/", "<|end", "<|END", "<channel")
_QUOTES = {'"': '"', "'": "'", "`": "`", "\u201c": "\u201d", "\u2018": "\u2019", "\u300c": "\u300d", "\u00ab": "\u00bb"}
_MAX_TAG_CHARS = 600  # characters of a tag
_REST_OF_LINE = re.compile(r"[^\S\n]*+(?:\n|\Z)")
_MARKER = re.compile(r"\u4ee3\u7801(?:\u5f00\u59cb|\u7ed3\u675f)")


class _Move(Enum):
    OPENS, CLOSES, NONE = range(3)


class _Tag(NamedTuple):
    family: str  # a tag closes one of its own family
    move: _Move
    start: int
    end: int
    is_token: bool = False
    needs_open: bool = False  # ignored if nothing is open


def without_reasoning(text: str) -> str:
    """Return a text without its reasoning.

    A tag in quotes is a word. In a text without blocks, a tag counts at the start or the end of its line. Inside
    reasoning, its own closing tag counts anywhere. A closing tag without an opening one makes everything before it
    reasoning, since some servers send no opening tag. Unclosed reasoning runs to the end. Linear in `len(text)` up to a
    logarithm; never raises.
    """
    if next(_tags(text), None) is None:
        return text
    blocks = _BlockCursor(text)
    has_blocks = bool(blocks.lines) or _MARKER.search(text) is not None
    parts: list[str] = []
    opened: list[str] = []  # families, the outermost first
    start = seen = 0  # start of the part being read; end of the previous tag
    for match in _tags(text):
        tag = _parse_tag(match)
        before, seen = seen, tag.end
        if tag.move is _Move.NONE or _is_quoted(text, tag):
            continue
        if opened:
            _apply_inside(opened, tag)
            if not opened:
                start = tag.end
                blocks.restart_at(start)
            continue
        if tag.needs_open:
            continue
        at_edge = _begins_or_ends_a_line(text, before, tag)
        blocks.advance_to(tag.start, start)
        if not (blocks.allows(tag, at_edge=at_edge) if blocks.inside else has_blocks or at_edge or tag.is_token):
            continue
        if tag.move is _Move.OPENS:
            parts.append(text[start : tag.start] + blocks.closing())
            opened.append(tag.family)
        else:
            parts.clear()
            start = tag.end
            blocks.restart_at(start)
    return "".join(parts) if opened else "".join((*parts, text[start:]))


def split_reasoning(text: str, *, swallowed: bool = True) -> tuple[str, str] | None:
    """Return the reasoning at the start of a text, without its tags, and the rest; None if it does not start with any.

    `swallowed` says that the opening tag may be missing.
    """
    first = next(_tags(text), None)
    if first is None:
        return None
    tag = _parse_tag(first)
    if tag.move is not _Move.OPENS or text[: tag.start].strip():
        rest = without_reasoning(text) if swallowed else text
        last = _last_tag(text, len(text) - len(rest)) if text.endswith(rest) and len(rest) < len(text) else None
        return None if last is None else (text[: last.start], rest)
    opened = [tag.family]
    for match in _tags(text, tag.end):
        inner = _parse_tag(match)
        if inner.move is not _Move.NONE and not _is_quoted(text, inner):
            _apply_inside(opened, inner)
            if not opened:
                return text[tag.end : inner.start], text[inner.end :]
    return text[tag.end :], ""


def _tags(text: str, start: int = 0, end: int = sys.maxsize) -> Iterator[re.Match[str]]:
    """Yield the tags in a range in order: trying the whole pattern at every character takes many times as long."""
    seen = start
    if start == 0 and (match := _TAG.match(text, 0, end)):
        seen = match.end()
        yield match
    for place in _BEGINNING.finditer(text, start, end):
        if place.start() >= seen and (match := _TAG.match(text, place.start(), end)):
            seen = match.end()
            yield match


def _last_tag(text: str, end: int) -> _Tag | None:
    """Return the closing tag that ends at `end`."""
    tags = (_parse_tag(match) for match in _tags(text, max(0, end - _MAX_TAG_CHARS), end))
    return next((tag for tag in tags if tag.end == end and tag.move is _Move.CLOSES), None)


def _parse_tag(match: re.Match[str]) -> _Tag:
    words = match[0]
    if match["name"] is not None:
        closes, family = match["slash"] == "/", match["name"].lower()
        if (match["rest"] or "").endswith("/"):
            return _Tag("", _Move.NONE, *match.span())
    elif match["square"] is not None:
        closes, family = match["square"] == "/", "think"
    else:
        closes, family = words.startswith(_CLOSING_PREFIXES) or "final" in words, words
    family = next((kind for part, kind in _FAMILIES if part in family.lower()), "channel" if match["bare"] else family)
    needs_open = words in {"<|end|>", "assistantfinal", "<channel|>"}
    move = _Move.CLOSES if closes else _Move.OPENS
    return _Tag(family, move, *match.span(), is_token=match["name"] is None, needs_open=needs_open)


def _apply_inside(opened: list[str], tag: _Tag) -> None:
    """Update the open families by a tag inside reasoning: other kinds of tags may be words, but `think` closes all."""
    if tag.move is _Move.CLOSES:
        if tag.family in opened:
            del opened[opened.index(tag.family) :]
        elif tag.family == "think":
            opened.clear()
    elif tag.family not in opened:
        opened.append(tag.family)


def _is_quoted(text: str, tag: _Tag) -> bool:
    after = _QUOTES.get(text[tag.start - 1 : tag.start])
    return after is not None and text.startswith(after, tag.end) and not text.endswith("```", 0, tag.start)


def _begins_or_ends_a_line(text: str, seen: int, tag: _Tag) -> bool:
    """Return whether a tag is first or last on its line; `seen` is the end of the previous tag, to stay linear."""
    newline = text.rfind("\n", seen, tag.start)
    is_first = newline >= 0 or seen == 0  # of its line
    if is_first and not text[newline + 1 : tag.start].strip():
        return True
    return _REST_OF_LINE.match(text, tag.end) is not None


class _BlockCursor:
    """The fenced blocks of a text, tracked from tag to tag."""

    def __init__(self, text: str) -> None:
        self.lines = list(fence_lines(text))
        self._text = text
        self._open: FenceLine | None = None
        self._place = (0, 0)  # of the open block
        self._next = 0  # index of the next line
        self._ends_outside: list[bool] | None = None

    @property
    def inside(self) -> bool:
        """True if a block is open here."""
        return self._open is not None

    def closing(self) -> str:
        """Return the text that closes the open block, so that it does not extend past the reasoning."""
        return "" if self._open is None else f"\n{self._open.fence}\n"

    def restart_at(self, place: int) -> None:
        """Go on after a place: blocks opened before it belong to the reasoning."""
        self._open = None
        while self._next < len(self.lines) and self.lines[self._next].at < place:
            self._next += 1

    def advance_to(self, place: int, start: int) -> None:
        """Pass all lines before a place; the part being read begins at `start`."""
        while self._next < len(self.lines) and self.lines[self._next].at < place:
            line = self.lines[self._next]
            self._next += 1
            if self._open is None:
                begins = line.begins_a_block or is_structure(self._text[max(line.start, start) : line.at])
                self._open, self._place = line if begins or line.tag else None, line.block_place
            elif not line.is_text(*self._place):
                if line.is_bare and line.closes(self._open.fence):
                    self._open = None
                elif line.tag and line.fence == self._open.fence:
                    self._open, self._place = line, line.block_place

    def allows(self, tag: _Tag, *, at_edge: bool) -> bool:
        """Return whether a tag in an open block counts: the following fences show to which text the block belongs."""
        ahead = self.lines[self._next] if self._next < len(self.lines) else None
        if tag.move is _Move.OPENS:
            return (at_edge or tag.is_token) and (ahead is None or bool(ahead.tag))
        goes_on = self._continues(ahead)
        begins_anew = self._is_balanced_from(self._next)
        if at_edge or tag.is_token:
            return begins_anew or not goes_on
        return ahead is not None and begins_anew and not goes_on

    def _continues(self, ahead: FenceLine | None) -> bool:
        """Return whether the next fence closes the block and every block after it is closed."""
        assert self._open is not None
        if ahead is None or ahead.is_text(*self._place) or not (ahead.is_bare and ahead.closes(self._open.fence)):
            return False
        return self._is_balanced_from(self._next + 1)

    def _is_balanced_from(self, place: int) -> bool:
        """Return whether every block that begins at or after the line of this number is closed."""
        if self._ends_outside is None:
            self._ends_outside = _balanced_ends(self.lines)
        return self._ends_outside[place]


def _balanced_ends(lines: list[FenceLine]) -> list[bool]:
    """Return for each line whether a text that begins with it closes all its blocks."""
    ends = [True] * (len(lines) + 1)
    nearest: dict[
        str, tuple[list[int], list[int]]
    ] = {}  # by kind: lengths of closing fences, falling to the nearest, and numbers
    for number in range(len(lines) - 1, -1, -1):
        line = lines[number]
        lengths, numbers = nearest.setdefault(line.fence[0], ([], []))
        length = len(line.fence)
        if line.begins_a_block or line.tag:
            place = _last_at_least(lengths, length)
            ends[number] = place >= 0 and ends[numbers[place] + 1]
        else:
            ends[number] = ends[number + 1]
        if line.is_bare and line.is_alone(quoted=True):
            while lengths and lengths[-1] <= length:
                lengths.pop()
                numbers.pop()
            lengths.append(length)
            numbers.append(number)
    return ends


def _last_at_least(lengths: list[int], length: int) -> int:
    """Return the last place of a falling list with at least this value; -1 if there is none."""
    low, high = 0, len(lengths)
    while low < high:
        middle = (low + high) // 2
        if lengths[middle] >= length:
            low = middle + 1
        else:
            high = middle
    return low - 1

"""Reasoning that a model wrote into its final text, between tags of its own: never part of the answer.

The tags are those of known model families, in any case and with attributes. A program may hold the same words: in a
fenced block they are text, unless the fences that follow show that the block belongs to the reasoning.
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
    # Tokens: no text holds them by chance.
    r"|(?P<token>\u25c1/?think\u25b7|<\|/?think(?:ing)?\|>|<\|(?:begin|end)_of_thought\|>|<\|(?:START|END)_THINKING\|>"
    r"|(?:<\|start\|>\w{0,20})?<\|channel\|>\s?(?:analysis|commentary|final)(?:[^<\n]{0,100}<\|constrain\|>\w{0,20})?"
    r"(?:[^<\n]{0,100}<\|message\|>)?|<\|end\|>|<\|channel>thought|<channel\|>)"
    # The same channels where a server leaves tokens out.
    r"|(?P<bare>\A\s*+analysis(?=[A-Z])|assistantfinal)"
)
_BEGINNING = re.compile("[<\\[\u25c1]|assistantfinal")  # of every tag but one that begins the text
_FAMILIES = (("channel", "channel"), ("end|>", "channel"), ("think", "think"), ("thought", "think"))
_CLOSING = ("\u25c1/", "<|/", "<|end", "<|END", "<channel")
_QUOTES = {'"': '"', "'": "'", "`": "`", "\u201c": "\u201d", "\u2018": "\u2019", "\u300c": "\u300d", "\u00ab": "\u00bb"}
_LONGEST = 600  # characters of a tag
_REST_OF_LINE = re.compile(r"[^\S\n]*+(?:\n|\Z)")
_MARKER = re.compile(r"\u4ee3\u7801(?:\u5f00\u59cb|\u7ed3\u675f)")


class _Move(Enum):
    OPENS, CLOSES, NONE = range(3)


class _Tag(NamedTuple):
    family: str  # what may close what
    move: _Move
    start: int
    end: int
    is_token: bool = False
    needs_open: bool = False  # closes what was opened, and says nothing of what was not


def without_reasoning(text: str) -> str:
    """The parts of a text that are no reasoning, joined.

    A tag in quotes is a word. In a text without blocks a tag counts where it begins or ends its line. In reasoning its
    own closing tag counts, wherever it stands. One that closes what was never opened makes reasoning of everything
    before it, since some servers send no opening tag. Reasoning that is never closed runs to the end. Linear in
    `len(text)`, but for a logarithm; never raises.
    """
    if next(_tags(text), None) is None:
        return text
    blocks = _Blocks(text)
    has_blocks = bool(blocks.lines) or _MARKER.search(text) is not None
    kept: list[str] = []
    opened: list[str] = []  # families, the outermost first
    start = seen = 0  # of the part that is being read; the end of the tag before
    for match in _tags(text):
        tag = _read(match)
        before, seen = seen, tag.end
        if tag.move is _Move.NONE or _is_quoted(text, tag):
            continue
        if opened:
            _within(opened, tag)
            if not opened:
                start = tag.end
                blocks.begin_anew(start)
            continue
        if tag.needs_open:
            continue
        at_edge = _begins_or_ends_a_line(text, before, tag)
        blocks.go_to(tag.start, start)
        if not (blocks.allow(tag, at_edge=at_edge) if blocks.inside else has_blocks or at_edge or tag.is_token):
            continue
        if tag.move is _Move.OPENS:
            kept.append(text[start : tag.start] + blocks.closing())
            opened.append(tag.family)
        else:
            kept.clear()
            start = tag.end
            blocks.begin_anew(start)
    return "".join(kept) if opened else "".join((*kept, text[start:]))


def parted(text: str, *, swallowed: bool = True) -> tuple[str, str] | None:
    """The reasoning that a text begins with, without its tags, and what follows; None where it begins with none.

    `swallowed`: the opening tag may be missing.
    """
    first = next(_tags(text), None)
    if first is None:
        return None
    tag = _read(first)
    if tag.move is not _Move.OPENS or text[: tag.start].strip():
        rest = without_reasoning(text) if swallowed else text
        last = _last_tag(text, len(text) - len(rest)) if text.endswith(rest) and len(rest) < len(text) else None
        return None if last is None else (text[: last.start], rest)
    opened = [tag.family]
    for match in _tags(text, tag.end):
        inner = _read(match)
        if inner.move is not _Move.NONE and not _is_quoted(text, inner):
            _within(opened, inner)
            if not opened:
                return text[tag.end : inner.start], text[inner.end :]
    return text[tag.end :], ""


def _tags(text: str, start: int = 0, end: int = sys.maxsize) -> Iterator[re.Match[str]]:
    """The tags between, one after another: to try the whole pattern at every character takes many times as long."""
    seen = start
    if start == 0 and (match := _TAG.match(text, 0, end)):
        seen = match.end()
        yield match
    for place in _BEGINNING.finditer(text, start, end):
        if place.start() >= seen and (match := _TAG.match(text, place.start(), end)):
            seen = match.end()
            yield match


def _last_tag(text: str, end: int) -> _Tag | None:
    """The closing tag that ends there."""
    tags = (_read(match) for match in _tags(text, max(0, end - _LONGEST), end))
    return next((tag for tag in tags if tag.end == end and tag.move is _Move.CLOSES), None)


def _read(match: re.Match[str]) -> _Tag:
    words = match[0]
    if match["name"] is not None:
        closes, family = match["slash"] == "/", match["name"].lower()
        if (match["rest"] or "").endswith("/"):
            return _Tag("", _Move.NONE, *match.span())
    elif match["square"] is not None:
        closes, family = match["square"] == "/", "think"
    else:
        closes, family = words.startswith(_CLOSING) or "final" in words, words
    family = next((kind for part, kind in _FAMILIES if part in family.lower()), "channel" if match["bare"] else family)
    needs_open = words in {"<|end|>", "assistantfinal", "<channel|>"}
    move = _Move.CLOSES if closes else _Move.OPENS
    return _Tag(family, move, *match.span(), is_token=match["name"] is None, needs_open=needs_open)


def _within(opened: list[str], tag: _Tag) -> None:
    """What a tag does inside reasoning. Tags of the other kinds may be its words; those of thinking close all."""
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
    """`seen` is where the tag before this one ended: nothing is looked at twice."""
    newline = text.rfind("\n", seen, tag.start)
    is_first = newline >= 0 or seen == 0  # of its line
    if is_first and not text[newline + 1 : tag.start].strip():
        return True
    return _REST_OF_LINE.match(text, tag.end) is not None


class _Blocks:
    """The fenced blocks of a text as one walks through it from tag to tag."""

    def __init__(self, text: str) -> None:
        self.lines = list(fence_lines(text))
        self._text = text
        self._open: FenceLine | None = None
        self._place = (0, 0)  # of the open block
        self._next = 0  # of the lines that lie ahead
        self._ends_outside: list[bool] | None = None

    @property
    def inside(self) -> bool:
        """Whether a block is open here."""
        return self._open is not None

    def closing(self) -> str:
        """What closes the block that is open here, so that it holds nothing of what follows reasoning."""
        return "" if self._open is None else f"\n{self._open.fence}\n"

    def begin_anew(self, place: int) -> None:
        """What was open before belongs to reasoning."""
        self._open = None
        while self._next < len(self.lines) and self.lines[self._next].at < place:
            self._next += 1

    def go_to(self, place: int, start: int) -> None:
        """Pass all lines before a place; the part that is being read begins at `start`."""
        while self._next < len(self.lines) and self.lines[self._next].at < place:
            line = self.lines[self._next]
            self._next += 1
            if self._open is None:
                begins = line.begins_a_block or is_structure(self._text[max(line.start, start) : line.at])
                self._open, self._place = line if begins or line.tag else None, line.place
            elif not line.is_text(*self._place):
                if line.is_bare and line.closes(self._open.fence):
                    self._open = None
                elif line.tag and line.fence == self._open.fence:
                    self._open, self._place = line, line.place

    def allow(self, tag: _Tag, *, at_edge: bool) -> bool:
        """Whether a tag counts that stands in an open block: the fences that follow say whose block it is."""
        ahead = self.lines[self._next] if self._next < len(self.lines) else None
        if tag.move is _Move.OPENS:
            return (at_edge or tag.is_token) and (ahead is None or bool(ahead.tag))
        goes_on = self._goes_on(ahead)
        begins_anew = self._balanced(self._next)
        if at_edge or tag.is_token:
            return begins_anew or not goes_on
        return ahead is not None and begins_anew and not goes_on

    def _goes_on(self, ahead: FenceLine | None) -> bool:
        """Whether the block is closed by the next fence, and all is well behind it."""
        assert self._open is not None
        if ahead is None or ahead.is_text(*self._place) or not (ahead.is_bare and ahead.closes(self._open.fence)):
            return False
        return self._balanced(self._next + 1)

    def _balanced(self, place: int) -> bool:
        """Whether every block is closed, of those that begin with the line of that number."""
        if self._ends_outside is None:
            self._ends_outside = _balance(self.lines)
        return self._ends_outside[place]


def _balance(lines: list[FenceLine]) -> list[bool]:
    """For each line: whether a text that begins with it closes all its blocks."""
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
        if line.is_bare and line.stands(quoted=True):
            while lengths and lengths[-1] <= length:
                lengths.pop()
                numbers.pop()
            lengths.append(length)
            numbers.append(number)
    return ends


def _last_at_least(lengths: list[int], length: int) -> int:
    """The last place of a falling list that holds so much; -1 where none does."""
    low, high = 0, len(lengths)
    while low < high:
        middle = (low + high) // 2
        if lengths[middle] >= length:
            low = middle + 1
        else:
            high = middle
    return low - 1

"""Samples of an AtCoder statement: the first `pre` after a label such as "Sample Input 1" or 出力例 1."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from bs4 import Tag

from app.domain.sources.records import ScrapedExample
from scrapers.reading.html import is_dropped, sample_text, visible_text

_HEADINGS: Final = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "dt", "caption", "summary"})
_CELLS: Final = frozenset({"th", "td"})
_MAX_LABEL_CHARS: Final = 60

_EXAMPLE: Final = r"(?:sample|example|サンプル)"
_OUTPUT: Final = re.compile(
    rf"出力の?例|{_EXAMPLE} ?(?:output|出力)|output ?(?:for )?(?:the )?{_EXAMPLE}|出力 ?サンプル"
)
_INPUT: Final = re.compile(rf"入力の?例|{_EXAMPLE} ?(?:input|入力)|input ?{_EXAMPLE}|入力 ?サンプル")
_GROUP: Final = re.compile(
    rf"^(?:入出力の?例|{_EXAMPLE}s?|入出力サンプル"
    rf"|{_EXAMPLE} ?(?:input|入力) ?(?:and|/|&|・|と) ?(?:{_EXAMPLE} ?)?(?:output|出力))(?![a-z]).*$"
)
_IN_GROUP: Final = re.compile(r"^(?P<input>入力|input)\W*\d*\W*$|^(?P<output>出力|output)\W*\d*\W*$")
_EXPLAINS: Final = re.compile(r"説明|解説|注釈|補足|explanation|note|comment|description")
# A paragraph is a label only if it holds nothing else.
_PARAGRAPH: Final = re.compile(
    rf"^(?:(?:入力|出力)の?例 ?\d*|{_EXAMPLE} ?(?:input|output|入力|出力) ?\d*"
    r"|入力の?例 ?\d* ?に対する ?出力の?例?)\W*$"
)


@dataclass(slots=True)
class _SideTexts:
    """Texts of the inputs or of the outputs in order, each with the number of its label."""

    texts: list[tuple[int | None, str]] = field(default_factory=list)

    def texts_by_number(self) -> dict[int, str]:
        """Return the texts by number if every label has its own, else by position."""
        numbers = [number for number, _ in self.texts]
        if None not in numbers and len(set(numbers)) == len(numbers):
            return {number: text for number, text in self.texts if number is not None}
        return dict(enumerate((text for _, text in self.texts), 1))


def find_samples(root: Tag) -> tuple[tuple[ScrapedExample, ...], int]:
    """Return (samples in order, how many sample texts have no partner)."""
    sides = {"input": _SideTexts(), "output": _SideTexts()}
    waiting: list[tuple[str, int | None]] = []  # labels whose pre is still to come
    in_group = False
    for tag in _labels_and_texts(root):
        if tag.name == "pre":
            if waiting:
                waiting_side, number = waiting.pop(0)
                sides[waiting_side].texts.append((number, sample_text(tag)))
            continue
        label = _normalise(visible_text(tag, _MAX_LABEL_CHARS * 2))
        side = _side(label, tag.name, in_group=in_group)
        if side is not None:
            # Cells of one row may hold both labels before either text; elsewhere a label replaces the last.
            waiting = [*(waiting if tag.name in _CELLS else ()), (side, _number(label))]
        elif tag.name in _HEADINGS:
            waiting = []
            in_group = bool(_GROUP.match(label))
    inputs, outputs = sides["input"].texts_by_number(), sides["output"].texts_by_number()
    paired = [number for number in inputs if number in outputs]
    samples = tuple(ScrapedExample(inputs[number], outputs[number]) for number in paired)
    return samples, len(inputs) + len(outputs) - 2 * len(paired)


def _labels_and_texts(root: Tag) -> Iterator[Tag]:
    """Yield labels and texts in order, without dropped tags and tags inside a pre."""
    stack = [root]
    while stack:
        tag = stack.pop()
        if tag is not root and is_dropped(tag):
            continue
        if tag.name == "pre" or tag.name in _HEADINGS or tag.name in _CELLS or tag.name == "p":
            yield tag
        if tag.name != "pre":
            stack.extend(content for content in reversed(tag.contents) if isinstance(content, Tag))


def _normalise(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).lower().split())


def _side(label: str, name: str, *, in_group: bool) -> str | None:
    if not label or len(label) > _MAX_LABEL_CHARS or _EXPLAINS.search(label):
        return None
    if name == "p" or name in _CELLS:
        if not _PARAGRAPH.match(label):
            return None
    elif _GROUP.match(label) and not _PARAGRAPH.match(label):
        return None
    if _OUTPUT.search(label):
        return "output"
    if _INPUT.search(label):
        return "input"
    match = _IN_GROUP.match(label) if in_group else None
    return match.lastgroup if match else None


def _number(label: str) -> int | None:
    match = re.search(r"\d{1,3}", label)
    return int(match[0]) if match else None

"""Contents of one Codeforces page: its statements, and what stands around them, found in one walk."""

import re
from dataclasses import dataclass, field
from typing import Final

from bs4 import PageElement, Tag

from scrapers.reading.html import attribute, classes, is_dropped, visible_text
from scrapers.reading.page import SourcePage
from scrapers.sites._codeforces.facts import PageLocation, location_of, location_of_title

_RATING: Final = re.compile(r"\*(\d{2,5})")
_PDF: Final = re.compile(r"\.pdf(?:[?#]|$)", re.IGNORECASE)
_MAX_TAGS: Final = 100
_MAX_ROWS: Final = 500
_MAX_OLD_BLOCKS: Final = 20  # texts that are searched for a statement without marked parts


@dataclass(frozen=True, slots=True)
class StatementBlock:
    """One statement and the index that the page gives it."""

    root: Tag
    index: str | None
    old: bool = False  # of the acm.sgu.ru archive: no parts are marked


@dataclass(slots=True)
class PageContents:
    """Contents of a page. `place` is the contest that it claims to belong to."""

    blocks: list[StatementBlock] = field(default_factory=list)
    location: PageLocation = PageLocation()
    tags: list[str] = field(default_factory=list)
    rating: int | None = None
    boxes: int = 0  # boxes searched for tags
    pdf: bool = False  # a link to a document
    rows: list[Tag] = field(default_factory=list)  # of the table of a contest's problems


def read_contents(page: SourcePage) -> PageContents:
    """Return the contents of a page, in time proportional to its size."""
    contents = PageContents()
    tries = 0
    bare: StatementBlock | None = None  # a statement that was saved without the page around it
    stack: list[tuple[PageElement, str | None, bool]] = [(page.soup, None, False)]
    while stack:
        tag, index, menu = stack.pop()
        if not isinstance(tag, Tag) or (is_dropped(tag) and tag.name != "form"):
            continue
        names = classes(tag)
        if "problem-statement" in names:
            contents.blocks.append(StatementBlock(tag, index))
            continue
        if "problemindexholder" in names:
            index = attribute(tag, "problemindex").strip()[:8].upper() or None
        elif "ttypography" in names and index is not None and tries < _MAX_OLD_BLOCKS:
            tries += 1
            if _is_old(tag, index):
                contents.blocks.append(StatementBlock(tag, index, old=True))
                continue
        if bare is None and "header" in names and tag.parent is not None and _is_header(tag):
            bare = StatementBlock(tag.parent, index)
        _note_tag(contents, tag, names, menu=menu)
        menu = menu or "rtable" in names or "second-level-menu" in names
        stack.extend((content, index, menu) for content in reversed(tag.contents))
    if bare is not None and not contents.blocks:
        contents.blocks.append(bare)
    if contents.location.contest is None:
        contents.location = location_of_title(page.title)
    return contents


def _note_tag(contents: PageContents, tag: Tag, names: list[str], *, menu: bool) -> None:
    if tag.name == "a":
        address = attribute(tag, "href")
        contents.pdf = contents.pdf or _PDF.search(address) is not None
        if menu and contents.location.contest is None:
            contents.location = location_of(address)
    elif tag.name == "span" and "tag-box" in names and contents.boxes < _MAX_TAGS:
        contents.boxes += 1
        text = visible_text(tag, 200)
        rating = _RATING.fullmatch(text)
        if rating:
            contents.rating = int(rating[1])
        elif text:
            contents.tags.append(text)
    elif tag.name == "table" and "problems" in names:
        rows = (row for part in (tag, *_parts(tag)) for row in part.contents)
        contents.rows += [row for row in rows if isinstance(row, Tag) and row.name == "tr"][:_MAX_ROWS]


def _is_header(tag: Tag) -> bool:
    names = {name for content in tag.contents if isinstance(content, Tag) for name in classes(content)}
    return {"title", "time-limit"} <= names


def _parts(table: Tag) -> list[Tag]:
    return [
        content
        for content in table.contents
        if isinstance(content, Tag) and content.name in ("thead", "tbody", "tfoot")
    ]


def _is_old(tag: Tag, index: str) -> bool:
    """Return whether a text without marked parts is a statement: a heading with its number, or limits at its top."""
    if _holds_statement(tag):
        return False
    head = visible_text(tag, 2000).lower()
    numbered = index.isdecimal() and head.startswith(f"{index}. ")
    return numbered or ("time limit per test" in head and "memory limit" in head)


def _holds_statement(tag: Tag) -> bool:
    stack: list[PageElement] = list(tag.contents)
    for _ in range(200):
        if not stack:
            return False
        node = stack.pop(0)
        if isinstance(node, Tag):
            if "problem-statement" in classes(node):
                return True
            stack.extend(node.contents)
    return False

"""Hostile HTML to plain text: paragraphs, lists, tables and code as Markdown, formulas as TeX.

The text holds no markup of the page: tags outside a short list are walked through or dropped with their contents, and
pictures keep only an http(s) address. One pass with a stack, never recursion.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final
from urllib.parse import urljoin

from bs4 import NavigableString, PageElement, Tag

from scrapers.reading.html import BLOCKS, MAX_STATEMENT_CHARS, SPACES, attribute, classes, is_dropped, visible_text

_MAX_INDENT: Final = 12  # levels of lists and quotes that still indent
_INLINE_MARKS: Final = {
    "b": "**", "strong": "**", "i": "*", "em": "*", "code": "`", "tt": "`", "kbd": "`", "s": "~~", "del": "~~",
    "strike": "~~",
}  # fmt: skip
_BREAK: Final = "\x00"  # a line break in running text; a page's text never holds NUL


class TextTooLong(ValueError):
    """A text beyond the size of any statement."""


def to_text(node: Tag, base_url: str = "") -> str:
    """Return the text below `node` in Markdown, formulas in dollar signs. Raises TextTooLong beyond MAX_TEXT."""
    return _Writer(base_url).write(node)


@dataclass(slots=True)
class _List:
    """A list being written, and how many of its items have begun."""

    numbered: bool
    items: int = 0

    @property
    def indent(self) -> str:
        """Indent of all that belongs to one of its items."""
        return "   " if self.numbered else "  "


class _Writer:
    """One walk over a tree, with a stack of nodes still to open and of actions that close them."""

    def __init__(self, base_url: str) -> None:
        self._base_url = base_url
        self._blocks: list[str] = []
        self._size = 0
        self._run: list[str] = []  # the text of the block being written
        self._indent: list[str] = []
        self._bullet: str | None = None  # start of the next line of a list item
        self._lists: list[_List] = []  # the enclosing ones
        self._math = self._pre = self._cells = self._tables = 0
        self._pictures: list[str] = []  # of the preformatted block being written, which cannot show them
        self._code: list[str] | None = None  # the block whose code is being written; one inside it is not code
        self._stack: list[PageElement | Callable[[], None]] = []

    def write(self, node: Tag) -> str:
        self._stack.append(node)
        while self._stack:
            entry = self._stack.pop()
            if isinstance(entry, Tag):
                self._open(entry)
            elif isinstance(entry, PageElement):
                if type(entry) is NavigableString:
                    self._text(str(entry))
            else:
                entry()
        self._end_block()
        return "\n\n".join(self._blocks)

    def _open(self, tag: Tag) -> None:
        if is_dropped(tag):
            return
        name = tag.name
        if name == "br":
            self._run.append("\n" if self._pre else _BREAK)
        elif name == "img":
            self._picture(tag)
        elif name == "var" or (name == "span" and "katex" in classes(tag)):
            self._formula(tag)
        elif name in ("sup", "sub"):
            self._script(tag, "^" if name == "sup" else "_")
        elif name in _INLINE_MARKS:
            self._write_marked(tag, _INLINE_MARKS[name])
        elif name in BLOCKS:
            self._block(tag)
        else:
            self._children(tag)

    def _children(self, tag: Tag, close: Callable[[], None] | None = None) -> None:
        if close is not None:
            self._stack.append(close)
        self._stack.extend(reversed(tag.contents))

    def _text(self, text: str) -> None:
        self._count(text)
        self._run.append(text if self._pre else SPACES.sub(" ", text))

    def _count(self, text: str) -> None:
        self._size += len(text)
        if self._size > MAX_STATEMENT_CHARS:
            raise TextTooLong(f"the text is longer than {MAX_STATEMENT_CHARS} characters")

    # Inline: each opens a mark, and closes it around the text written since.

    def _wrap_children(self, tag: Tag, wrap: Callable[[str], str]) -> None:
        """Write the children, then replace what they wrote by `wrap` of it."""
        run, start = self._run, len(self._run)

        def close() -> None:
            if self._run is run:  # a block inside an inline tag has begun a new run: leave both as they are
                run[start:] = [wrap("".join(run[start:]))]

        self._children(tag, close)

    def _write_marked(self, tag: Tag, mark: str) -> None:
        if self._is_bare():
            self._children(tag)
            return
        if mark == "`":
            self._code = self._run
            self._stack.append(self._end_code)

        def wrap(text: str) -> str:
            inner = text.strip()
            if not inner or _BREAK in inner or (mark == "`" and "`" in inner):
                return text
            lead, trail = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
            return f"{lead}{mark}{inner}{mark}{trail}"

        self._wrap_children(tag, wrap)

    def _end_code(self) -> None:
        self._code = None

    def _is_bare(self) -> bool:
        """Return whether a mark would be shown literally here."""
        return bool(self._math or self._pre) or self._code is self._run

    def _formula(self, tag: Tag) -> None:
        bare = self._is_bare()
        if tag.name == "span":  # a formula a browser has drawn: its source is kept beside the drawing
            tex = visible_text(tag)
            self._text(tex if bare or not tex else f"${tex}$")
            return
        self._math += 1

        def wrap(text: str) -> str:
            self._math -= 1
            tex = SPACES.sub(" ", text.replace(_BREAK, " ")).strip()
            return tex if bare or not tex else f"${tex}$"

        self._wrap_children(tag, wrap)  # no block begins a new run inside a formula

    def _script(self, tag: Tag, mark: str) -> None:
        braces = bool(self._math)

        def wrap(text: str) -> str:
            inner = text.strip()
            if not inner:
                return ""
            simple = len(inner) == 1 if braces else re.fullmatch(r"[-+]?\w+", inner)
            return f"{mark}{inner}" if simple else f"{mark}{{{inner}}}"

        self._wrap_children(tag, wrap)

    def _picture(self, tag: Tag) -> None:
        if self._math:
            return
        try:
            address = urljoin(self._base_url, attribute(tag, "src").strip())
        except ValueError:
            address = ""
        alt = re.sub(r"[\[\]\s]+", " ", attribute(tag, "alt")).strip()[:200]
        usable = re.fullmatch(r"https?://[^\s()<>\"']{1,2000}", address)
        picture = f"![{alt}]({address})" if usable else f"[image{': ' + alt if alt else ''}]"
        if self._pre:
            self._count(picture)
            self._pictures.append(picture)
        else:
            self._text(picture)

    # Blocks

    def _block(self, tag: Tag) -> None:
        name = tag.name
        if self._math or self._cells:  # no block fits inside a formula or a cell
            self._run.append(" ")
            self._children(tag, lambda: self._run.append(" "))
        elif self._pre:
            self._children(tag)
        elif name == "table" and not self._tables and _is_grid(tag):
            self._table(tag)
        else:
            self._end_block()
            self._children(tag, self._begin_block(tag))

    def _begin_block(self, tag: Tag) -> Callable[[], None]:
        """Begin a block and return the action that ends it."""
        name = tag.name
        if name == "pre":
            self._pre += 1
            return self._end_pre
        if name == "table":  # one that lays out a page, and all tables inside it
            self._tables += 1
            return self._end_layout
        if name in ("ul", "ol"):
            return self._list(tag)
        if name == "li":
            return self._item()
        if name == "blockquote":
            self._indent.append("> ")
            return self._end_indented
        if re.fullmatch("h[1-6]", name):
            self._run.append("#" * int(name[1]) + " ")
        return self._end_block

    def _list(self, tag: Tag) -> Callable[[], None]:
        around = self._lists[-1] if self._lists and tag.parent is not None and tag.parent.name in ("ul", "ol") else None
        self._lists.append(_List(numbered=tag.name == "ol"))
        if around is None or not around.items:
            return self._end_list
        self._indent.append(around.indent)  # a list beside the items of another belongs to the one before it

        def end() -> None:
            self._end_list()
            self._indent.pop()

        return end

    def _item(self) -> Callable[[], None]:
        around = self._lists[-1] if self._lists else _List(numbered=False)
        around.items += 1
        self._bullet = f"{around.items}. " if around.numbered else "- "
        self._indent.append(around.indent)
        return self._end_indented

    def _end_indented(self) -> None:
        self._end_block()
        self._bullet = None
        self._indent.pop()

    def _end_layout(self) -> None:
        self._end_block()
        self._tables -= 1

    def _end_list(self) -> None:
        self._end_block()
        self._lists.pop()

    def _end_pre(self) -> None:
        self._pre -= 1
        if not self._pre:
            text = "".join(self._run).replace(_BREAK, "\n").replace("\r\n", "\n").replace("\r", "\n")
            self._run = []
            lines = text.strip("\n").split("\n")
            while lines and not lines[-1].strip():
                lines.pop()
            if lines:
                fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", text)), default=0))
                self._emit([fence, *lines, fence])
            pictures, self._pictures = self._pictures, []
            for picture in pictures:
                self._emit([picture])

    def _end_block(self) -> None:
        if self._pre:
            return
        text = "".join(self._run)
        self._run = []
        lines = [line.strip() for line in re.sub(" {2,}", " ", text).split(_BREAK)]
        while lines and not lines[0]:
            lines.pop(0)
        while lines and not lines[-1]:
            lines.pop()
        if lines and not re.fullmatch("#{1,6}", lines[0]):
            self._emit(lines)

    def _emit(self, lines: list[str]) -> None:
        levels = self._indent[:_MAX_INDENT]
        prefix = "".join(levels)
        first = prefix
        if self._bullet is not None and len(self._indent) <= _MAX_INDENT:
            first = "".join(levels[:-1]) + self._bullet
        block = "\n".join([first + lines[0], *((prefix + line if line else prefix.rstrip()) for line in lines[1:])])
        if self._bullet is not None and self._blocks and _is_item(self._blocks[-1]):
            self._blocks[-1] += "\n" + block  # items of one list stand close together
        else:
            self._blocks.append(block)
        self._bullet = None

    # Tables

    def _table(self, tag: Tag) -> None:
        self._end_block()
        rows: list[str] = []
        self._cells += 1

        def end() -> None:
            self._cells -= 1
            if rows:
                width = rows[0].count(" | ") + 1
                self._emit([rows[0], "|" + " --- |" * width, *rows[1:]])

        self._stack.append(end)
        parts = [tag, *tag.find_all(["thead", "tbody", "tfoot"], recursive=False)]
        for row in reversed([row for part in parts for row in part.find_all("tr", recursive=False)]):
            self._row(row, rows)

    def _row(self, row: Tag, rows: list[str]) -> None:
        cells: list[str] = []

        def end_row() -> None:
            if any(cells):
                rows.append("| " + " | ".join(cells) + " |")

        def end_cell() -> None:
            text = "".join(self._run).replace(_BREAK, " ").replace("|", "\\|")
            self._run = []
            cells.append(SPACES.sub(" ", text).strip())

        self._stack.append(end_row)
        for cell in reversed(row.find_all(["td", "th"], recursive=False)):
            self._stack.append(end_cell)
            self._stack.extend(reversed(cell.contents))


def _is_item(block: str) -> bool:
    return re.match(r"[ >]*(?:- |\d+\. )", block) is not None


def _is_grid(table: Tag) -> bool:
    """Return whether a table holds plain cells rather than the page's layout."""
    return table.find(["pre", "table", "h1", "h2", "h3", "h4", "h5", "h6", "section"]) is None

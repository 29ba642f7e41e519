"""Text that fits the terminal: columns are cut first, then left out, and a line names what is missing."""

import shutil
import textwrap
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

DEFAULT_WIDTH: Final = 100  # without a terminal
_MIN_WIDTH: Final = 40
_GAPS: Final = ("  ", " ")


def terminal_width() -> int:
    """Return the number of characters in a line: COLUMNS, else the terminal's width, else 100."""
    return max(_MIN_WIDTH, shutil.get_terminal_size((DEFAULT_WIDTH, 24)).columns)


def paragraph(text: str, width: int, indent: str = "", hanging: str | None = None) -> list[str]:
    """Return the lines of a text; a word longer than a line, such as a path, stays whole."""
    return textwrap.wrap(
        text, width, initial_indent=indent, subsequent_indent=indent if hanging is None else hanging,
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class TableColumn:
    """A column of a table. If lines are too long, the columns with the highest `drop` are left out first."""

    heading: str
    right: bool = False
    min_width: int | None = None  # cells may be cut to this many characters
    drop_order: int = 0  # 0: never left out


class TextTable:
    """Rows laid out in columns within a width. `left_out` names the columns that did not fit."""

    def __init__(self, columns: Sequence[TableColumn], rows: Sequence[Sequence[str]], width: int) -> None:
        natural = [
            max(text_width(column.heading), *(text_width(printable(row[place])) for row in rows), 1)
            for place, column in enumerate(columns)
        ]
        self._columns = columns
        self._kept = list(range(len(columns)))
        while not self._fit(natural, width):
            last = max(columns[place].drop_order for place in self._kept)
            if last == 0:
                break
            self._kept = [place for place in self._kept if columns[place].drop_order != last]
        self.left_out = [column.heading for place, column in enumerate(columns) if place not in self._kept]

    def _fit(self, natural: Sequence[int], width: int) -> bool:
        """Choose the gap and the width of each kept column; return True if the lines are short enough."""
        for gap in _GAPS:
            self._gap, self._widths = gap, {place: natural[place] for place in self._kept}
            excess = sum(self._widths.values()) + len(gap) * (len(self._kept) - 1) - width
            for place in self._kept:
                least = self._columns[place].min_width
                if excess > 0 and least is not None:
                    cut = min(excess, max(0, natural[place] - least))
                    self._widths[place] -= cut
                    excess -= cut
            if excess <= 0:
                return True
        return False

    def head(self) -> list[str]:
        """Return the headings and a rule below them."""
        rule = self._gap.join("-" * width for width in self._widths.values())
        return [self.line([column.heading for column in self._columns]), rule]

    def line(self, row: Sequence[str]) -> str:
        """Return one row as text."""
        parts = []
        for place, width in self._widths.items():
            text = _cut(printable(row[place]), width)
            space = " " * (width - text_width(text))
            parts.append(space + text if self._columns[place].right else text + space)
        return self._gap.join(parts).rstrip()

    @property
    def note(self) -> str | None:
        """A sentence that names the columns left out, or None."""
        return f"Not shown at this width: {', '.join(self.left_out)}." if self.left_out else None


def format_table(columns: Sequence[TableColumn], rows: Sequence[Sequence[str]], width: int) -> str:
    """Return the whole table as text, with a last line about columns left out."""
    grid = TextTable(columns, rows, width)
    notes = [] if grid.note is None else paragraph(grid.note, width)
    return "\n".join([*grid.head(), *(grid.line(row) for row in rows), *notes])


def printable(text: str) -> str:
    """Return the text without unprintable characters, which could control a terminal."""
    return "".join(character for character in text if character.isprintable())


def text_width(text: str) -> int:
    """Return the number of terminal cells that the text takes."""
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)


def _cut(text: str, width: int) -> str:
    """Return the text, without its middle if it is too wide: names of configurations differ at their ends."""
    length = len(text)
    piece = text
    while text_width(piece) > width:
        length -= 1
        piece = f"{text[: length // 2]}…{text[len(text) - (length - length // 2) :]}"
    return piece

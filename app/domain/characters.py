"""Characters that make equal-looking texts differ, and those that harm a terminal or a database."""

import re
import unicodedata
from typing import Final

# Unicode's Default_Ignorable_Code_Point, by first and last, and characters with a blank glyph.
_IGNORABLE: Final = (
    (0xAD, 0xAD), (0x34F, 0x34F), (0x61C, 0x61C), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F),
    (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0x3164, 0x3164), (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0), (0xFFF0, 0xFFF8), (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF),
)  # fmt: skip
_BLANK: Final = ((0x2800, 0x2800), (0xFFF9, 0xFFFC), (0x13441, 0x13442), (0x16FE4, 0x16FE4), (0x1D159, 0x1D159))
_INVISIBLE: Final = frozenset(chr(code) for first, last in (*_IGNORABLE, *_BLANK) for code in range(first, last + 1))

_MAX_MARKS: Final = 3  # on one letter; no language has more, and more would cover the lines around it

_UNPRINTABLE: Final = re.compile(
    r"[^\x20-\x7e\n\t\u00a0-\U0010ffff]|[\ud800-\udfff\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]"
    r"|[\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)


def make_printable(text: str) -> str:
    """Return the text with each character replaced that a terminal or page would obey, or a database refuse."""
    return _UNPRINTABLE.sub("?", text)


def normalize_visible(text: str) -> str:
    """Return a text as it looks: no invisible characters, composed accents (NFC), white space as single blanks."""
    visible = (letter for letter in text if letter not in _INVISIBLE and not _is_control(letter))
    return " ".join(unicodedata.normalize("NFC", "".join(visible)).split())


def without_invisible(text: str) -> str:
    """Return a text without its invisible characters."""
    return "".join(letter for letter in text if letter not in _INVISIBLE)


def has_stacked_marks(text: str) -> bool:
    """Return whether some letter carries more marks than any language uses: they cover the lines above and below."""
    marks = 0
    for letter in unicodedata.normalize("NFD", text):
        marks = marks + 1 if unicodedata.category(letter) in {"Mn", "Me"} else 0
        if marks > _MAX_MARKS:
            return True
    return False


def has_invisible(text: str) -> bool:
    """Return whether a text has an invisible character."""
    return not _INVISIBLE.isdisjoint(text)


def _is_control(letter: str) -> bool:
    return unicodedata.category(letter) in {"Cc", "Cf"} and not letter.isspace()

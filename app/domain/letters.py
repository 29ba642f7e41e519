"""Letters that nobody sees, in which texts differ that look alike, and those that a terminal or a database minds."""

import re
import unicodedata
from typing import Final

# Unicode's Default_Ignorable_Code_Point, by first and last, and letters whose picture is blank.
_IGNORABLE: Final = (
    (0xAD, 0xAD), (0x34F, 0x34F), (0x61C, 0x61C), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F),
    (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0x3164, 0x3164), (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0), (0xFFF0, 0xFFF8), (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF),
)  # fmt: skip
_BLANK: Final = ((0x2800, 0x2800), (0xFFF9, 0xFFFC), (0x13441, 0x13442), (0x16FE4, 0x16FE4), (0x1D159, 0x1D159))
_NOT_SEEN: Final = frozenset(chr(code) for first, last in (*_IGNORABLE, *_BLANK) for code in range(first, last + 1))

# Control characters move cursors and colour screens; those without a width of their own turn text around or hide it.
_UNPRINTABLE: Final = re.compile(
    r"[^\x20-\x7e\n\t\u00a0-\U0010ffff]|[\ud800-\udfff\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]"
    r"|[\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)


def readable(text: str) -> str:
    """Any text, fit for a terminal, a page and a database: nothing in it moves, colours, turns or cannot be stored."""
    return _UNPRINTABLE.sub("?", text)


def as_seen(text: str) -> str:
    """A text as it looks: without letters that nobody sees, accents joined to their letters, single spaces inside and
    none around."""
    kept = (letter for letter in text if letter not in _NOT_SEEN and not _is_control(letter))
    return " ".join(unicodedata.normalize("NFC", "".join(kept)).split())


def has_unseen(text: str) -> bool:
    """Whether some letter of a text is one that nobody sees."""
    return not _NOT_SEEN.isdisjoint(text)


def _is_control(letter: str) -> bool:
    return unicodedata.category(letter) in {"Cc", "Cf"} and not letter.isspace()

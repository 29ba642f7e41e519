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

_DIGIT_LOOKALIKES: Final = str.maketrans("01", "ol")

_MAX_MARKS: Final = 3  # on one letter; no language has more, and more would cover the lines around it
# Small letters of other scripts that look like Latin letters or digits in most typefaces.
_LOOKALIKES: Final = str.maketrans(
    "\u0430\u0432\u0435\u043a\u043c\u043d\u043e\u0440\u0441\u0442\u0443\u0445\u0456\u0458\u0455\u0501\u051b\u051d\u0431\u04bb\u0437"
    "\u03b1\u03b2\u03b5\u03b9\u03ba\u03bd\u03bf\u03c1\u03c4\u03c5\u03c7\u03b3\u0131\u0261\u0251\u0578\u057d\u0585\u0570\u0581",
    "abekmhopctyxijsdqw6h3abeikvoptuxyiganuohg",
)

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


def lookalike_key(text: str) -> str:
    """Return the text that a reader takes a name for, to compare names by.

    It keeps letters and digits alone, in lower case without accents; letters of other scripts become the Latin ones
    they look like, and 0 and 1 become o and l.
    """
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text).casefold()).translate(_LOOKALIKES)
    return "".join(letter for letter in plain if letter.isalnum()).translate(_DIGIT_LOOKALIKES)


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

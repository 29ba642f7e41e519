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

_DIGITS: Final = str.maketrans("01", "ol")

# Control characters move cursors and colour screens; those without a width of their own turn text around or hide it.
_MOST_MARKS: Final = 3  # on one letter: more than any language has stand on the lines around it
# Small letters beyond Latin, and signs, that look like Latin ones or digits in most typefaces.
_LOOKALIKES: Final = str.maketrans(
    "\u0430\u0432\u0435\u043a\u043c\u043d\u043e\u0440\u0441\u0442\u0443\u0445\u0456\u0458\u0455\u0501\u051b\u051d\u0431\u04bb\u0437"
    "\u03b1\u03b2\u03b5\u03b9\u03ba\u03bd\u03bf\u03c1\u03c4\u03c5\u03c7\u03b3\u0131\u0261\u0251\u0578\u057d\u0585\u0570\u0581",
    "abekmhopctyxijsdqw6h3abeikvoptuxyiganuohg",
)

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


def look(text: str) -> str:
    """What a reader takes a name for: its letters and digits alone, small and without accents, with those of other
    scripts as the Latin ones that they look like. 0 and 1 are o and l."""
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text).casefold()).translate(_LOOKALIKES)
    return "".join(letter for letter in plain if letter.isalnum()).translate(_DIGITS)


def has_stacked(text: str) -> bool:
    """Whether some letter carries more marks than any language has: they hide what stands above and below."""
    marks = 0
    for letter in unicodedata.normalize("NFD", text):
        marks = marks + 1 if unicodedata.category(letter) in {"Mn", "Me"} else 0
        if marks > _MOST_MARKS:
            return True
    return False


def has_unseen(text: str) -> bool:
    """Whether some letter of a text is one that nobody sees."""
    return not _NOT_SEEN.isdisjoint(text)


def _is_control(letter: str) -> bool:
    return unicodedata.category(letter) in {"Cc", "Cf"} and not letter.isspace()

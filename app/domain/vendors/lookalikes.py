"""Texts that a reader takes for one another: the skeleton of Unicode's TR39, without regard to case, and a little more.

TR39 compares texts in their own case. Names are compared in any case here, so its table is applied before and after
the letters are made small: before, since a Greek capital Eta looks like H and its small form like n; after, since only
a small m looks like rn.
"""

import unicodedata
from collections.abc import Iterable, Mapping
from typing import Final

from app.domain.characters import without_invisible

# Letters that look like a Latin letter or a digit in most typefaces, of which Unicode's table says nothing or less.
_MORE: Final = str.maketrans(
    "\u0430\u0432\u0435\u043a\u043c\u043d\u043e\u0440\u0441\u0442\u0443\u0445\u0456\u0458\u0455\u0501\u051b\u051d\u0431\u04bb\u0437"
    "\u03b1\u03b2\u03b5\u03b9\u03ba\u03bd\u03bf\u03c1\u03c4\u03c5\u03c7\u03b3\u0131\u0261\u0251\u0578\u057d\u0585\u0570\u0581"
    "\u0299\u1d0b\u029c\u1d0d\u1d1b\u0274\u0280\u0262\u029f",
    "abekmhopctyxijsdqw6h3abeikvoptuxyiganuohgbkhmtnrgl",
)
# In some case or typeface i, l and 1 are one stroke, and two v are a w.
_MERGED: Final = str.maketrans({"i": "l", "1": "l", "0": "o", "w": "vv"})


def prototypes_of(pairs: Iterable[tuple[str, str]]) -> Mapping[str, str]:
    """Return the text that stands for each single character which looks like others, from all pairs that look alike.

    Of a group, the member with the most partners stands for it; of equals, an ASCII one.
    """
    partners: dict[str, set[str]] = {}
    for one, other in pairs:
        partners.setdefault(one, set()).add(other)
        partners.setdefault(other, set()).add(one)
    prototypes: dict[str, str] = {}
    seen: set[str] = set()
    for start in partners:
        group, waiting = set[str](), [] if start in seen else [start]
        while waiting:
            text = waiting.pop()
            if text not in group:
                group.add(text)
                waiting += partners[text]
        seen |= group
        if group:
            best = min(group, key=lambda text: (-len(partners[text]), not text.isascii(), text))
            prototypes |= {text: best for text in group if len(text) == 1}
    return prototypes


def lookalike_key(text: str, prototypes: Mapping[str, str]) -> str:
    """Return the text that a reader takes a name for, to compare names by.

    It has letters and digits alone, without case and accents. `prototypes` has the text that stands for a character.
    """
    plain = _strip_accents(unicodedata.normalize("NFKC", without_invisible(text)))
    for _ in range(2):
        plain = plain.translate(_MORE)
        plain = _strip_accents("".join(prototypes.get(letter, letter) for letter in plain)).casefold()
    plain = "".join(prototypes.get(letter, letter) for letter in plain)
    key = "".join(letter for letter in plain.casefold() if letter.isalnum()).translate(_MERGED)
    return key or text.strip()  # a name of signs alone looks like itself


def _strip_accents(text: str) -> str:
    return "".join(letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter))

"""Digest of a problem's wording without its markup: the same text under two sources is one problem."""

import hashlib
import re
import unicodedata
from collections.abc import Mapping
from html import unescape
from typing import Final

# Digests begin with it: change it with the rule, and every stored digest is computed again.
REVISION: Final = "1"
_MIN_LETTERS: Final = 50  # letters and digits; for a shorter text the title and code count, too

# Attributes must have values: `a <b and c> d` is no tag.
_TAG = re.compile(r"""</?[a-zA-Z][a-zA-Z0-9]*(?:\s+[\w:-]+=(?:"[^"<>]*"|'[^'<>]*'|[^\s"'<>]+))*\s*/?>""")
_TARGET = re.compile(r"\]\([^()\s]*(?:\s[^()]*)?\)")  # target of a Markdown link or image
_COMMAND = re.compile(r"\\[a-zA-Z]+\*?")
_MARK = re.compile(r"[\W_]+")


def wording(title: str, text: str, starter_code: Mapping[str, str]) -> str:
    """Return `REVISION:SHA-256` of the letters and digits of a text, in one case.

    White space, punctuation, HTML tags, targets of links and commands of TeX do not count.
    """
    letters = _letters(text)
    if len(letters) < _MIN_LETTERS:
        letters = _letters(" ".join([title, text, *(code for _, code in sorted(starter_code.items()))]))
    return f"{REVISION}:{hashlib.sha256(letters.encode()).hexdigest()}"


def _letters(text: str) -> str:
    plain = _COMMAND.sub(" ", _TARGET.sub("]", unescape(_TAG.sub(" ", text))))
    return _MARK.sub("", unicodedata.normalize("NFKC", plain).casefold())

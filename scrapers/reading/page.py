"""A body as a parser sees it: decoded text, its HTML tree or JSON value, and where it came from."""

import json
import re
import warnings
from contextlib import suppress
from functools import cached_property
from typing import Any
from urllib.parse import urlsplit

from bs4 import BeautifulSoup, MarkupResemblesLocatorWarning, XMLParsedAsHTMLWarning

_META_CHARSET = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([A-Za-z0-9_\-]{2,40})", re.IGNORECASE)
_KANA = re.compile("[\u3041-\u3096\u30a1-\u30fa]")
_RUSSIAN = re.compile("[\u0430-\u044f\u0451]{3,}")  # small letters, which in KOI8 are great ones
LOST = "\ufffd"  # stands for what could not be decoded
_BOMS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))
# Control characters other than tab and newlines, and those that turn the text around them: no page needs them, a
# terminal obeys them, and the database refuses NUL.
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")

_REFERENCE = re.compile(r"&#(?:[xX]0*([0-9a-fA-F]{1,6})|0*([0-9]{1,7}));?")


def decode(body: bytes) -> str:
    """The body as text: by its byte order mark, as UTF-8, or in the charset it names or betrays.

    What cannot be decoded becomes U+FFFD; control characters and lone surrogates are dropped.
    """
    for bom, name in _BOMS:
        if body.startswith(bom):
            return scrub(body[len(bom) :].decode(name, "replace"))
    text = body.decode("utf-8", "replace")
    if _is_mostly_sound(text):
        return scrub(text)
    match = _META_CHARSET.search(body[:4096])
    if match is not None:
        with suppress(LookupError, ValueError):  # unknown, no text codec, or not this charset
            return scrub(body.decode(match.group(1).decode("ascii")))
    # EUC-JP before Microsoft's Shift JIS, which takes nearly any bytes for half-width letters.
    for charset in ("euc_jp", "cp932"):
        with suppress(ValueError):
            guess = body.decode(charset)
            # Bytes of a western charset may pass for Japanese letters, but hardly for its syllables.
            if _KANA.search(guess):
                return scrub(guess)
    with suppress(ValueError):
        guess = body.decode("cp1251")
        # Letters with accents of a western charset may pass for Russian ones, but hardly three in a row.
        words = sum(len(word) for word in _RUSSIAN.findall(guess))
        if words * 2 > sum(1 for letter in guess if letter > "\x7f"):
            return scrub(guess)
    return scrub(text)


def _is_mostly_sound(text: str) -> bool:
    """Whether a few stray bytes at most were lost, as when a page was cut inside a character."""
    damage = text.count(LOST)
    return damage == 0 or damage * 50 < sum(1 for letter in text if letter > "\x7f")


def scrub(text: str) -> str:
    """The text without characters that no record may carry."""
    return _CONTROL.sub("", text)


def tree(html: str) -> BeautifulSoup:
    """The tree of a document or a part of one, without characters that no record may carry, spelt as numbers either.

    Deep nesting costs time, never recursion: walk it with its iterators.
    """
    with warnings.catch_warnings():  # bodies that look like XML, an address or a file name are no news here
        warnings.simplefilter("ignore", MarkupResemblesLocatorWarning)
        warnings.simplefilter("ignore", XMLParsedAsHTMLWarning)
        return BeautifulSoup(_REFERENCE.sub(_kept, html), "lxml")


def _kept(reference: re.Match[str]) -> str:
    code = int(reference[1], 16) if reference[1] else int(reference[2])
    is_western = 0x80 <= code < 0xA0  # read as Windows' letters
    return "" if code < 0x110000 and not is_western and _CONTROL.match(chr(code)) else reference[0]


class Page:
    """One body. `url` is where it came from ("" when unknown), `base_url` the site's own address."""

    def __init__(self, body: bytes, *, url: str = "", base_url: str = "") -> None:
        self.url = url
        self.base_url = base_url
        self.text = decode(body)

    @cached_property
    def soup(self) -> BeautifulSoup:
        """The HTML tree."""
        return tree(self.text)

    @cached_property
    def data(self) -> Any:
        """The JSON value. Raises ValueError or RecursionError when it is none."""
        return json.loads(self.text)

    @cached_property
    def title(self) -> str:
        """The HTML title, one line; "" without one."""
        element = self.soup.title
        return " ".join(element.get_text().split())[:500] if element is not None else ""

    @property
    def path(self) -> str:
        """The path of the URL; "" when unknown."""
        try:
            return urlsplit(self.url).path
        except ValueError:
            return ""

"""A body as parsers see it: decoded text, its HTML tree or JSON value, and the address it came from."""

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
_RUSSIAN = re.compile("[\u0430-\u044f\u0451]{3,}")  # lower case, which is upper case in KOI8
REPLACEMENT_CHARACTER = "\ufffd"  # replaces what could not be decoded
_BOMS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))
# Control characters other than tab and newlines, and those that turn the text around them: no page needs them, a
# terminal obeys them, and the database refuses NUL.
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")

_REFERENCE = re.compile(r"&#(?:[xX]0*([0-9a-fA-F]{1,6})|0*([0-9]{1,7}));?")


def decode(body: bytes) -> str:
    """Return the body as text: by its byte order mark, as UTF-8, or in the charset that it names or that its bytes
    suggest.

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
        with suppress(LookupError, ValueError):  # unknown, no text codec, or a wrong charset
            return scrub(body.decode(match.group(1).decode("ascii")))
    # EUC-JP before Microsoft's Shift JIS, which decodes nearly any bytes as half-width letters.
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
    """Return whether only a few stray bytes were lost, as happens if a page was cut inside a character."""
    damage = text.count(REPLACEMENT_CHARACTER)
    return damage == 0 or damage * 50 < sum(1 for letter in text if letter > "\x7f")


def scrub(text: str) -> str:
    """Return the text without characters that no record may hold."""
    return _CONTROL.sub("", text)


def parse_html(html: str) -> BeautifulSoup:
    """Return the tree of an HTML document or a part of one, without characters that no record may hold, also as
    references.

    Deep nesting costs time, never recursion: walk the tree with its iterators.
    """
    with warnings.catch_warnings():  # bodies that look like XML, an address or a file name are expected here
        warnings.simplefilter("ignore", MarkupResemblesLocatorWarning)
        warnings.simplefilter("ignore", XMLParsedAsHTMLWarning)
        return BeautifulSoup(_REFERENCE.sub(_keep_reference, html), "lxml")


def _keep_reference(reference: re.Match[str]) -> str:
    code = int(reference[1], 16) if reference[1] else int(reference[2])
    is_western = 0x80 <= code < 0xA0  # read as Windows' letters
    return "" if code < 0x110000 and not is_western and _CONTROL.match(chr(code)) else reference[0]


class SourcePage:
    """One body. `url` is where it came from ("" if unknown), `base_url` the site's own address."""

    def __init__(self, body: bytes, *, url: str = "", base_url: str = "") -> None:
        self.url = url
        self.base_url = base_url
        self.text = decode(body)

    @cached_property
    def soup(self) -> BeautifulSoup:
        """The HTML tree."""
        return parse_html(self.text)

    @cached_property
    def data(self) -> Any:
        """The JSON value. Raises ValueError or RecursionError if the body is none."""
        return json.loads(self.text)

    @cached_property
    def title(self) -> str:
        """The HTML title on one line; "" without one."""
        element = self.soup.title
        return " ".join(element.get_text().split())[:500] if element is not None else ""

    @property
    def path(self) -> str:
        """The path of the URL; "" if unknown."""
        try:
            return urlsplit(self.url).path
        except ValueError:
            return ""

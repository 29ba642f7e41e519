"""Changes as feeds: Atom (RFC 4287) and JSON Feed 1.1.

Addresses come from the operator's setting, never from a request.
"""

import json
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from xml.etree.ElementTree import Element, SubElement, tostring

ATOM, JSON = "application/atom+xml; charset=utf-8", "application/feed+json; charset=utf-8"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_NAMESPACE = uuid.UUID("5f0f1a52-7c4e-4b8e-9d55-2a61e3b0c7d4")


@dataclass(frozen=True, slots=True)
class FeedEntry:
    """One line of a feed. `key` is unique among all lines and does not depend on the site's address."""

    key: str
    at: datetime
    title: str
    text: str
    url: str
    kind: str

    @property
    def urn(self) -> str:
        """An identifier that stays the same when the site moves."""
        return _urn(self.key)


@dataclass(frozen=True, slots=True)
class Feed:
    """A feed: its own address, the page it is about, and its lines, newest first."""

    title: str
    about: str
    language: str
    home: str
    here: str
    entries: Sequence[FeedEntry]


def atom(feed: Feed) -> bytes:
    """Return the feed as Atom."""
    root = Element("feed", {"xmlns": "http://www.w3.org/2005/Atom", "xml:lang": feed.language})
    _add(root, "id", _urn(feed.here))
    _add(root, "title", f"Tidemark: {feed.title}")
    _add(root, "subtitle", feed.about)
    _add(root, "updated", max((entry.at for entry in feed.entries), default=_EPOCH).isoformat())
    _add(SubElement(root, "author"), "name", "Tidemark")
    SubElement(root, "link", {"rel": "self", "href": feed.here, "type": "application/atom+xml"})
    SubElement(root, "link", {"rel": "alternate", "href": feed.home, "type": "text/html"})
    for entry in feed.entries:
        element = SubElement(root, "entry")
        _add(element, "id", entry.urn)
        _add(element, "title", entry.title)
        _add(element, "updated", entry.at.isoformat())
        SubElement(element, "link", {"rel": "alternate", "href": entry.url, "type": "text/html"})
        SubElement(element, "category", {"term": _legal(entry.kind)})
        _add(element, "content", entry.text)
    text: bytes = tostring(root, encoding="utf-8", xml_declaration=True)
    return text


def json_feed(feed: Feed) -> bytes:
    """Return the feed as JSON Feed 1.1."""
    body = {
        "version": "https://jsonfeed.org/version/1.1",
        "title": f"Tidemark: {feed.title}",
        "description": feed.about,
        "language": feed.language,
        "home_page_url": feed.home,
        "feed_url": feed.here,
        "authors": [{"name": "Tidemark"}],
        "items": [
            {
                "id": entry.urn,
                "url": entry.url,
                "title": entry.title,
                "content_text": entry.text,
                "date_published": entry.at.isoformat(),
                "tags": [entry.kind],
            }
            for entry in feed.entries
        ],
    }
    return json.dumps(body, ensure_ascii=False, indent=1).encode()


def _urn(key: str) -> str:
    return f"urn:uuid:{uuid.uuid5(_NAMESPACE, key)}"


def _add(parent: Element, name: str, text: str) -> None:
    # Text without a declared type is plain: a feed reader shows its angle brackets and runs no script.
    SubElement(parent, name).text = _legal(text)


def _legal(text: str) -> str:
    """Return the text without the characters that XML forbids, escaped or not."""
    return "".join(character for character in text if character in "\t\n" or _is_legal(character))


def _is_legal(character: str) -> bool:
    code = ord(character)
    return character >= " " and not 0xD800 <= code <= 0xDFFF and code not in {0xFFFE, 0xFFFF}

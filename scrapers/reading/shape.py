"""How a body is built, whatever it says: a digest that changes when a site's layout or interface does."""

import hashlib
import re
from collections.abc import Iterator
from typing import Any, Final

from bs4 import Tag

from scrapers.reading.page import Page
from scrapers.site import Media

_MOST: Final = 200_000  # elements or values looked at
_DEEPEST: Final = 40
_DIGITS: Final = re.compile(r"\d+")
# A mapping with more keys than an interface has fields is keyed by names of things.
_MOST_FIELDS: Final = 60


def shape_of(page: Page, media: Media) -> str | None:
    """The digest of a body's parts; None for a body that has none."""
    parts = sorted(parts_of(page, media))
    return hashlib.sha256("\n".join(parts).encode("utf-8", "replace")).hexdigest()[:16] if parts else None


def parts_of(page: Page, media: Media) -> frozenset[str]:
    """The parts the digest is made of, for people who look what changed; none of lines of text, nor of broken JSON."""
    if media is Media.HTML:
        return frozenset(_html(page))
    if media is Media.TEXT:
        return frozenset()
    try:
        return frozenset(_json(page.data))
    except (ValueError, RecursionError):
        return frozenset()


def _html(page: Page) -> Iterator[str]:
    """Elements that are told by an id or a class; numbers in them count things, not kinds of things."""
    for count, tag in enumerate(page.soup.descendants):
        if count > _MOST:
            return
        if isinstance(tag, Tag) and (tag.get("class") or tag.get("id")):
            names = sorted(f".{name}" for name in tag.get_attribute_list("class") if name)
            path = f"{tag.name}#{tag.get('id')}{''.join(names)}" if tag.get("id") else tag.name + "".join(names)
            yield _DIGITS.sub("0", path)[:200]


def _json(value: Any) -> Iterator[str]:
    """The paths of fields; the elements of a list are alike."""
    waiting: list[tuple[str, Any]] = [("", value)]
    count = 0
    while waiting and count < _MOST:
        path, node = waiting.pop()
        count += 1
        if path:
            yield path
        if path.count(".") + path.count("[") > _DEEPEST:
            continue
        if isinstance(node, dict):
            by_name = len(node) > _MOST_FIELDS
            waiting += [(f"{path}.*" if by_name else f"{path}.{str(key)[:80]}", child) for key, child in node.items()]
        elif isinstance(node, list):
            waiting += [(f"{path}[]", child) for child in node[:1000]]

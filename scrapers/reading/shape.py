"""Structure of a body, whatever it says: a digest that changes when a site's layout or interface does."""

import hashlib
import re
from collections.abc import Iterator
from typing import Any, Final

from bs4 import Tag

from scrapers.reading.page import SourcePage
from scrapers.site import Media

_MAX_NODES: Final = 200_000  # elements or values
_MAX_PATH_DEPTH: Final = 40
_DIGITS: Final = re.compile(r"\d+")
# A mapping with more keys than this is keyed by names of items, not by fields.
_MAX_FIELDS: Final = 60


def shape_of(page: SourcePage, media: Media) -> str | None:
    """Return the digest of a body's parts; None for a body without any."""
    parts = sorted(parts_of(page, media))
    return hashlib.sha256("\n".join(parts).encode("utf-8", "replace")).hexdigest()[:16] if parts else None


def parts_of(page: SourcePage, media: Media) -> frozenset[str]:
    """Return the parts that the digest is made of, for people who look for changes; none for lines of text or broken
    JSON."""
    if media is Media.HTML:
        return frozenset(_html_parts(page))
    if media is Media.TEXT:
        return frozenset()
    try:
        return frozenset(_json_paths(page.data))
    except (ValueError, RecursionError):
        return frozenset()


def _html_parts(page: SourcePage) -> Iterator[str]:
    """Yield elements with an id or a class; numbers in them become 0, as they count items."""
    for count, tag in enumerate(page.soup.descendants):
        if count > _MAX_NODES:
            return
        if isinstance(tag, Tag) and (tag.get("class") or tag.get("id")):
            names = sorted(f".{name}" for name in tag.get_attribute_list("class") if name)
            path = f"{tag.name}#{tag.get('id')}{''.join(names)}" if tag.get("id") else tag.name + "".join(names)
            yield _DIGITS.sub("0", path)[:200]


def _json_paths(value: Any) -> Iterator[str]:
    """Yield the paths of fields; all elements of a list have the same path."""
    waiting: list[tuple[str, Any]] = [("", value)]
    count = 0
    while waiting and count < _MAX_NODES:
        path, node = waiting.pop()
        count += 1
        if path:
            yield path
        if path.count(".") + path.count("[") > _MAX_PATH_DEPTH:
            continue
        if isinstance(node, dict):
            by_name = len(node) > _MAX_FIELDS
            waiting += [(f"{path}.*" if by_name else f"{path}.{str(key)[:80]}", child) for key, child in node.items()]
        elif isinstance(node, list):
            waiting += [(f"{path}[]", child) for child in node[:1000]]

"""Zerotrac's ratings of LeetCode contest problems: ratings.txt (tab-separated) and data.json."""

import json
import math
from collections.abc import Iterator, Mapping
from typing import Any, Final

from app.domain.sources.records import ScrapedDifficulty
from scrapers.reading.page import SourcePage
from scrapers.reading.rows import collect
from scrapers.site import ParsedPage
from scrapers.sites._leetcode.json import first_value, number, slug

SCALE: Final = "zerotrac"  # an Elo-like scale, about 1000 to 3800
_RATING: Final = ("Rating", "rating")
_SLUG: Final = ("TitleSlug", "Title Slug", "title_slug", "titleSlug")


def parse_ratings(page: SourcePage) -> ParsedPage:
    """Read one difficulty for each row, from either form."""
    text = page.text.lstrip()
    if text.startswith("<"):
        return ParsedPage.not_read("not_ratings", "an HTML page came instead of ratings")
    rows = _json_rows(text) if text[:1] in ("[", "{") else _lines(text)
    if rows is None:
        return ParsedPage.not_read("not_ratings", "the body is no list of ratings, as lines or as JSON")
    return collect(rows, _difficulty, "ratings")


def _json_rows(text: str) -> list[Any] | None:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, list) and data else None


def _lines(text: str) -> list[dict[str, str]] | None:
    """Return rows by the column names of the first line; None if it does not name both columns we need."""
    lines = text.splitlines()
    names = [name.strip() for name in lines[0].split("\t")]
    if not (set(_RATING) & set(names) and set(_SLUG) & set(names)):
        return None
    rows = [dict(zip(names, line.split("\t"), strict=False)) for line in lines[1:] if line.strip()]
    return rows or None


def _difficulty(row: Any) -> Iterator[ScrapedDifficulty]:
    if not isinstance(row, Mapping):
        raise TypeError(f"{type(row).__name__} is no row")
    rating = first_value(row, *_RATING)
    value = number(float(rating) if isinstance(rating, str) else rating)
    if not math.isfinite(value):
        raise ValueError(f"{rating!r} is no rating")
    yield ScrapedDifficulty(slug(first_value(row, *_SLUG)), SCALE, value, experimental=False)

"""Flags of a LeetCode problem, by its phrases, its starter code, its signature and category.

The site marks none of this. A flag keeps a problem from exact comparison until a checker decides, so the rules match
too much rather than too little.

`any_order` comes with `multiple_answers` and says that answers differ only in order: an unordered checker is enough.
`custom_driver` says that the site's own driver does more than call and compare (it reads further arguments, or looks at
only a part of an answer). `database`, `shell` and `concurrency` are problems without a call; they have no form.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from app.domain.judging.multiple_answers import MAX_SEARCHED_CHARS, MULTIPLE_ANSWERS, find_other_answers, is_fraction
from scrapers.sites._leetcode.signature import CallSpec, metadata

_INTERACTIVE: Final = re.compile(
    r"\binteractive (?:problem|task)|交互(?:式)?(?:题|问题)|\bAPIs?\b[^.\n]{0,60}\bdefined for you"
    r"|\bpre-?defined (?:API|function|interface)s?\b|\bcall (?:a|an|the) (?:\w+ ){0,4}API\b"
    r"|\bgiven APIs?\b|预(?:先)?定义(?:好)?的?\s?(?:API|接口|函数)|调用[^。\n]{0,30}(?:API|接口)",
    re.IGNORECASE,
)
_HIDDEN_API: Final = re.compile(
    r"\bAPIs?\b[^\n]{0,60}\bdefined for you|API interface|\bThis is the (?:[\w'’]+ ){0,3}interface\b", re.IGNORECASE
)
_TOLERANCE: Final = re.compile(
    r"\bwithin (?:an? (?:absolute|relative)|10\s?\^?\s?\{?[-−]?\d)|\b(?:absolute|relative) error"
    r"|误差|\b10\s?\^?\s?[-−]\d{1,2}\s?(?:以内|范围)",
    re.IGNORECASE,
)
_SQL: Final = frozenset({"mysql", "mssql", "oraclesql", "postgresql", "pythondata"})


def categories(question: Mapping[str, Any], tags: Collection[str], starter: Mapping[str, str]) -> tuple[str, ...]:
    """Return database, shell or concurrency for a problem without a call; empty for all others."""
    category = question.get("categoryTitle") or question.get("categorySlug")
    meta = metadata(question.get("metaData")) or {}
    labels = {str(category).lower(), *tags, *(name for name in ("database", "shell") if meta.get(name) is True)}
    if starter and set(starter) <= _SQL:
        labels.add("database")
    if set(starter) == {"bash"}:
        labels.add("shell")
    return tuple(name for name in ("database", "shell", "concurrency") if name in labels)


def flags_of(
    texts: Iterable[str],
    starter: Mapping[str, str],
    shape: CallSpec,
    topics: Sequence[str],
    *,
    image: bool,
    paid_only: bool,
) -> tuple[str, ...]:
    """Return the flags of a problem in a fixed order; `texts` is the statement in each language, `topics` its
    categories."""
    cut = [text[:MAX_SEARCHED_CHARS] for text in texts]
    return tuple(_flags(cut, starter, shape, topics, image=image, paid_only=paid_only))


def _flags(
    texts: list[str],
    starter: Mapping[str, str],
    shape: CallSpec,
    topics: Sequence[str],
    *,
    image: bool,
    paid_only: bool,
) -> Iterator[str]:
    def says(rule: re.Pattern[str]) -> bool:
        return any(rule.search(text) for text in texts)

    returns = shape.signature.returns if shape.signature is not None else ""
    if says(_INTERACTIVE) or any(_HIDDEN_API.search(code[:MAX_SEARCHED_CHARS]) for code in starter.values()):
        yield "interactive"
    other = find_other_answers(texts, returns)
    if other.several or other.order:
        yield MULTIPLE_ANSWERS
    if other.order and not other.several:
        yield "any_order"
    if says(_TOLERANCE) or is_fraction(returns):
        yield "float_tolerance"
    if image:
        yield "image"
    if paid_only:
        yield "paid_only"
    if shape.custom:
        yield "custom_driver"
    yield from topics

"""Envelope around every answer of Codeforces' API, and the values inside it.

An answer is {"status": "OK", "result": ...} or {"status": "FAILED", "comment": ...}. A result saved without its
envelope is read alike.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

from app.domain.sources.records import Classification
from scrapers.reading.page import SourcePage, scrub
from scrapers.site import ParsedPage

_MAX_TEXT_CHARS: Final = 2000

# Classes by the comment of a FAILED answer; the first that matches decides.
_REFUSALS: Final = (
    (re.compile(r"call limit exceeded|too many requests", re.IGNORECASE), "rate_limit", Classification.RATE_LIMITED),
    (re.compile(r"has not started|rating changes are unavailable", re.IGNORECASE), "not_open", Classification.NOT_OPEN),
    (re.compile(r"\bnot found\b|no such\b|не найден", re.IGNORECASE), "not_found", Classification.NOT_FOUND),
    (
        re.compile(
            r"have to be authenticated|not allowed to|only (?:contest )?managers? |incorrect (?:api key|signature)",
            re.IGNORECASE,
        ),
        "login",
        Classification.LOGIN,
    ),
    (
        re.compile(r"temporar(?:il)?y|internal (?:server )?error|unavailable", re.IGNORECASE),
        "unavailable",
        Classification.UNREACHABLE,
    ),
)


def unwrap(page: SourcePage) -> tuple[ParsedPage | None, Any]:
    """Return (why there is no result, the result)."""
    data = page.data
    if not isinstance(data, Mapping) or "status" not in data:
        return None, data
    if data["status"] == "OK":
        return None, data.get("result")
    comment = data.get("comment")
    message = " ".join(scrub(comment)[:300].split()) if isinstance(comment, str) else ""
    if data["status"] != "FAILED":
        return ParsedPage.not_read("no_status", "the answer has a status we do not know"), None
    for rule, code, classification in _REFUSALS:
        if rule.search(message):
            return ParsedPage.not_read(code, f"the site answered: {message}", classification), None
    return ParsedPage.not_read("failed", f"the site answered: {message or 'FAILED, without a reason'}"), None


def text(value: Any) -> str:
    """Return a text that is not empty. Raises TypeError for anything else."""
    if not isinstance(value, str) or not scrub(value).strip() or len(value) > _MAX_TEXT_CHARS:
        raise TypeError(f"a text is expected, not {type(value).__name__}")
    return scrub(value)


def number(value: Any) -> float:
    """Return a number of plausible size. Raises TypeError for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value or abs(value) > 1e15:
        raise TypeError(f"a number is expected, not {type(value).__name__}")
    return int(value) if isinstance(value, float) and value.is_integer() else value


def whole_number(value: Any) -> int:
    """Return a whole number. Raises TypeError for anything else."""
    result = number(value)
    if not isinstance(result, int):
        raise TypeError("a whole number is expected")
    return result


def identifier(value: Any) -> int:
    """Return the id of a contest. Raises TypeError or ValueError for anything else."""
    contest_id = whole_number(value)
    if not 0 < contest_id < 10**9:
        raise ValueError("the id is none")
    return contest_id

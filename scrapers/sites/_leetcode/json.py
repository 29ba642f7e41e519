"""Shared parts of LeetCode's JSON answers: GraphQL envelopes, refusals, and checks of the types of facts."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from app.domain.imports import EARLIEST_DATE
from app.domain.sources.records import Classification
from scrapers.reading.page import SourcePage, scrub
from scrapers.site import ParsedPage

_MIN_MILLISECONDS: Final = 10**11  # larger numbers are milliseconds: as seconds they are past the year 5000
_SLUG: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_\-]{0,199}")

# The first rule that fits the message of a refusal decides; without one, the site failed to answer.
_REFUSALS: Final = (
    (Classification.RATE_LIMITED, r"rate.?limit|too many|too (?:fast|frequent)|throttl|超出访问限制|频繁"),
    (Classification.BLOCKED, r"csrf|\bblocked\b|\bforbidden\b"),
    (Classification.PAID_ONLY, r"premium|subscri(?:be|ption)|会员"),
    (Classification.LOGIN, r"log ?in\b|logged|sign ?in\b|signed|authenticat|credentials|permission|登[录陆]|权限"),
    (Classification.NOT_OPEN, r"not (?:yet )?(?:been )?(?:start|open|beg[iu]n)|(?:未|没有?)开始|尚未"),
    (
        Classification.FORMAT_CHANGED,
        r"cannot query|unknown (?:argument|type|field|fragment|operation|directive)|syntax error|must (?:provide|have)"
        r"|got invalid value|of required type|expected type|must not have a (?:sub )?selection",
    ),
    (Classification.UNREACHABLE, r"internal|timed? ?out|unavailable|went wrong|server error|maintenance|维护"),
    # For unknown names the site also answers without a message.
    (Classification.NOT_FOUND, r"not exist|n't exist|not found|no such\b|不存在|找不到|未找到|without a message$"),
)


def read_answer(page: SourcePage) -> tuple[Any, ParsedPage | None]:
    """Return (the JSON value, why it is no answer); an answer that is partly refused is still one."""
    try:
        value = page.data
    except (ValueError, RecursionError) as broken:
        return None, ParsedPage.not_read("not_json", f"the body is no JSON: {type(broken).__name__}: {broken}"[:300])
    if isinstance(value, Mapping):
        message = graphql_errors(value) if not holds_data(value) else None
        if message is None and "data" not in value:
            message = _plain_error(value)
        if message is not None:
            return None, refusal(message)
    return value, None


def holds_data(value: Mapping[str, Any]) -> bool:
    """Return whether a GraphQL answer holds anything beside its errors."""
    data = value.get("data")
    return isinstance(data, Mapping) and any(value is not None for value in data.values())


def graphql_errors(value: Mapping[str, Any]) -> str | None:
    """Return the messages of a GraphQL answer's errors; None without any."""
    errors = value.get("errors")
    if not isinstance(errors, list) or not errors:
        return None
    messages = [error.get("message") if isinstance(error, Mapping) else error for error in errors[:5]]
    return "; ".join(short_text(message, 200) or "an error without a message" for message in messages)


def _plain_error(value: Mapping[str, Any]) -> str | None:
    """Return the message of {"error": ...} or {"detail": ...}, as Django and the contest pages answer."""
    if not set(value) <= {"error", "detail", "message", "code", "status", "success", "url"}:
        return None
    return next(
        (message for name in ("error", "detail", "message") if (message := short_text(value.get(name), 300))), None
    )


def refusal(message: str) -> ParsedPage:
    """Return the class that a message of the site stands for."""
    for classification, rule in _REFUSALS:
        if re.search(rule, message[:500], re.IGNORECASE):
            code = "not_found" if classification is Classification.NOT_FOUND else "refused"
            return ParsedPage.not_read(code, message[:300], classification)
    return ParsedPage.not_read("refused", message[:300], Classification.UNREACHABLE)


def short_text(value: Any, limit: int = 300) -> str | None:
    """Return a short text on one line, its spaces unchanged; None for anything else."""
    if not isinstance(value, str):
        return None
    return re.sub(r"[\r\n\t]+", " ", scrub(value[: limit * 4]).strip())[:limit] or None


def slug(value: Any) -> str:
    """Return a title slug. Raises TypeError for anything else."""
    if not isinstance(value, str) or not _SLUG.fullmatch(value.strip()):
        raise TypeError(f"{str(value)[:80]!r} is no title slug")
    return value.strip()


def first_value(row: Mapping[str, Any], *names: str) -> Any:
    """Return the first of these facts that a row has."""
    return next((row[name] for name in names if row.get(name) is not None), None)


def number(value: Any) -> float:
    """Return a number of plausible size. Raises TypeError for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value or abs(value) > 1e15:
        raise TypeError(f"{str(value)[:80]!r} is no number")
    return int(value) if isinstance(value, float) and value.is_integer() else value


def instant(value: Any) -> datetime | None:
    """Return a time in seconds or milliseconds since 1970; None if absent or before any contest. Raises TypeError."""
    if value is None:
        return None
    if isinstance(value, str) and re.fullmatch(r"\d{9,13}", value):
        value = int(value)
    seconds = number(value)
    when = datetime.fromtimestamp(seconds / 1000 if seconds > _MIN_MILLISECONDS else seconds, tz=UTC)
    return when if when >= EARLIEST_DATE else None


def duration(value: Any) -> timedelta | None:
    """Return a duration in seconds; None if absent or not positive. Raises TypeError."""
    if value is None:
        return None
    seconds = number(value)
    return timedelta(seconds=seconds) if 0 < seconds < 10**8 else None

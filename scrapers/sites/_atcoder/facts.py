"""Facts AtCoder writes the same way on many pages: ids in addresses, times, limits, points."""

import math
import re
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal, InvalidOperation
from typing import Final
from urllib.parse import parse_qs, urlsplit

from bs4 import Tag

from app.domain.imports import EARLIEST_DATE
from scrapers.reading.amounts import amount
from scrapers.reading.html import attribute, tags, visible_text

_JST: Final = timezone(timedelta(hours=9))
_TASK_PATH: Final = re.compile(r"/contests/([A-Za-z0-9_\-]{1,80})/tasks/([A-Za-z0-9_\-]{1,80})(?:/|$)")
_CONTEST_PATH: Final = re.compile(r"/contests/([A-Za-z0-9_\-]{1,80})(?:/|$)")
_OLD_HOST: Final = re.compile(r"^([A-Za-z0-9_\-]{1,80})\.contest\.atcoder\.jp$")
_OLD_TASK_PATH: Final = re.compile(r"^/tasks/([A-Za-z0-9_\-]{1,80})(?:/|$)")
TRAINING: Final = "training"
_NOT_CONTESTS: Final = frozenset({"archive"})

_FULL_TIME: Final = re.compile(r"(\d{4})[-/](\d{2})[-/](\d{2})[T ](\d{2}):(\d{2})(?::(\d{2}))?\s*(Z|[+-]\d{2}:?\d{2})")
_ISO_LINK: Final = re.compile(r"^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})?$")
_TOKYO: Final = "248"  # timeanddate.com's number of the city

_TIME: Final = re.compile(
    r"([\d,]+(?:\.\d+)?)\s*(msecs?|ms|milli-?seconds?|secs?|seconds?|s|秒|ミリ秒|mins?|minutes?|分)(?![A-Za-z])",
    re.IGNORECASE,
)
_MEMORY: Final = re.compile(r"([\d,]+(?:\.\d+)?)\s*(bytes?|[KMGT]i?B?)(?![A-Za-z])", re.IGNORECASE)
_TIME_LABEL: Final = re.compile(r"(?:time limit|実行時間制限|時間制限|制限時間)\s*[:：]?", re.IGNORECASE)
_MEMORY_LABEL: Final = re.compile(r"(?:memory limit|メモリー?制限)\s*[:：]?", re.IGNORECASE)
LIMIT_LINE: Final = re.compile(rf"{_TIME_LABEL.pattern}|{_MEMORY_LABEL.pattern}", re.IGNORECASE)
_POINTS: Final = re.compile(
    r"(?:\bscore|配点)\s*[:：]?\s*\$?([\d,]+(?:\.\d+)?(?:\s*[+＋]\s*[\d,]+)*)\$?\s*(?:points?|pts?|点)", re.IGNORECASE
)
_HEURISTIC_ID: Final = re.compile(
    r"^(?:ahc\d|chokudai(?:contest)?\d|future-contest-|hokudai-hitachi|rco-contest|toyota-hc|intro-heuristics"
    r"|.*(?:heuristic|marathon))",
    re.IGNORECASE,
)
_TRAINING_ID: Final = re.compile(r"^adt_", re.IGNORECASE)
_HEURISTIC_TITLE: Final = re.compile(r"heuristic|ヒューリスティック|marathon|マラソン", re.IGNORECASE)


def task_ids(url: str) -> tuple[str | None, str | None]:
    """Return (contest, task) of a task's address on the present or the old host; None for what it does not name."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return None, None
    match = _TASK_PATH.search(parts.path)
    if match:
        return match[1], match[2]
    host, old = _OLD_HOST.match(parts.hostname or ""), _OLD_TASK_PATH.match(parts.path)
    return (host[1], old[1]) if host and old else (None, None)


def contest_id(url: str) -> str | None:
    """Return the contest that an address is about; None for any other address."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    match = _CONTEST_PATH.search(parts.path)
    if match and match[1] not in _NOT_CONTESTS:
        return match[1]
    host = _OLD_HOST.match(parts.hostname or "")
    return host[1] if host else None


def instant(tag: Tag) -> datetime | None:
    """Return the time of a `time` element (or a cell around it), in UTC; None for an implausible one.

    The server writes an offset. A page saved from a browser shows the reader's local time instead; the link around it
    still holds Tokyo's.
    """
    match = _FULL_TIME.search(visible_text(tag, 100))
    when = _full_time(match) if match else _tokyo_time(tag)
    return when if when is not None and when >= EARLIEST_DATE else None


def _tokyo_time(tag: Tag) -> datetime | None:
    link = tag.parent if tag.parent is not None and tag.parent.name == "a" else next(tags(tag, "a"), None)
    query = parse_qs(attribute(link, "href").partition("?")[2]) if link is not None else {}
    local = _ISO_LINK.match((query.get("iso") or [""])[0])
    if local is None or (query.get("p1") or [""])[0] != _TOKYO:
        return None
    try:
        return datetime(*(int(part or 0) for part in local.groups()), tzinfo=_JST).astimezone(UTC)  # type: ignore[arg-type,misc]
    except (ValueError, OverflowError):
        return None


def _full_time(match: re.Match[str]) -> datetime | None:
    year, month, day, hour, minute, second, offset = match.groups()
    zone = "+0000" if offset == "Z" else offset.replace(":", "")
    try:
        return datetime.strptime(
            f"{year}-{month}-{day} {hour}:{minute}:{second or '00'} {zone}", "%Y-%m-%d %H:%M:%S %z"
        ).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def duration(text: str) -> timedelta | None:
    """Return a length written as HH:MM, hours without bound."""
    match = re.fullmatch(r"\s*(\d{1,5}):([0-5]\d)\s*", text)
    return timedelta(hours=int(match[1]), minutes=int(match[2])) if match else None


def time_limit_ms(text: str) -> int | None:
    """Return the milliseconds of a limit such as "2 sec", "2.5 sec" or "500 msec"; None without one."""
    match = amount(_TIME, text)
    if match is None:
        return None
    unit = match[2].lower()
    scale = 1 if unit.startswith(("ms", "milli", "ミリ")) else 60_000 if unit.startswith(("min", "分")) else 1000
    return _positive(_number(match[1]) * scale)


def memory_limit_mb(text: str) -> int | None:
    """Return the site's number of megabytes, MB and MiB alike; None without one."""
    match = amount(_MEMORY, text)
    if match is None:
        return None
    number, unit = _number(match[1]), match[2][0].upper()
    if unit == "K":
        # 65536 KB is 64 MB and 1000000 KB is 1000 MB: divide by 1000 or 1024, whichever leaves no rest.
        return _positive(number / 1000 if number % 1024 and not number % 1000 else number / 1024)
    scale = {"B": Decimal(1) / 2**20, "M": Decimal(1), "G": Decimal(1024), "T": Decimal(1024 * 1024)}[unit]
    return _positive(number * scale)


def limits(line: str) -> tuple[int | None, int | None]:
    """Return (milliseconds, megabytes) of a line such as "Time Limit: 2 sec / Memory Limit: 1024 MiB"."""
    time, memory = _TIME_LABEL.search(line), _MEMORY_LABEL.search(line)
    return (
        time_limit_ms(line[time.end() : time.end() + 40]) if time else None,
        memory_limit_mb(line[memory.end() : memory.end() + 40]) if memory else None,
    )


def points(text: str) -> float | None:
    """Return the score of a task from "Score: 600 points" or 配点 : 100 + 500 点 (the sum of its parts)."""
    match = _POINTS.search(text)
    if match is None:
        return None
    total = sum(_number(part) for part in re.split(r"[+＋]", match[1]))
    return int(total) if total == int(total) else float(total)


def split_title(heading: str) -> tuple[str | None, str | None]:
    """Return (index, title) of a heading such as "Ex - Make Q"; without an index all of it is the title."""
    text = " ".join(heading.split())
    match = re.match(r"([A-Za-z0-9#]{1,6}(?:[-_][A-Za-z0-9]{1,3})?)\s*(?:[-–—:：]|\.\s)\s*(\S.*)$", text)
    if match:
        return match[1], match[2]
    return None, text or None


def looks_heuristic(external_id: str, title: str | None) -> bool:
    """Return whether programs are scored in a contest without a kind mark, by its id or title."""
    return bool(_HEURISTIC_ID.match(external_id) or _HEURISTIC_TITLE.search(title or ""))


def is_training(external_id: str | None) -> bool:
    """Return whether a contest is a daily training, which reuses old tasks and so dates nothing."""
    return external_id is not None and _TRAINING_ID.match(external_id) is not None


def kind_of(external_id: str, title: str | None) -> str | None:
    """Return the kind of a contest without a mark, by its id or title."""
    if is_training(external_id):
        return TRAINING
    return "heuristic" if looks_heuristic(external_id, title) else None


def _number(text: str) -> Decimal:
    """Return a number whose commas separate thousands; zero otherwise, since 2,5 is a decimal in half the world."""
    if "," in text and not re.fullmatch(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?", text):
        return Decimal(0)
    try:
        return Decimal(text.replace(",", ""))
    except InvalidOperation:
        return Decimal(0)


def _positive(number: Decimal) -> int | None:
    """Return a limit rounded up, as it must never be tighter than the site's; None for zero."""
    return math.ceil(number) if 0 < number < 2**31 else None

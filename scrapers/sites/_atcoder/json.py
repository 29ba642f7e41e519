"""AtCoder's standings and the two resources of AtCoder Problems: JSON."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

from app.domain.imports import EARLIEST_DATE
from app.domain.sources.records import ScrapedContest, ScrapedDifficulty, ScrapedStanding
from scrapers.reading.page import SourcePage, scrub
from scrapers.reading.rows import collect
from scrapers.site import ParsedPage
from scrapers.sites._atcoder.facts import kind_of

SCALE: Final = "kenkoooo"  # estimates of AtCoder Problems (kenkoooo.com), which may be negative
_ACCEPTED: Final = 1


def parse_standings(page: SourcePage) -> ParsedPage:
    """Return one standing for each row. An old rating of 0 means none, and becomes None."""
    data = page.data
    rows = data.get("StandingsData") if isinstance(data, Mapping) else None
    if not isinstance(rows, list) or not isinstance(data.get("TaskInfo"), list):
        return ParsedPage.not_read("no_standings", "there is no StandingsData with TaskInfo")
    return collect(rows, lambda row: (_standing(row),), "StandingsData")


def _standing(row: Any) -> ScrapedStanding:
    total = row["TotalResult"]
    results: Mapping[str, Any] = row.get("TaskResults") or {}
    return ScrapedStanding(
        rank=_integer(row["Rank"]),
        participant=_text(row["UserScreenName"]),
        rating=_integer(row["OldRating"]) or None,
        points=_number(_number(total["Score"]) / 100),
        penalty=_number(total["Penalty"]),
        solved=tuple(_text(task) for task, result in results.items() if result["Status"] == _ACCEPTED),
    )


def parse_problem_models(page: SourcePage) -> ParsedPage:
    """Return one difficulty for each task that has one."""
    data = page.data
    if not isinstance(data, Mapping) or not data:
        return ParsedPage.not_read("no_models", "the body is no object of models by task id")
    return collect(
        (item for item in data.items() if not isinstance(item[1], Mapping) or item[1].get("difficulty") is not None),
        lambda item: (_model(item),),
        "problem models",
    )


def _model(item: tuple[str, Any]) -> ScrapedDifficulty:
    task, model = item
    experimental = model.get("is_experimental")
    return ScrapedDifficulty(
        external_id=_text(task),
        scale=SCALE,
        value=_number(model["difficulty"]),
        experimental=experimental if isinstance(experimental, bool) else None,
    )


def parse_contests(page: SourcePage) -> ParsedPage:
    """Return one contest for each row of contests.json."""
    data = page.data
    if not isinstance(data, list) or not data:
        return ParsedPage.not_read("no_contests", "the body is no list of contests")
    return collect(data, lambda row: (_contest(row),), "contests")


def _contest(row: Any) -> ScrapedContest:
    external_id, title = _text(row["id"]), _text(row["title"])
    start, length = _number(row["start_epoch_second"]), _number(row["duration_second"])
    starts_at = datetime.fromtimestamp(start, tz=UTC)
    ends_at = datetime.fromtimestamp(start + length, tz=UTC)
    dated = starts_at >= EARLIEST_DATE  # a course that is always open starts in 1970; its end is meaningless too
    return ScrapedContest(
        external_id=external_id,
        title=title,
        kind=kind_of(external_id, title),
        rated_range=_text(row["rate_change"]).strip() if row.get("rate_change") else None,
        starts_at=starts_at if dated else None,
        ends_at=ends_at if dated else None,
    )


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value:
        raise TypeError(f"{value!r} is no text")
    return scrub(value)


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value or abs(value) > 1e15:
        raise TypeError(f"{value!r} is no number")
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _integer(value: Any) -> int:
    number = _number(value)
    if not isinstance(number, int):
        raise TypeError(f"{value!r} is no whole number")
    return number

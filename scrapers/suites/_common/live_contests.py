"""Contests of the bundled contest site: problems of the league that are held back until a contest ends with them."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

from app.domain.errors import InvalidProblem
from scrapers.suites._common.fields import UnknownKeys
from scrapers.suites._common.league_files import table

LIVE_FILE: Final = "live.toml"
LIVE_KEYS: Final = frozenset({"slug", "title_en", "title_zh", "duration_min", "problems", "changed"})


@dataclass(frozen=True, slots=True)
class LiveContest:
    """A contest without a date. `changed` are problems whose page is shown in a form that its reader does not know."""

    slug: str
    titles: Mapping[str, str]
    duration: timedelta
    problems: tuple[str, ...]
    changed: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class DatedContest:
    """A live contest with its time in UTC."""

    contest: LiveContest
    starts_at: datetime
    ends_at: datetime


def read_live_contests(folder: Path, locales: Collection[str], unknown: UnknownKeys) -> tuple[LiveContest, ...]:
    """Return the contests of a league's live.toml, in order; none without the file. Raises InvalidProblem."""
    path = folder / LIVE_FILE
    if not path.exists():
        return ()
    try:
        rows = table(path).pop("contest")
        contests = tuple(_contest(row, locales) for row in rows)
        for row in rows:
            unknown.note_keys(f"{LIVE_FILE}:1", row)
    except (KeyError, TypeError, ValueError, AttributeError) as wrong:
        raise InvalidProblem(f"{path}: {type(wrong).__name__}: {wrong}") from wrong
    if len({contest.slug for contest in contests}) != len(contests):
        raise InvalidProblem(f"{path}: two contests have one slug")
    return contests


def _contest(row: Mapping[str, Any], locales: Collection[str]) -> LiveContest:
    problems, changed = tuple(map(str, row["problems"])), frozenset(map(str, row.get("changed", ())))
    if not changed.issubset(problems):
        raise ValueError(f"{row['slug']}: a changed page is of no problem of the contest")
    return LiveContest(
        slug=str(row["slug"]),
        titles={locale: str(row[f"title_{locale}"]) for locale in locales},
        duration=timedelta(minutes=row["duration_min"]),
        problems=problems,
        changed=changed,
    )


def date_contests(contests: Collection[LiveContest], first_end: datetime, pace: timedelta) -> tuple[DatedContest, ...]:
    """Return the contests with their times: the first one ends at `first_end`, each other one `pace` after the last."""
    ends = [first_end + number * pace for number in range(len(contests))]
    return tuple(
        DatedContest(contest, end - contest.duration, end) for contest, end in zip(contests, ends, strict=True)
    )

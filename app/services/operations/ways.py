"""Where each contest is on its way from its end to the board, and how long that takes."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from app.db.kernel.session import Session
from app.db.sources import ways as store
from app.domain.sources.way import ContestWay, StepTime, times, way

_SHOWN = 20  # contests; a site has about two a week
_WEEKS = 8


@dataclass(frozen=True, slots=True)
class Week:
    """How many problems of sites were published in a week that begins on this Monday, UTC."""

    monday: date
    problems: int


@dataclass(frozen=True, slots=True)
class Pace:
    """How long the steps of the last contests took, and how many problems came of it."""

    steps: tuple[StepTime, ...]
    weeks: tuple[Week, ...]


def contests(session: Session, now: datetime) -> list[ContestWay]:
    """How far each of the last contests is, the newest first."""
    return [way(contest) for contest in store.ended(session, now, _SHOWN)]


def pace(session: Session, ways: list[ContestWay], now: datetime) -> Pace:
    """The times of each step over the last ten of these contests, and the problems published in each week."""
    today = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    monday = today - timedelta(days=today.weekday())
    mondays = [monday - timedelta(weeks=back) for back in range(_WEEKS)]
    counts = {at.astimezone(UTC): n for at, n in store.published_by_week(session, mondays[-1]).items()}
    return Pace(times(ways), tuple(Week(each.date(), counts.get(each, 0)) for each in mondays))

"""Progress of contests from their end to the board, and the time of each step."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from app.db.kernel.session import Session
from app.db.sources import contest_progress as store
from app.domain.sources.contest_progress import ContestProgress, StepTime, contest_progress, step_times

_MAX_CONTESTS = 20  # contests; a site has about two a week
_WEEKS = 8
_NEWS_AGE = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class PublishedWeek:
    """Number of problems of sites published in the week that begins on this Monday, UTC."""

    monday: date
    problems: int


@dataclass(frozen=True, slots=True)
class ContestPace:
    """Times of the steps of the last contests, and the number of problems published."""

    steps: tuple[StepTime, ...]
    weeks: tuple[PublishedWeek, ...]


@dataclass(frozen=True, slots=True)
class ContestNews:
    """The contest that ended last, with how many of its problems are listed, read, published and held.

    A problem that is listed and not read has no statement here. `demo`: the contest is invented.
    """

    source: str
    contest: str
    title: str
    demo: bool
    ended_at: datetime
    listed: int
    read: int
    published: int
    held: int


def newest_contest(session: Session, now: datetime) -> ContestNews | None:
    """Return the contest that ended last within a week and has problems here; None without any."""
    row = store.newest_contest(session, now - _NEWS_AGE, now)
    if row is None:
        return None
    return ContestNews(
        row.source, row.name, row.title, row.demo, row.ended_at, row.listed, row.read, row.published, row.held
    )


def contests(session: Session, now: datetime) -> list[ContestProgress]:
    """Return the progress of the last contests, newest first."""
    return [contest_progress(contest) for contest in store.ended_contests(session, now, _MAX_CONTESTS)]


def contest_pace(session: Session, ways: list[ContestProgress], now: datetime) -> ContestPace:
    """Return the times of each step over the last ten of these contests, and the problems published in each week."""
    today = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    monday = today - timedelta(days=today.weekday())
    mondays = [monday - timedelta(weeks=weeks_ago) for weeks_ago in range(_WEEKS)]
    counts = {at.astimezone(UTC): n for at, n in store.published_by_week(session, mondays[-1]).items()}
    return ContestPace(step_times(ways), tuple(PublishedWeek(start.date(), counts.get(start, 0)) for start in mondays))

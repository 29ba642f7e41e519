"""News of the last week for a board's page: the newest contest, problems, moved ranks, and how fresh each site is."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from app.db.kernel.session import Session
from app.db.operations import ledger
from app.db.sources import monitoring
from app.services.operations.changes import PROBLEM_ADDED, SCORE_CHANGED
from app.services.operations.contest_progress import ContestNews, newest_contest

NEWS_PERIOD: Final = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class SiteFreshness:
    """One site: the seconds since its last visit, None before the first, and those that its contests are overdue."""

    slug: str
    name: str
    visited_s: float | None
    late_s: float | None


@dataclass(frozen=True, slots=True)
class BoardNews:
    """The numbers of problems published and of ranks moved by corrections in the last week, and the sites in use.

    `contest` is the contest of a site that ended last within the week; None without any.
    """

    problems: int
    rank_moves: int
    sites: tuple[SiteFreshness, ...]
    contest: ContestNews | None


def board_news(session: Session, now: datetime) -> BoardNews:
    """Return the news of the week before an instant."""
    overdue: dict[str, datetime] = {}
    for contest in monitoring.open_contests(session):
        if contest.is_late(now):
            overdue.setdefault(contest.source, contest.late_at)  # the longest overdue comes first
    return BoardNews(
        problems=ledger.count_since(session, PROBLEM_ADDED, now - NEWS_PERIOD),
        rank_moves=ledger.count_since(session, SCORE_CHANGED, now - NEWS_PERIOD, moved=True),
        sites=tuple(
            SiteFreshness(
                site.slug,
                site.name,
                None if site.last_at is None else max((now - site.last_at).total_seconds(), 0.0),
                (now - overdue[site.slug]).total_seconds() if site.slug in overdue else None,
            )
            for site in monitoring.sites(session)
            if site.enabled
        ),
        contest=newest_contest(session, now),
    )

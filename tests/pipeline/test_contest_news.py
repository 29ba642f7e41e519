"""The contest that ended last, with how many of its problems are read, published and held."""

from datetime import timedelta

from factories import World
from pipeline.flow import NOW

from app.db.kernel.session import Session
from app.db.tables import Contest, Problem
from app.domain.publishing.holds import NO_STATEMENT
from app.domain.sources.kinds import DEMO_SITE
from app.domain.states import ProblemState
from app.services.operations.contest_progress import ContestNews, newest_contest

DAY = timedelta(days=1)


def listed(world: World, name: str, contest: str, days_ago: int, source: str = "atcoder", **facts: object) -> Problem:
    return world.problem(name, day=(NOW - days_ago * DAY).date(), source=source, contest=contest, **facts)  # type: ignore[arg-type]


def test_it_counts_the_problems_of_the_contest_that_ended_last(session: Session) -> None:
    world = World(session)
    assert newest_contest(session, NOW) is None
    listed(world, "old", "older", 4)
    listed(world, "good", "newer", 2)
    held = {"state": ProblemState.HELD, "hold_reason": NO_STATEMENT}
    unread = listed(world, "unread", "newer", 2, **held)
    unread.current_version_id = None
    listed(world, "disputed", "newer", 2, **held)
    listed(world, "gone", "newer", 2, state=ProblemState.WITHDRAWN)
    session.flush()
    news = newest_contest(session, NOW)
    ended = session.get_one(Contest, unread.contest_id).ends_at
    assert ended is not None
    assert news == ContestNews(
        "atcoder", "newer", "Contest newer", demo=False, ended_at=ended, listed=3, read=2, published=1, held=2
    )
    assert newest_contest(session, ended + 8 * DAY) is None, "it is no news any more"


def test_contests_to_come_and_imported_ones_are_no_news_and_invented_ones_are_marked(session: Session) -> None:
    world = World(session)
    world.source(DEMO_SITE, demo=True)
    listed(world, "shown", "slack-water", 3, source=DEMO_SITE)
    listed(world, "imported", "house-9", 1, source="house")
    listed(world, "early", "to-come", -2)
    news = newest_contest(session, NOW)
    assert news is not None
    assert (news.source, news.contest, news.demo) == (DEMO_SITE, "slack-water", True)

"""Contests with people, as the newest captures say: whose problems, worth what, and who is compared with what."""

from collections.abc import Sequence
from datetime import date, timedelta

from factories import World

from app.db.kernel.session import Session
from app.db.sources.standings import RatedContest, rated_contests, store_rating_changes, store_standings
from app.db.tables import Difficulty, ProblemAlias
from app.domain.sources.records import ScrapedRatingChange, ScrapedStanding

SITE = "codeforces"
DAY = date(2026, 6, 1)
PLACES = [
    ScrapedStanding(1, "ann", points=1000, penalty=5, solved=("1550/A",)),
    ScrapedStanding(2, "bob", penalty=0),
    ScrapedStanding(None, "cleo", points=300, penalty=0),
    ScrapedStanding(3, "dan", points=200),
]
CHANGES = [
    ScrapedRatingChange(1, 1500, 1520),
    ScrapedRatingChange(2, 1400, 1390),
    ScrapedRatingChange(3, 1300, 1290),
    ScrapedRatingChange(4, None, 1200),
    ScrapedRatingChange(5, 1100, 1000),
]


def keep(world: World, name: str, day: date, hours: int = 0, places: Sequence[ScrapedStanding] = PLACES) -> None:
    """Both lists of a contest, the second an hour after the first."""
    contest = world.contest(world.source(SITE), name, day)
    at = world.now + timedelta(hours=hours)
    store_standings(world.session, contest.id, places, at)
    store_rating_changes(world.session, contest.id, CHANGES, at + timedelta(hours=1))


def contests(session: Session, *problems: int) -> dict[str, RatedContest]:
    found = rated_contests(session, SITE, problems)
    return {contest.external_id: contest for contest in found}


def test_people_points_and_problems_are_those_of_the_newest_captures(session: Session) -> None:
    world = World(session)
    own = world.problem("1550/A", source=SITE, day=DAY)
    dated = world.problem("acm/z", source=SITE, contest="1550", day=DAY)
    shared = world.problem("1551/C", source=SITE, day=DAY)
    session.add(ProblemAlias(source_id=shared.source_id, alias="1550/C", problem_id=shared.id))
    for hours, value in ((0, 500.0), (1, 750.0)):
        at = world.now + timedelta(hours=hours)
        session.add(Difficulty(problem_id=own.id, scale="points", value=value, observed_at=at))
    keep(world, "1550", DAY, places=[ScrapedStanding(1, "ann", points=1, penalty=0)])
    keep(world, "1550", DAY, hours=2)
    keep(world, "1551", DAY - timedelta(days=1))
    keep(world, "1548", DAY)  # of which no problem is known
    keep(world, "1546", DAY)
    world.problem("1546/A", source=SITE, day=DAY)
    world.contest(world.source(SITE), "1546", DAY).starts_at = None
    half = world.contest(world.source(SITE), "1547", DAY)
    world.problem("1547/A", source=SITE, day=DAY)
    store_standings(session, half.id, PLACES, world.now)
    session.flush()

    found = contests(session, own.id, dated.id, shared.id)
    assert list(found) == ["1551", "1550", "1546"], "as they were held; one without ratings is none"
    contest = found["1550"]
    assert contest.problems == {own.id: 750.0, dated.id: None, shared.id: None}
    assert contest.people == ((1000.0, 5.0, 1500.0), (200.0, 0.0, 1300.0))
    assert (contest.unmatched, contest.lacking, contest.invented) == (2, 0, False)
    assert contest.captured_at == world.now + timedelta(hours=1), "of both lists the older one's"
    assert found["1551"].problems == {shared.id: None}

    lacking = contests(session, own.id, shared.id)["1550"]
    assert (lacking.people, lacking.unmatched, lacking.lacking) == ((), 0, 1)

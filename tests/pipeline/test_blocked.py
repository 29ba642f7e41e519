"""A source that blocks us is asked once a day, whatever for, and gives everything again once it does not."""

from datetime import datetime, timedelta
from itertools import pairwise

from fakes.fake_site import Asked, Reply
from fakes.faults import FAULTS
from fakes.sites.codeforces import Codeforces
from pipeline.test_standings import DAY, HOUR, House, fresh_database, house, place, rated_after, visited
from sqlalchemy import select

from app.db.tables import ScrapeRun
from app.domain.sources.schedule import BLOCKED_WAIT
from workers import tasks

__all__ = ["fresh_database", "house", "place", "rated_after", "visited"]  # fixtures

STEP = timedelta(hours=6)
PURPOSES = {"problems", "ratings", "standings"}


def block(house: House, part: str = "") -> None:
    """From now on what has this in its path is challenged."""
    answer = Codeforces(house.world, house.watch, noai=False)

    def reply(asked: Asked) -> Reply:
        given = answer(asked)
        return FAULTS["challenge"].spoil(given) if part in asked.path else given

    house.site.pages.clear()
    house.site._answer = reply


def heal(house: House) -> None:
    block(house, "no such path")


def until(house: House, end: datetime) -> list[tuple[datetime, str]]:
    """Wake the schedule every few hours; when it visited, and what for."""
    found = []
    while house.watch.at < end:
        moment = house.watch.at + STEP
        found += [(moment, purpose) for purpose in house.wake(moment)]
    return found


def states(house: House, since: datetime) -> list[tuple[datetime, str, str]]:
    with house.ctx.sessions() as session:
        rows = session.scalars(select(ScrapeRun).where(ScrapeRun.started_at > since).order_by(ScrapeRun.id))
        return [(row.started_at, row.purpose, row.state) for row in rows]


def test_a_site_with_three_purposes_is_asked_once_a_day_while_it_blocks_and_for_all_once_it_heals(house: House) -> None:
    block(house)
    began = house.watch.at
    due = until(house, began + 4 * DAY)
    seen = states(house, began)
    assert [state for _, _, state in seen] == ["blocked"] * len(seen)
    assert 3 <= len(seen) <= 4
    assert min(later - sooner for (sooner, _, _), (later, _, _) in pairwise(seen)) >= BLOCKED_WAIT
    assert {purpose for _, purpose, _ in seen} == PURPOSES, "each has its turn"
    assert len(due) <= len(seen) + 2, "what was due at the moment of the first refusal, and one a day from then on"
    days = {when.date() for when, _ in house.site.log if when > began}
    asked = [when for when, each in house.site.log if when > began and each.path != "/robots.txt"]
    assert len(asked) == len(seen), "one request, and it is refused"
    assert len(days) >= 3
    heal(house)
    healed = house.watch.at
    until(house, healed + DAY)
    seen = states(house, healed)
    assert {state for _, _, state in seen} == {"succeeded"}
    assert {purpose for _, purpose, _ in seen} == PURPOSES, "each has its turn within a day"
    assert house.expected_row().state == "met"


def test_what_it_refuses_alone_cannot_keep_the_rest_from_us(house: House) -> None:
    """The list of contests is blocked and the people are not: they come, one visit a day behind."""
    block(house, "contest.list")
    began = house.watch.at
    until(house, began + 5 * DAY)
    seen = states(house, began)
    refused = [moment for moment, _, state in seen if state == "blocked"]
    assert {purpose for _, purpose, state in seen if state == "blocked"} == {"problems"}
    assert {purpose for _, purpose, state in seen if state == "succeeded"} >= {"ratings", "standings"}
    assert min(later - sooner for sooner, later in pairwise(refused)) >= BLOCKED_WAIT
    assert all(not moment < other < moment + BLOCKED_WAIT for moment in refused for other, _, _ in seen)
    assert house.expected_row().state == "met"


def test_a_visit_by_hand_that_succeeds_ends_the_rest(house: House) -> None:
    block(house)
    until(house, house.watch.at + DAY)
    heal(house)
    house.watch.at += HOUR
    assert house.wake(house.watch.at) == []
    tasks.gather_facts("codeforces", "ratings")
    house.watch.at += STEP
    assert "problems" in house.wake(house.watch.at)

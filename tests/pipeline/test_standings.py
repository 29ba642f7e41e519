"""Who took part in a round and with which rating: asked for a day after it, kept without names, given up in the end."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from fakes.fake_site import Asked, Reply
from fakes.faults import FAULTS
from fakes.sites.codeforces import Codeforces
from fakes.sites.live import LiveSite
from fakes.world import FakeContest, calendar, smaller
from pipeline.visiting import Hasty
from sqlalchemy import delete, select
from support.servers import Servers

from app.config import Settings
from app.db.kernel import blobs
from app.db.tables import Contest, ContestStanding, ExpectedDataRow, Problem
from app.services.sources import schedule
from app.source_settings import SourceSettings
from workers import tasks
from workers.context import Context, context, leave, make_context, use
from workers.sites import Sites

MONDAY = datetime(2026, 5, 4, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
NAMES = ("brook", "cedar", "fern", "moss")  # of those who take part in every round of the fake site
UNRATED = timedelta(days=999)


class Watch:
    """A clock that is set by hand."""

    at = MONDAY

    def __call__(self) -> datetime:
        return self.at


@dataclass
class Place:
    """The fake site at an address that stays, where each test has a world of its own."""

    watch: Watch
    world: tuple[FakeContest, ...]
    site: LiveSite = field(init=False)
    _served: Codeforces = field(init=False)

    def __post_init__(self) -> None:
        self.site = LiveSite(lambda asked: self._served(asked), self.watch)
        self.serve(self.world)

    def serve(self, world: tuple[FakeContest, ...]) -> None:
        """From now on the site has this world, and nobody has asked it anything."""
        self.world, self._served = world, Codeforces(world, self.watch, noai=False)
        self.site.pages.clear()
        self.site.log.clear()

    def over(self, settings: Settings) -> Context:
        """A context whose Codeforces it is, the only site there is."""
        there = SourceSettings(base_url=self.site.url, pace_s=0.0, fetch_statements=True)
        off = {name: SourceSettings(enabled=False) for name in ("atcoder", "leetcode")}
        given = {"sources": {"codeforces": there, **off}, "contact": "operator@example.test"}
        ctx = use(replace(make_context(settings.model_copy(update=given)), clock=self.watch))
        ctx.parts[Sites] = Hasty(ctx)
        return ctx


@dataclass
class House:
    """The fake site and what asks it. The round is the newest of three."""

    site: LiveSite
    watch: Watch
    world: tuple[FakeContest, ...]

    @property
    def ctx(self) -> Context:
        """What the tasks run over."""
        return context()

    @property
    def round(self) -> FakeContest:
        """The contest that the tests look at."""
        return self.world[-1]

    def wake(self, at: datetime, *, only: str = "") -> list[str]:
        """What the schedule does at a moment, or what of it is of one purpose; the purposes it visited for."""
        self.watch.at = at
        due = self.ctx.commit(schedule.due_visits, self.ctx.part(Sites).polling_intervals(), at)
        due = [(source, purpose) for source, purpose in due if purpose == (only or purpose)]
        for source, purpose in due:
            tasks.visit(source, purpose)
        return [purpose for _, purpose in due]

    def expected_row(self, contest: FakeContest | None = None) -> ExpectedDataRow:
        """The line of a round's standings."""
        chosen = contest or self.round
        with self.ctx.sessions() as session:
            return session.scalars(
                select(ExpectedDataRow)
                .join(Contest, Contest.id == ExpectedDataRow.contest_id)
                .where(Contest.external_id == chosen.external_id, ExpectedDataRow.purpose == "standings")
            ).one()

    def kept(self) -> list[tuple[str, datetime, int, list[list[Any]]]]:
        """The people of the round: (kind, when they were seen, how many, their rows)."""
        with self.ctx.sessions() as session:
            rows = session.scalars(
                select(ContestStanding)
                .join(Contest, Contest.id == ContestStanding.contest_id)
                .where(Contest.external_id == self.round.external_id)
                .order_by(ContestStanding.kind, ContestStanding.captured_at)
            ).all()
            return [
                (row.kind, row.captured_at, row.rows, json.loads(blobs.get(session, row.blob_sha256))) for row in rows
            ]

    def people(self, kind: str) -> list[list[Any]]:
        """The rows of one kind as they were seen last."""
        return [rows for found, _, _, rows in self.kept() if found == kind][-1]

    def asked(self) -> int:
        """How often the round's people were asked for."""
        path = f"/api/contest.ratingChanges?contestId={self.round.external_id}"
        return [asked.path for _, asked in self.site.log].count(path)


def world(rated_after: timedelta) -> tuple[FakeContest, ...]:
    """Three rounds of two problems, the first two rated long ago."""
    *old, last = smaller(calendar("codeforces", MONDAY.date(), 2)[:3], 2)
    return (*old, replace(last, rated_after=rated_after))


@pytest.fixture
def rated_after() -> timedelta:
    """How long after its end the round is rated."""
    return 3 * DAY


@pytest.fixture(scope="module")
def place() -> Iterator[Place]:
    made = Place(Watch(), world(3 * DAY))
    with made.site:
        yield made


@pytest.fixture(scope="module")
def visited(servers: Servers, place: Place) -> Iterator[str]:
    """A database with the calendar and the round's problems, which came when nobody was rated yet."""
    with servers.database() as url:
        place.over(Settings(_env_file=None, database_url=url, redis_url=servers.valkey_url()))
        house = House(place.site, place.watch, place.world)
        house.wake(house.round.ends_at)
        house.wake(house.round.ends_at + HOUR)
        leave()
        yield url


@pytest.fixture
def fresh_database(servers: Servers, visited: str) -> Iterator[str]:
    with servers.database(visited) as url:
        yield url


@pytest.fixture
def house(settings: Settings, place: Place, rated_after: timedelta) -> Iterator[House]:
    """Codeforces alone, its calendar read and the round's problems here."""
    place.serve(world(rated_after))
    place.over(settings)
    made = House(place.site, place.watch, place.world)
    made.watch.at = made.round.ends_at + HOUR
    yield made
    leave()


def wait(house: House) -> None:
    """Ask for people when the round's are due, until it owes them no more."""
    while (line := house.expected_row()).state == "open":
        assert house.wake(line.due_at, only="standings")


def test_people_are_asked_for_a_day_after_the_end_and_then_until_they_are_rated(house: House) -> None:
    end = house.round.ends_at
    assert house.expected_row().due_at == end + DAY
    house.wake(end + DAY - timedelta(seconds=1))
    assert house.asked() == 0
    for attempts, hours in ((1, 24), (2, 30), (3, 42), (4, 66)):
        assert "standings" in house.wake(end + hours * HOUR)
        line = house.expected_row()
        assert (line.state, line.attempts) == ("open", attempts)
        assert line.reason == "the site answered: contestId: Rating changes are unavailable for this contest"
        assert house.asked() == attempts
    house.wake(end + 114 * HOUR - timedelta(seconds=1))
    assert house.expected_row().state == "open", "rated by now, but not asked yet"
    house.wake(end + 114 * HOUR)
    line = house.expected_row()
    assert (line.state, line.attempts, line.settled_at, line.reason) == ("met", 5, end + 114 * HOUR, None)
    house.wake(end + 300 * HOUR)
    assert house.asked() == 5, "what is met is not asked for again"


def test_what_is_kept_are_ranks_points_and_ratings_and_no_names(house: House) -> None:
    wait(house)
    one, two = (problem.external_id for problem in house.round.problems)
    points = [float(problem.points or 0) for problem in house.round.problems]
    assert house.people("rating_change") == [
        [1, 1800, 1830], [2, 1700, 1710], [3, 1600, 1590], [4, 1500, 1470],
    ]  # fmt: skip
    assert house.people("standing") == [
        [1, None, sum(points), 10, [one, two]], [2, None, points[1], 20, [two]], [3, None, 0, 30, []],
        [4, None, 0, 40, []],
    ]  # fmt: skip
    assert {count for _, _, count, _ in house.kept()} == {4}
    assert not any(name in json.dumps(rows) for _, _, _, rows in house.kept() for name in NAMES)


def test_old_rounds_that_a_first_visit_finds_give_their_people_too(house: House) -> None:
    assert [house.expected_row(each).state for each in house.world] == ["met", "open", "open"]
    wait(house)
    house.wake(house.expected_row(house.world[1]).due_at)
    assert [house.expected_row(each).state for each in house.world] == ["met", "met", "met"]


def test_replay_gives_the_same_rows(house: House) -> None:
    wait(house)
    before = house.kept()
    counts = tasks.replay("codeforces")
    assert counts["changed"] == 0
    assert counts["ok"] > 0
    assert house.kept() == before
    with house.ctx.sessions.begin() as session:
        session.execute(delete(ContestStanding))
    tasks.replay("codeforces")
    newest = {kind: rows for kind, _, _, rows in before}
    assert {kind: rows for kind, _, _, rows in house.kept()} == newest


@pytest.mark.parametrize("rated_after", [UNRATED])
def test_an_unrated_round_is_closed_after_its_patience(house: House) -> None:
    wait(house)
    line = house.expected_row()
    assert line.state == "closed"
    assert line.reason is not None
    assert line.reason.startswith("given up: ")
    assert line.reason.endswith("Rating changes are unavailable for this contest")
    assert line.settled_at is not None
    assert 14 * DAY < line.settled_at - house.round.ends_at <= 16 * DAY
    asked = house.asked()
    assert asked == line.attempts <= 12
    house.wake(line.settled_at + 30 * DAY)
    assert house.asked() == asked
    assert {kind for kind, *_ in house.kept()} == {"standing"}, "who took part is known all the same"


def test_names_that_no_database_holds_do_no_harm(house: House) -> None:
    """Lone surrogates, NUL and a name of a megabyte: what cannot be read is left out, and nothing else."""
    when = house.watch.at = house.expected_row().due_at + 4 * DAY
    number = house.round.external_id
    for method in ("standings", "ratingChanges"):
        path = f"/api/contest.{method}?contestId={number}"
        answer = Codeforces(house.world, house.watch)(Asked("GET", path, {}, b"", 0.0)).body.decode()
        for name, bad in zip(NAMES, ("\\ud800", "a\\u0000b", "x" * 2**20, "'; DROP TABLE blobs; --"), strict=True):
            answer = answer.replace(f'"{name}"', f'"{bad}"')
        house.site.pages[path] = Reply(answer.encode(), headers={"Content-Type": "application/json"})
    house.wake(when)
    assert house.expected_row().state == "met"
    assert [row[0] for row in house.people("rating_change")] == [1, 2, 3, 4]
    assert [row[0] for row in house.people("standing")] == [2, 4]


def test_an_answer_that_cannot_be_read_pays_no_debt(house: House) -> None:
    """Nor does one that there are no changes, as of a round that is unrated."""
    path = f"/api/contest.ratingChanges?contestId={house.round.external_id}"
    unrated = b'{"status": "OK", "result": []}'
    bodies = (b"[]", b"{", b'{"status": "OK", "result": [[]]}', b"[" * 100_000, b"\x00\xff", b"", unrated)
    for attempts, body in enumerate(bodies, start=1):
        house.site.pages[path] = Reply(body, headers={"Content-Type": "application/json"})
        house.wake(house.expected_row().due_at, only="standings")
        line = house.expected_row()
        assert (line.state, line.attempts) == ("open", attempts), body
        assert line.reason
        assert line.reason.endswith("the contest is unrated or not rated yet") is (body == unrated)
        assert {kind for kind, *_ in house.kept()} == {"standing"}
    del house.site.pages[path]
    wait(house)
    assert house.expected_row().state == "met"
    assert len(house.people("rating_change")) == 4


def test_a_site_that_blocks_is_not_asked_for_people_for_a_day(house: House) -> None:
    when = house.round.ends_at + 4 * DAY
    with house.ctx.sessions() as session:
        problems = session.scalars(select(Problem.external_id)).all()
    path = "/api/contest.ratingChanges"
    house.site.pages[path] = FAULTS["challenge"].spoil(Reply())
    house.wake(when)
    line = house.expected_row()
    assert (line.state, line.attempts) == ("open", 1)
    assert line.due_at >= when + DAY
    assert len(house.site.log) < 60
    del house.site.pages[path]
    while (line := house.expected_row()).state == "open":
        house.wake(line.due_at)
    with house.ctx.sessions() as session:
        assert session.scalars(select(Problem.external_id)).all() == problems

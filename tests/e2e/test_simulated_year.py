"""A year of three sites in fast time: every contest is published once and soon, nobody is pressed, outages heal.

The calendars, the sites and the clock are simulated; tasks, database and broker are the real ones.
"""

import json
import re
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from statistics import median
from typing import NamedTuple

import pytest
from fakes.fake_site import Asked
from fakes.faults import FAULTS
from fakes.sites import atcoder, codeforces, leetcode
from fakes.world import FakeContest
from sqlalchemy import select
from support.simulation import SITES, TICK, Simulation, Trouble, simulation

from app.config import Settings
from app.db.tables import (
    Contest,
    ContestStanding,
    Difficulty,
    ExpectedDataRow,
    LedgerEntry,
    Problem,
    ProblemVersion,
    ScrapeRun,
    Source,
)
from app.domain.publishing.holds import CONTEST_MARGIN
from app.domain.sources.schedule import BLOCKED_WAIT, PROBLEMS, ExpectedData
from app.domain.states import ExpectedDataState, ProblemState, ScrapeState
from scrapers.site import find_site
from workers.sites import Sites

MONDAY = date(2025, 1, 6)  # a past year: no site may show contests of a time that has not come
BOUND = {"atcoder": 30, "codeforces": 60, "leetcode": 40}  # requests a day, robots.txt among them
BACKLOG = 80  # requests of the first day, which finds the contests of a week or more
SCALES = {"atcoder": "kenkoooo", "codeforces": "codeforces", "leetcode": "zerotrac"}
TRUTH = {"atcoder": atcoder.truth, "codeforces": codeforces.truth, "leetcode": leetcode.truth}


def at(week: int, day: int, hour: int) -> datetime:
    """An hour of the simulated time; days count from Monday, 0."""
    return datetime(MONDAY.year, MONDAY.month, MONDAY.day, hour, tzinfo=UTC) + timedelta(weeks=week, days=day)


@pytest.mark.slow
def test_a_week_with_an_outage_and_a_block(settings: Settings) -> None:
    """The outage takes a Saturday's contests, the block a Sunday's; in between the worker is another one.

    From a Thursday on: its first day finds the contests of ten days.
    """
    troubles = (
        Trouble(SITES, at(0, 5, 8), at(0, 6, 1), FAULTS["dropped"]),
        Trouble(("leetcode",), at(0, 6, 2), at(1, 0, 2), FAULTS["challenge"]),
    )
    with simulation(settings, MONDAY + timedelta(days=3), 1, troubles, every_s=43_200) as made:
        made.run(at(0, 6, 12))
        made.restart()
        made.run(made.end)
        judge(made)


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_a_year(settings: Settings) -> None:
    """Two days without any site, a day on which one blocks us, a day of refusals, and three workers.

    The calendars are looked at once a day, which saves three quarters of the visits that usual rounds would make.
    """
    troubles = (
        Trouble(SITES, at(25, 4, 12), at(25, 6, 12), FAULTS["dropped"]),
        Trouble(("leetcode",), at(34, 6, 2), at(35, 0, 2), FAULTS["challenge"]),
        Trouble(("atcoder",), at(40, 5, 3), at(40, 6, 3), FAULTS["unavailable"]),
    )
    with simulation(settings, MONDAY, 52, troubles, every_s=86_400) as made:
        for week in (25, 26):
            made.run(at(week, 5, 13))
            made.restart()
        made.run(made.end)
        print(f"\n{made.visits} visits")
        judge(made)


def judge(made: Simulation) -> None:
    """Everything that must hold at the end of a run; prints its figures."""
    seen = told(made)
    in_time(made, seen)
    as_written(made)
    nothing_is_owed(made, seen)
    people_came(made, seen)
    ratings_came(made)
    for name in SITES:
        politely(made, name)
    assert made.calm == 0, "every wake-up had something to do"


class Line(NamedTuple):
    """How a contest's debt was paid."""

    state: str
    attempts: int
    settled_at: datetime | None
    due_at: datetime


@dataclass(frozen=True)
class Told:
    """What the database says at the end: ledger lines, and debts by (source, contest, purpose)."""

    added: list[tuple[str, datetime]]
    debts: dict[tuple[str, str, str], Line]


def told(made: Simulation) -> Told:
    """Read it."""
    with made.ctx.sessions() as session:
        added = session.execute(
            select(LedgerEntry.subject, LedgerEntry.at).where(LedgerEntry.kind == "problem.added")
        ).all()
        debts = session.execute(
            select(
                Source.slug, Contest.external_id, ExpectedDataRow.purpose, ExpectedDataRow.state,
                ExpectedDataRow.attempts, ExpectedDataRow.settled_at, ExpectedDataRow.due_at,
            )
            .join(Contest, Contest.id == ExpectedDataRow.contest_id)
            .join(Source, Source.id == Contest.source_id)
        ).all()  # fmt: skip
    return Told(
        [(each[0], each[1]) for each in added], {(debt[0], debt[1], debt[2]): Line(*debt[3:]) for debt in debts}
    )


class Due(NamedTuple):
    """From when on something could be had, by when it had to be here, and whether its site was in trouble then."""

    ready: datetime
    latest: datetime
    troubled: bool


def due(made: Simulation, name: str, contest: FakeContest, shown: datetime, owed: ExpectedData, attempts: int) -> Due:
    """It must be here one pause after it was shown, of those in force at that try; at the first one at once."""
    pause = owed.pause(attempts - 1) if attempts > 1 else timedelta()
    ready = healed = max(contest.ends_at + owed.first, shown, made.start)
    for each in sorted(made.troubles, key=lambda trouble: trouble.start):
        if name in each.sites and healed < each.end and each.start <= healed + pause:
            healed, pause = each.end, BLOCKED_WAIT if each.fault.name == "challenge" else pause
    return Due(ready, healed + pause + TICK, healed != ready)


def in_time(made: Simulation, seen: Told) -> None:
    """Every problem was published once, one pause after it could be had at the latest."""
    published = dict(seen.added)
    assert len(seen.added) == len(published), "no problem is published twice"
    expected, delays, healing = set[str](), list[timedelta](), list[timedelta]()
    for name in SITES:
        for key, (contest, _) in made.problems(name).items():
            expected.add(f"{name}/{key}")
            line = seen.debts[name, contest.external_id, PROBLEMS]
            window = due(made, name, contest, contest.opens_at, ExpectedData(), line.attempts)
            when = published[f"{name}/{key}"]
            assert window.ready <= when <= window.latest, (name, key, when, window, line)
            (healing if window.troubled else delays).append(when - window.ready)
    assert set(published) == expected
    minutes = sorted(delay.total_seconds() / 60 for delay in delays)
    print(f"\nfrom shown to published: median {median(minutes):.1f} min, at most {minutes[-1] / 60:.1f} h")
    print(f"{len(healing)} problems of troubled days came after at most {max(healing).total_seconds() / 3600:.1f} h")


def as_written(made: Simulation) -> None:
    """What is stored is what the worlds hold, dated by its contest, published, and no more."""
    with made.ctx.sessions() as session:
        rows = session.execute(
            select(
                Source.slug, Problem.external_id, Problem.state, Problem.released_on, ProblemVersion.locale,
                ProblemVersion.title, ProblemVersion.statement,
            )
            .join(Problem, Problem.source_id == Source.id)
            .join(ProblemVersion, ProblemVersion.problem_id == Problem.id)
        ).all()  # fmt: skip
    authored = []
    for name in SITES:
        for key, (contest, problem) in made.problems(name).items():
            read = TRUTH[name](contest, problem)
            authored += [
                (name, key, ProblemState.PUBLISHED, contest.starts_at, locale, read.title, text)
                for locale, text in read.statements.items()
            ]
    assert sorted(tuple(row) for row in rows) == sorted(authored)


def nothing_is_owed(made: Simulation, seen: Told) -> None:
    """Every contest gave its problems; those of sums and scores owe none."""
    owing = {(name, each.external_id) for name in SITES for each in made.wanted(name)}
    lines = {key[:2]: line for key, line in seen.debts.items() if key[2] == PROBLEMS}
    assert set(lines) == owing
    assert {line.state for line in lines.values()} == {ExpectedDataState.MET}


def people_came(made: Simulation, seen: Told) -> None:
    """Who took part in a round is known once it is rated, and not asked for afterwards."""
    owed = next(each for each in find_site("codeforces").expected_data if each.purpose == "standings")
    with made.ctx.sessions() as session:
        rows = session.execute(
            select(Contest.external_id, ContestStanding.kind, ContestStanding.rows).join(
                Contest, Contest.id == ContestStanding.contest_id
            )
        ).all()
    kept = {tuple(row) for row in rows}
    last = {each: when for when, asked in made.sites["codeforces"].log for each in re.findall(r"Id=(\d+)", asked.path)}
    met = 0
    for contest in made.wanted("codeforces"):
        line = seen.debts["codeforces", contest.external_id, owed.purpose]
        window = due(made, "codeforces", contest, contest.rated_at, owed, line.attempts)
        if line.settled_at is None:
            assert max(line.due_at, window.latest + owed.longest) > made.end
            continue
        met += 1
        assert line.state == ExpectedDataState.MET
        assert window.ready <= line.settled_at <= window.latest, (contest, line, window)
        assert {(contest.external_id, kind, 4) for kind in ("standing", "rating_change")} <= kept
        assert last[contest.external_id] <= line.settled_at
    assert met > len(made.wanted("codeforces")) / 2


def ratings_came(made: Simulation) -> None:
    """Every problem that others rated a day ago has that rating, and never had another one."""
    with made.ctx.sessions() as session:
        rows = session.execute(
            select(Source.slug, Problem.external_id, Difficulty.scale, Difficulty.value)
            .join(Problem, Problem.source_id == Source.id)
            .join(Difficulty, Difficulty.problem_id == Problem.id)
        ).all()
    found = {(row[0], row[1], row[3]) for row in rows if row[2] == SCALES[row[0]]}
    assert len(found) == len({each[:2] for each in found}), "no rating changed"
    for name in SITES:
        for key, (contest, problem) in made.problems(name).items():
            if problem.rating is not None and contest.rated_at + timedelta(days=1) + TICK <= made.end:
                assert (name, key, problem.rating + 0.5 * (name == "leetcode")) in found, (name, key)


def politely(made: Simulation, name: str) -> None:
    """Nothing of a contest is asked for before its time, no page twice that was had, and few of them a day."""
    days = made.sites[name].per_day()
    first = days.pop(made.start.date())
    assert made.ctx.part(Sites).per_day(find_site(name)) > 10 * BACKLOG, "what a day may take is far off"
    assert first <= BACKLOG
    assert max(days.values()) <= BOUND[name], days.most_common(3)
    contests = {world.external_id: world for world in made.worlds[name]}
    owners = {key: contest for key, (contest, _) in made.problems(name).items()}
    had = Counter[str]()
    for when, asked in made.sites[name].log:
        page, contest = page_of(name, asked, contests, owners)
        if contest is None:
            continue
        assert contest.is_judged
        assert when >= contest.ends_at + CONTEST_MARGIN, asked
        well = not any(name in trouble.sites and trouble.start <= when < trouble.end for trouble in made.troubles)
        if page is not None and well:
            had[page] += 1
    assert set(had.values()) == {1}
    not_pressed(made, name)
    print(
        f"{name}: {len(made.wanted(name))} contests, {len(made.problems(name))} problems, "
        f"{len(made.sites[name].log)} requests, {first} on the first day, then {max(days.values())} a day at most"
    )


def page_of(
    name: str, asked: Asked, contests: dict[str, FakeContest], owners: dict[str, FakeContest]
) -> tuple[str | None, FakeContest | None]:
    """The contest a request is about, and the page of it that is to be had once."""
    if asked.path == "/graphql":
        key = json.loads(asked.body)["variables"].get("titleSlug")
        return key, owners.get(key)
    if name == "codeforces" and (found := re.search(r"contestId=(\d+)", asked.path)):
        return None, contests[found[1]]  # standings are asked for by two visits
    below = {
        "atcoder": r"/contests/(?!archive|\?)([a-z0-9]+)", "codeforces": r"/contest/(\d+)/",
        "leetcode": r"/contest/api/info/([a-z0-9-]+)",
    }  # fmt: skip
    found = re.match(below[name], asked.path)
    return (asked.path, contests[found[1]]) if found else (None, None)


def not_pressed(made: Simulation, name: str) -> None:
    """A site that blocks us is left alone for a day, whatever it was asked for."""
    with made.ctx.sessions() as session:
        runs = session.execute(
            select(ScrapeRun.started_at, ScrapeRun.state)
            .join(Source, Source.id == ScrapeRun.source_id)
            .where(Source.slug == name)
            .order_by(ScrapeRun.id)
        ).all()
    for (started_at, state), (later, _) in pairwise(runs):
        assert state != ScrapeState.BLOCKED or later >= started_at + BLOCKED_WAIT

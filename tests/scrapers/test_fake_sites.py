"""The fake sites are read by our parsers to the exact records of the world they serve, at any time of it."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from fakes.fake_site import Asked, Reply
from fakes.sites import atcoder, codeforces, leetcode
from fakes.sites.live import Answer, LiveSite
from fakes.world import Clock, FakeContest, FakeProblem, calendar, smaller
from support.crawls import connect, crawl_site

from app.domain.sources.crawl_events import CrawlEvent, CrawlFinished, PageCaptured
from app.domain.sources.records import (
    Classification,
    DifficultyRating,
    ScrapedContest,
    ScrapedDifficulty,
    ScrapedProblem,
)
from app.domain.states import ScrapeState
from scrapers.client import FetchLimits, FixedPace
from scrapers.fact_fetcher import fetch_facts
from scrapers.replay import parse_page
from scrapers.site import find_site

NOW = datetime(2026, 6, 17, 9, tzinfo=UTC)
FIRST = date(2026, 5, 1)
QUICK = FetchLimits(timeout_s=3, total_s=5, retries=0, backoff_s=0.01, max_wait_s=0.1)
MARGIN = timedelta(minutes=10)
TASKS = {"atcoder": "task", "codeforces": "problem", "leetcode": "question"}


def fake(name: str, contests: Sequence[FakeContest], clock: Clock) -> Answer:
    """The fake site of that name, its pages free for programs."""
    if name == "codeforces":
        return codeforces.Codeforces(contests, clock, noai=False)
    return (atcoder.AtCoder if name == "atcoder" else leetcode.LeetCode)(contests, clock)


def truth_of(name: str, contest: FakeContest, problem: FakeProblem, now: datetime) -> ScrapedProblem:
    """What is to be read on a problem's own page."""
    if name == "codeforces":
        return codeforces.truth(contest, problem, rated=contest.rated_at <= now)
    return (atcoder.truth if name == "atcoder" else leetcode.truth)(contest, problem)


def walk(name: str, site: LiveSite, now: datetime = NOW, **options: Any) -> list[CrawlEvent]:
    wanted: dict[str, Any] = {
        "base_url": site.url, "now": now, "margin": MARGIN, "pace": lambda _: 0.0, "contact": "operator@example.test",
        "limits": QUICK, "fetch_statements": True,
    }  # fmt: skip
    return list(crawl_site(find_site(name), **(wanted | options)))


def read(events: Sequence[CrawlEvent], kind: str) -> list[ScrapedProblem]:
    """The problems that pages of one kind gave."""
    return [
        record
        for event in events
        if isinstance(event, PageCaptured) and event.kind == kind
        for record in event.records
        if isinstance(record, ScrapedProblem)
    ]


def ended(events: Sequence[CrawlEvent]) -> CrawlFinished:
    last = events[-1]
    assert isinstance(last, CrawlFinished)
    return last


@pytest.mark.parametrize("name", TASKS)
def test_a_walk_reads_exactly_what_the_world_holds(name: str) -> None:
    world = calendar(name, FIRST, 4)
    over = [each for each in world if each.opens_at + MARGIN <= NOW and each.is_judged]
    with LiveSite(fake(name, world, lambda: NOW), lambda: NOW) as site:
        events = walk(name, site)
    assert ended(events).state is ScrapeState.SUCCEEDED, ended(events)
    wanted: dict[str | None, ScrapedProblem] = {}
    for contest in over:
        for problem in contest.problems:
            wanted.setdefault(problem.external_id, truth_of(name, contest, problem, NOW))
    found = read(events, TASKS[name])
    assert {each.external_id: each for each in found} == wanted
    assert len(found) == len(wanted) > 20, "each problem was asked for once"
    listed = {
        record.external_id: record
        for event in events
        if isinstance(event, PageCaptured)
        for record in event.records
        if isinstance(record, ScrapedContest)
    }
    for contest in over:
        seen = listed[contest.external_id]
        assert (seen.title, seen.starts_at, seen.ends_at) == (contest.title, contest.starts_at, contest.ends_at)
        assert seen.problems == tuple(problem.external_id for problem in contest.problems)


@pytest.mark.parametrize("name", TASKS)
def test_a_year_is_plausible_and_always_the_same(name: str) -> None:
    world = calendar(name, FIRST, 52)
    assert world == calendar(name, FIRST, 52)
    ids = [each.external_id for each in world]
    assert len(set(ids)) == len(ids)
    first, last = world[0].starts_at, world[-1].starts_at
    assert timedelta(days=355) < last - first < timedelta(days=366)
    kinds = {each.kind for each in world}
    owners: dict[str, list[FakeContest]] = {}
    for contest in world:
        for problem in contest.problems:
            owners.setdefault(problem.external_id, []).append(contest)
    if name == "atcoder":
        assert kinds == {"algorithm", "heuristic", "training"}
        weekly = [each for each in world if each.external_id.startswith("abc")]
        assert len(weekly) == 52
        assert {(each.starts_at.weekday(), each.starts_at.hour, len(each.problems)) for each in weekly} == {(5, 12, 7)}
        assert len([owner for owner in owners.values() if len(owner) == 2]) > 5, "tasks of two contests"
    elif name == "leetcode":
        assert (len(world), {len(each.problems) for each in world}) == (78, {4})
        assert all(len(owner) == 1 for owner in owners.values())
    else:
        twins = [each for each in world if "(Div. 1)" in each.title]
        assert len(twins) > 5
        for one in twins:
            other = next(each for each in world if each.title == one.title.replace("Div. 1", "Div. 2"))
            shared = {problem.title: problem.index for problem in one.problems}.items()
            both = [
                (index, problem.index)
                for title, index in shared
                for problem in other.problems
                if problem.title == title
            ]
            assert len(both) == 3
            assert all(here != there for here, there in both)


def asking(answer: Answer) -> Callable[[str], dict[str, Any]]:
    def ask(path: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(answer(Asked("GET", path, {}, b"", 0.0)).body)
        return found

    return ask


def test_a_round_passes_through_its_phases() -> None:
    """Problems when its tests are done, changes of ratings days after, refusals until then in the site's words."""
    contest = replace(calendar("codeforces", FIRST, 1)[0], data_after=timedelta(hours=12))
    moment = [contest.starts_at - timedelta(hours=1)]
    answer = codeforces.Codeforces([contest], lambda: moment[0])
    ask, number = asking(answer), contest.external_id
    for when, phase, shown, rated in (
        (moment[0], "BEFORE", False, False),
        (contest.starts_at, "CODING", False, False),
        (contest.ends_at, "PENDING_SYSTEM_TEST", False, False),
        (contest.opens_at, "FINISHED", True, False),
        (contest.rated_at, "FINISHED", True, True),
    ):
        moment[0] = when
        assert ask("/api/contest.list?gym=false")["result"][0]["phase"] == phase
        assert (ask(f"/api/contest.standings?contestId={number}")["status"] == "OK") is shown
        assert (ask(f"/api/contest.ratingChanges?contestId={number}")["status"] == "OK") is rated
        rows = ask("/api/problemset.problems")["result"]["problems"]
        assert len(rows) == (len(contest.problems) if shown else 0)
        assert all(("rating" in row) is rated for row in rows)
        body = answer(Asked("GET", f"/api/contest.standings?contestId={number}", {}, b"", 0.0)).body
        said = parse_page(find_site("codeforces"), "standings", body).classification
        assert said is (Classification.OK if shown else Classification.NOT_OPEN)


def test_the_interface_refuses_to_be_asked_too_often() -> None:
    answer = codeforces.Codeforces(calendar("codeforces", FIRST, 1), lambda: NOW, per_second=0.5)
    replies = [answer(Asked("GET", "/api/contest.list", {}, b"", at)) for at in (10.0, 11.0, 13.5)]
    assert [reply.status for reply in replies] == [200, 503, 200]
    parsed = parse_page(find_site("codeforces"), "contest_list", replies[1].body)
    assert parsed.classification is Classification.RATE_LIMITED


@pytest.mark.parametrize("name", TASKS)
def test_what_is_not_shown_yet_is_not_open(name: str) -> None:
    """A contest whose data comes late stops nobody: the rest is read, and it is read when it is there."""
    *rest, late = [each for each in calendar(name, FIRST, 3) if each.is_judged]
    world = smaller([*rest, replace(late, data_after=timedelta(days=2))], 2)
    now = late.ends_at + timedelta(hours=1)
    with LiveSite(fake(name, world, lambda: now), lambda: now) as site:
        events = walk(name, site, now)
    missing = {problem.external_id for problem in world[-1].problems}
    found = {each.external_id for each in read(events, TASKS[name])}
    assert not found & (missing - {problem.external_id for other in rest for problem in other.problems})
    assert any(isinstance(event, PageCaptured) and event.classification is Classification.NOT_OPEN for event in events)
    later = now + timedelta(days=2)
    with LiveSite(fake(name, world, lambda: later), lambda: later) as site:
        events = walk(name, site, later)
    assert missing <= {each.external_id for each in read(events, TASKS[name])}
    assert ended(events).state is ScrapeState.SUCCEEDED


FACTS = {
    "atcoder": ("difficulty", "kenkoooo"),
    "codeforces": ("ratings", "codeforces"),
    "leetcode": ("ratings", "zerotrac"),
}


@pytest.mark.parametrize("name", FACTS)
def test_ratings_come_days_after(name: str) -> None:
    world = calendar(name, FIRST, 6)
    facts, scale = FACTS[name]
    moment = [world[8].rated_at]

    def known() -> dict[str | None, float]:
        connection = connect(site.url, limits=QUICK)
        events = list(fetch_facts(find_site(name), find_site(name).facts_named(facts), connection))
        assert ended(events).state is ScrapeState.SUCCEEDED, ended(events)
        records = [record for event in events if isinstance(event, PageCaptured) for record in event.records]
        pairs = [
            (
                record.external_id,
                DifficultyRating(record.scale, record.value)
                if isinstance(record, ScrapedDifficulty)
                else record.difficulty,
            )
            for record in records
            if isinstance(record, ScrapedDifficulty | ScrapedProblem)
        ]
        assert {rating.scale for _, rating in pairs if rating} == {scale}
        return {key: float(rating.value) for key, rating in pairs if rating is not None}

    with LiveSite(fake(name, world, lambda: moment[0]), lambda: moment[0]) as site:
        for at in (moment[0] - timedelta(minutes=1), moment[0], world[-1].rated_at + timedelta(days=3)):
            moment[0] = at
            half = 0.5 if name == "leetcode" else 0.0
            assert known() == {
                problem.external_id: problem.rating + half
                for contest in world
                if contest.rated_at <= at
                for problem in contest.problems
                if problem.rating is not None
            }


def test_static_files_have_validators_and_the_log_counts_days() -> None:
    world = calendar("atcoder", FIRST, 4)
    moment = [world[3].rated_at]
    answer = fake("atcoder", world, lambda: moment[0])
    path = "/atcoder/resources/problem-models.json"
    with LiveSite(answer, lambda: moment[0]) as site:
        tag = answer(Asked("GET", path, {}, b"", 0.0)).headers["ETag"]
        asked = Asked("GET", path, {"if-none-match": tag}, b"", 0.0)
        assert site.answer(asked).status == 304
        first, moment[0] = moment[0].date(), world[-1].rated_at
        assert [site.answer(asked).status for _ in range(2)] == [200, 200]
        assert site.per_day() == {first: 1, moment[0].date(): 2}
        site.pages[path] = Reply(b"{}")
        assert site.answer(asked).body == b"{}", "what a test puts there comes first"


def test_pages_and_their_marks_are_obeyed_as_on_the_real_site() -> None:
    """The owner's "noai" stops a crawl for statements; the archive has as many pages as it needs."""
    world = smaller(calendar("codeforces", FIRST, 7), 1)
    with LiveSite(codeforces.Codeforces(world, lambda: NOW), lambda: NOW) as site:
        assert ended(walk("codeforces", site)).state is ScrapeState.BLOCKED
        assert ended(walk("codeforces", site, fetch_statements=False)).state is ScrapeState.SUCCEEDED
    year = smaller(calendar("atcoder", date(2025, 5, 1), 58), 1)
    with LiveSite(fake("atcoder", year, lambda: NOW), lambda: NOW) as site:
        events = walk("atcoder", site, cursor="2025-05-01T00:00:00Z x", max_requests=6)
        assert ended(events).counts["list_pages"] == 4, "two of the archive, two of its Weekday Contests"
        assert ended(events).counts["listed"] == len(
            [each for each in year if each.ends_at <= NOW and each.kind != "training"]
        )


def test_an_answer_is_made_once() -> None:
    """A year in fast time asks thousands of times."""
    answer = fake("atcoder", calendar("atcoder", date(2025, 7, 1), 52), lambda: NOW)
    for path in ("/contests/archive?page=2", "/contests/", "/atcoder/resources/problem-models.json"):
        asked = Asked("GET", path, {}, b"", 0.0)
        assert answer(asked) is answer(asked)


@pytest.mark.parametrize("name", TASKS)
def test_the_pace_is_kept(name: str) -> None:
    world = smaller(calendar(name, FIRST, 6)[-3:], 2)
    with LiveSite(fake(name, world, lambda: NOW), lambda: NOW) as site:
        walk(name, site, pace=FixedPace(0.05))
        times = [each.at for _, each in site.log]
    assert len(times) >= 8
    # The server's own thread may be late for the first and in time for the last: one interval at most.
    assert times[-1] - times[0] >= 0.05 * (len(times) - 2)

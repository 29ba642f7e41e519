"""Visits that contests ask for: due after the end, put off where nothing is there, met once, closed at last."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from fakes.fake_site import Asked, FakeSite, Page, Reply, fake_site
from sqlalchemy import select, update
from support import atcoder_pages as pages
from support.servers import Servers

from app.config import Settings
from app.db.tables import Contest, ExpectedDataRow, Problem, ProblemVersion, ScrapeRun, Source
from app.domain.sources.schedule import PollingIntervals
from app.services.sources import schedule
from app.source_settings import SourceSettings
from workers import tasks
from workers.context import Context, leave, make_context, use
from workers.sites import Sites

START = datetime(2026, 11, 1, 12, tzinfo=UTC)
END = START + timedelta(minutes=100)
TASKS = "/contests/abc901/tasks"


class Watch:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.at = START

    def __call__(self) -> datetime:
        return self.at


class Plain(Sites):
    """The sites, whose facts are left alone."""

    def polling_intervals(self) -> list[PollingIntervals]:
        """The usual ones, for problems only."""
        return [replace(each, facts=()) for each in super().polling_intervals()]


def tokyo(instant: datetime) -> str:
    return (instant + timedelta(hours=9)).strftime("%Y-%m-%d %H:%M:%S+0900")


OLD = ("abc800", "2025-01-04 21:00:00+0900", "01:40")


def home(start: datetime = START) -> bytes:
    return pages.archive([("abc901", tokyo(start), "01:40"), OLD])


def task(letter: str) -> bytes:
    body = pages.modern([("3\n", "6\n")], text="Count.")
    name = f"abc901_{letter.lower()}"
    return pages.task(body, start=tokyo(START), end=tokyo(END), heading=f"{letter} - Task {name}")


@pytest.fixture(scope="module")
def running() -> Iterator[FakeSite]:
    with fake_site() as made:
        yield made


def first_pages() -> dict[str, Page]:
    return {"/contests/archive": pages.archive([OLD]), "/contests/": home()}


def over(settings: Settings, site: FakeSite, watch: Watch) -> Context:
    """AtCoder alone."""
    off = {name: SourceSettings(enabled=False) for name in ("codeforces", "leetcode")}
    there = SourceSettings(base_url=site.url, pace_s=0.0)
    given = {"sources": {"atcoder": there, **off}, "contact": "operator@example.test"}
    made = use(replace(make_context(settings.model_copy(update=given)), clock=watch))
    made.parts[Sites] = Plain(made)
    watch.at = START + timedelta(minutes=30)
    return made


@pytest.fixture(scope="module")
def calendar(servers: Servers, running: FakeSite) -> Iterator[tuple[str, list[Asked]]]:
    """A database with a calendar that was read while its contest ran, and what was asked for it."""
    with servers.database() as url:
        running.pages, running.asked = first_pages(), []
        tick(over(Settings(_env_file=None, database_url=url, redis_url=servers.valkey_url()), running, Watch()))
        leave()
        yield url, list(running.asked)


@pytest.fixture
def site(running: FakeSite, calendar: tuple[str, list[Asked]]) -> FakeSite:
    running.pages, running.asked = first_pages(), list(calendar[1])
    return running


@pytest.fixture
def fresh_database(servers: Servers, calendar: tuple[str, list[Asked]]) -> Iterator[str]:
    with servers.database(calendar[0]) as url:
        yield url


@pytest.fixture
def watch() -> Watch:
    return Watch()


@pytest.fixture
def ctx(settings: Settings, site: FakeSite, watch: Watch) -> Iterator[Context]:
    """Over that database and site."""
    yield over(settings, site, watch)
    leave()


def tick(ctx: Context) -> list[tuple[str, str]]:
    """What a moment of the schedule does, with the workers' part done at once."""
    due = ctx.commit(schedule.due_visits, ctx.part(Sites).polling_intervals(), ctx.clock())
    for source, purpose in due:
        tasks.visit(source, purpose)
    return due


def expected_row(ctx: Context) -> ExpectedDataRow:
    with ctx.sessions() as session:
        return session.scalars(select(ExpectedDataRow).where(ExpectedDataRow.purpose == "problems")).one()


def ready(site: FakeSite) -> None:
    site.pages["/contests/archive"] = home()
    site.pages[TASKS] = pages.tasks("abc901", ["abc901_a", "abc901_b"], tokyo(START), tokyo(END))
    site.pages |= {f"{TASKS}/abc901_a": task("A"), f"{TASKS}/abc901_b": task("B")}


def test_a_contest_owes_its_problems_from_the_day_it_is_announced(ctx: Context, site: FakeSite) -> None:
    row = expected_row(ctx)
    assert (row.state, row.attempts) == ("open", 0)
    assert row.due_at == END + timedelta(minutes=10)
    assert row.late_at == END + timedelta(hours=4)
    assert not any(TASKS in path for path in site.paths()), "nothing below a contest is asked for before its end"


def test_it_is_asked_after_the_end_then_more_rarely_then_never_again(
    ctx: Context, site: FakeSite, watch: Watch
) -> None:
    watch.at = END + timedelta(minutes=9)
    assert tick(ctx) == []
    site.pages["/contests/archive"] = home()
    watch.at = END + timedelta(minutes=10)
    assert tick(ctx) == [("atcoder", "problems")]
    for attempts, minutes in ((1, 10), (2, 20), (3, 40)):
        row = expected_row(ctx)
        assert (row.state, row.attempts, row.due_at) == ("open", attempts, watch.at + timedelta(minutes=minutes))
        assert row.reason == "could not be read: not_found 1"
        watch.at = row.due_at - timedelta(seconds=1)
        assert tick(ctx) == []
        watch.at = row.due_at
        if attempts == 3:
            ready(site)
        tick(ctx)
    row = expected_row(ctx)
    assert (row.state, row.settled_at, row.attempts) == ("met", watch.at, 4)
    asked = len(site.asked)
    watch.at += timedelta(hours=5, minutes=59)
    assert tick(ctx) == [], "what is met is not asked for again"
    watch.at += timedelta(hours=2)
    tick(ctx)
    archive = "/contests/archive"
    assert [path.partition("?")[0] for path in site.paths()[-3:]] == [archive, archive, "/contests/"]
    assert len(site.asked) == asked + 4, "robots.txt and the calendar, no more"


def test_a_calendar_that_moves_a_contest_moves_what_it_owes(ctx: Context, site: FakeSite, watch: Watch) -> None:
    site.pages["/contests/"] = home(START + timedelta(hours=24))
    watch.at += timedelta(hours=7)
    tick(ctx)
    assert expected_row(ctx).due_at == END + timedelta(hours=24, minutes=10)


def test_a_site_that_is_down_is_not_pressed_and_heals_by_itself(ctx: Context, site: FakeSite, watch: Watch) -> None:
    site.pages["/contests/archive"] = Reply(b"<html><title>404 Not Found</title></html>", 404)
    visits = []
    while watch.at < END + timedelta(days=1):
        watch.at += timedelta(minutes=20 if watch.at < END + timedelta(hours=2) else 90)
        visits += [watch.at for _ in tick(ctx)]
    assert 8 < len(visits) < 20, "some at first, then every few hours"
    gaps = [later - sooner for sooner, later in pairwise(visits[-4:])]
    assert timedelta(hours=2) < max(gaps) <= timedelta(hours=6, minutes=30)
    ready(site)
    healed = watch.at
    while expected_row(ctx).state == "open":
        watch.at += timedelta(hours=1)
        assert watch.at - healed <= timedelta(hours=6, minutes=30)
        tick(ctx)
    assert expected_row(ctx).state == "met"


def test_a_source_that_blocks_us_is_asked_once_a_day(ctx: Context, site: FakeSite, watch: Watch) -> None:
    challenge = b"<html><head><title>Just a moment...</title></head><body>_cf_chl_opt</body></html>"
    site.pages["/contests/archive"] = Reply(challenge, 403)
    visits = []
    while watch.at < END + timedelta(days=3):
        watch.at += timedelta(hours=4)
        visits += [watch.at for _ in tick(ctx)]
    gaps = [later - sooner for sooner, later in pairwise(visits)]
    assert len(visits) == 4
    assert min(gaps) >= timedelta(days=1)


def test_what_never_comes_is_closed_with_its_reason(ctx: Context, site: FakeSite, watch: Watch) -> None:
    site.pages["/contests/archive"] = home()
    watch.at = END + timedelta(days=14, hours=1)
    tick(ctx)
    row = expected_row(ctx)
    assert row.state == "closed"
    assert row.reason is not None
    assert row.reason.startswith("given up: ")


def test_a_paused_source_is_left_alone_and_two_wakes_are_one_visit(ctx: Context, site: FakeSite, watch: Watch) -> None:
    ready(site)
    watch.at = END + timedelta(minutes=10)
    with ctx.sessions.begin() as session:
        session.execute(update(Source).values(enabled=False))
    assert [each for each in tick(ctx) if each[1] == "problems"] == []
    with ctx.sessions.begin() as session:
        session.execute(update(Source).values(enabled=True))
    tick(ctx)
    runs = count_runs(ctx)
    tasks.visit("atcoder", "problems")  # a second wake-up of the same moment
    assert count_runs(ctx) == runs


def count_runs(ctx: Context) -> int:
    with ctx.sessions() as session:
        return len(session.scalars(select(ScrapeRun)).all())


def test_a_run_by_hand_asks_what_waits(ctx: Context, site: FakeSite, watch: Watch) -> None:
    site.pages["/contests/archive"] = home()
    watch.at = END + timedelta(minutes=10)
    tick(ctx)
    ready(site)
    watch.at += timedelta(minutes=1)
    tasks.visit("atcoder", "problems")
    assert expected_row(ctx).state == "open"
    tasks.scrape("atcoder")
    assert expected_row(ctx).state == "met"


def test_a_site_that_blocks_us_is_left_alone_though_another_contest_ends(
    ctx: Context, site: FakeSite, watch: Watch
) -> None:
    later = START + timedelta(hours=3)
    site.pages["/contests/"] = pages.archive(
        [("abc902", tokyo(later), "01:40"), ("abc901", tokyo(START), "01:40"), OLD]
    )
    tasks.scrape("atcoder")  # the calendar knows both
    challenge = b"<html><head><title>Just a moment...</title></head><body>_cf_chl_opt</body></html>"
    site.pages["/contests/archive"] = Reply(challenge, 403)
    for watch.at in (END + timedelta(minutes=10), END + timedelta(hours=3, minutes=10)):
        tick(ctx)
    with ctx.sessions() as session:
        blocked = session.scalars(select(ScrapeRun.started_at).where(ScrapeRun.state == "blocked")).all()
    assert blocked == [END + timedelta(minutes=10)]


def test_a_backfill_is_counted_before_it_is_made(ctx: Context, site: FakeSite, watch: Watch) -> None:
    ready(site)
    watch.at = END + timedelta(days=1)
    site.asked.clear()
    run_id = tasks.count_backfill("atcoder", "2026-11-01", "2026-11-02")
    assert [path.partition("?")[0] for path in site.paths()] == ["/contests/archive"] * 2
    with ctx.sessions() as session:
        counted = session.get_one(ScrapeRun, run_id)
        assert (counted.state, counted.purpose) == ("succeeded", "count")
        assert (counted.counts["contests"], counted.counts["requests_to_come"]) == (1, 1 + 6)
        assert expected_row(ctx).state == "open", "nothing was asked below the list"
    made = tasks.scrape("atcoder", "2026-11-01", "2026-11-02")
    with ctx.sessions() as session:
        assert session.get_one(ScrapeRun, made).counts["problems"] == 2


def test_a_backfill_that_was_cut_goes_on_where_it_stood(ctx: Context, site: FakeSite, watch: Watch) -> None:
    """The one request too many is the site's refusal in the middle of the second of two contests."""
    ready(site)
    other = "/contests/abc902/tasks"
    site.pages["/contests/archive"] = pages.archive(
        [("abc902", tokyo(START + timedelta(hours=3)), "01:40"), ("abc901", tokyo(START), "01:40"), OLD]
    )
    challenge = b"<html><head><title>Just a moment...</title></head><body>_cf_chl_opt</body></html>"
    site.pages[other] = Reply(challenge, 403)
    watch.at = END + timedelta(days=1)
    days = ("2026-11-01", "2026-11-02")
    run_id = tasks.scrape("atcoder", *days)
    with ctx.sessions() as session:
        assert session.get_one(ScrapeRun, run_id).state == "blocked"
        assert session.scalars(select(Source.cursor)).one() == {}, "a backfill does not move the source's own cursor"
    site.asked.clear()
    tasks.scrape("atcoder", *days)
    asked = {path.partition("?")[0] for path in site.paths()}
    assert asked == {"/contests/archive", other}, "the first contest was read"
    start, end = tokyo(START + timedelta(hours=3)), tokyo(END + timedelta(hours=3))
    site.pages[other] = pages.tasks("abc902", ["abc901_a"], start, end)
    tasks.scrape("atcoder", *days)
    site.asked.clear()
    tasks.scrape("atcoder", *days)
    assert len([path for path in site.paths() if path.startswith(TASKS)]) > 0, "a new one begins at the beginning"


def test_what_was_old_when_we_first_heard_of_it_has_its_time_too(ctx: Context, site: FakeSite, watch: Watch) -> None:
    """A first visit that goes wrong must not close what it could not read."""
    old = START - timedelta(days=40)
    site.pages["/contests/archive"] = pages.archive([("abc850", tokyo(old), "01:40"), OLD])
    watch.at = START + timedelta(hours=7)
    tick(ctx)
    with ctx.sessions() as session:
        chosen = select(ExpectedDataRow).join(Contest).where(Contest.external_id == "abc850")
        row = session.scalars(chosen).one()
        assert (row.state, row.attempts) == ("open", 1)
        assert row.late_at > watch.at


def test_a_page_that_looks_incomplete_is_looked_at_again(ctx: Context, site: FakeSite, watch: Watch) -> None:
    ready(site)
    whole = site.pages[f"{TASKS}/abc901_b"]
    body = pages.modern([], text="Count.")
    site.pages[f"{TASKS}/abc901_b"] = pages.task(
        body, start=tokyo(START), end=tokyo(END), heading="B - Task abc901_b", limits=""
    )
    watch.at = END + timedelta(minutes=10)
    tick(ctx)
    assert (expected_row(ctx).state, expected_row(ctx).reason) == (
        "open", "looks incomplete: missing_limits, missing_samples"
    )  # fmt: skip
    site.pages[f"{TASKS}/abc901_b"] = whole
    watch.at += timedelta(minutes=10)
    tick(ctx)
    assert (expected_row(ctx).state, expected_row(ctx).reason) == ("met", None)
    with ctx.sessions() as session:
        current = select(ProblemVersion).join(Problem, Problem.current_version_id == ProblemVersion.id)
        text = session.scalars(current.where(Problem.external_id == "abc901_b")).one()
        assert (text.time_ms, text.memory_mb, len(text.examples)) == (2000, 1024, 1)


def test_what_stays_odd_is_taken_as_it_is(ctx: Context, site: FakeSite, watch: Watch) -> None:
    ready(site)
    body = pages.modern([], text="Count.")
    odd = pages.task(body, start=tokyo(START), end=tokyo(END), heading="A - Task abc901_a")
    site.pages[TASKS] = pages.tasks("abc901", ["abc901_a"], tokyo(START), tokyo(END))
    site.pages[f"{TASKS}/abc901_a"] = odd
    watch.at = END + timedelta(minutes=10)
    tick(ctx)
    while expected_row(ctx).state == "open":
        watch.at = expected_row(ctx).due_at
        tick(ctx)
    assert (expected_row(ctx).attempts, expected_row(ctx).reason) == (6, "looks incomplete: missing_samples")
    assert watch.at - END < timedelta(hours=6)

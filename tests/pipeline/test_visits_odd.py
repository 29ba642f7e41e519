"""Calendars that change, faults of ours, captures that are read again: nothing is lost, nobody is pressed."""

from collections.abc import Generator
from datetime import UTC, datetime, timedelta

import pytest
from factories import World
from fakes.fake_site import FakeSite, Reply
from pipeline.test_visits import (
    END,
    OLD,
    START,
    TASKS,
    Watch,
    calendar,
    ctx,
    expected_row,
    fresh_database,
    home,
    ready,
    running,
    site,
    tick,
    tokyo,
    watch,
)
from sqlalchemy import select, text, update
from support import atcoder_pages as pages

from app.db.kernel.session import Session
from app.db.sources import captures
from app.db.tables import Contest, ExpectedDataRow, LedgerEntry, Problem, ProblemVersion, ScrapeRun, Source
from app.domain.errors import InvalidInput
from app.domain.sources.crawl_events import CrawlEvent, PageCaptured
from app.domain.sources.records import Classification, ScrapedContest, ScrapedProblem
from app.domain.sources.schedule import MAX_INCOMPLETE_LOOKS, PROBLEMS
from app.services.operations import alerts, maintenance
from app.services.operations import source_status as watching
from app.services.operations.maintenance import Action, ActionRequest
from app.services.sources import ingest
from workers import tasks, visiting
from workers.context import Context

__all__ = ["calendar", "ctx", "fresh_database", "running", "site", "watch"]  # fixtures


def visits_until(ctx: Context, watch: Watch, end: datetime, step: timedelta = timedelta(minutes=1)) -> int:
    count = 0
    while watch.at < end:
        watch.at += step
        count += len(tick(ctx))
    return count


def test_a_contest_that_left_the_calendar_is_not_asked_for_ever(ctx: Context, site: FakeSite, watch: Watch) -> None:
    site.pages["/contests/"] = pages.archive([OLD])
    watch.at = END + timedelta(minutes=9)
    assert visits_until(ctx, watch, END + timedelta(minutes=30), timedelta(minutes=3)) <= 3
    row = expected_row(ctx)
    assert (row.state, row.reason) == ("open", "the site's lists do not show it")
    visits_until(ctx, watch, END + timedelta(days=15), timedelta(days=5))
    row = expected_row(ctx)
    assert (row.state, row.reason) == ("closed", "given up: the site's lists do not show it")


def test_what_becomes_due_while_a_visit_runs_was_not_asked_in_vain(ctx: Context, site: FakeSite, watch: Watch) -> None:
    """A visit of the calendar ends a second after what it was too early to ask for became due."""
    ready(site)
    watch.at = END + timedelta(minutes=9, seconds=59)
    visit = visiting.begin_visit(ctx, "atcoder", PROBLEMS, patient=True)
    assert visit is not None

    def slowly() -> Generator[CrawlEvent, None, None]:
        for event in visit.crawl():
            watch.at = END + timedelta(minutes=10, seconds=1)
            yield event

    visit.record(slowly())
    assert not any(TASKS in path for path in site.paths())
    row = expected_row(ctx)
    assert (row.state, row.attempts, row.due_at) == ("open", 0, END + timedelta(minutes=10))
    assert tick(ctx) == [("atcoder", "problems")]
    assert expected_row(ctx).state == "met"


def test_a_contest_that_is_put_off_is_due_anew(ctx: Context, site: FakeSite, watch: Watch) -> None:
    site.pages["/contests/archive"] = home()
    watch.at = END + timedelta(minutes=10)
    tick(ctx)
    assert expected_row(ctx).attempts == 1
    for path in ("/contests/", "/contests/archive"):
        site.pages[path] = home(START + timedelta(hours=9))
    watch.at += timedelta(minutes=10)
    tick(ctx)
    row = expected_row(ctx)
    assert (row.due_at, row.attempts, row.reason) == (END + timedelta(hours=9, minutes=10), 0, None)
    assert row.late_at == END + timedelta(hours=13)


def test_a_contest_is_asked_again_wherever_the_cursor_is(ctx: Context, site: FakeSite, watch: Watch) -> None:
    ready(site)
    watch.at = END + timedelta(minutes=10)
    tick(ctx)
    assert expected_row(ctx).state == "met"
    with ctx.sessions.begin() as session:
        session.execute(text('UPDATE sources SET cursor = \'{"at": "2026-11-20T00:00:00Z zzz"}\''))
        chosen = session.scalars(select(Contest.id).where(Contest.external_id == "abc901")).one()
        maintenance.carry_out(
            session, ActionRequest(Action.CONTEST_AGAIN, (str(chosen),), "its tests changed"), "m", watch.at
        )
    site.asked.clear()
    watch.at += timedelta(minutes=1)
    tick(ctx)
    assert any(path.startswith(TASKS) for path in site.paths())
    assert expected_row(ctx).state == "met"
    with ctx.sessions() as session:
        assert session.scalars(select(Source.cursor)).one() == {"at": "2026-11-20T00:00:00Z zzz"}, "never backwards"


def test_a_fault_of_ours_does_not_press_the_site_nor_tell_what_was_to_be_stored(
    ctx: Context, site: FakeSite, watch: Watch
) -> None:
    ready(site)
    with ctx.sessions.begin() as session:
        session.execute(text("ALTER TABLE problem_versions ADD CONSTRAINT broken CHECK (statement = 'nothing')"))
    watch.at = END + timedelta(minutes=9)
    with pytest.raises(Exception, match="broken"):
        visits_until(ctx, watch, END + timedelta(minutes=11))
    with ctx.sessions() as session:
        run = session.scalars(select(ScrapeRun).order_by(ScrapeRun.id.desc())).first()
        assert run is not None
        assert (run.state, run.reason) == ("failed", "our fault: IntegrityError")
    assert expected_row(ctx).attempts == 1
    assert tick(ctx) == []


def test_after_an_outage_an_odd_page_is_still_looked_at_again(ctx: Context, site: FakeSite, watch: Watch) -> None:
    site.pages["/contests/archive"] = home()
    watch.at = END + timedelta(minutes=10)
    tick(ctx)
    with ctx.sessions.begin() as session:
        session.execute(update(ExpectedDataRow).values(attempts=MAX_INCOMPLETE_LOOKS - 1))  # as after more of the same
    watch.at = expected_row(ctx).due_at
    ready(site)
    site.pages[f"{TASKS}/abc901_b"] = pages.task(
        pages.modern([], text="Count."), start=tokyo(START), end=tokyo(END), heading="B - Task abc901_b"
    )
    tick(ctx)
    row = expected_row(ctx)
    assert (row.state, row.attempts) == ("open", 1)
    assert row.due_at == watch.at + timedelta(minutes=10)


def test_a_backfill_that_is_cut_twice_keeps_its_place(ctx: Context, site: FakeSite, watch: Watch) -> None:
    ready(site)
    other = "/contests/abc902/tasks"
    rows = [("abc902", tokyo(START + timedelta(hours=3)), "01:40"), ("abc901", tokyo(START), "01:40"), OLD]
    site.pages["/contests/archive"] = pages.archive(rows)
    site.pages[other] = Reply(b"<html><head><title>Just a moment...</title></head><body>_cf_chl_opt</body></html>", 403)
    watch.at = END + timedelta(days=1)
    for _cut in range(3):
        site.asked.clear()
        tasks.scrape("atcoder", "2026-11-01", "2026-11-02")
    assert not any(path.startswith(TASKS) for path in site.paths())


@pytest.mark.parametrize("days", [("foo", "bar"), ("2026-02-30", "2026-03-01"), ("2026-03-01", "2026-02-01")])
def test_what_is_no_window_begins_nothing(ctx: Context, days: tuple[str, str]) -> None:
    with pytest.raises(InvalidInput):
        tasks.scrape("atcoder", *days)
    with ctx.sessions() as session:
        assert session.scalars(select(ScrapeRun).where(ScrapeRun.finished_at.is_(None))).all() == []


def test_a_calendar_without_ends_is_an_alarm(ctx: Context, site: FakeSite, watch: Watch) -> None:
    rows = [(f"abc90{at}", tokyo(START), "1d 4h") for at in range(5)]
    site.pages["/contests/archive"] = pages.archive(rows)
    watch.at += timedelta(hours=7)
    tick(ctx)
    with ctx.sessions() as session:
        run = session.scalars(select(ScrapeRun).order_by(ScrapeRun.id.desc())).first()
        assert run is not None
        assert run.state == "failed"
        assert "failed:atcoder" in alerts.find_causes(session, watch.at)


def test_a_site_nobody_visits_is_an_alarm_and_a_paused_one_is_none(ctx: Context, watch: Watch) -> None:
    later = watch.at + timedelta(days=3)
    with ctx.sessions.begin() as session:
        found = alerts.find_causes(session, later)
        assert {"stale:atcoder", "late:atcoder/abc901"} <= set(found)
        assert [each.state for each in watching.sites(session, later)] == ["late"]
        session.execute(text("UPDATE sources SET enabled = false"))
        assert not {"stale:atcoder", "late:atcoder/abc901"} & set(alerts.find_causes(session, later))


def test_old_captures_read_again_change_nothing_and_announce_nothing(session: Session) -> None:
    """A problem was corrected once: its first text, read again, does not come back."""
    world = World(session)
    made = world.problem("a", source="atcoder")
    source = made.source_id

    def store(words: str, hours: int) -> None:
        seen = datetime(2026, 11, 1, hours, tzinfo=UTC)
        record = ScrapedProblem(made.external_id, title="A", statements={"en": words})
        page = PageCaptured(f"https://a.example/{hours}", "task", 200, Classification.OK, words.encode(), {}, seen)
        capture = captures.store_capture(session, source, None, page)
        ingest.store_records(session, source, [record], capture, seen, seen_at=seen)

    for words, hours in (("First.", 1), ("Second.", 2), ("First.", 1), ("Second.", 2)):
        store(words, hours)
        session.flush()
    current = session.get_one(ProblemVersion, session.get_one(Problem, made.id).current_version_id)
    assert current.statement == "Second."
    corrected = session.scalars(select(LedgerEntry).where(LedgerEntry.kind == "problem.corrected")).all()
    assert len(corrected) == 2, "the bundled text became the first, the first the second"


def test_an_end_that_cannot_be_true_is_none(session: Session) -> None:
    source = World(session).source("codeforces", demo=False).id
    never = datetime(9999, 12, 31, tzinfo=UTC)
    far = ScrapedContest("1", "Round", starts_at=datetime(2026, 1, 1, tzinfo=UTC), ends_at=never)
    ingest.store_records(session, source, [far], None, datetime(2026, 11, 1, tzinfo=UTC))
    assert session.scalars(select(Contest.ends_at)).all() == [None]
    assert session.scalars(select(ExpectedDataRow)).all() == []


def test_a_site_that_asks_for_a_day_gets_it(ctx: Context, site: FakeSite, watch: Watch) -> None:
    site.pages["/contests/archive"] = Reply(b"slow down", 429, {"Retry-After": "86400"})
    watch.at = END + timedelta(minutes=10)
    tick(ctx)
    row = expected_row(ctx)
    assert row.attempts == 1
    assert row.due_at == watch.at + timedelta(days=1)

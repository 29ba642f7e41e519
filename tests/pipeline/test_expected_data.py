"""When a source has its turn, what becomes of a debt, and which lists of people are news, each by its own lines."""

from dataclasses import replace
from datetime import datetime, timedelta

from pipeline.flow import LEASE, NOW
from pipeline.test_visit_starts import AN_HOUR, DAYS, POLICY, answer, contests, ended, opened, record
from sqlalchemy import select, update

from app.db.kernel.session import Session
from app.db.tables import ContestStanding, ExpectedDataRow, Source
from app.domain.sources.crawl_events import CrawlFinished
from app.domain.sources.records import Record, ScrapedRatingChange, ScrapedStanding
from app.domain.sources.schedule import PROBLEMS, ExpectedData, PollingIntervals
from app.domain.states import ScrapeState
from app.services.sources import schedule, visits

A_DAY = timedelta(days=1)
TURN = [("atcoder", PROBLEMS)]


def due(session: Session, now: datetime) -> list[tuple[str, str]]:
    return schedule.due_visits(session, [PollingIntervals("atcoder", 8 * AN_HOUR)], now)


def test_only_a_visit_that_was_let_in_ends_a_day_of_rest(session: Session) -> None:
    backfill = visits.open_scrape(session, "atcoder", POLICY, NOW, LEASE, backfill=DAYS)
    assert backfill is not None
    ended(session, backfill, ScrapeState.SUCCEEDED)
    assert due(session, NOW) == TURN, "a backfill is no reading of the calendar"
    ended(session, opened(session, "atcoder", NOW), ScrapeState.BLOCKED)
    ended(session, opened(session, "atcoder", NOW + AN_HOUR, "people"), ScrapeState.FAILED)
    assert due(session, NOW + A_DAY - timedelta(seconds=1)) == []
    assert due(session, NOW + A_DAY) == TURN
    opened(session, "atcoder", NOW + A_DAY, "people")
    assert due(session, NOW + A_DAY + LEASE) == [], "one visit tries whether it still blocks us"
    assert due(session, NOW + A_DAY + LEASE + timedelta(seconds=1)) == TURN, "its worker died"
    ended(session, opened(session, "atcoder", NOW + 2 * A_DAY), ScrapeState.BLOCKED)
    ended(session, opened(session, "atcoder", NOW + 2 * A_DAY, "people"), ScrapeState.PARTIAL)
    assert due(session, NOW + 2 * A_DAY + 8 * AN_HOUR) == TURN, "it let us in since"
    ended(session, opened(session, "atcoder", NOW + 4 * A_DAY), ScrapeState.BLOCKED)
    ended(session, opened(session, "atcoder", NOW + 4 * A_DAY, "people"), ScrapeState.SUCCEEDED)
    assert due(session, NOW + 4 * A_DAY + 8 * AN_HOUR) == TURN
    session.execute(update(Source).values(enabled=False))
    assert due(session, NOW + 9 * A_DAY) == [], "its calendar is not read either"


def lines(session: Session) -> list[tuple[str, str, int, timedelta, str | None]]:
    session.expire_all()
    rows = session.scalars(select(ExpectedDataRow).order_by(ExpectedDataRow.purpose))
    return [(row.purpose, row.state, row.attempts, row.due_at - NOW, row.reason) for row in rows]


def test_what_is_asked_in_vain_is_put_off_alone_and_no_longer_than_is_believed(session: Session) -> None:
    lists = opened(session, "atcoder", NOW - 3 * A_DAY)
    record(session, lists, answer("a", "lists", NOW), contests(1), NOW)
    visits.record_calendar(session, lists, ["c00"], NOW)
    ended(session, lists, ScrapeState.SUCCEEDED)
    people = ("people", "open", 0, lines(session)[0][3], None)
    job = opened(session, "atcoder")
    visits.record_contest(session, job, "c00", "not there", NOW, met=False)
    assert lines(session) == [people, (PROBLEMS, "open", 1, timedelta(minutes=10), "not there")]

    def refused(now: datetime, state: ScrapeState, retry_after_s: float | None) -> timedelta:
        job = opened(session, "atcoder", now)
        outcome = CrawlFinished(state, "refused", {}, cut_short=True, refused=True, retry_after_s=retry_after_s)
        assert visits.finish(session, job, outcome, now)
        assert lines(session)[0] == people
        return NOW + lines(session)[1][3] - now

    assert refused(NOW + AN_HOUR, ScrapeState.PARTIAL, None) == timedelta(minutes=20)
    assert refused(NOW + 2 * AN_HOUR, ScrapeState.PARTIAL, 7200) == 2 * AN_HOUR
    assert refused(NOW + 5 * AN_HOUR, ScrapeState.BLOCKED, 7200) == A_DAY
    assert refused(NOW + 2 * A_DAY, ScrapeState.PARTIAL, 1e9) == 7 * A_DAY
    assert lines(session)[1][2] == 5
    job = opened(session, "atcoder", NOW + 10 * A_DAY)
    assert visits.record_contest(session, job, "c00", None, NOW, met=True)
    assert lines(session) == [people, (PROBLEMS, "met", 6, 9 * A_DAY, None)]
    assert visits.record_contest(session, job, "c00", "gone again", NOW, met=False)
    assert lines(session)[1][1] == "met", "what came is not owed again"


def test_a_debt_follows_its_contest_until_it_was_asked_for(session: Session) -> None:
    job = opened(session, "atcoder", NOW - 3 * A_DAY)

    def listed(ends: timedelta, now: datetime) -> tuple[str, int, timedelta, timedelta, str | None]:
        """(state, attempts, when due, when late, reason) once the calendar says so."""
        said = replace(contests(1)[0], ends_at=NOW + ends)
        record(session, job, answer("a", f"{ends} {now}", now), [said], now)
        visits.record_calendar(session, job, ["c00"], now)
        session.expire_all()
        row = session.scalars(select(ExpectedDataRow).where(ExpectedDataRow.purpose == PROBLEMS)).one()
        return row.state, row.attempts, row.due_at - NOW, row.late_at - NOW, row.reason

    margin, grace = ExpectedData().first, ExpectedData().grace
    assert listed(-A_DAY, NOW - 3 * A_DAY) == ("open", 0, margin - A_DAY, grace - A_DAY, None)
    assert listed(-2 * A_DAY, NOW) == ("open", 0, margin - 2 * A_DAY, grace - margin, None), "our time begins now"
    visits.record_contest(session, job, "c00", "not there", NOW, met=False)
    assert listed(-A_DAY, NOW)[1:3] == (1, timedelta(minutes=10)), "it was asked for, and it is over"
    assert listed(A_DAY, NOW) == ("open", 0, A_DAY + margin, A_DAY + grace, None), "it is not over after all"
    visits.record_contest(session, job, "c00", None, NOW, met=True)
    assert listed(2 * A_DAY, NOW)[:3] == ("met", 1, A_DAY + margin)
    assert schedule.due_visits(session, [], NOW + 9 * A_DAY) == []
    once = [PollingIntervals("atcoder", 99 * A_DAY)]
    assert schedule.due_visits(session, once, NOW + 9 * A_DAY) == [("atcoder", "people")], (
        "what is met is not asked for"
    )
    assert schedule.due_visits(session, [PollingIntervals("codeforces", A_DAY)], NOW + 9 * A_DAY) == [
        ("codeforces", PROBLEMS)
    ]


def test_a_list_of_people_is_news_where_the_newest_before_it_of_its_kind_says_otherwise(session: Session) -> None:
    job = opened(session, "atcoder")
    record(session, job, answer("a", "lists", NOW), contests(1), NOW)

    def told(after: float, row: Record) -> None:
        capture = replace(answer("people", f"{after}", NOW + after * AN_HOUR), contest="c00")
        record(session, job, capture, [row], NOW)

    told(0, ScrapedStanding(1, "ann"))
    told(0.5, ScrapedRatingChange(1, 1, 2))
    told(1, ScrapedStanding(1, "ann"))
    told(2, ScrapedStanding(2, "ann"))
    told(1.5, ScrapedStanding(1, "ann"))  # an old answer that is read again
    told(3, ScrapedStanding(1, "ann"))
    rows = session.scalars(select(ContestStanding).order_by(ContestStanding.captured_at))
    assert [(row.kind, (row.captured_at - NOW) / AN_HOUR, row.rows) for row in rows] == [
        ("standing", 0, 1), ("rating_change", 0.5, 1), ("standing", 2, 1), ("standing", 3, 1),
    ]  # fmt: skip

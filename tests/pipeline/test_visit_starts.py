"""What a visit starts from: nothing where it is switched off, else what good visits of its own source left."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta

from factories import World
from pipeline.flow import LEASE, NOW
from sqlalchemy import event, func, insert, literal, literal_column, select, text, update

from app.db.kernel import revision
from app.db.kernel.session import Session
from app.db.operations import status
from app.db.sources import expected_data, monitoring
from app.db.tables import ContestStanding, Difficulty, ExpectedDataRow, Problem, ScrapeRun, Source
from app.domain.publishing.holds import CONTEST_MARGIN
from app.domain.sources.crawl_events import CrawlFinished, PageCaptured
from app.domain.sources.records import (
    Classification,
    PageFinding,
    Record,
    ScrapedContest,
    ScrapedDifficulty,
    ScrapedProblem,
    ScrapedStanding,
)
from app.domain.sources.schedule import COUNT, PROBLEMS, ExpectedData
from app.domain.states import ScrapeState
from app.domain.windows import Window
from app.services.sources import visits
from app.source_settings import SourceSettings

OWED = (ExpectedData(), ExpectedData("people"))
POLICY = visits.SitePolicy("Site", "http://127.0.0.1:9", True, True, True, OWED)
DAYS = Window(date(2026, 1, 1), date(2026, 1, 31))
AN_HOUR = timedelta(hours=1)


def opened(session: Session, slug: str, now: datetime = NOW, purpose: str = PROBLEMS) -> visits.ScrapeJob:
    job = visits.open_scrape(session, slug, POLICY, now, LEASE, purpose, patient=True)
    assert job is not None
    return job


def groups(job: visits.ScrapeJob) -> tuple[list[str], list[str], list[str]]:
    """The contests that are expected, postponed and finished."""
    crawl = job.crawl
    return list(crawl.expected_contests), sorted(crawl.postponed_contests), sorted(crawl.finished_contests)


def ended(session: Session, job: visits.ScrapeJob, state: ScrapeState, count: int = 0, *, cut: bool = False) -> None:
    reason = None if state is ScrapeState.SUCCEEDED else "some pages are missing"
    assert visits.finish(session, job, CrawlFinished(state, reason, {"pages": count}, cut_short=cut), job.opened_at)


def answer(
    path: str, body: str, at: datetime, etag: str | None = None, said: Classification = Classification.OK
) -> PageCaptured:
    headers = {"date": "today"} if etag is None else {"etag": etag}
    return PageCaptured(f"http://127.0.0.1:9/{path}", "page", 200, said, body.encode(), headers, at)


def record(
    session: Session, job: visits.ScrapeJob, page: PageCaptured, records: Sequence[Record], now: datetime
) -> bool:
    return visits.record_capture(session, job, replace(page, records=records), now)


def rated(value: float, scale: str = "own") -> Sequence[Record]:
    return [ScrapedProblem("1/A", title="A"), ScrapedDifficulty("1/A", scale, value)]


def test_a_source_that_anybody_switched_off_is_not_visited(session: Session) -> None:
    assert visits.open_scrape(session, "atcoder", replace(POLICY, enabled=False), NOW, LEASE) is None
    session.execute(update(Source).values(enabled=False))
    assert visits.open_scrape(session, "atcoder", POLICY, NOW, LEASE) is None
    assert session.scalars(select(ScrapeRun)).all() == []


def test_a_visit_starts_from_what_good_visits_of_its_source_left(session: Session) -> None:
    first = opened(session, "atcoder")
    assert first.crawl.last_counts is None
    assert visits.validators(session, first, "http://127.0.0.1:9/a") is None
    kept = [
        answer("a", "first", NOW, "new"), answer("a", "second", NOW - AN_HOUR, "old"), answer("b", "no header", NOW),
        answer("c", "a challenge", NOW, "theirs", said=Classification.BLOCKED),
    ]  # fmt: skip
    for capture in kept:
        assert record(session, first, capture, [], NOW)
    ended(session, first, ScrapeState.SUCCEEDED, 1)
    ended(session, opened(session, "atcoder"), ScrapeState.SUCCEEDED, 2)
    ended(session, opened(session, "atcoder"), ScrapeState.PARTIAL, 3)
    ended(session, opened(session, "atcoder", purpose=COUNT), ScrapeState.SUCCEEDED, 4)
    other = opened(session, "codeforces")
    record(session, other, answer("d", "another's", NOW, "d"), [], NOW)
    ended(session, other, ScrapeState.SUCCEEDED, 5)
    again = opened(session, "atcoder")
    found = {name: visits.validators(session, again, f"http://127.0.0.1:9/{name}") for name in "abcd"}
    assert found == {"a": {"etag": "new"}, "b": None, "c": None, "d": None}, "of the newest that was read well"
    assert again.crawl.last_counts == {"pages": 2}
    assert visits.stored_body(session, again, "http://127.0.0.1:9/a") == b"first"


def test_a_visit_begins_without_a_look_at_all_that_was_captured(session: Session) -> None:
    """After years that is more than a worker can hold."""
    first = opened(session, "atcoder")
    for name in "abc":
        record(session, first, answer(name, "kept", NOW, name), [], NOW)
    ended(session, first, ScrapeState.SUCCEEDED, 1)
    asked: list[str] = []
    event.listen(session.connection(), "before_cursor_execute", lambda *given: asked.append(given[2]))
    opened(session, "atcoder")
    assert asked
    assert not [words for words in asked if "FROM captures" in words]


def test_what_a_page_still_says_is_as_old_as_its_newest_good_capture(session: Session) -> None:
    job = opened(session, "atcoder")
    record(session, job, answer("a", "first", NOW - 2 * AN_HOUR), rated(1), NOW)
    record(session, job, answer("a", "second", NOW - AN_HOUR), rated(2), NOW)
    record(session, job, answer("a", "refused", NOW, said=Classification.BLOCKED), rated(9), NOW)
    unchanged = replace(answer("a", "", NOW + AN_HOUR), status=304, records=rated(3, "not read before"))
    assert visits.record_unchanged(session, job, unchanged, NOW + AN_HOUR)
    told = session.execute(select(Difficulty.value, Difficulty.observed_at).order_by(Difficulty.value))
    assert [tuple(row) for row in told] == [(1.0, NOW - 2 * AN_HOUR), (2.0, NOW - AN_HOUR), (3.0, NOW - AN_HOUR)]
    assert session.scalars(select(Problem.external_id)).all() == ["1/A"]


def contests(count: int) -> Sequence[ScrapedContest]:
    """So many that are over, the later ones named first."""
    return [
        ScrapedContest(
            f"c{number:02}",
            "Cup",
            starts_at=NOW - timedelta(days=2, minutes=number),
            ends_at=NOW - timedelta(days=1, minutes=number),
        )
        for number in range(count)
    ]


def test_a_visit_asks_so_many_contests_for_facts_the_longest_due_first(session: Session) -> None:
    lists = opened(session, "atcoder", NOW - timedelta(days=3))
    record(session, lists, answer("a", "lists", NOW), contests(32), NOW)
    names = [f"c{number:02}" for number in reversed(range(32))]
    assert visits.record_calendar(session, lists, names, NOW)
    ended(session, lists, ScrapeState.SUCCEEDED)
    due = session.scalars(select(ExpectedDataRow.due_at).where(ExpectedDataRow.purpose == PROBLEMS)).all()
    problems = opened(session, "atcoder", max(due))  # the very moment at which the last one is due
    assert groups(problems) == (names, [], [])
    assert problems.crawl.expected_since == NOW - timedelta(days=2, minutes=31)
    assert visits.record_contest(session, problems, "c31", None, NOW, met=True)
    ended(session, problems, ScrapeState.PARTIAL, cut=True)
    people = opened(session, "atcoder", NOW, "people")
    assert groups(people)[0] == names[:30], "what came of its problems is not what came of its people"
    assert visits.record_contest(session, people, "c30", None, NOW, met=True)
    ended(session, people, ScrapeState.SUCCEEDED)
    almost = max(due) - timedelta(microseconds=1)
    by_hand = visits.open_scrape(session, "atcoder", POLICY, almost, LEASE)
    assert by_hand is not None
    assert groups(by_hand) == (names[1:-1], [], ["c31"]), "what a person asks for does not wait"
    assert by_hand.crawl.known_contests == frozenset(names)
    ended(session, by_hand, ScrapeState.PARTIAL, cut=True)
    regular = opened(session, "atcoder", almost)
    assert groups(regular) == (names[1:-1], ["c00"], ["c31"])
    assert regular.crawl.known_contests == frozenset(names)
    other = opened(session, "codeforces")
    assert groups(other) == ([], [], []), "another source owes nothing"
    since = NOW - timedelta(days=2, minutes=1)
    assert [each.external_id for each in visits.listed_contests(session, regular, since)] == ["c01", "c00"]
    assert visits.listed_contests(session, other, since) == []


def test_a_backfill_goes_on_from_its_own_days_and_source_and_asks_for_nothing_that_is_owed(session: Session) -> None:
    lists = opened(session, "atcoder", NOW - timedelta(days=3))
    record(session, lists, answer("a", "lists", NOW), contests(2), NOW)
    visits.record_calendar(session, lists, ["c00", "c01"], NOW)
    ended(session, lists, ScrapeState.SUCCEEDED)

    def filled(slug: str, days: Window, purpose: str = PROBLEMS, cursor: str | None = None) -> str | None:
        job = visits.open_scrape(session, slug, POLICY, NOW, LEASE, purpose, backfill=days)
        assert job is not None
        assert (groups(job), job.crawl.known_contests) == (([], [], []), None)
        if cursor is not None:
            visits.move_cursor(session, job, cursor, backfill=True)
        ended(session, job, ScrapeState.PARTIAL, cut=cursor is not None)
        return job.crawl.cursor

    assert filled("atcoder", DAYS, cursor="c01") is None
    assert filled("codeforces", DAYS) is None
    assert filled("atcoder", replace(DAYS, end=date(2026, 2, 28))) is None
    assert filled("atcoder", DAYS, COUNT) is None, "all of the days are counted"
    assert filled("atcoder", DAYS) == "c01", "to count is not to go on"
    assert filled("atcoder", DAYS) is None, "it came to its end"
    assert session.scalars(select(Source.cursor).where(Source.slug == "atcoder")).one() == {}


def test_a_page_that_was_asked_for_its_problems_stays_so_and_no_other_does(session: Session) -> None:
    """It is read again, oldest first, as what it was asked for."""
    job = opened(session, "atcoder")
    record(session, job, answer("a", "first", NOW), [], NOW)
    ended(session, job, ScrapeState.SUCCEEDED)
    for purpose in ("rounds", "people"):
        job = opened(session, "atcoder", purpose=purpose)
        for path, body, at in (("a", "first", NOW), ("a", "second", NOW - AN_HOUR), ("b", "first", NOW + AN_HOUR)):
            record(session, job, answer(path, body, at), [], NOW)
        other = opened(session, "codeforces", purpose=purpose)
        for capture in (answer("a", "first", NOW), replace(answer("c", "", NOW), body=None)):
            assert record(session, other, capture, [], NOW)
        assert not visits.record_calendar(session, replace(job, lease=other.lease), [], NOW), "by another's lease"
        ended(session, job, ScrapeState.SUCCEEDED)
        ended(session, other, ScrapeState.SUCCEEDED)
    kept = visits.stored_captures(session, "atcoder")
    told = [(capture.url[-1], visits.capture_body(session, capture), capture.purpose) for capture in kept]
    assert told == [("a", b"second", "people"), ("a", b"first", PROBLEMS), ("b", b"first", "people")]
    parts = [visits.stored_captures(session, "atcoder", after, limit=2) for after in (None, kept[1], kept[2])]
    assert parts == [kept[:2], kept[2:], []]
    assert [capture.purpose for capture in visits.stored_captures(session, "codeforces")] == ["people"]
    assert visits.record_replay(session, kept[0], Classification.FORMAT_CHANGED, [], NOW)
    assert not visits.record_replay(session, kept[0], Classification.FORMAT_CHANGED, [], NOW), "it is read as before"


def test_what_was_refused_for_what_other_pages_say_stays_refused(session: Session) -> None:
    job = opened(session, "atcoder")
    findings = [PageFinding("odd", "one"), PageFinding("odd", "other", in_context=True)]
    refused = replace(answer("a", "another's", NOW, said=Classification.FORMAT_CHANGED), findings=findings)
    record(session, job, refused, [], NOW)
    [kept] = visits.stored_captures(session, "atcoder")
    assert not visits.record_replay(session, kept, Classification.OK, rated(1), NOW)
    assert session.scalars(select(Problem)).all() == []


def test_a_saved_page_gives_people_to_the_one_contest_that_it_shows(session: Session) -> None:
    person = ScrapedStanding(1, "ann")
    for count, lists in ((2, 0), (1, 1)):
        page = answer("a", f"saved {count}", NOW)
        saved = replace(page, status=None, records=[*contests(count), person])
        visits.store_saved_page(session, "atcoder", POLICY, saved, NOW)
        assert len(session.scalars(select(ContestStanding)).all()) == lists


def test_a_source_is_treated_as_its_operator_says_from_the_next_visit_on(session: Session) -> None:
    World(session).source("atcoder")  # a file made it first
    own = visits.SitePolicy(
        "AtCoder", "http://127.0.0.1:9", True, False, False, OWED, states_limits=False, send_statements=False,
        margin=AN_HOUR,
    )  # fmt: skip
    before = revision.current(session)
    job = visits.open_scrape(session, "atcoder", own, NOW, LEASE)
    assert job is not None
    assert (job.crawl.fetch_statements, job.crawl.margin) == (False, AN_HOUR)
    source = session.scalars(select(Source)).one()
    assert (source.name, source.kind, source.base_url, source.demo) == ("AtCoder", "site", own.base_url, False)
    assert (source.states_limits, source.show_statements, source.send_statements) == (False, False, False)
    assert source.margin == AN_HOUR
    forbidden = revision.current(session)
    assert forbidden != before, "boards want no answers to it"
    visits.apply_policies(session, {"codeforces": own_settings(show=True)})
    assert (source.show_statements, source.send_statements, source.margin) == (False, True, CONTEST_MARGIN)
    allowed = revision.current(session)
    assert allowed != forbidden
    visits.apply_policies(session, {"atcoder": own_settings(show=True, margin_s=60.0)})
    assert (source.show_statements, source.fetch_statements, source.send_statements) == (True, False, True)
    assert (source.margin, revision.current(session)) == (timedelta(minutes=1), allowed)


def own_settings(*, show: bool | None, margin_s: float | None = None) -> SourceSettings:
    return SourceSettings(show_statements=show, margin_s=margin_s)


def test_the_schedule_reads_the_newest_visits_alone(session: Session) -> None:
    site = World(session).source("atcoder")
    session.execute(
        insert(ScrapeRun).from_select(
            ["source_id", "purpose", "state", "started_at", "finished_at"],
            select(
                literal(site.id), literal_column("(ARRAY['problems', 'count', 'a', 'b'])[1 + n % 4]"),
                literal(ScrapeState.SUCCEEDED), literal(NOW), literal(NOW),
            ).select_from(func.generate_series(1, 2000).alias("n")),
        )
    )  # fmt: skip
    session.execute(text("ANALYZE scrape_runs"))
    read = text("SELECT sum(seq_tup_read + idx_tup_fetch) FROM pg_stat_xact_user_tables WHERE relname = 'scrape_runs'")
    before = session.scalar(read)
    assert len(expected_data.last_visits(session)) == 4
    expected_data.source_access(session, NOW)
    monitoring.facts_found(session)
    monitoring.sites(session)
    status.freshness(session)
    assert session.scalar(read) - before < 100

"""A whole walk against a site on loopback: order, margin, cursor, refusals, alarms."""

from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta

import pytest
from fakes.fake_site import Page, Reply, fake_site
from support import atcoder_pages as pages
from support.crawls import NOW, ROWS, SITE, TASKS, at, bare, captured, crawl_site, cursors, end, problems, walk, world
from support.waiting import at_least

from app.domain.errors import InvalidInput
from app.domain.sources.crawl_events import ContestVisited, CursorMoved
from app.domain.sources.records import Classification, ScrapedContest
from app.domain.states import ScrapeState
from app.domain.windows import Window
from scrapers.client import FixedPace
from scrapers.replay import parse_page
from scrapers.response import StoredCopy
from scrapers.site import Site


def test_a_first_walk_reads_what_is_over_oldest_first() -> None:
    with fake_site(world()) as site:
        events = walk(site)
    assert end(events).state is ScrapeState.SUCCEEDED, end(events)
    assert bare(site.paths()) == [
        "archive",
        "20",
        "home",
        "abc501/tasks",
        "abc501/tasks/abc501_a",
        "abc501/tasks/abc501_b",
        "abc502/tasks",
        "abc502/tasks/abc502_a",
        "abc502/tasks/arc401_a",
        "arc401/tasks",
        "arc401/tasks/arc401_b",  # arc401_a is one problem of two contests
    ]
    listed = captured(events)[0].records
    assert [each.external_id for each in listed if isinstance(each, ScrapedContest)] == [name for name, _, _ in ROWS]
    assert set(problems(events)) == {"abc501_a", "abc501_b", "abc502_a", "arc401_a", "arc401_b"}
    assert problems(events)["abc501_a"].starts_at == datetime(2026, 1, 3, 12, 0, tzinfo=UTC)
    assert cursors(events) == [
        "2026-01-03T13:40:00Z abc501",
        "2026-01-10T13:40:00Z abc502",
        "2026-01-10T13:40:00Z arc401",
    ]
    assert end(events).counts["problems"] == 5
    assert end(events).counts["contests"] == 3


def test_every_capture_replays_to_the_same_records() -> None:
    with fake_site(world()) as site:
        events = walk(site)
    assert len(captured(events)) == 11
    for each in captured(events):
        assert each.body is not None
        again = parse_page(SITE, each.kind, each.body, each.url)
        assert (again.classification, again.records) == (each.classification, each.records)
        assert (each.status, each.headers["content-length"]) == (200, str(len(each.body)))


def test_nothing_of_a_contest_is_asked_before_its_end_and_margin() -> None:
    over = NOW.replace(hour=4)
    with fake_site(world()) as site:
        walk(site, now=over + timedelta(minutes=59), margin=timedelta(hours=1))
        assert not any("abc503" in path for path in site.paths())
        walk(site, now=over + timedelta(minutes=60), margin=timedelta(hours=1), cursor="2026-01-19T00:00:00Z x")
        assert bare(site.paths())[-1] == "abc503/tasks"


def test_a_contest_that_was_extended_is_left_and_the_cursor_waits() -> None:
    longer = pages.tasks("abc502", TASKS["abc502"], at("abc502")[0], "2026-02-10 22:40:00+0900")
    with fake_site(world(tasks_abc502=longer)) as site:
        events = walk(site)
    assert not any("abc502_a" in path for path in site.paths())
    assert "arc401_b" in problems(events), "the others are still read"
    assert cursors(events) == ["2026-01-03T13:40:00Z abc501"]
    assert end(events).state is ScrapeState.PARTIAL
    assert "extended" in {finding.code for finding in end(events).findings}


def test_the_next_walk_begins_at_the_cursor() -> None:
    with fake_site(world()) as site:
        events = walk(site, cursor="2026-01-10T13:40:00Z abc502")
        assert bare(site.paths()) == [
            "archive",
            "20",
            "home",
            "arc401/tasks",
            "arc401/tasks/arc401_a",
            "arc401/tasks/arc401_b",
        ]
        site.asked.clear()
        events = walk(site, cursor=cursors(events)[-1])
        assert bare(site.paths()) == ["archive", "20", "home"]
    assert end(events).state is ScrapeState.SUCCEEDED, "nothing new is no failure"


def test_a_walk_cut_short_is_finished_by_the_next() -> None:
    with fake_site(world()) as site:
        first = walk(site, max_requests=6)
        assert end(first).state is ScrapeState.PARTIAL
        assert cursors(first) == ["2026-01-03T13:40:00Z abc501"]
        second = walk(site, cursor=cursors(first)[-1])
    assert end(second).state is ScrapeState.SUCCEEDED
    assert set(problems(first)) | set(problems(second)) == {"abc501_a", "abc501_b", "abc502_a", "arc401_a", "arc401_b"}


def test_a_caller_may_stop_at_any_event() -> None:
    with fake_site(world()) as site:
        events = crawl_site(SITE, base_url=site.url, now=NOW, margin=timedelta())
        next(events)
        events.close()  # type: ignore[attr-defined]  # it is a generator
        assert bare(site.paths()) == ["archive"]


def test_known_contests_need_no_second_visit() -> None:
    with fake_site(world()) as site:
        walk(site, finished_contests={"abc501", "abc502", "abc400"})
        assert bare(site.paths())[3] == "arc401/tasks"


def test_the_cursor_stays_before_a_contest_that_is_not_to_be_asked_yet() -> None:
    with fake_site(world()) as site:
        events = walk(site, postponed_contests={"abc502"})
        assert not [path for path in site.paths() if "abc502" in path]
    assert set(problems(events)) == {"abc501_a", "abc501_b", "arc401_a", "arc401_b"}, "the others are read"
    assert cursors(events) == ["2026-01-03T13:40:00Z abc501"]


def test_a_contest_to_come_may_have_no_end_yet() -> None:
    home = pages.archive([("abc504", "2026-01-24 21:00:00+0900", "")])
    with fake_site(world(home=home)) as site:
        assert end(walk(site)).state is ScrapeState.SUCCEEDED


def test_a_backfill_reads_its_window_and_has_its_own_cursor() -> None:
    window = Window(date(2026, 1, 1), date(2026, 1, 5))
    with fake_site(world()) as site:
        events = walk(site, backfill=window)
        assert set(problems(events)) == {"abc501_a", "abc501_b"}
    assert [event for event in events if isinstance(event, CursorMoved)] == [
        CursorMoved("2026-01-03T13:40:00Z abc501", backfill=True)
    ]
    with fake_site(world()) as site:
        assert not problems(walk(site, backfill=Window(date(2026, 1, 4), date(2026, 1, 10))))
        assert end(walk(site, backfill=Window(date(2025, 3, 1), date(2025, 3, 2)))).state is ScrapeState.PARTIAL
        assert bare(site.paths())[-1] == "abc400/tasks"


def test_list_pages_are_followed_as_far_as_needed() -> None:
    first, second = pages.archive(ROWS[:3], pages=3), pages.archive(ROWS[3:], pages=3)
    split = world() | {"/contests/archive?page=1&lang=en": first, "/contests/archive?page=2&lang=en": second}
    with fake_site(split) as site:
        events = walk(site)
        assert [path for path in site.paths() if "archive?" in path and "category" not in path] == [
            "/contests/archive?page=1&lang=en",
            "/contests/archive?page=2&lang=en",
        ], "the second page reaches back far enough"
    assert len(problems(events)) == 5
    lost = split | {"/contests/archive?page=2&lang=en": Reply(b"", 500), WEEKDAYS: pages.archive([])}
    with fake_site(lost) as site:
        events = walk(site)
    assert set(problems(events)) == {"abc502_a", "arc401_a"}, "what is listed is read"
    assert cursors(events) == [], "older contests may be on the page that was not had"
    assert "list_cut" in {finding.code for finding in end(events).findings}


WEEKDAYS = "/contests/archive?page=1&category=20&lang=en"


def test_weekday_contests_are_listed_apart_and_read_like_the_others() -> None:
    row = ("awc0101", "2026-01-05 18:00:00+0900", "01:00")
    start, over = "2026-01-05 18:00:00+0900", "2026-01-05 19:00:00+0900"
    apart = {
        WEEKDAYS: pages.archive([row]),
        "/contests/awc0101/tasks": pages.tasks("awc0101", ["awc0101_a"], start, over),
        "/contests/awc0101/tasks/awc0101_a": pages.task(
            pages.modern([("1\n", "1\n")]), start=start, end=over, heading="A - Task awc0101_a"
        ),
    }
    with fake_site(world() | apart) as site:
        events = walk(site)
        assert bare(site.paths())[:3] == ["archive", "20", "home"]
    assert "awc0101_a" in problems(events)
    assert end(events).state is ScrapeState.SUCCEEDED
    with fake_site(world() | {WEEKDAYS: pages.archive([])}) as site:
        assert end(walk(site)).state is ScrapeState.SUCCEEDED, "a category may have no contest"
    with fake_site(world() | {WEEKDAYS: Reply(b"", 500)}) as site:
        events = walk(site)
    assert len(problems(events)) == 5, "the others are read"
    assert cursors(events) == []
    assert "list_cut" in {finding.code for finding in end(events).findings}


def test_daily_trainings_are_left_alone() -> None:
    rows = [*ROWS, ("adt_all_20260106_1", "2026-01-06 18:00:00+0900", "01:00")]
    with fake_site(world(archive=pages.archive(rows))) as site:
        events = walk(site)
        assert not any("adt_" in path for path in site.paths())
    last = captured(events)[0].records[-1]
    assert isinstance(last, ScrapedContest)
    assert (last.external_id, last.kind) == ("adt_all_20260106_1", "training")
    assert end(events).state is ScrapeState.SUCCEEDED


def test_a_contest_that_appears_behind_the_cursor_is_read_at_once() -> None:
    cursor = "2026-01-19T00:00:00Z x"
    with fake_site(world()) as site:
        assert not problems(walk(site, cursor=cursor))
        events = walk(site, cursor=cursor, known_contests={"abc502", "arc401"})
        assert set(problems(events)) == {"abc501_a", "abc501_b"}, "and none that is older than the first look back"
        assert cursors(events) == [], "the cursor is never moved back"
        late = walk(site, cursor="2026-02-25T00:00:00Z x", known_contests={"abc502"}, now=NOW + timedelta(days=40))
    assert set(problems(late)) == {"abc501_a", "abc501_b", "arc401_a", "arc401_b"}, "weeks behind it, too"


def test_without_statements_only_lists_are_asked_for() -> None:
    with fake_site(world()) as site:
        events = walk(site, fetch_statements=False)
        assert not any(path.count("/tasks/") for path in site.paths())
    assert end(events).state is ScrapeState.SUCCEEDED
    assert len(cursors(events)) == 3


CHALLENGE = Reply(b"<title>Just a moment...</title>", 403)


@pytest.mark.parametrize(
    ("page", "state", "classification"),
    [
        ("archive", ScrapeState.BLOCKED, Classification.BLOCKED),
        ("tasks_abc501", ScrapeState.BLOCKED, Classification.BLOCKED),
        ("task_abc501_b", ScrapeState.BLOCKED, Classification.BLOCKED),
    ],
)
def test_blocked_stops_the_source_at_once(page: str, state: ScrapeState, classification: Classification) -> None:
    with fake_site(world(**{page: CHALLENGE})) as site:
        events = walk(site)
    last = captured(events)[-1]
    assert (last.classification, last.status, last.records) == (classification, 403, ())
    assert end(events).state is state
    assert sum(each.classification is Classification.BLOCKED for each in captured(events)) == 1
    assert cursors(events) == []


def test_a_rate_limit_ends_the_walk_for_now() -> None:
    with fake_site(world(task_abc502_a=Reply(b"", 429, {"Retry-After": "900"}))) as site:
        events = walk(site)
        assert bare(site.paths())[-1] == "abc502/tasks/abc502_a"
    assert end(events).state is ScrapeState.PARTIAL
    assert cursors(events) == ["2026-01-03T13:40:00Z abc501"]


@pytest.mark.parametrize("page", [Reply(b"", 500), Reply(drop=True), b"<html>new design</html>", b""])
def test_a_list_that_cannot_be_read_fails_the_walk(page: Page) -> None:
    with fake_site(world(archive=page)) as site:
        events = walk(site)
    assert end(events).state is ScrapeState.FAILED
    assert len(captured(events)) == 1


def test_a_host_that_is_down_is_unreachable_and_not_blocked() -> None:
    with fake_site({"/robots.txt": Reply(b"", 503)}) as site:
        events = walk(site)
    assert captured(events)[0].classification is Classification.UNREACHABLE
    assert end(events).state is ScrapeState.FAILED


def test_one_unreadable_page_is_an_alarm_and_holds_the_cursor() -> None:
    for broken in (b"<html>new design</html>", Reply(b"", 500)):
        with fake_site(world(task_abc502_a=broken)) as site:
            events = walk(site)
        assert set(problems(events)) == {"abc501_a", "abc501_b", "arc401_a", "arc401_b"}
        assert cursors(events) == ["2026-01-03T13:40:00Z abc501"]
        assert end(events).state is ScrapeState.PARTIAL
        assert "tasks_missing" in {finding.code for finding in end(events).findings}
        assert any("abc502_a" in (finding.subject or "") for finding in end(events).findings)


def test_a_closed_contest_is_told_and_stays_to_be_asked() -> None:
    closed = Reply(b"", 302, {"Location": "/login?continue=x"})
    with fake_site(world(tasks_abc501=closed) | {"/login": b"<form><input type=password></form>"}) as site:
        events = walk(site)
    assert captured(events)[3].classification is Classification.LOGIN
    assert end(events).state is ScrapeState.PARTIAL
    told = [event for event in events if isinstance(event, ContestVisited)]
    assert told[0] == ContestVisited("abc501", met=False, reason="could not be read: login 1")
    assert all(each.met for each in told[1:])
    assert cursors(events) == [], "whoever asks next decides how long it is worth it"
    assert "arc401_b" in problems(events)


def test_a_silent_host_is_not_asked_for_ever() -> None:
    names = [f"abc501_{letter}" for letter in "abcdefgh"]
    down = {f"/contests/abc501/tasks/{name}": Reply(b"", 500) for name in names}
    with fake_site(world(tasks_abc501=pages.tasks("abc501", names, *at("abc501"))) | down) as site:
        events = walk(site)
        assert bare(site.paths())[4:] == [f"abc501/tasks/{name}" for name in names[:3]]
    assert end(events).state is ScrapeState.PARTIAL
    assert (end(events).reason or "").startswith("unreachable")


def test_problems_without_facts_are_alarms() -> None:
    start, over = at("abc501")
    poor = pages.task(
        "<h3>Problem Statement</h3><p>Count.</p>", limits="", heading="A - Task abc501_a", start=start, end=over
    )
    with fake_site(world(task_abc501_a=poor)) as site:
        events = walk(site)
    subjects = {(finding.code, finding.subject) for finding in end(events).findings}
    assert {("missing_limits", "abc501_a"), ("missing_samples", "abc501_a")} <= subjects
    assert end(events).state is ScrapeState.PARTIAL
    told = {event.contest: (event.met, event.reason) for event in events if isinstance(event, ContestVisited)}
    assert told["abc501"] == (True, "looks incomplete: missing_limits, missing_samples")
    assert told["abc502"] == (True, None)
    assert cursors(events) == [], "it is looked at again"


def test_a_drop_against_the_last_walk_is_an_alarm() -> None:
    def codes(previous: Mapping[str, int]) -> set[str]:
        with fake_site(world()) as site:
            return {finding.code for finding in end(walk(site, last_counts=previous)).findings}

    assert codes({"listed": 50, "list_pages": 1}) == {"drop"}
    assert codes({"listed": 12, "list_pages": 2}) == set()
    assert codes({}) == set()


def test_unchanged_pages_are_read_from_what_we_hold() -> None:
    bodies: dict[str, bytes] = {}
    tagged = {
        path: Reply(body, headers={"ETag": f'"{path}"'}) for path, body in world().items() if isinstance(body, bytes)
    }
    with fake_site(tagged) as site:
        first = walk(site)
        bodies.update((each.url, each.body) for each in captured(first) if each.body is not None)

        def stored_copy(url: str) -> StoredCopy | None:
            body = bodies.get(url)
            path = url.removeprefix(site.url).partition("?")[0]
            return StoredCopy(f'"{path}"', None, lambda: body) if body is not None else None

        second = walk(site, stored_copy=stored_copy)
    assert [each.status for each in captured(second)] == [304] * 11
    assert all(each.body == b"" for each in captured(second))
    assert problems(second) == problems(first)
    assert end(second).counts["not_modified"] == 11
    assert end(second).state is ScrapeState.SUCCEEDED


def test_the_pace_is_kept_for_the_host() -> None:
    with fake_site(world()) as site, at_least(10 * 0.05):
        walk(site, pace=FixedPace(0.05))
        assert len(site.asked) == 12


def test_a_wrong_job_is_refused_before_anything_is_asked() -> None:
    with fake_site(world()) as site:
        for wrong in ({"cursor": "yesterday"}, {"cursor": "2026-01-01T00:00:00 x"}, {"contact": "nobody"}):
            with pytest.raises(InvalidInput):
                walk(site, **wrong)
        unplanned = Site(name="x", title="X", base_url="https://x.test", kinds={}, plan=None, pace_s=1)
        with pytest.raises(InvalidInput):
            crawl_site(unplanned, now=NOW, margin=timedelta())
        assert not site.asked

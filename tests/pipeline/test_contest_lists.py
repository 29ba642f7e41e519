"""Lists of contests: what trainings cannot date, what appears late, and what two lists lack of each other."""

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from factories import World
from fakes.fake_site import FakeSite, Reply, fake_site
from sqlalchemy import select
from support import atcoder_pages as pages

from app.config import Settings
from app.db.kernel.session import Session
from app.db.tables import Contest, ExpectedDataRow, Problem, ScrapeRun, Source
from app.services.sources import ingest
from app.source_settings import SourceSettings
from scrapers.replay import parse_page
from scrapers.site import find_site
from workers import tasks
from workers.context import Context, leave, make_context, use

SITE = find_site("atcoder")
NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)
LISTS = "/atcoder/resources/contests.json"


def tokyo(instant: datetime) -> str:
    return (instant + timedelta(hours=9)).strftime("%Y-%m-%d %H:%M:%S+0900")


def row(name: str, days: float) -> tuple[str, str, str]:
    """A contest of an hour that began so many days ago."""
    return name, tokyo(NOW - timedelta(days=days)), "01:00"


def other(*rows: tuple[str, float]) -> Reply:
    """What AtCoder Problems lists."""
    listed = [
        {"id": name, "title": name, "start_epoch_second": int((NOW - timedelta(days=days)).timestamp()),
         "duration_second": 3600, "rate_change": "-"}
        for name, days in rows
    ]  # fmt: skip
    return Reply(json.dumps(listed).encode())


@pytest.fixture
def site() -> Iterator[FakeSite]:
    home = pages.archive([("abc999", tokyo(NOW + timedelta(days=3)), "01:00")])
    with fake_site({"/contests/archive": pages.archive([row("abc901", 10)]), "/contests/": home}) as made:
        contest(made, "abc901", 10)
        yield made


def contest(site: FakeSite, name: str, days: float) -> None:
    """Serve a contest with one task."""
    _, start, _ = row(name, days)
    end = tokyo(NOW - timedelta(days=days) + timedelta(hours=1))
    path = f"/contests/{name}/tasks"
    site.pages[path] = pages.tasks(name, [f"{name}_a"], start, end)
    site.pages[f"{path}/{name}_a"] = pages.task(
        pages.modern([("1\n", "2\n")]), start=start, end=end, heading=f"A - Task {name}_a"
    )


@pytest.fixture
def ctx(settings: Settings, site: FakeSite) -> Iterator[Context]:
    sources = {"atcoder": SourceSettings(base_url=site.url, pace_s=0.0)}
    given = settings.model_copy(update={"sources": sources, "contact": "operator@example.test"})
    yield use(replace(make_context(given), clock=lambda: NOW))
    leave()


def known(ctx: Context) -> set[str]:
    with ctx.sessions() as session:
        return set(session.scalars(select(Problem.external_id)))


def test_a_contest_that_appears_behind_the_cursor_is_read_by_the_visit_that_sees_it(
    ctx: Context, site: FakeSite
) -> None:
    tasks.scrape("atcoder")
    assert known(ctx) == {"abc901_a"}
    for name, days in (("abc899", 40), ("abc700", 400)):
        contest(site, name, days)
    rows = [row("abc901", 10), row("abc899", 40), row("abc700", 400)]
    site.pages["/contests/archive"] = pages.archive(rows)
    site.asked.clear()
    tasks.scrape("atcoder")
    assert known(ctx) == {"abc901_a", "abc899_a"}, "what is older than the first look back is a backfill's"
    assert not any("abc901" in path for path in site.paths()), "what was read is not asked for again"
    with ctx.sessions() as session:
        states = session.execute(
            select(Contest.external_id, ExpectedDataRow.state).join(
                ExpectedDataRow, ExpectedDataRow.contest_id == Contest.id
            )
        )
        assert {row[0]: row[1] for row in states} == {"abc901": "met", "abc899": "met", "abc999": "open"}
        assert session.scalars(select(Source.cursor)).one() == {"at": "2026-10-22T13:00:00Z abc901"}, "never backwards"


def test_two_lists_are_held_against_each_other(ctx: Context, site: FakeSite) -> None:
    tasks.scrape("atcoder")

    def differences(*rows: tuple[str, float]) -> list[tuple[str, str]]:
        site.pages[LISTS] = other(*rows)
        run_id = tasks.gather_facts("atcoder", "contests")
        with ctx.sessions() as session:
            run = session.get_one(ScrapeRun, run_id)
            assert (run.state == "partial") == bool(run.findings)
            return [(finding["code"], finding["message"]) for finding in run.findings]

    agreed = (("abc901", 10), ("adt_all_1", 9), ("ahc070", 8), ("abc902", 1), ("abc700", 400), ("ABC901", 10))
    assert differences(*agreed) == [], "trainings, heuristic contests, those of today and those of last year aside"
    assert differences(*agreed, ("awc0101", 5), ("awc0102", 4)) == [
        ("contests_missing", "the site's lists lack 2 contests: awc0101, awc0102")
    ]
    assert differences(("abc900", 20)) == [
        ("contests_missing", "the site's lists lack 1 contests: abc900"),
        ("contests_unknown", "the other list lacks 1 contests: abc901"),
    ]
    assert len(differences(("abc901", 10), ("x" * 9000, 5))[0][1]) < 200, "their names are theirs, and may be anything"
    many = [(f"awc{number:04}", 5.0) for number in range(9)]
    assert differences(("abc901", 10), *many)[0][1].endswith(
        "9 contests: awc0000, awc0001, awc0002, awc0003, awc0004, ..."
    )


def test_lists_of_a_site_that_was_not_read_yet_differ_in_nothing(ctx: Context, site: FakeSite) -> None:
    site.pages[LISTS] = other(("abc901", 10))
    with ctx.sessions() as session:
        assert session.get_one(ScrapeRun, tasks.gather_facts("atcoder", "contests")).state == "succeeded"


def test_a_training_dates_nothing_whichever_page_comes_first(session: Session) -> None:
    """A task keeps the date of its own contest, and has none where only the training showed it."""
    source = World(session).source("atcoder", demo=False).id

    def show(name: str, task: str, begin: datetime) -> None:
        start, end = tokyo(begin), tokyo(begin + timedelta(hours=1))
        body = pages.task(pages.modern([("1\n", "2\n")]), start=start, end=end, heading=f"A - {task}")
        listed = parse_page(
            SITE, "tasks", pages.tasks(name, [task], start, end), f"https://atcoder.jp/contests/{name}/tasks"
        )
        page = parse_page(SITE, "task", body, f"https://atcoder.jp/contests/{name}/tasks/{task}")
        for kind, parsed in (("tasks", listed), ("task", page)):
            ingest.store_records(session, source, parsed.records, None, NOW, kind=kind)

    own, training = datetime(2026, 6, 6, 12, tzinfo=UTC), datetime(2026, 5, 5, 9, tzinfo=UTC)
    show("adt_all_20260505_1", "abc901_a", training)
    show("adt_all_20260505_1", "abc902_a", training)
    problems = {each.external_id: each for each in session.scalars(select(Problem))}
    assert {(each.released_on, each.contest_id) for each in problems.values()} == {(None, None)}
    assert {each.hold_reason for each in problems.values()} == {"no release date"}
    show("abc901", "abc901_a", own)
    show("adt_all_20260505_1", "abc901_a", training)
    first = problems["abc901_a"]
    session.refresh(first)
    assert first.released_on == own
    assert session.get_one(Contest, first.contest_id or 0).external_id == "abc901"
    assert first.url == "https://atcoder.jp/contests/abc901/tasks/abc901_a"

"""Harbour Contests: what the bundled site shows at which time, and that its reader finds all of it."""

from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from pathlib import Path

import pytest
from support.files import READ_AT

from app.domain.publishing.wording import wording
from app.domain.sources.records import Classification, ScrapedContest, ScrapedDifficulty, ScrapedProblem
from scrapers.replay import parse_page
from scrapers.robots import RobotsTxt
from scrapers.sites.harbour import SITE
from scrapers.suites.house import League, date_contests, load_league
from workers.demo.harbour import HarbourSite, SitePage

LEAGUE = Path(__file__).resolve().parents[2] / "league"
FIRST_END = datetime(2026, 12, 1, 9, tzinfo=UTC)
HOUR = timedelta(hours=1)
LEVELS = ("easy", "medium", "hard", "expert", "extreme")


@pytest.fixture(scope="module")
def league() -> League:
    return load_league(LEAGUE, READ_AT)


def site_at(league: League, instant: datetime) -> HarbourSite:
    return HarbourSite(league, date_contests(league.live, FIRST_END, HOUR), lambda: instant)


def get(site: HarbourSite, path: str, known: str | None = None) -> SitePage:
    """The answer to a request, asked again when told to come later."""
    page = site.answer(path, known)
    if page is not None and page.status == HTTPStatus.TOO_MANY_REQUESTS:
        page = site.answer(path, known)
    assert page is not None
    return page


def test_every_page_is_read_as_the_league_has_it(league: League) -> None:
    site = site_at(league, FIRST_END + len(league.live) * HOUR)
    calendar = parse_page(SITE, "calendar", get(site, "/api/calendar.json").body)
    contests = [record for record in calendar.records if isinstance(record, ScrapedContest)]
    past = [(contest.slug, contest.ends_at) for contest in league.contests]
    assert [(contest.external_id, contest.ends_at) for contest in contests] == [
        *past, *((contest.slug, FIRST_END + number * HOUR) for number, contest in enumerate(league.live)),
    ]  # fmt: skip
    levels = parse_page(SITE, "difficulties", get(site, "/api/difficulties.json").body)
    assert {(each.external_id, each.value) for each in levels.records if isinstance(each, ScrapedDifficulty)} == {
        (slug, 1.0 + LEVELS.index(problem.level.value))
        for slug, problem in league.problems.items()
        if not problem.canary
    }
    for contest in league.live:
        listed = parse_page(SITE, "contest", get(site, f"/contests/{contest.slug}").body)
        assert [each.external_id for each in listed.records if isinstance(each, ScrapedProblem)] == [*contest.problems]
        for slug in contest.problems:
            page = parse_page(SITE, "task", get(site, f"/tasks/{slug}").body)
            if slug in contest.changed:
                assert page.classification is Classification.FORMAT_CHANGED
                continue
            assert (page.classification, page.findings) == (Classification.OK, ())
            [read] = page.records
            assert isinstance(read, ScrapedProblem)
            problem, statement = league.problems[slug], league.problems[slug].statements["en"]
            assert (read.external_id, read.contest, read.title) == (slug, contest.slug, statement.title)
            assert read.statements == {"en": statement.text.strip()}
            assert (read.time_limit_ms, read.memory_limit_mb) == (statement.limits.time_ms, statement.limits.memory_mb)
            assert (read.signature, read.starter_code) == (problem.spec.entry, statement.starter_code)
            assert len(read.samples) == problem.examples
            assert read.tags == problem.tags


def test_the_page_of_every_past_problem_has_the_words_that_were_imported(league: League) -> None:
    site = site_at(league, FIRST_END)
    assert len(league.contests) > 20
    for contest in league.contests:
        listed = parse_page(SITE, "contest", get(site, f"/contests/{contest.slug}").body)
        assert [each.external_id for each in listed.records if isinstance(each, ScrapedProblem)] == [*contest.problems]
        for slug in contest.problems:
            [read] = parse_page(SITE, "task", get(site, f"/tasks/{slug}").body).records
            assert isinstance(read, ScrapedProblem)
            statement = league.problems[slug].statements["en"]
            imported = wording(statement.title, statement.text, statement.starter_code)
            assert wording(str(read.title), read.statements["en"], read.starter_code) == imported, slug


def test_a_league_without_live_contests_has_no_site(league: League) -> None:
    site = HarbourSite(league, (), lambda: FIRST_END)
    assert get(site, f"/contests/{league.contests[0].slug}").status == HTTPStatus.NOT_FOUND


def test_what_is_hidden_is_on_no_page(league: League) -> None:
    site = site_at(league, FIRST_END + len(league.live) * HOUR)
    for contest in league.live:
        for slug in contest.problems:
            text = get(site, f"/tasks/{slug}").body.decode()
            hidden = [
                test for test in league.problems[slug].spec.tests if not test.visible and len(str(test.input)) > 40
            ]
            assert not [test for test in hidden if str(test.input).strip() in text]
            assert not [program for program in league.problems[slug].programs if program.code.strip() in text]


def test_nothing_of_a_contest_is_shown_before_it_begins(league: League) -> None:
    first, second = league.live[:2]
    begins = FIRST_END + HOUR - second.duration
    early, later = site_at(league, begins - timedelta(seconds=1)), site_at(league, begins)
    assert get(early, f"/contests/{first.slug}").status == HTTPStatus.OK
    for path in (f"/contests/{second.slug}", f"/tasks/{second.problems[0]}"):
        assert get(early, path).status == HTTPStatus.NOT_FOUND
        assert get(later, path).status == HTTPStatus.OK
    slug = second.problems[0].encode()
    assert get(later, "/api/difficulties.json").body.count(slug) == 0, "levels come with the end"
    assert get(later, "/tasks/atlantis").status == HTTPStatus.NOT_FOUND


def test_an_unchanged_page_is_not_sent_twice(league: League) -> None:
    site = site_at(league, FIRST_END)
    page = get(site, "/api/calendar.json")
    again = get(site, "/api/calendar.json", page.headers["etag"])
    assert (again.status, again.body) == (HTTPStatus.NOT_MODIFIED, b"")
    assert get(site, "/api/calendar.json", '"another"').status == HTTPStatus.OK


def test_it_is_busy_now_and_then_and_says_when_to_come_again(league: League) -> None:
    site = site_at(league, FIRST_END)
    pages = [site.answer("/api/calendar.json", None) for _ in range(20)]
    busy = [page for page in pages if page is not None and page.status == HTTPStatus.TOO_MANY_REQUESTS]
    assert 1 <= len(busy) <= 4
    assert all(page.headers["retry-after"] == "2" for page in busy)


def test_its_robots_txt_leaves_out_one_place_and_other_paths_are_none_of_its_own(league: League) -> None:
    site = site_at(league, FIRST_END)
    rules = RobotsTxt(get(site, "/robots.txt").body)
    assert rules.allows("tidemark", "/tasks/oil-spill")
    assert not rules.allows("tidemark", "/submissions/1")
    assert site.answer("/v1/models", None) is None


def test_every_page_says_that_it_is_a_demo(league: League) -> None:
    site = site_at(league, FIRST_END)
    paths = ("/", f"/contests/{league.live[0].slug}", f"/tasks/{league.live[0].problems[0]}", "/api/calendar.json")
    assert all(b"demo" in get(site, path).body for path in paths)

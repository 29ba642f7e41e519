"""A site at several addresses of its own: how one is chosen, what each asks, and whose pages are whose."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from fakes.fake_site import FakeSite, Reply, fake_site
from support.crawls import crawl_site

from app.domain.errors import InvalidInput
from app.domain.sources.crawl_events import CrawlFinished
from app.domain.sources.records import ScrapedContest, ScrapedProblem
from app.domain.states import ScrapeState
from scrapers.client import FetchLimits
from scrapers.replay import parse_page
from scrapers.site import Request, Site, all_sites, find_site

SITE = find_site("leetcode")
CN = SITE.in_edition("cn")
START = datetime(2026, 1, 4, 2, 30, tzinfo=UTC)


def test_an_edition_is_chosen_by_its_name_or_by_its_address() -> None:
    for name, address, chosen in [
        (None, None, "https://leetcode.com"),
        ("com", None, "https://leetcode.com"),
        ("cn", None, "https://leetcode.cn"),
        ("cn", "http://127.0.0.1:8000", "https://leetcode.cn"),
        (None, "http://127.0.0.1:8000", "https://leetcode.com"),
        (None, "https://leetcode.cn", "https://leetcode.cn"),
        (None, "https://www.LeetCode.cn/", "https://leetcode.cn"),
        (None, "https://leetcode.cn.example", "https://leetcode.com"),
        (None, "https://leetcode.cn:8443", "https://leetcode.com"),
        (None, "https://leetcode.cn:port", "https://leetcode.com"),
        (None, "leetcode.cn", "https://leetcode.com"),
    ]:
        assert SITE.in_edition(name, address).base_url == chosen, (name, address, chosen)


def test_an_edition_that_there_is_not_or_not_there_is_refused() -> None:
    with pytest.raises(InvalidInput, match="'us'; it has com, cn"):
        SITE.in_edition("us")
    with pytest.raises(InvalidInput, match="is not at https"):
        SITE.in_edition("cn", "https://leetcode.com")
    with pytest.raises(InvalidInput, match="it has but one"):
        find_site("atcoder").in_edition("cn")


@pytest.mark.parametrize("site", [site for site in all_sites().values() if site.editions])
def test_a_site_is_in_its_first_edition_and_each_can_be_chosen_again(site: Site) -> None:
    first = next(iter(site.editions.values()))
    assert (site.base_url, site.plan) == (first.base_url, first.plan)
    for name, edition in site.editions.items():
        chosen = site.in_edition(name)
        assert (chosen.base_url, chosen.plan, chosen.kinds, chosen.facts) == (
            edition.base_url, edition.plan, site.kinds, site.facts,
        )  # fmt: skip
        assert chosen.is_at(edition.base_url)
        assert chosen.in_edition(next(iter(site.editions))) == site


def test_each_edition_asks_for_lists_by_its_own_names() -> None:
    def asked(request: Request | None) -> tuple[str, dict[str, Any]]:
        assert request is not None
        assert request.body is not None
        body = json.loads(request.body)
        assert f"{body['operationName']}(" in body["query"].replace(" {", "(", 1)
        return body["operationName"], body["variables"]

    assert SITE.plan is not None
    assert CN.plan is not None
    assert asked(SITE.plan.index(2)) == ("pastContests", {"pageNo": 2, "numPerPage": 25})
    assert asked(CN.plan.index(2)) == ("contestHistory", {"pageNum": 2, "pageSize": 25})
    assert [asked(each) for each in SITE.plan.upcoming] == [("upcomingContests", {})]
    assert [asked(each) for each in CN.plan.upcoming] == [("contestUpcomingContests", {})]
    contest, problem = ScrapedContest("weekly-contest-700", "700", starts_at=START), ScrapedProblem("count-the-lamps")
    assert CN.plan.contest(contest) == SITE.plan.contest(contest)
    assert CN.plan.problem(problem) == SITE.plan.problem(problem)


def info(**names: str) -> bytes:
    contest = {"title": "第 700 场周赛", "title_slug": "weekly-contest-700", "start_time": int(START.timestamp())}
    questions = [{"title": "数灯", "title_slug": "count-the-lamps", "credit": 3} | names]
    return json.dumps({"contest": contest, "questions": questions}).encode()


def test_a_page_is_of_the_edition_it_came_from_whichever_is_visited() -> None:
    """So that what was read once is read again to the same after another edition was chosen."""
    for home in ("https://leetcode.com", "https://leetcode.cn"):
        for site in (SITE, CN):
            _, problem = parse_page(site, "contest", info(), f"{home}/contest/api/info/weekly-contest-700/").records
            assert isinstance(problem, ScrapedProblem)
            assert problem.url == f"{home}/problems/count-the-lamps/"
    for site, home in ((SITE, "https://leetcode.com"), (CN, "https://leetcode.cn")):
        for elsewhere in ("", "http://127.0.0.1:8000/contest/api/info/weekly-contest-700/", "http://[/"):
            _, problem = parse_page(site, "contest", info(), elsewhere).records
            assert isinstance(problem, ScrapedProblem)
            assert problem.url == f"{home}/problems/count-the-lamps/"


def test_a_problem_has_its_english_title_where_the_contest_tells_both() -> None:
    titles = []
    for names in ({}, {"english_title": "Count the Lamps"}, {"english_title": ""}):
        _, problem = parse_page(CN, "contest", info(**names)).records
        assert isinstance(problem, ScrapedProblem)
        titles.append(problem.title)
    assert titles == ["数灯", "Count the Lamps", "数灯"]


def crawled(site: FakeSite, base_url: str) -> CrawlFinished:
    job = {"now": START + timedelta(days=1), "margin": timedelta(minutes=10)}
    *_, last = crawl_site(CN, base_url=base_url, limits=FetchLimits(timeout_s=5, retries=0), **job)
    assert isinstance(last, CrawlFinished)
    return last


@pytest.mark.parametrize("below", ["", "/", "/mirror"])
def test_who_asks_is_a_page_of_the_address_in_use(below: str) -> None:
    row = {"title": "第 700 场周赛", "titleSlug": "weekly-contest-700", "startTime": int(START.timestamp())}
    listed = json.dumps({"data": {"contestHistory": {"totalNum": 1, "contests": [row | {"duration": 5400}]}}})
    ahead = json.dumps({"data": {"contestUpcomingContests": []}})
    path = below.rstrip("/")
    pages: dict[str, Any] = {
        f"{path}/graphql": [Reply(listed.encode()), Reply(listed.encode()), Reply(ahead.encode())],
        f"{path}/contest/api/info/weekly-contest-700/": info(),
    }
    with fake_site(pages) as site:
        last = crawled(site, f"{site.url}{below}")
        asked = [each for each in site.asked if each.path != "/robots.txt"]
    assert last.state is ScrapeState.SUCCEEDED, last
    came_from = [(each.headers.get("referer"), each.headers.get("origin")) for each in asked]
    home = f"{site.url}{path}/contest/"
    assert came_from == [(home, site.url)] * 3 + [(f"{home}weekly-contest-700/", None)]
    assert not any("leetcode.com" in value for each in asked for value in each.headers.values())

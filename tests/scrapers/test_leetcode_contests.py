"""LeetCode's lists of contests, contests and ratings, and a crawl of them on loopback."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from fakes.fake_site import Asked, Reply, fake_site
from support.crawls import crawl_site

from app.domain.sources.crawl_events import CrawlFinished, CursorMoved, PageCaptured
from app.domain.sources.records import (
    Classification,
    DifficultyRating,
    ScrapedContest,
    ScrapedDifficulty,
    ScrapedProblem,
)
from app.domain.states import ScrapeState
from scrapers.client import FetchLimits
from scrapers.replay import parse_page
from scrapers.site import ParsedPage, find_site

SITE = find_site("leetcode")
START = 1767493800  # Sunday, 2026-01-04 02:30 UTC
BEGINS = datetime(2026, 1, 4, 2, 30, tzinfo=UTC)


def row(number: int, **more: Any) -> dict[str, Any]:
    start = START - (700 - number) * 7 * 86400
    name = f"weekly-contest-{number}"
    return {"title": f"Weekly Contest {number}", "titleSlug": name, "startTime": start, "duration": 5400} | more


def read(kind: str, value: Any, url: str = "") -> ParsedPage:
    return parse_page(SITE, kind, json.dumps(value).encode(), url)


def contests(parsed: ParsedPage) -> list[ScrapedContest]:
    assert parsed.classification is Classification.OK, parsed.findings
    return [record for record in parsed.records if isinstance(record, ScrapedContest)]


def codes(parsed: ParsedPage) -> list[str]:
    return [finding.code for finding in parsed.findings]


def past(rows: list[Any], **more: Any) -> dict[str, Any]:
    return {"data": {"pastContests": {"data": rows} | more}}


def test_every_form_of_the_list() -> None:
    for value, phase in [
        ({"data": {"brightTitle": False, "allContests": [row(700)]}}, None),
        (past([row(700)], pageNum=72, currentPage=1, totalNum=715, numPerPage=10), "ended"),
        ({"data": {"upcomingContests": [row(700)]}}, "upcoming"),
        ({"data": {"topTwoContests": [row(700)]}}, None),
        ({"data": {"contestHistory": {"totalNum": 700, "contests": [row(700)]}}}, "ended"),
        ({"data": {"contestUpcomingContests": [row(700)]}}, "upcoming"),
        (
            {"contests": [{"title_slug": "weekly-contest-700", "start_time": START, "title": "Weekly Contest 700"}]},
            None,
        ),
        ([{"slug": "weekly-contest-700", "startTime": START * 1000, "title": "Weekly Contest 700"}], None),
    ]:
        parsed = read("contest_list", value)
        assert contests(parsed) == [
            ScrapedContest(
                "weekly-contest-700",
                "Weekly Contest 700",
                kind="weekly",
                starts_at=BEGINS,
                ends_at=BEGINS + timedelta(minutes=90),
                phase=phase,
            )
        ], (value, phase)
        assert not parsed.findings, (value, phase)


def test_the_number_of_pages() -> None:
    sized = past([row(700)], pageNum=72, currentPage=1, totalNum=715, numPerPage=25)
    assert read("contest_list", sized).pages == 29
    assert read("contest_list", past([row(700)], pageNum=72, currentPage=1)).pages == 72
    assert read("contest_list", past([row(700)])).pages is None
    chinese = {"data": {"contestHistory": {"totalNum": 700, "contests": [row(700)]}}}
    assert read("contest_list", chinese).pages is None


def test_kinds_and_ends() -> None:
    slugs = {
        "biweekly-contest-1": ("biweekly", 90),
        "weekly-contest-59": ("weekly", 90),
        "weekly-contest-58": ("weekly", None),
        "leetcode-weekly-contest-7": ("weekly", None),
        "weekly-contest-by-app-academy": ("weekly", None),
        "warm-up-contest": ("other", None),
        "smarking-algorithm-contest-2": ("other", None),
    }
    rows = [{"titleSlug": name, "startTime": START, "title": name} for name in slugs]
    for contest in contests(read("contest_list", past(rows))):
        kind, minutes = slugs[contest.external_id]
        assert contest.kind == kind
        assert contest.ends_at == (None if minutes is None else BEGINS + timedelta(minutes=minutes))
    (long,) = contests(read("contest_list", past([row(700, duration=86400)])))
    assert long.ends_at == BEGINS + timedelta(days=1)


def test_a_virtual_rerun_keeps_its_first_start_and_names_come_once() -> None:
    again = row(700, isVirtual=True, startTime=START + 999_999, originStartTime=START)
    parsed = read("contest_list", past([again, row(700), row(699)]))
    assert [contest.external_id for contest in contests(parsed)] == ["weekly-contest-700", "weekly-contest-699"]
    assert contests(parsed)[0].starts_at == BEGINS


def test_lists_that_are_empty_or_broken() -> None:
    lists: list[Any] = [past([], totalNum=0, numPerPage=10), {"data": {"upcomingContests": []}}]
    for empty in lists:
        parsed = read("contest_list", empty)
        assert (parsed.classification, parsed.records, parsed.findings) == (Classification.OK, (), ())
    nothing: list[Any] = [
        {"data": {"allContests": []}},
        {"data": {"pastContests": None}},
        past([]),
        [],
        {"data": {}},
        {},
    ]
    for value in nothing:
        assert read("contest_list", value).classification is Classification.FORMAT_CHANGED
    broken = read("contest_list", past([None, row(700), {"titleSlug": "a b"}, row(699, startTime="soon")]))
    assert [contest.external_id for contest in contests(broken)] == ["weekly-contest-700"]
    assert codes(broken) == ["bad_row"] * 3
    assert codes(read("contest_list", past([row(700, startTime=None)]))) == ["missing_date"]
    refused = {"errors": [{"message": "Please try again: too many requests"}], "data": {"pastContests": None}}
    assert read("contest_list", refused).classification is Classification.RATE_LIMITED


def info(**more: Any) -> dict[str, Any]:
    contest = {"id": 9, "title": "Weekly Contest 700", "title_slug": "weekly-contest-700", "start_time": START}
    contest |= {"duration": 5400, "origin_start_time": START, "is_virtual": False, "description": "<p>prizes</p>"}
    questions = [
        {"id": 1, "question_id": 9001, "credit": 3, "title": "Count the Lamps", "title_slug": "count-the-lamps"},
        {"id": 2, "question_id": 9002, "credit": 6.5, "title": "灯", "title_slug": "stars", "paid_only": True}
        | {"difficulty": 3},
    ]
    return {"contest": contest, "questions": questions, "company": {}, "containsPremium": False} | more


def test_a_contest_and_its_problems() -> None:
    parsed = read("contest", info(), "https://leetcode.com/contest/api/info/weekly-contest-700/")
    contest, first, second = parsed.records
    assert not parsed.findings
    assert isinstance(contest, ScrapedContest)
    assert (contest.external_id, contest.problems) == ("weekly-contest-700", ("count-the-lamps", "stars"))
    assert (contest.kind, contest.starts_at, contest.ends_at) == ("weekly", BEGINS, BEGINS + timedelta(minutes=90))
    assert first == ScrapedProblem(
        "count-the-lamps",
        contest="weekly-contest-700",
        title="Count the Lamps",
        url="https://leetcode.com/problems/count-the-lamps/",
        starts_at=BEGINS,
        ends_at=BEGINS + timedelta(minutes=90),
        points=3,
    )
    assert isinstance(second, ScrapedProblem)
    assert (second.points, second.flags, second.title) == (6.5, ("paid_only",), "灯")
    assert second.difficulty == DifficultyRating("leetcode", "Hard")
    several = read("contest", [info(), info()])
    assert several.records == (*parsed.records, *parsed.records), "a collected list holds one contest an element"


def test_a_contest_from_graphql() -> None:
    contest = row(700) | {"questions": [{"title": "Count the Lamps", "titleSlug": "count-the-lamps", "credit": 3}]}
    parsed = read("contest", {"data": {"contest": contest}})
    assert contests(parsed)[0].problems == ("count-the-lamps",)
    assert read("contest", {"data": {"contest": None}}).classification is Classification.NOT_FOUND
    announced = {"data": {"contestDetailPage": row(700), "contestQuestionList": []}}
    assert read("contest", announced).classification is Classification.NOT_OPEN


def test_contests_that_cannot_be_read() -> None:
    def classified(value: Any, url: str = "") -> Classification:
        return read("contest", value, url).classification

    assert classified(info(questions=[])) is Classification.NOT_OPEN
    assert classified({"error": "Contest not found"}) is Classification.NOT_FOUND
    assert classified({"error": "Unexpected Error"}) is Classification.UNREACHABLE, "no word that it is not there"
    assert classified({"error": "The contest has not started."}) is Classification.NOT_OPEN
    assert classified({"detail": "Authentication credentials were not provided."}) is Classification.LOGIN
    for value in (
        {},
        {"contest": 1, "questions": []},
        {"contest": {}, "questions": [1]},
        info(questions=None),
        [info(), 1],
    ):
        parsed = read("contest", value)
        assert parsed.classification is Classification.FORMAT_CHANGED or codes(parsed)
    elsewhere = "https://leetcode.com/contest/api/info/weekly-contest-699/"
    assert codes(read("contest", info(), elsewhere)) == ["another_page"]
    half = read("contest", info(questions=[{"title_slug": "x"}, {"title": "no slug"}]))
    assert contests(half)[0].problems == ("x",)
    assert codes(half) == ["bad_row"]


TSV = "Rating\tID\tTitle\tTitle ZH\tTitle Slug\tContest Slug\tProblem Index\n"


def test_ratings_in_both_forms() -> None:
    expected = (ScrapedDifficulty("count-the-lamps", "zerotrac", 1500.25, experimental=False),)
    line = "1500.25\t8001\tCount the Lamps\t数灯\tcount-the-lamps\tweekly-contest-700\tQ1\n"
    assert parse_page(SITE, "ratings", (TSV + line).encode()) == ParsedPage(Classification.OK, expected)
    assert parse_page(SITE, "ratings", (TSV + line).replace("\n", "\r\n").encode()).records == expected
    rows = [{"Rating": 1500.25, "ID": 8001, "TitleSlug": "count-the-lamps", "ContestSlug": "weekly-contest-700"}]
    assert read("ratings", rows) == ParsedPage(Classification.OK, expected)
    half = parse_page(SITE, "ratings", f"{TSV}{line}nan\t1\tX\tX\tx\tw\tQ1\n\nshort\n".encode())
    assert (half.records, codes(half)) == (expected, ["bad_row", "bad_row"])
    for body in (b"Rating\tID\n1\t2", TSV.encode(), b"[]", b"{}", b"[1]", b"404: Not Found", b"<html><p>x</p></html>"):
        assert parse_page(SITE, "ratings", body).classification is Classification.FORMAT_CHANGED


@pytest.mark.parametrize(
    ("address", "kind"),
    [
        ("/contest/api/info/weekly-contest-700/", "contest"),
        ("/contest/api/ranking/info/weekly-contest-700/", "contest"),
        ("/graphql#contests/2", "contest_list"),
        ("/graphql#question/count-the-lamps", "question"),
        ("/problems/count-the-lamps/description/", "question"),
        ("/zerotrac/leetcode_problem_rating/main/ratings.txt", "ratings"),
        ("/zerotrac/leetcode_problem_rating/main/data.json", "ratings"),
    ],
)
def test_each_address_is_of_one_kind(address: str, kind: str) -> None:
    assert [kind.name for kind in SITE.kinds.values() if kind.url.search(address)] == [kind]


def test_the_plan_asks_as_the_sites_own_pages_do() -> None:
    assert SITE.plan is not None
    listed = SITE.plan.index(3)
    assert listed is not None
    assert listed.body is not None
    asked = json.loads(listed.body)
    assert (asked["operationName"], asked["variables"]["pageNo"]) == ("pastContests", 3)
    assert listed.headers["Content-Type"] == "application/json"
    assert listed.referer == "/contest/"
    problem = SITE.plan.problem(ScrapedProblem("count-the-lamps"))
    assert problem is not None
    assert problem.body is not None
    assert json.loads(problem.body)["variables"] == {"titleSlug": "count-the-lamps"}
    assert SITE.plan.problem(ScrapedProblem("stars", flags=("paid_only",))) is None
    assert SITE.plan.problem(ScrapedProblem(None)) is None
    assert not SITE.fetch_statements
    assert SITE.pace_s >= 3
    assert all(SITE.login_path.search(path) for path in ("/accounts/login/", "/accounts/login"))


def served(asked: Asked) -> Reply:
    given = json.loads(asked.body)
    if given["operationName"] == "pastContests":
        rows = [row(700), row(699)] if given["variables"]["pageNo"] == 1 else [row(600)]
        return Reply(json.dumps(past(rows, totalNum=3, numPerPage=2, currentPage=1, pageNum=2)).encode())
    if given["operationName"] == "upcomingContests":
        return Reply(b'{"data": {"upcomingContests": []}}')
    name = given["variables"]["titleSlug"]
    content = "<p>Count.</p><pre>Input: n = 1\nOutput: 2</pre>"
    meta = json.dumps({"name": "f", "params": [{"name": "n", "type": "integer"}], "return": {"type": "integer"}})
    question = {"titleSlug": name, "title": "Count the Lamps", "content": content, "metaData": meta}
    return Reply(json.dumps({"data": {"question": question}}).encode())


def test_a_crawl_reads_lists_contests_and_problems() -> None:
    old = info()
    old["contest"] |= {"title_slug": "weekly-contest-699", "start_time": START - 7 * 86400}
    old["questions"] = old["questions"][:1]
    pages: dict[str, Any] = {"/graphql": served, "/contest/api/info/weekly-contest-699/": json.dumps(old).encode()}
    with fake_site(pages, robots="User-agent: *\nDisallow: /contest/api/info/weekly-contest-700/\n") as site:
        events = list(
            crawl_site(
                SITE,
                base_url=site.url,
                now=BEGINS + timedelta(days=1),
                margin=timedelta(hours=1),
                fetch_statements=True,
                limits=FetchLimits(timeout_s=5, backoff_s=0),
            )
        )
        asked = [(each.method, each.path) for each in site.asked if each.path != "/robots.txt"]
    assert asked == [
        ("POST", "/graphql"),
        ("POST", "/graphql"),
        ("POST", "/graphql"),
        ("GET", "/contest/api/info/weekly-contest-699/"),
        ("POST", "/graphql"),
    ], "the part of an address behind # is never sent, and robots.txt is obeyed"
    captured = [event for event in events if isinstance(event, PageCaptured)]
    assert len({each.url for each in captured}) == len(captured), "every answer has an address of its own"
    for each in captured:
        if each.classification is Classification.OK:
            assert parse_page(SITE, each.kind, each.body or b"", each.url).records == each.records
    found = [
        record for each in captured for record in each.records if isinstance(record, ScrapedProblem) and record.samples
    ]
    assert [each.external_id for each in found] == ["count-the-lamps"]
    assert [event.cursor for event in events if isinstance(event, CursorMoved)] == [
        "2025-12-28T04:00:00Z weekly-contest-699"
    ]
    finished = events[-1]
    assert isinstance(finished, CrawlFinished)
    assert finished.state is ScrapeState.PARTIAL, "one path is forbidden"

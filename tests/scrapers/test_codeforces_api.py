"""Codeforces' API: envelopes, contests, problems, standings, rating changes, and what a crawl asks for."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from fakes.fake_site import fake_site
from support.crawls import crawl_site

from app.domain.sources.crawl_events import CursorMoved, PageCaptured
from app.domain.sources.records import (
    Classification,
    DifficultyRating,
    ScrapedContest,
    ScrapedProblem,
    ScrapedRatingChange,
    ScrapedStanding,
)
from app.domain.states import ScrapeState
from scrapers.client import FetchLimits, FixedPace
from scrapers.replay import parse_page, parse_response
from scrapers.response import Response
from scrapers.site import ParsedPage, find_site

SITE = find_site("codeforces")
KINDS = ("contest_list", "problemset", "standings", "rating_changes")
START = 1_786_977_300
BEGAN = datetime.fromtimestamp(START, tz=UTC)
ROUND = {
    "id": 2300,
    "name": "Round 1200 (Div. 2)",
    "type": "CF",
    "phase": "FINISHED",
    "frozen": False,
    "durationSeconds": 7200,
    "startTimeSeconds": START,
    "relativeTimeSeconds": 5,
}
TASKS = [
    {"contestId": 2300, "index": "A", "name": "Boats", "type": "PROGRAMMING", "points": 500.0, "rating": 800,
     "tags": ["dp"]},
    {"contestId": 2300, "index": "B1", "name": "Locks", "type": "PROGRAMMING", "tags": ["interactive"]},
]  # fmt: skip


def ok(result: Any) -> bytes:
    return json.dumps({"status": "OK", "result": result}).encode()


def codes(parsed: ParsedPage) -> list[str]:
    return [finding.code for finding in parsed.findings]


def row(handles: list[str], points: list[float], **changes: Any) -> dict[str, Any]:
    party = {"members": [{"handle": handle} for handle in handles], "participantType": "CONTESTANT", "ghost": False}
    results = [{"points": point, "rejectedAttemptCount": 0, "type": "FINAL"} for point in points]
    return {"party": party | changes, "rank": 1, "points": sum(points), "penalty": 7, "problemResults": results}


def test_the_list_of_contests() -> None:
    later = ROUND | {"id": 2301, "phase": "BEFORE", "name": "Educational Codeforces Round 300", "type": "ICPC"}
    undated = {key: value for key, value in later.items() if key != "startTimeSeconds"} | {"id": 2302}
    parsed = parse_page(SITE, "contest_list", ok([undated, later, ROUND]))
    first, second, third = parsed.records
    assert parsed.pages == 1
    assert not parsed.findings
    assert third == ScrapedContest(
        external_id="2300",
        title="Round 1200 (Div. 2)",
        kind="CF",
        division="Div. 2",
        starts_at=BEGAN,
        ends_at=BEGAN + timedelta(hours=2),
        phase="FINISHED",
    )
    assert isinstance(second, ScrapedContest)
    assert isinstance(first, ScrapedContest)
    assert (second.phase, second.kind, second.division) == ("BEFORE", "ICPC", "Div. 2")
    assert (first.starts_at, first.ends_at, first.rated_range) == (None, None, None)
    (old,) = parse_page(
        SITE, "contest_list", ok([ROUND | {"startTimeSeconds": 0, "durationSeconds": 3 * 10**9}])
    ).records
    assert isinstance(old, ScrapedContest)
    assert (old.starts_at, old.ends_at) == (None, None), "the end of what never began"


@pytest.mark.parametrize(
    ("name", "division"),
    [
        ("Round 1 (Div. 1)", "Div. 1"),
        ("Cup (Round 1110, Div. 1 + Div. 2)", "Div. 1 + Div. 2"),
        ("Round (Div.1 + Div.2, combined)", "Div. 1 + Div. 2"),
        ("Round (Div. 1 + 2)", "Div. 1 + Div. 2"),
        ("Beta Round 12 (Div 2 Only)", "Div. 2"),
        ("Educational Round 40 (рейтинговый для Див. 2)", "Div. 2"),
        ("Educational Codeforces Round 3", "Div. 2"),
        ("Round 5 (Div. 4)", "Div. 4"),
        ("Codeforces Global Round 12", None),
        ("Divide by Zero 2", None),
        ("Round (Div. 10)", None),
    ],
)
def test_divisions(name: str, division: str | None) -> None:
    (contest,) = parse_page(SITE, "contest_list", ok([ROUND | {"name": name}])).records
    assert isinstance(contest, ScrapedContest)
    assert contest.division == division


def test_the_problem_set() -> None:
    more = [
        {"problemsetName": "acmsguru", "index": "553", "name": "Pearls", "type": "PROGRAMMING", "tags": []},
        {"contestId": 100524, "index": "C", "name": "Gym", "type": "QUESTION"},
        {"contestId": "x", "index": "A", "name": "Bad"},
        {"contestId": 5, "index": "../A", "name": "Bad"},
    ]
    parsed = parse_page(SITE, "problemset", ok({"problems": TASKS + more, "problemStatistics": []}))
    assert codes(parsed) == ["bad_row", "bad_row"]
    problems = [record for record in parsed.records if isinstance(record, ScrapedProblem)]
    assert problems[0] == ScrapedProblem(
        external_id="2300/A",
        contest="2300",
        index="A",
        title="Boats",
        url="https://codeforces.com/contest/2300/problem/A",
        points=500,
        tags=("dp",),
        difficulty=DifficultyRating("codeforces", 800),
    )
    assert (problems[1].form, problems[1].flags, problems[1].difficulty) == ("interactive", ("interactive",), None)
    assert problems[2].url == "https://codeforces.com/problemsets/acmsguru/problem/99999/553"
    assert (problems[3].url, problems[3].flags) == ("https://codeforces.com/gym/100524/problem/C", ("question",))
    nothing = ok({"problems": [], "problemStatistics": []})
    assert parse_page(SITE, "problemset", nothing).classification is Classification.FORMAT_CHANGED
    tagged = parse_page(SITE, "problemset", nothing, "https://codeforces.com/api/problemset.problems?tags=none")
    assert (tagged.classification, tagged.records) == (Classification.OK, ())


def test_standings() -> None:
    rows = [
        row(["ann"], [480.0, 0.0]),
        row(["ben", "cat"], [0.0, 900.5], teamName="Pair"),
        row([], [0.0, 0.0], teamName="Ghost", ghost=True),
        row(["dan"], [500.0, 1.0], participantType="PRACTICE") | {"rank": 0},
        row(["eve"], [1.0]),
    ]
    parsed = parse_page(SITE, "standings", ok({"contest": ROUND, "problems": TASKS, "rows": rows}))
    contest, first, second, *standings = parsed.records
    assert isinstance(contest, ScrapedContest)
    assert isinstance(first, ScrapedProblem)
    assert isinstance(second, ScrapedProblem)
    assert contest.problems == ("2300/A", "2300/B1")
    assert (first.starts_at, first.ends_at) == (BEGAN, BEGAN + timedelta(hours=2))
    assert (second.points, second.tags) == (None, ("interactive",))
    assert standings == [
        ScrapedStanding(1, "ann", None, 480, 7, ("2300/A",)),
        ScrapedStanding(1, "Pair", None, 900.5, 7, ("2300/B1",)),
        ScrapedStanding(1, "Ghost", None, 0, 7, ()),
        ScrapedStanding(None, "dan", None, 501, 7, ("2300/A", "2300/B1")),
    ]
    assert codes(parsed) == ["bad_row", "unofficial_rows"]
    nobody = parse_page(SITE, "standings", ok({"contest": ROUND, "problems": TASKS, "rows": []}))
    assert (nobody.classification, len(nobody.records)) == (Classification.OK, 3)


def test_a_part_of_an_olympiad_problem_does_not_solve_it() -> None:
    rows = [row(["ann"], [500.0, 10.0]), row(["ben"], [499.0, 0.0])]
    parsed = parse_page(SITE, "standings", ok({"contest": ROUND | {"type": "IOI"}, "problems": TASKS, "rows": rows}))
    assert [record.solved for record in parsed.records if isinstance(record, ScrapedStanding)] == [("2300/A",), ()]


def test_rating_changes() -> None:
    change = {"contestId": 1, "handle": "ann", "rank": 1, "oldRating": -3, "newRating": 1602}
    for body in (ok([change]), json.dumps([change]).encode()):
        assert parse_page(SITE, "rating_changes", body).records == (ScrapedRatingChange(1, -3, 1602),)
    unrated = parse_page(SITE, "rating_changes", ok([]))
    assert (unrated.classification, unrated.records, codes(unrated)) == (Classification.OK, (), ["no_changes"])


@pytest.mark.parametrize(
    ("comment", "expected"),
    [
        ("Call limit exceeded", Classification.RATE_LIMITED),
        ("contestId: Contest with id 999999 not found", Classification.NOT_FOUND),
        ("handles: User with handle nobody not found", Classification.NOT_FOUND),
        ("contestId: Contest with id 2300 has not started", Classification.NOT_OPEN),
        ("contestId: Rating changes are unavailable for this contest", Classification.NOT_OPEN),
        ("You have to be authenticated to use this method", Classification.LOGIN),
        ("apiKey: Incorrect API key", Classification.LOGIN),
        ("Internal Server Error", Classification.UNREACHABLE),
        (
            "contestId: Non-gym standings are available only via anonymous requests",
            Classification.FORMAT_CHANGED,
        ),
        ("contestId: Field should contain long integer value", Classification.FORMAT_CHANGED),
        (None, Classification.FORMAT_CHANGED),
        (["x"], Classification.FORMAT_CHANGED),
    ],
)
def test_refusals(comment: Any, expected: Classification) -> None:
    for kind in KINDS:
        parsed = parse_page(SITE, kind, json.dumps({"status": "FAILED", "comment": comment}).encode())
        assert (parsed.classification, parsed.records) == (expected, ())
        assert parsed.findings[0].message


def test_an_answer_of_another_kind_is_a_changed_format() -> None:
    answers = {
        "contest_list": ok([ROUND]),
        "problemset": ok({"problems": TASKS, "problemStatistics": []}),
        "standings": ok({"contest": ROUND, "problems": TASKS, "rows": []}),
        "rating_changes": ok([{"handle": "ann", "rank": 1, "oldRating": 1, "newRating": 2}]),
    }
    for kind in KINDS:
        for other, body in answers.items():
            parsed = parse_page(SITE, kind, body)
            assert (parsed.classification is Classification.OK) == (kind == other), (kind, other)


@pytest.mark.parametrize(
    "changes",
    [
        {"id": "2300"}, {"id": True}, {"id": -1}, {"id": 10**400}, {"name": None}, {"name": "x" * 9000},
        {"name": "\ud800"},
        {"durationSeconds": "2h"}, {"durationSeconds": -5}, {"startTimeSeconds": 1e300}, {"startTimeSeconds": 10**14},
        {"startTimeSeconds": float("nan")}, {"phase": 5}, {"type": None},
    ],
)  # fmt: skip
def test_facts_of_the_wrong_kind_are_a_bad_row(changes: dict[str, Any]) -> None:
    parsed = parse_page(SITE, "contest_list", ok([ROUND, ROUND | changes]))
    assert len(parsed.records) == 1
    assert codes(parsed) == ["bad_row"]
    assert parse_page(SITE, "contest_list", ok([ROUND | changes])).classification is Classification.FORMAT_CHANGED


def test_a_start_that_cannot_be_true_is_none() -> None:
    parsed = parse_page(SITE, "contest_list", ok([ROUND | {"startTimeSeconds": 0}]))
    (contest,) = parsed.records
    assert isinstance(contest, ScrapedContest)
    assert (contest.starts_at, codes(parsed)) == (None, ["missing_date"])


def test_rounds_whose_problems_have_no_right_answer_are_left_out() -> None:
    assert SITE.plan is not None
    unfit = ("April Fools Day Contest 2026", "ICPC Challenge 2020: Marathon", "Huawei Honorcup Marathon 1",
             "45th ICPC World Finals Challenge powered by Huawei", "Microsoft Q# Coding Contest")  # fmt: skip
    fit = ("Round 1 (Div. 3)", "Kotlin Heroes: Episode 9", "2024 ICPC, NERC (Online Mirror, ICPC Rules)",
           "Squarepoint Challenge (Round 1055, Div. 1 + Div. 2)", "Olympiad - Final Stage (IOI rules)")  # fmt: skip
    assert not any(SITE.plan.wants(ScrapedContest("5", title=title)) for title in unfit)
    assert all(SITE.plan.wants(ScrapedContest("5", title=title)) for title in fit)
    assert not SITE.plan.wants(ScrapedContest("100524", title=fit[0]))


def served() -> dict[str, bytes]:
    running = ROUND | {"id": 2302, "startTimeSeconds": START + 90_000, "phase": "CODING"}
    fools = ROUND | {"id": 2301, "name": "April Fools Day Contest"}
    return {
        "/api/contest.list": ok([running, fools, ROUND]),
        "/api/contest.standings": ok({"contest": ROUND, "problems": TASKS, "rows": [row(["ann"], [480.0, 0.0])]}),
    }


def walk(url: str, **options: Any) -> list[Any]:
    wanted: dict[str, Any] = {
        "now": BEGAN + timedelta(days=1, hours=2),
        "margin": timedelta(hours=1),
        "pace": FixedPace(0.01),
        "contact": "operator@example.test",
        "limits": FetchLimits(retries=0),
    }
    return list(crawl_site(SITE, base_url=url, **(wanted | options)))


def test_a_crawl_asks_the_api_and_no_page() -> None:
    with fake_site(served()) as site:
        events = walk(site.url)
        asked = [each.path for each in site.asked if "robots" not in each.path]
    assert asked == ["/api/contest.list?gym=false", "/api/contest.standings?contestId=2300"]
    captured = [event for event in events if isinstance(event, PageCaptured)]
    problems = [record for record in captured[1].records if isinstance(record, ScrapedProblem)]
    assert [problem.external_id for problem in problems] == ["2300/A", "2300/B1"]
    assert problems[0].url == "https://codeforces.com/contest/2300/problem/A", "the public address, whoever served it"
    assert [event.cursor for event in events if isinstance(event, CursorMoved)] == ["2026-08-17T16:35:00Z 2300"]
    assert events[-1].state is ScrapeState.SUCCEEDED
    for each in captured:
        assert parse_page(SITE, each.kind, each.body or b"", each.url).records == each.records, (
            "a replay equals the first parse"
        )


def test_statements_are_asked_for_where_an_operator_wants_them_and_never_against_noai() -> None:
    page = b'<html><head><meta name="robots" content="noai"></head><body>x</body></html>'
    with fake_site(served() | {"/contest/2300/problem/A": page}) as site:
        events = walk(site.url, fetch_statements=True)
        asked = [each.path for each in site.asked if "/problem/" in each.path]
    assert asked == ["/contest/2300/problem/A?locale=en"]
    assert events[-1].state is ScrapeState.BLOCKED


@pytest.mark.parametrize(
    ("status", "comment", "expected"),
    [
        (400, "Call limit exceeded", Classification.RATE_LIMITED),
        (503, "Call limit exceeded", Classification.RATE_LIMITED),
        (400, "contestId: Contest with id 99999 not found", Classification.NOT_FOUND),
        (403, "Call limit exceeded", Classification.RATE_LIMITED),
        (503, None, Classification.UNREACHABLE),
        (400, None, Classification.FORMAT_CHANGED),
    ],
)
def test_the_interface_says_why_it_refuses(status: int, comment: str | None, expected: Classification) -> None:
    url = "https://codeforces.com/api/contest.list"
    body = b"<html></html>" if comment is None else json.dumps({"status": "FAILED", "comment": comment}).encode()
    response = Response(url, url, status, datetime.now(UTC), {}, body=body)
    assert parse_response(SITE, "contest_list", response).classification is expected

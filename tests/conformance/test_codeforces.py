"""Codeforces' real pages and API answers: what the parsers read, and what they refuse."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from html import escape
from pathlib import Path
from typing import Any

import pytest

from app.domain.sources.records import (
    Classification,
    DifficultyRating,
    ScrapedContest,
    ScrapedExample,
    ScrapedProblem,
    ScrapedRatingChange,
    ScrapedStanding,
)
from scrapers.replay import parse_page
from scrapers.site import ParsedPage, find_site

CAPTURES = Path(__file__).resolve().parents[2].parent / "shared" / "captures" / "codeforces"
pytestmark = pytest.mark.skipif(not CAPTURES.is_dir(), reason=f"NO REAL CAPTURES: {CAPTURES} is absent")
SITE = find_site("codeforces")


def read(kind: str, name: str, url: str = "") -> ParsedPage:
    body = (CAPTURES / name).read_bytes()
    parsed = parse_page(SITE, kind, body, url)
    assert parse_page(SITE, kind, body, url) == parsed, "a replay equals the first parse"
    return parsed


def loaded(name: str) -> Any:
    return json.loads((CAPTURES / name).read_text(encoding="utf-8"))


def problems(parsed: ParsedPage) -> list[ScrapedProblem]:
    assert parsed.classification is Classification.OK, parsed.findings
    return [record for record in parsed.records if isinstance(record, ScrapedProblem)]


def utc(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=UTC)  # type: ignore[arg-type,misc]


def test_the_list_of_contests() -> None:
    parsed = read("contest_list", "api/contest.list_2026-08.json")
    rows = loaded("api/contest.list_2026-08.json")["result"]
    contests = [record for record in parsed.records if isinstance(record, ScrapedContest)]
    assert not parsed.findings
    assert len(contests) == len(rows) == 21
    for contest, row in zip(contests, rows, strict=True):
        assert (contest.external_id, contest.title) == (str(row["id"]), row["name"])
        assert (contest.kind, contest.phase, contest.rated_range) == (row["type"], row["phase"], None)
        assert contest.starts_at == datetime.fromtimestamp(row["startTimeSeconds"], tz=UTC)
        assert contest.ends_at == contest.starts_at + timedelta(seconds=row["durationSeconds"])
    assert [contest.external_id for contest in contests if contest.phase == "BEFORE"] == ["2258"]
    assert Counter(contest.division for contest in contests) == {
        "Div. 2": 12,
        "Div. 1": 3,
        "Div. 3": 4,
        "Div. 1 + Div. 2": 2,
    }
    first, second = read("contest_list", "api/tle_contest_list.json").records
    assert isinstance(first, ScrapedContest)
    assert isinstance(second, ScrapedContest)
    assert (first.starts_at, first.division) == (utc(2010, 2, 12, 13), None)
    assert (second.title, second.ends_at) == ("VK Cup 2015 - Round 1", utc(2015, 4, 27, 18))


def test_divisions_of_all_contests_there_were() -> None:
    rows = loaded("contests/kira924age_contests.json")
    expected = {"Div1": "Div. 1", "Div3": "Div. 3", "Div4": "Div. 4", "Educational": "Div. 2",
                "Div1 + Div2": "Div. 1 + Div. 2", "Kotlin": None, "ICPC": None, "Q#": None}  # fmt: skip
    listed = [
        {"id": row["id"], "name": row["name"], "type": "CF", "phase": "FINISHED", "durationSeconds": 1} for row in rows
    ]
    parsed = parse_page(SITE, "contest_list", json.dumps(listed).encode())
    found = {record.external_id: record.division for record in parsed.records if isinstance(record, ScrapedContest)}
    assert len(found) > 2000
    for row in rows:
        if row["type"] in expected:
            assert found[str(row["id"])] == expected[row["type"]], row["name"]


def test_the_problem_set() -> None:
    parsed = read("problemset", "api/problemset.problems_2022-03.json")
    rows = loaded("api/problemset.problems_2022-03.json")["result"]["problems"]
    found = problems(parsed)
    assert not parsed.findings
    assert len(found) == len(rows) == 7579
    assert len({each.external_id for each in found}) == 7579
    for problem, row in zip(found, rows, strict=True):
        assert problem.external_id == f"{row['contestId']}/{row['index']}"
        assert (problem.contest, problem.index, problem.title) == (str(row["contestId"]), row["index"], row["name"])
        assert (list(problem.tags), problem.points) == (row["tags"], row.get("points"))
        assert problem.difficulty == (DifficultyRating("codeforces", row["rating"]) if "rating" in row else None)
        assert (problem.starts_at, problem.statements, problem.samples) == (None, {}, ())


def test_standings_and_rating_changes() -> None:
    contest, first, second, standing = read("standings", "api/tle_contest_standings.json").records
    assert isinstance(contest, ScrapedContest)
    assert isinstance(first, ScrapedProblem)
    assert isinstance(second, ScrapedProblem)
    assert contest.problems == ("1/A", "1/B")
    assert (first.title, first.points, first.starts_at) == ("Theatre Square", 500, utc(2010, 2, 12, 13))
    assert second.difficulty == DifficultyRating("codeforces", 1600)
    assert standing == ScrapedStanding(1, "tourist", None, 1500, 120, ("1/A", "1/B"))
    assert read("rating_changes", "api/tle_rating_changes.json").records == (ScrapedRatingChange(1, 1500, 1602),)
    for name, count in (("911", 3982), ("917", 423)):
        parsed = read("rating_changes", f"ratings/contest.ratingChanges_{name}.json")
        rows = loaded(f"ratings/contest.ratingChanges_{name}.json")
        assert len(parsed.records) == len(rows) == count
        assert parsed.records == tuple(
            ScrapedRatingChange(row["rank"], row["oldRating"], row["newRating"]) for row in rows
        )


@pytest.mark.parametrize(
    ("kind", "name", "expected"),
    [
        ("problem", "errors/rcpc_redirect_2020-07.html", Classification.BLOCKED),
        ("contest_list", "errors/rcpc_redirect_2020-07.html", Classification.BLOCKED),
        ("rating_changes", "api/user.info_failed.json", Classification.NOT_FOUND),
        ("contest_list", "api/tle_user_info.json", Classification.FORMAT_CHANGED),
        ("contest_list", "contests/kira924age_contests.json", Classification.FORMAT_CHANGED),
        ("contest_list", "contests/contests_page_formatted.html", Classification.FORMAT_CHANGED),
        ("problem", "contests/contests_page_formatted.html", Classification.FORMAT_CHANGED),
        ("contest_problems", "contests/contests_page_formatted.html", Classification.FORMAT_CHANGED),
        ("problem", "page/blog_entry_87432.html", Classification.FORMAT_CHANGED),
        ("problem", "page/profile_MikeMirzayanov.html", Classification.FORMAT_CHANGED),
        ("contest_problems", "page/blog_entry_87432.html", Classification.FORMAT_CHANGED),
        ("problem", "problem/1550_problems_raw.html", Classification.FORMAT_CHANGED),
        ("rating_changes", "ratings/user_ratings_sorted_2024.json", Classification.FORMAT_CHANGED),
    ],
)
def test_what_is_no_answer(kind: str, name: str, expected: Classification) -> None:
    parsed = read(kind, name)
    assert (parsed.classification, parsed.records) == (expected, ())
    assert parsed.findings


def test_a_page_as_the_server_sent_it() -> None:
    (problem,) = problems(read("problem", "page/contest_1450_problem_A.html"))
    assert (problem.external_id, problem.contest, problem.index, problem.title) == (
        "1450/A",
        "1450",
        "A",
        "Avoid Trygub",
    )
    assert problem.url == "https://codeforces.com/contest/1450/problem/A"
    assert (problem.time_limit_ms, problem.memory_limit_mb, problem.form) == (1000, 256, "stdin")
    assert problem.tags == ("constructive algorithms", "sortings")
    assert problem.difficulty == DifficultyRating("codeforces", 800)
    assert problem.flags == ("multiple_answers",)
    given = "3\n11\nantontrygub\n15\nbestcoordinator\n19\ntrywatchinggurabruh\n"
    assert problem.samples == (ScrapedExample(given, "bugyrtnotna\nbestcoordinator\nbruhtrywatchinggura\n"),)
    text = problem.statements["en"]
    assert text.startswith("A string $b$ is a subsequence of a string $a$ if $b$ can be obtained from $a$ by deletion")
    assert "a single integer $n$ ($1\\le n\\le 200$) — the length of $a$." in text
    assert "$$" not in text


def test_pages_a_browser_saved() -> None:
    url = "https://codeforces.com/contest/1550/problems"
    parsed = read("contest_problems", "problem/1550_problems_raw.html", url)
    found = problems(parsed)
    assert not parsed.findings
    assert [each.external_id for each in found] == [f"1550/{index}" for index in "ABCDEF"]
    assert [each.title for each in found] == [
        "Find The Array", "Maximum Cost Deletion", "Manhattan Subarrays", "Excellent Arrays", "Stringforces",
        "Jumping Around",
    ]  # fmt: skip
    assert [each.time_limit_ms for each in found] == [1000, 2000, 2000, 2000, 3000, 5000]
    assert [len(each.samples) for each in found] == [1, 1, 1, 1, 5, 4]
    assert all(each.memory_limit_mb == 256 and each.form == "stdin" and not each.flags for each in found)
    assert found[2].samples == (ScrapedExample("3\n4\n2 4 1 3\n5\n6 9 1 9 6\n2\n13 37\n", "10\n12\n3\n"),)
    (formatted,) = problems(read("problem", "problem/1550_A_formatted.html"))
    assert (formatted.external_id, formatted.tags) == ("1550/A", ("greedy", "math"))
    assert formatted.difficulty == DifficultyRating("codeforces", 800)
    for name in ("title", "url", "time_limit_ms", "memory_limit_mb", "samples", "flags", "locales"):
        assert getattr(formatted, name) == getattr(found[0], name)
    squeezed = {re.sub(r"\s", "", each.statements["en"]) for each in (formatted, found[0])}
    assert len(squeezed) == 1, "a pretty printer changes white space alone"
    assert (
        "Let's call an array $a$ consisting of $n$ positive (greater than $0$) integers *beautiful*"
        in (found[0].statements["en"])
    )
    assert not any("MathJax" in each.statements["en"] or "Copy" in each.statements["en"] for each in found)
    (third,) = problems(
        read("problem", "problem/1550_problems_raw.html", "https://codeforces.com/contest/1550/problem/C")
    )
    assert third == found[2]


def test_the_archive_of_acm_sgu_ru() -> None:
    parsed = read("problem", "page/problemsets_acmsguru_problem_99999_553.html")
    (problem,) = problems(parsed)
    assert not parsed.findings
    assert (problem.external_id, problem.index, problem.title) == ("99999/553", "553", "Sultan's Pearls")
    assert problem.url == "https://codeforces.com/problemsets/acmsguru/problem/99999/553"
    assert (problem.time_limit_ms, problem.memory_limit_mb) == (1000, 256)
    assert problem.flags == ("multiple_answers", "image")
    assert problem.samples[0] == ScrapedExample("5 2 1\n5 3\n4 2\n6 4\n3 2\n2 2\n", "2 5\nTT\n")
    assert problem.samples[1].output == "11 60\nHTHTHTHHHHH\n"
    assert len(problem.samples) == 2
    assert problem.statements["en"].startswith("Sultan Suleiman was so rich")


def wrapped(inner: str) -> bytes:
    return f"<html><body>{inner}</body></html>".encode()


def test_fragments() -> None:
    inner = (CAPTURES / "fragment/statement_1926C.html").read_text(encoding="utf-8")
    url = "https://codeforces.com/contest/1926/problem/C"
    for body in (wrapped(f'<div class="problem-statement">{inner}</div>'), wrapped(inner)):
        (problem,) = problems(parse_page(SITE, "problem", body, url))
        assert (problem.external_id, problem.title) == ("1926/C", "Vlad and a Sum of Sum of Digits")
        assert (problem.time_limit_ms, problem.memory_limit_mb) == (500, 256)
        assert problem.samples == (
            ScrapedExample("7\n12\n1\n2\n3\n1434\n2024\n200000\n", "51\n1\n3\n6\n18465\n28170\n4600002\n"),
        )
        assert "$$1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12.$$ Then after" in problem.statements["en"]
        assert "Copy" not in problem.statements["en"]
    lines = (CAPTURES / "fragment/example_lines_2022-08.html").read_text(encoding="utf-8")
    nested = f"<pre>{(CAPTURES / 'fragment/nested_example_lines_1702C.html').read_text(encoding='utf-8')}</pre>"
    for pre, expected in (
        (lines, "4\n3 1\n2 3 1\n3 3\n1 2 3\n4 2\n3 4 1 2\n1 1\n1\n"),
        (nested, "3\n6 3\n3 7 1 5 1 4\n3 5\n1 7\n3 10\n3 3\n1 2 1\n2 1\n1 2\n4 5\n"),
    ):
        around = f'<div class="sample-tests"><div class="sample-test"><div class="input">{pre}</div>'
        body = wrapped(
            f'<div class="problem-statement">{around}<div class="output"><pre>1\n</pre></div></div></div></div>'
        )
        (problem,) = problems(parse_page(SITE, "problem", body, url))
        assert problem.samples == (ScrapedExample(expected, "1\n"),)


def expected_pages() -> Iterator[dict[str, Any]]:
    """What another tool once read from live pages."""
    for file in sorted((CAPTURES / "expected").glob("*.json")):
        data = json.loads(file.read_text(encoding="utf-8"))
        yield from data["result"] if isinstance(data["result"], list) else [data["result"]]


def page_of(expected: dict[str, Any], form: str) -> bytes:
    """A page that shows these facts in the site's markup, examples in one of its forms."""

    def pre(text: str, *, split: bool) -> str:
        rows = text.removesuffix("\n").split("\n")
        if form == "br":
            return "".join(f"{escape(row)}<br />" for row in rows)
        if form == "div" and split:
            return "".join(f'<div class="test-example-line">{escape(row)}</div>' for row in rows)
        return escape(text).replace("\n\n", "\n&nbsp;\n") if form == "nbsp" else escape(text)

    tests = "".join(
        f'<div class="input"><div class="title">Input</div><pre>{pre(test["input"], split=True)}</pre></div>'
        f'<div class="output"><div class="title">Output</div><pre>{pre(test["output"], split=False)}</pre></div>'
        for test in expected["tests"]
    )
    files = (expected["input"].get("fileName", "standard input"), expected["output"].get("fileName", "standard output"))
    section = "Interaction" if expected["interactive"] else "Output"
    return wrapped(
        '<div class="problem-statement"><div class="header">'
        f'<div class="title">{escape(expected["name"])}</div>'
        f'<div class="time-limit"><div class="property-title">x</div>{expected["timeLimit"] / 1000:g} seconds</div>'
        f'<div class="memory-limit"><div class="property-title">x</div>{expected["memoryLimit"]} megabytes</div>'
        f'<div class="input-file"><div class="property-title">input</div>{files[0]}</div>'
        f'<div class="output-file"><div class="property-title">output</div>{files[1]}</div></div>'
        "<div><p>Text.</p></div>"
        f'<div><div class="section-title">{section}</div><p>Text.</p></div>'
        f'<div class="sample-tests"><div class="sample-test">{tests}</div></div></div>'
    )


@pytest.mark.parametrize("form", ["newlines", "br", "div", "nbsp"])
def test_what_another_tool_read_survives_a_page(form: str) -> None:
    tried = 0
    for expected in expected_pages():
        index, title = expected["name"].split(". ", 1)
        listed = "/problem" not in expected["url"].replace("/problems", "")
        url = expected["url"] if not listed else f"https://codeforces.com/contest/1/problem/{index}"
        if "acmsguru" in url:
            continue
        (problem,) = problems(parse_page(SITE, "problem", page_of(expected, form), url))
        assert (problem.index, problem.title) == (index, title)
        assert (problem.time_limit_ms, problem.memory_limit_mb) == (expected["timeLimit"], expected["memoryLimit"])
        assert (problem.form == "interactive") == expected["interactive"]
        assert ("file_io" in problem.flags) == (expected["input"]["type"] == "file")
        wanted = [(test["input"].strip("\n"), test["output"].strip("\n")) for test in expected["tests"]]
        shown = [(sample.input.strip("\n"), sample.output.strip("\n")) for sample in problem.samples]
        assert shown == wanted
        tried += 1
    assert tried >= 20

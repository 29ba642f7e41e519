"""LeetCode's real answers and pages: what the parsers read, and what other readers of them saw."""

import gzip
import html
import json
import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from support.files import READ_AT

from app.domain.imports import ImportedProblem
from app.domain.judging.values import compare_value
from app.domain.problems import Checker, CheckerKind, Entry, Param
from app.domain.sources.records import (
    Classification,
    DifficultyRating,
    ScrapedContest,
    ScrapedDifficulty,
    ScrapedExample,
    ScrapedProblem,
)
from scrapers.replay import parse_page
from scrapers.site import ParsedPage, find_site
from scrapers.suites import deepseek_contests, leetcode_dataset

SHARED = Path(__file__).resolve().parents[2].parent / "shared"
CAPTURES = SHARED / "captures" / "leetcode"
pytestmark = pytest.mark.skipif(not CAPTURES.is_dir(), reason=f"NO REAL CAPTURES: {CAPTURES} is absent")
SITE = find_site("leetcode")


def read(kind: str, name: str, url: str = "") -> ParsedPage:
    return parse_page(SITE, kind, (CAPTURES / name).read_bytes(), url)


def plain(name: str) -> Any:
    return json.loads((CAPTURES / name).read_text())


def contests(parsed: ParsedPage) -> list[ScrapedContest]:
    assert parsed.classification is Classification.OK, parsed.findings
    return [record for record in parsed.records if isinstance(record, ScrapedContest)]


def problem(parsed: ParsedPage) -> ScrapedProblem:
    assert parsed.classification is Classification.OK, parsed.findings
    (found,) = parsed.records
    assert isinstance(found, ScrapedProblem)
    return found


def utc(seconds: int) -> datetime:
    return datetime.fromtimestamp(seconds, tz=UTC)


def test_all_contests_of_2018() -> None:
    rows = plain("contest/allContests_2018-07.json")["data"]["allContests"]
    parsed = read("contest_list", "contest/allContests_2018-07.json")
    assert not parsed.findings
    found = contests(parsed)
    assert [each.external_id for each in found] == [row["titleSlug"] for row in rows]
    for each, row in zip(found, rows, strict=True):
        assert each.title == row["title"]
        assert (each.starts_at, each.ends_at) == (utc(row["startTime"]), utc(row["startTime"] + row["duration"]))
        usual = re.fullmatch(r"weekly-contest-(\d+)", each.external_id)
        assert each.kind == ("weekly" if "Weekly Contest" in row["title"] else "other")
        if usual and int(usual[1]) >= 59:
            assert row["duration"] == 5400, "the rule for lists that give no duration"


def test_lists_that_others_collected() -> None:
    rows = plain("contest/ranking_contests.json")
    found = contests(read("contest_list", "contest/ranking_contests.json"))
    assert [(each.external_id, each.title, each.starts_at) for each in found] == [
        (row["slug"], row["title"], utc(row["startTime"])) for row in rows
    ]
    assert sum(each.kind == "biweekly" for each in found) > 80
    for name in ("contest_list", "contest", "ratings"):
        assert read(name, "contest/ranking_weekly-contest-7.json").classification is Classification.FORMAT_CHANGED


def test_contests_of_the_chinese_site() -> None:
    rows = plain("contest/cn_contest_info_list.json")
    parsed = read("contest", "contest/cn_contest_info_list.json", "https://leetcode.cn/contest/")
    assert not parsed.findings
    found = contests(parsed)
    assert len(found) == len(rows) == 566
    listed = [record for record in parsed.records if isinstance(record, ScrapedProblem)]
    asked = [(row["contest"], question) for row in rows for question in row["questions"]]
    for each, row in zip(found, rows, strict=True):
        assert each.external_id == row["contest"]["title_slug"]
        assert each.starts_at == utc(row["contest"]["start_time"])
        assert each.problems == tuple(question["title_slug"] for question in row["questions"])
    for record, (contest, question) in zip(listed, asked, strict=True):
        assert (record.external_id, record.title) == (question["title_slug"], question["title"])
        assert (record.contest, record.starts_at) == (contest["title_slug"], utc(contest["start_time"]))
        assert ("paid_only" in record.flags) == question["paid_only"]
    one = parse_page(
        SITE, "contest", json.dumps(rows[0]).encode(), "https://leetcode.cn/contest/api/info/weekly-contest-478/"
    )
    assert one.records == (found[0], *listed[:4])
    assert found[0].ends_at == utc(rows[0]["contest"]["start_time"]) + timedelta(minutes=90)


def test_the_three_sources_of_dates_agree() -> None:
    lists = [
        contests(read("contest_list", "contest/allContests_2018-07.json")),
        contests(read("contest_list", "contest/ranking_contests.json")),
        contests(read("contest_list", "contest/cn_contest_info_list.json")),
    ]
    dates = [{each.external_id: each.starts_at for each in found} for found in lists]
    for one, other in ((0, 1), (1, 2)):
        shared = dates[one].keys() & dates[other].keys()
        assert len(shared) > 20
        differing = [name for name in shared if dates[one][name] != dates[other][name]]
        assert not differing


def test_ratings() -> None:
    rows = plain("ratings/data.json")
    expected = tuple(ScrapedDifficulty(row["TitleSlug"], "zerotrac", row["Rating"], experimental=False) for row in rows)
    for name in ("ratings/data.json", "ratings/ratings.txt"):
        parsed = read("ratings", name)
        assert parsed == ParsedPage(Classification.OK, expected), name
    named = {each.external_id for each in expected}
    listed = [
        record
        for record in read("contest", "contest/cn_contest_info_list.json").records
        if isinstance(record, ScrapedProblem)
    ]
    assert sum(each.external_id in named for each in listed) > 2000, "both key on the title slug"


def test_the_problem_of_a_day() -> None:
    raw = plain("graphql/alfa_dailyProblem.json")["data"]["activeDailyCodingChallengeQuestion"]["question"]
    parsed = read("question", "graphql/alfa_dailyProblem.json")
    assert not parsed.findings
    found = problem(parsed)
    assert (found.external_id, found.title) == ("binary-subarrays-with-sum", "Binary Subarrays With Sum")
    assert found.difficulty == DifficultyRating("leetcode", "Medium")
    assert found.tags == ("array", "hash-table", "sliding-window", "prefix-sum")
    assert found.samples == (ScrapedExample("[1,0,1,0,1]\n2\n", "4\n"), ScrapedExample("[0,0,0,0,0]\n0\n", "15\n"))
    assert "".join(sample.input for sample in found.samples).rstrip("\n") == raw["exampleTestcases"]
    assert {name: len(code.split("\n")) for name, code in found.starter_code.items()} == {
        each["langSlug"]: each["code"].count("\n") + 1 for each in raw["codeSnippets"]
    }
    meta = json.loads(raw["metaData"])
    params = tuple(Param(**each) for each in meta["params"])
    assert found.signature == Entry(meta["name"], "Solution", params, meta["return"]["type"])
    assert "- `1 <= nums.length <= 3 * 10^4`" in found.statements["en"]
    assert "&" not in found.statements["en"]
    assert found.flags == ()


def test_a_problem_in_two_languages() -> None:
    parsed = read("question", "graphql/cn_questionData_add-two-numbers_2020-08.json")
    assert not parsed.findings
    found = problem(parsed)
    assert found.locales == ("en", "zh")
    assert found.title == "Add Two Numbers"
    assert found.samples == (ScrapedExample("[2,4,3]\n[5,6,4]\n", "[7,0,8]\n"),), "lists drawn with arrows"
    assert found.samples[0].input.rstrip("\n") == plain("mock/add-two-numbers.20161015.json")["testcase"]
    assert found.signature is not None
    assert found.signature.returns == "ListNode"
    assert found.statements["zh"].startswith("给出两个 **非空** 的链表")


def test_one_problem_in_two_old_forms() -> None:
    url = "https://leetcode.com/problems/find-the-difference/"
    page = problem(read("question", "mock/find-the-difference.html.20160911"))
    answer = problem(read("question", "mock/find-the-difference.json.20171216", url))
    for found in (page, answer):
        assert found.external_id == "find-the-difference"
        assert found.samples == (ScrapedExample('"abcd"\n"abcde"\n', '"e"\n'),)
        assert found.signature is not None
        assert found.signature.name == "findTheDifference"
    assert page.statements == answer.statements
    assert page.signature == answer.signature
    assert (page.title, page.tags) == ("Find the Difference", ("hash-table", "bit-manipulation"))
    assert set(page.starter_code) < set(answer.starter_code)
    assert page.starter_code["cpp"] == answer.starter_code["cpp"]
    unnamed = read("question", "mock/find-the-difference.json.20171216")
    assert [finding.code for finding in unnamed.findings] == ["missing_id", "missing_title"]


@pytest.mark.parametrize("kind", SITE.kinds)
def test_what_is_no_answer_is_named(kind: str) -> None:
    blocked = read(kind, "errors/cloudflare_403_2026-05.excerpt.html")
    assert (blocked.classification, blocked.records) == (Classification.BLOCKED, ())
    locked = read(kind, "mock/locked.html.20161015")
    assert locked.classification in (Classification.PAID_ONLY, Classification.LOGIN)
    assert not locked.records
    if kind == "question":
        assert locked.classification is Classification.PAID_ONLY
    for file in sorted(CAPTURES.rglob("*")):
        name = str(file.relative_to(CAPTURES))
        if file.is_file() and name.startswith(
            ("parsed/", "graphql/alfa_l", "graphql/alfa_o", "graphql/alfa_p", "mock/tags")
        ):
            assert read(kind, name).classification is Classification.FORMAT_CHANGED, name


def test_examples_as_another_reader_printed_them() -> None:
    """The texts of other people's readings, made pages again, are read to the values they show."""
    expected = {
        "0514-freedom-trail": [(["godding", "gd"], 4), (["godding", "godding"], 13)],
        "0726-number-of-atoms": [(["H2O"], "H2O"), (["Mg(OH)2"], "H2MgO2"), (["K4(ON(SO3)2)2"], "K4N2O14S4")],
    }
    for file in sorted((CAPTURES / "parsed").glob("*.json")):
        other = json.loads(file.read_text())
        content = "".join(f"<pre>{html.escape(each['example_text'])}</pre>" for each in other["examples"])
        snippets = [{"langSlug": name, "code": code} for name, code in other["code_snippets"].items()]
        question = {"titleSlug": other["problem_slug"], "title": other["title"], "content": content}
        body = json.dumps({"data": {"question": question | {"codeSnippets": snippets}}}).encode()
        parsed = parse_page(SITE, "question", body)
        assert not parsed.findings, file.name
        found = problem(parsed)
        assert found.starter_code == other["code_snippets"]
        assert len(found.samples) == len(other["examples"])
        values = [([json.loads(line) for line in s.input.splitlines()], json.loads(s.output)) for s in found.samples]
        assert values == expected.get(file.stem, values)
        if file.stem.startswith("1603"):
            assert found.form == "class"
            assert found.signature is not None
            assert found.signature.methods["addCar"].returns == "bool"
            assert values[0][1] == [None, True, True, False, False]


def old_layout(text: str) -> str:
    return f"<p>x</p><pre>{html.escape(text)}</pre>"


def new_layout(text: str) -> str:
    parts = []
    for line in (line.strip() for line in text.split("\n")):
        label = re.match(r"(Input|Output|Explanation):(.*)$", line)
        if label:
            shown = html.escape(label[2].strip())
            parts.append(f'<p><strong>{label[1]}:</strong> <span class="example-io">{shown}</span></p>')
        elif re.match(r"Example \d+:", line):
            parts.append(f'</div><p><strong class="example">{line}</strong></p><div class="example-block">')
        elif line:
            parts.append("</div><p>Constraints:</p><div>" if line == "Constraints:" else f"<p>{html.escape(line)}</p>")
    return "<div>" + "\n".join(parts) + "</div>"


def rows(suite: ModuleType, file: str, step: int) -> Iterator[ImportedProblem]:
    with gzip.open(SHARED / "data" / "problems_real" / file, "rt") as lines:
        for line in islice(lines, 0, None, step):
            yield suite._problem(json.loads(line), READ_AT)[0]


@pytest.mark.parametrize("step", [pytest.param(1, marks=pytest.mark.slow), 10])
@pytest.mark.parametrize("layout", [old_layout, new_layout])
@pytest.mark.parametrize(
    ("suite", "file"),
    [
        (leetcode_dataset, "leetcodedataset_v0.3.1_test.jsonl.gz"),
        (deepseek_contests, "deepseek_leetcode_contests_2023-07_2024-01.jsonl.gz"),
    ],
)
def test_hundreds_of_real_examples_equal_real_tests(
    suite: ModuleType, file: str, layout: Callable[[str], str], step: int
) -> None:
    """All of them take half a minute, so an ordinary run tries every tenth problem."""
    agreed = shown = 0
    for real in rows(suite, file, step):
        assert real.entry is not None
        statement = real.statements["en"]
        code = statement.starter_code["python"]
        question: dict[str, Any] = {"titleSlug": real.external_id, "title": real.title}
        question |= {"content": layout(statement.text), "codeSnippets": [{"langSlug": "python3", "code": code}]}
        parsed = parse_page(SITE, "question", json.dumps({"data": {"question": question}}).encode())
        assert not parsed.findings, real.external_id
        found = problem(parsed)
        assert len(found.samples) == len(re.findall(r"^\s*Example \d+:", statement.text, re.MULTILINE))
        assert found.signature is not None
        assert (found.signature.name, found.signature.returns) == (real.entry.name, real.entry.returns)
        assert found.signature.params == real.entry.params
        shown += len(found.samples)
        tests = {json.dumps(test.input): test.expected for test in real.tests}
        for sample in found.samples:
            given = json.dumps([json.loads(line) for line in sample.input.splitlines()])
            if given in tests:
                rounded = Checker(CheckerKind.FLOAT, abs=1e-4, rel=1e-4)  # as statements write floats
                assert compare_value(rounded, real.entry.returns, json.loads(sample.output), tests[given])
                agreed += 1
        assert set(real.flags) <= set(found.flags), real.external_id
    assert agreed >= 0.98 * shown
    assert shown >= 200 / step

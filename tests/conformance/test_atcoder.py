"""AtCoder's real pages: what the parsers read, and a crawl over them against a server on loopback."""

import itertools
import json
import re
import tarfile
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from fakes.fake_site import fake_site
from support import atcoder_pages as pages
from support.crawls import crawl_site
from support.waiting import at_least

from app.domain.sources.crawl_events import CrawlFinished, CursorMoved, PageCaptured
from app.domain.sources.records import (
    Classification,
    ScrapedContest,
    ScrapedDifficulty,
    ScrapedExample,
    ScrapedProblem,
    ScrapedStanding,
)
from app.domain.states import ScrapeState
from app.domain.windows import Window
from scrapers.client import FetchLimits, FixedPace
from scrapers.replay import parse_page
from scrapers.site import ParsedPage, find_site

CAPTURES = Path(__file__).resolve().parents[2].parent / "shared" / "captures" / "atcoder"
pytestmark = pytest.mark.skipif(not CAPTURES.is_dir(), reason=f"NO REAL CAPTURES: {CAPTURES} is absent")
SITE = find_site("atcoder")


def read(kind: str, name: str, url: str = "") -> ParsedPage:
    return parse_page(SITE, kind, (CAPTURES / name).read_bytes(), url)


def contests(parsed: ParsedPage) -> list[ScrapedContest]:
    assert parsed.classification is Classification.OK, parsed.findings
    return [record for record in parsed.records if isinstance(record, ScrapedContest)]


def problems(parsed: ParsedPage) -> list[ScrapedProblem]:
    assert parsed.classification is Classification.OK, parsed.findings
    return [record for record in parsed.records if isinstance(record, ScrapedProblem)]


def utc(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=UTC)  # type: ignore[arg-type,misc]


def test_the_archive_of_2025() -> None:
    parsed = read("archive", "archive/contests_2025_formatted.html")
    found = {contest.external_id: contest for contest in contests(parsed)}
    assert len(found) == 50
    assert parsed.pages == 16
    assert not parsed.findings
    arc = found["arc207"]
    assert (arc.title, arc.kind, arc.division) == ("AtCoder Regular Contest 207 (Div.1)", "algorithm", "Div. 1")
    assert (arc.starts_at, arc.ends_at) == (utc(2025, 10, 5, 12), utc(2025, 10, 5, 14, 30))
    assert arc.rated_range == "1600 - 2999"
    assert found["abc425"].title == "UNIQUE VISION Programming Contest 2025 Autumn (AtCoder Beginner Contest 425)"
    assert found["ahc054"].ends_at == utc(2025, 9, 29, 10), "240 hours"
    heuristic = {name for name, each in found.items() if each.kind == "heuristic"}
    assert {"ahc053", "ahc054"} <= heuristic
    assert all(value.kind is not None and value.ends_at is not None for value in found.values())


def test_the_archives_of_2019() -> None:
    japanese = {
        contest.external_id: contest
        for contest in contests(read("archive", "archive/contests_archive_2019-10_ja.html"))
    }
    trimmed = contests(read("archive", "archive/contests_archive_trimmed.html"))
    assert len(japanese) == 50
    assert [each.external_id for each in trimmed] == ["kupc2019", "agc039", "abc142"]
    for each in trimmed:
        assert japanese[each.external_id] == each, "two captures of one list agree"
    assert japanese["kupc2019"].starts_at == utc(2019, 10, 13, 4)
    assert japanese["abc142"].rated_range == "~ 1999"
    assert japanese["jsc2019-final"].title == "第一回日本最強プログラマー学生選手権決勝"


def test_the_front_page() -> None:
    found = contests(read("archive", "login/before_login.html"))
    phases = [(phase, len(list(group))) for phase, group in itertools.groupby(found, lambda each: each.phase)]
    assert phases == [("permanent", 1), ("upcoming", 5), ("ended", 10)]
    assert found[1].starts_at == utc(2020, 5, 17, 12)
    assert read("task", "login/before_login.html").classification is Classification.FORMAT_CHANGED
    assert read("tasks", "login/before_login.html").classification is Classification.FORMAT_CHANGED


@pytest.mark.parametrize(
    ("name", "contest", "ids", "starts_at", "memory"),
    [
        ("abc100_tasks_2025", "abc100", ["abc100_a", "abc100_b", "abc100_c", "abc100_d"], utc(2018, 6, 16, 12), 976),
        ("abc107_tasks", "abc107", ["abc107_a", "abc107_b", "arc101_a", "arc101_b"], utc(2018, 8, 25, 12), 1024),
        ("abc308_tasks", "abc308", [f"abc308_{each}" for each in "abcdefgh"], utc(2023, 7, 1, 12), 1024),
        ("tasks_generic", "abc399", [f"abc399_{each}" for each in "abcdefg"], utc(2025, 3, 29, 12), 1024),
    ],
)
def test_task_lists(name: str, contest: str, ids: list[str], starts_at: datetime, memory: int) -> None:
    parsed = read("tasks", f"tasks/{name}.html")
    (record,) = contests(parsed)
    assert (record.external_id, list(record.problems)) == (contest, ids)
    assert (record.starts_at, record.ends_at) == (starts_at, starts_at + timedelta(minutes=100))
    assert record.title == f"AtCoder Beginner Contest {contest.removeprefix('abc')}"
    listed = problems(parsed)
    assert [each.external_id for each in listed] == ids
    assert all(each.memory_limit_mb == memory and each.contest == contest for each in listed)
    assert not parsed.findings
    times = {"abc308": [2000] * 6 + [3000, 4000], "abc399": [2000] * 6 + [6000]}.get(contest, [2000] * 4)
    assert [each.time_limit_ms for each in listed] == times
    letters = [*"ABCDEFG", "Ex"] if contest == "abc308" else list("ABCDEFG")
    assert [each.index for each in listed] == letters[: len(ids)]


def test_a_list_of_submissions_is_not_a_task_list() -> None:
    assert read("tasks", "submissions/abc107_submissions.html").classification is Classification.FORMAT_CHANGED


def test_tasks() -> None:
    (first,) = problems(read("task", "task/abc100_a_raw.html"))
    assert (first.external_id, first.contest, first.index, first.title) == (
        "abc100_a",
        "abc100",
        "A",
        "Happy Birthday!",
    )
    assert (first.time_limit_ms, first.memory_limit_mb, first.points) == (2000, 976, 100)
    assert (first.starts_at, first.ends_at) == (utc(2018, 6, 16, 12), utc(2018, 6, 16, 13, 40))
    assert first.locales == ("en", "ja")
    assert first.samples == (
        ScrapedExample("5 4\n", "Yay!\n"),
        ScrapedExample("8 8\n", "Yay!\n"),
        ScrapedExample("11 4\n", ":(\n"),
    )
    assert first.flags == ("image",)
    (raw,) = problems(read("task", "task/abc100_b_raw.html"))
    (formatted,) = problems(read("task", "task/abc100_b_formatted.html"))
    assert raw.samples == (
        ScrapedExample("0 5\n", "5\n"),
        ScrapedExample("1 11\n", "1100\n"),
        ScrapedExample("2 85\n", "850000\n"),
    )
    assert formatted.statements["en"] == raw.statements["en"], "white space means nothing"
    squeezed = {text.replace(" ", "").replace("\n", "") for text in (formatted.statements["ja"], raw.statements["ja"])}
    assert len(squeezed) == 1
    for field in ("samples", "points", "flags", "starts_at", "time_limit_ms", "url", "title", "index"):
        assert getattr(formatted, field) == getattr(raw, field)


def test_standings_and_difficulties() -> None:
    for name in ("agc_agc051", "agc_cf17-final", "agc_wtf19", "arc_arc102"):
        parsed = read("standings", f"standings/{name}.json")
        rows = json.loads((CAPTURES / f"standings/{name}.json").read_text())["StandingsData"]
        found = [record for record in parsed.records if isinstance(record, ScrapedStanding)]
        assert len(found) == len(rows)
        assert not parsed.findings
        for record, row in zip(found, rows, strict=True):
            assert (record.rank, record.participant) == (row["Rank"], row["UserScreenName"])
            assert (record.rating or 0) == row["OldRating"]
            assert record.points == row["TotalResult"]["Score"] / 100
    assert read("standings", "standings/standings_abc_100m.json").classification is Classification.FORMAT_CHANGED
    models = json.loads((CAPTURES / "kenkoooo/problem-models_2026.json").read_text())
    parsed = read("problem_models", "kenkoooo/problem-models_2026.json")
    found_models = [record for record in parsed.records if isinstance(record, ScrapedDifficulty)]
    known = {name: model for name, model in models.items() if model["difficulty"] is not None}
    assert len(known) > 4500
    assert {model.external_id: (model.value, model.experimental) for model in found_models} == {
        name: (model["difficulty"], model["is_experimental"]) for name, model in known.items()
    }
    hidden = contests(read("contests", "kenkoooo/hidden_contests.json"))
    assert hidden[0].external_id == "ukuku09"
    assert hidden[0].starts_at == utc(2018, 7, 7, 5)


def expected_tasks() -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """(task, its samples) as other tools once read them from the live site."""
    for file in sorted((CAPTURES / "expected").glob("*.snap")):
        outcome = json.loads(file.read_text().split("---", 2)[2])
        for problem in outcome["problems"]:
            cases = problem["test_suite"].get("cases", [])
            yield problem["screen_name"], [(case["in"], case["out"]) for case in cases]
    for file in sorted((CAPTURES / "expected").glob("*.json")):
        result = json.loads(file.read_text())["result"]
        for task in result if isinstance(result, list) else [result]:
            yield task["url"].rsplit("/", 1)[1], [(test["input"], test["output"]) for test in task["tests"]]


@pytest.mark.parametrize("layout", pages.LAYOUTS)
def test_real_samples_survive_every_layout(layout: str) -> None:
    tried = 0
    for name, cases in expected_tasks():
        if not cases:
            continue
        url = f"https://atcoder.jp/contests/x/tasks/{name}"
        (problem,) = problems(parse_page(SITE, "task", pages.task(pages.LAYOUTS[layout](cases)), url))
        assert [(sample.input, sample.output) for sample in problem.samples] == cases, name
        tried += 1
    assert tried >= 20


@pytest.mark.parametrize("every", [25, pytest.param(10, marks=pytest.mark.slow)])
def test_hundreds_of_real_inputs_survive_a_page(every: int) -> None:
    inputs: dict[str, list[tuple[str, str]]] = {}
    with tarfile.open(CAPTURES / "samples" / "atcoder-tools_test_data.tar.gz") as archive:
        for member in archive:
            found = re.search(r"/([^/]+)/ex_(\d+)\.txt$", member.name)
            stream = archive.extractfile(member) if found else None
            if found and stream is not None:
                text = stream.read().decode("utf-8", "replace").replace("\r\n", "\n")
                inputs.setdefault(found[1], []).append((text, f"{found[2]}\n"))
    assert len(inputs) > 2000
    tried = dict(sorted(inputs.items())[::every])
    assert sum(map(len, tried.values())) > 200
    for task, cases in tried.items():
        parsed = parse_page(SITE, "task", pages.task(pages.modern(cases)), "https://atcoder.jp/contests/x/tasks/x_a")
        (problem,) = problems(parsed)
        for (given, number), sample in zip(cases, problem.samples, strict=True):
            assert sample.input.split("\n") == f"{_trimmed(given)}\n".split("\n"), task
            assert sample.output == number


def _trimmed(text: str) -> str:
    lines = text.split("\n")
    while lines and not lines[0].strip():
        lines.pop(0)
    while lines and not lines[-1].strip():
        lines.pop()
    return "\n".join(lines)


def served() -> dict[str, bytes]:
    """The captures under their real paths; the archive is cut to rows whose contests we hold."""
    archive = (CAPTURES / "archive/contests_archive_trimmed.html").read_text()
    row = re.findall(r"<tr>.*?</tr>", archive, re.DOTALL)[3]
    rows = ""
    for name, start in (("abc107", "2018-08-25 21:00:00+0900"), ("abc100", "2018-06-16 21:00:00+0900")):
        rows += row.replace("2019-09-28 21:00:00+0900", start).replace("142", name[3:])
    ours = re.sub(r"<tbody>.*</tbody>", f"<tbody>{rows}</tbody>", archive, flags=re.DOTALL)
    return {
        "/contests/archive": ours.encode(),
        "/contests/abc100/tasks": (CAPTURES / "tasks/abc100_tasks_2025.html").read_bytes(),
        "/contests/abc100/tasks/abc100_a": (CAPTURES / "task/abc100_a_raw.html").read_bytes(),
        "/contests/abc100/tasks/abc100_b": (CAPTURES / "task/abc100_b_raw.html").read_bytes(),
        "/contests/abc107/tasks": (CAPTURES / "tasks/abc107_tasks.html").read_bytes(),
    }


def walk(url: str, **options: Any) -> list[Any]:
    wanted: dict[str, Any] = {
        "backfill": Window(date(2018, 6, 1), date(2018, 9, 1)),
        "now": utc(2018, 9, 1),
        "margin": timedelta(hours=1),
        "pace": FixedPace(0.02),
        "contact": "operator@example.test",
        "limits": FetchLimits(retries=0),
    }
    return list(crawl_site(SITE, base_url=url, **(wanted | options)))


def test_a_crawl_over_real_pages() -> None:
    with fake_site(served(), robots="User-agent: *\nDisallow: /contests/abc107/tasks/arc101_b\n") as site:
        with at_least(0.02) as took:
            events = walk(site.url)
        assert took() >= 0.02 * (len(site.asked) - 1), "the pace is kept"
    captured = [event for event in events if isinstance(event, PageCaptured)]
    assert [contest.external_id for contest in captured[0].records if isinstance(contest, ScrapedContest)] == [
        "abc107",
        "abc100",
    ]
    read_tasks = {
        record.external_id: record
        for each in captured
        if each.kind == "task"
        for record in each.records
        if isinstance(record, ScrapedProblem)
    }
    assert set(read_tasks) == {"abc100_a", "abc100_b"}
    for name, file in (("abc100_a", "abc100_a_raw"), ("abc100_b", "abc100_b_raw")):
        url = f"https://atcoder.jp/contests/abc100/tasks/{name}"
        assert read_tasks[name] == problems(read("task", f"task/{file}.html", url))[0]
        assert read_tasks[name].url == url, "the public address, whichever host served it"
    missing = [each.url for each in captured if each.classification is Classification.NOT_FOUND]
    assert [url.partition("?")[0].rsplit("/", 1)[1] for url in missing] == [
        "abc100_c", "abc100_d", "abc107_a", "abc107_b", "arc101_a",
    ]  # fmt: skip
    finished = events[-1]
    assert isinstance(finished, CrawlFinished)
    assert finished.state is ScrapeState.PARTIAL, "the last task of abc107 is forbidden by robots.txt"
    assert not any(isinstance(event, CursorMoved) for event in events), "tasks that were not found are asked for again"
    for each in captured:
        if each.status == 200:
            again = parse_page(SITE, each.kind, each.body or b"", each.url)
            assert again.records == each.records, "a replay equals the first parse"


def test_no_real_contest_is_touched_before_its_end_and_margin() -> None:
    with fake_site(served()) as site:
        walk(site.url, now=utc(2018, 6, 16, 14, 39))
        assert not [path for path in (each.path for each in site.asked) if "abc100" in path]
        events = walk(site.url, now=utc(2018, 6, 16, 14, 40))
        assert any("abc100_b" in each.path for each in site.asked)
        assert not any("abc107" in each.path for each in site.asked)
    assert events[-1].counts["problems"] == 2

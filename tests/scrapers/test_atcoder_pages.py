"""AtCoder's pages: every layout, both languages, limits, samples, flags, lists."""

import json
from datetime import UTC, datetime

import pytest
from support import atcoder_pages as pages

from app.domain.sources.records import (
    Classification,
    ScrapedContest,
    ScrapedDifficulty,
    ScrapedExample,
    ScrapedProblem,
    ScrapedStanding,
    record_to_json,
)
from scrapers.replay import parse_page
from scrapers.site import ParsedPage, find_site

SITE = find_site("atcoder")
URL = "https://atcoder.jp/contests/abc500/tasks/abc500_a?lang=en"
PAIRS = [("3\n1 2 3\n", "6\n"), ("1 < 2 & 3\n\n  x\n", "\nyes \n\n"), ("1\n", "a\nb")]
EXPECTED = (
    ScrapedExample("3\n1 2 3\n", "6\n"),
    ScrapedExample("1 < 2 & 3\n\n  x\n", "yes \n"),
    ScrapedExample("1\n", "a\nb\n"),
)


def one(body: bytes, url: str = URL) -> ScrapedProblem:
    parsed = parse_page(SITE, "task", body, url)
    assert parsed.classification is Classification.OK, parsed.findings
    (problem,) = parsed.records
    assert isinstance(problem, ScrapedProblem)
    return problem


def codes(parsed: ParsedPage) -> set[str]:
    return {finding.code for finding in parsed.findings}


@pytest.mark.parametrize("layout", pages.LAYOUTS)
def test_samples_of_every_layout(layout: str) -> None:
    problem = one(pages.task(pages.LAYOUTS[layout](PAIRS)))
    assert problem.samples == EXPECTED
    assert (problem.time_limit_ms, problem.memory_limit_mb) == (2000, 1024)
    assert (problem.index, problem.title) == ("A", "Lamps")
    assert problem.form == "stdin"


def test_a_task_carries_its_ids_dates_points_and_languages() -> None:
    problem = one(pages.task(pages.modern(PAIRS, japanese="ランプをかぞえてください。")))
    assert problem.external_id == "abc500_a"
    assert problem.contest == "abc500"
    assert problem.url == "https://atcoder.jp/contests/abc500/tasks/abc500_a"
    assert problem.starts_at == datetime(2026, 1, 10, 12, 0, tzinfo=UTC)
    assert problem.ends_at == datetime(2026, 1, 10, 13, 40, tzinfo=UTC)
    assert problem.points == 100
    assert problem.locales == ("en", "ja")
    assert problem.statements["en"].startswith("Score : $100$ points\n\n### Problem Statement\n\nCount the lamps.")
    assert "```\nN\n```" in problem.statements["en"], "formulas inside code have no dollar signs"
    assert "### 入力例 1" in problem.statements["ja"]
    assert record_to_json(problem)["starts_at"] == "2026-01-10T12:00:00Z"


def test_the_task_id_comes_from_the_address_and_not_from_the_contest() -> None:
    problem = one(pages.task(pages.modern(PAIRS)), "http://127.0.0.1:9/contests/abc107/tasks/arc101_a")
    assert (problem.contest, problem.external_id) == ("abc107", "arc101_a")
    old = one(pages.task(pages.prettyprint(PAIRS)), "https://abc001.contest.atcoder.jp/tasks/abc001_1")
    assert (old.contest, old.external_id) == ("abc001", "abc001_1")


def test_without_an_address_the_page_names_itself_or_nothing_is_guessed() -> None:
    meta = '<meta property="og:url" content="https://atcoder.jp/contests/abc500/tasks/abc500_b">'
    assert one(pages.task(pages.modern(PAIRS), head=meta), "").external_id == "abc500_b"
    parsed = parse_page(SITE, "task", pages.task(pages.modern(PAIRS)))
    assert isinstance(parsed.records[0], ScrapedProblem)
    assert parsed.records[0].external_id is None
    assert "missing_id" in codes(parsed)


def test_a_page_of_another_task_is_not_read_as_this_one() -> None:
    meta = '<meta property="og:url" content="https://atcoder.jp/contests/{}">'
    other = pages.task(pages.modern(PAIRS), head=meta.format("abc500/tasks/abc500_b"))
    parsed = parse_page(SITE, "task", other, URL)
    assert (parsed.classification, codes(parsed)) == (Classification.FORMAT_CHANGED, {"another_page"})
    for own in ("abc500/tasks/abc500_a?lang=en", "arc500/tasks/abc500_a", "abc500"):  # one task of two contests
        assert one(pages.task(pages.modern(PAIRS), head=meta.format(own))).external_id == "abc500_a"


def test_a_page_ends_where_its_markup_does() -> None:
    whole = pages.task(pages.modern(PAIRS))
    for end in (b"\n", b"<!-- served in 3 ms -->", b"</HTML >\n"):
        assert one(whole.removesuffix(b"</html>") + b"</html>" + end).samples == EXPECTED
    for size in range(len(whole) - len(b"</html>"), len(b"<html>"), -97):
        parsed = parse_page(SITE, "task", whole[:size], URL)
        assert (parsed.classification, parsed.records) == (Classification.FORMAT_CHANGED, ())


def test_limits_are_the_sites_numbers() -> None:
    for line, expected in [
        ("Time Limit: 2 sec / Memory Limit: 976 MiB", (2000, 976)),
        ("Time Limit: 2.525 sec / Memory Limit: 64 MB", (2525, 64)),
        ("Time Limit: 500 msec / Memory Limit: 65536 KB", (500, 64)),
        ("実行時間制限: 1.5 sec / メモリ制限: 1000000 KB", (1500, 1000)),
        ("実行時間制限：8秒 / メモリ制限：1 GiB", (8000, 1024)),
        ("Time Limit: 1,500 ms / Memory Limit: 1 KB", (1500, 1)),
        ("Time Limit: 0 sec / Memory Limit: 0 KB", (None, None)),
        ("Time Limit: soon", (None, None)),
    ]:
        body = pages.task(pages.modern(PAIRS), limits=line)
        problem = one(body)
        assert (problem.time_limit_ms, problem.memory_limit_mb) == expected, (line, expected)
        assert ("missing_limits" in codes(parse_page(SITE, "task", body, URL))) == (None in expected), (line, expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Score : <var>600</var> points", 600),
        ("配点 : <var>100</var> + <var>500</var> 点", 600),
        ("Score: 1,200 points", 1200),
        ("No score here", None),
    ],
)
def test_points(text: str, expected: int | None) -> None:
    problem = one(pages.task(f"<p>{text}</p><h3>Input</h3><pre>N</pre>"))
    assert problem.points == expected


@pytest.mark.parametrize(
    ("heading", "expected"),
    [
        ("Ex - Make Q", ("Ex", "Make Q")),
        ("001 - Yokan（★4）", ("001", "Yokan（★4）")),
        ("A - 2 - 1", ("A", "2 - 1")),
        ("Welcome", (None, "Welcome")),
    ],
)
def test_headings(heading: str, expected: tuple[str | None, str]) -> None:
    problem = one(pages.task(pages.modern(PAIRS), heading=heading))
    assert (problem.index, problem.title) == expected


def test_flags_by_phrase() -> None:
    for text, flags in [
        ("This is an <b>interactive</b> problem.", ("interactive",)),
        ("この問題は<strong>インタラクティブ</strong>形式です。", ("interactive",)),
        ("If there are multiple solutions, any of them will be accepted.", ("multiple_answers",)),
        ("If there is more than one such sequence, print any.", ("multiple_answers",)),
        ("条件を満たすものが複数ある場合は、どれを出力しても正解です。", ("multiple_answers",)),
        ("答えが複数存在する場合、いずれか一つを出力してください。", ("multiple_answers",)),
        (
            "Your answer is right when its absolute or relative error is at most <var>10^{-6}</var>.",
            ("float_tolerance",),
        ),
        ("絶対誤差または相対誤差が <var>10^{-9}</var> 以下であれば正解とみなされます。", ("float_tolerance",)),
        ("Read the graph from input.txt.", ("file_io",)),
        ('See <img src="https://img.example.test/a.png">.', ("image",)),
        ("There are several cities; for any two of them the distance is known. Print the sum.", ()),
        ("Your program will be accepted when all outputs are right.", ()),
    ]:
        problem = one(pages.task(pages.modern(PAIRS, text=text)))
        assert problem.flags == flags, (text, flags)
        assert problem.form == ("interactive" if "interactive" in flags else "stdin"), (text, flags)


def test_a_missing_translation_is_no_locale() -> None:
    ja = pages.prettyprint(PAIRS)
    for absent in ("", "  ", "<p>Sorry, the English version is not available.</p>"):
        page = f'<span class="lang"><span class="lang-ja">{ja}</span><span class="lang-en">{absent}</span></span>'
        problem = one(pages.task(page))
        assert problem.locales == ("ja",)
        assert problem.samples == EXPECTED
    assert one(pages.task(ja)).locales == ("ja",)
    assert one(pages.task(pages.bare(PAIRS))).locales == ("en",)


def test_samples_that_differ_or_stand_alone_are_findings() -> None:
    en = '<span class="lang-en"><h3>Sample Input 1</h3><pre>1</pre><h3>Sample Output 1</h3><pre>2</pre></span>'
    ja = '<span class="lang-ja"><h3>入力例 1</h3><pre>1</pre><h3>出力例 1</h3><pre>3</pre>'
    ja += "<h3>入力例 2</h3><pre>4</pre></span>"
    parsed = parse_page(SITE, "task", pages.task(f'<span class="lang">{ja}{en}</span>'), URL)
    assert {"samples_differ", "unpaired_sample"} <= codes(parsed)
    assert isinstance(parsed.records[0], ScrapedProblem)
    assert parsed.records[0].samples == (ScrapedExample("1\n", "2\n"),)


def test_sample_labels_pair_by_number_or_by_order() -> None:
    grouped = "".join(f"<h3>{label}</h3><pre>{n}</pre>" for n, label in enumerate(
        ("Sample Input 1", "Sample Input 2", "Sample Output 1", "Sample Output 2"), 1))  # fmt: skip
    assert one(pages.task(grouped)).samples == (ScrapedExample("1\n", "3\n"), ScrapedExample("2\n", "4\n"))
    table = "<h3>入出力例</h3><table><tr><th>入力例 1</th><th>出力例 1</th></tr>"
    table += "<tr><td><pre>7</pre></td><td><pre>8</pre></td></tr></table>"
    assert one(pages.task(f"<h3>問題文</h3><p>ランプ</p>{table}")).samples == (ScrapedExample("7\n", "8\n"),)
    under = "<h3>Sample</h3><h4>Input</h4><pre>5</pre><h4>Output</h4><pre>6</pre><h3>Output</h3><pre>x</pre>"
    assert one(pages.task(under)).samples == (ScrapedExample("5\n", "6\n"),)
    explained = (
        "<h3>入力例 1</h3><pre>1</pre><h3>入力例 1 の説明</h3><pre>no</pre><h3>出力例 1</h3><p>text</p><pre>2</pre>"
    )
    assert one(pages.task(explained)).samples == (ScrapedExample("1\n", "2\n"),)


def test_unknown_layouts_are_a_changed_format() -> None:
    renamed = pages.task(pages.modern(PAIRS)).replace(b'id="task-statement"', b'id="statement"')
    assert codes(parse_page(SITE, "task", renamed, URL)) == {"no_statement"}
    for statement in (
        "",
        "<div><br></div>",
        "<p>Loading...</p>",
        '<span class="lang"><span class="lang-en"></span></span>',
    ):
        parsed = parse_page(SITE, "task", pages.task(statement), URL)
        assert parsed.classification is Classification.FORMAT_CHANGED
        assert not parsed.records


def test_error_pages_are_not_a_changed_format() -> None:
    def classified(kind: str, inner: str) -> Classification:
        return parse_page(
            SITE, kind, f"<html><title>AtCoder</title><div class='row'>{inner}</div></html>".encode()
        ).classification

    assert classified("task", "<h1>404 Page Not Found</h1>") is Classification.NOT_FOUND
    assert classified("tasks", '<div class="alert alert-danger">Permission denied.</div>') is Classification.LOGIN
    assert classified("tasks", '<div class="alert">The contest has not started yet.</div>') is Classification.NOT_OPEN
    assert classified("tasks", "<h1>Welcome</h1>") is Classification.FORMAT_CHANGED
    for said in ("Contest not found.", "× コンテストが見つかりません。"):
        alert = f'<div class="alert alert-danger">{said}</div>'
        assert classified("tasks", alert) is Classification.NOT_FOUND
        assert classified("tasks", alert + "<table></table>") is Classification.FORMAT_CHANGED, "said above a list"


def test_the_print_page_holds_every_task() -> None:
    one_task = (
        '<div class="row"><div class="col-sm-12"><span class="h2">{index} - Task {index}</span><hr/>'
        "<p>Time Limit: {time} sec / Memory Limit: 256 MB</p><div id='task-statement'>{statement}</div></div></div>"
    )
    blocks = [one_task.format(index=i, time=t, statement=pages.modern(PAIRS)) for i, t in (("A", 2), ("B", 3.5))]
    header = pages.duration("2026-01-10 21:00:00+0900", "2026-01-10 22:40:00+0900")
    parsed = parse_page(
        SITE,
        "tasks_print",
        f"<html>{header}{''.join(blocks)}</html>".encode(),
        "https://atcoder.jp/contests/abc500/tasks_print",
    )
    problems = [record for record in parsed.records if isinstance(record, ScrapedProblem)]
    assert [(problem.index, problem.title, problem.time_limit_ms) for problem in problems] == [
        ("A", "Task A", 2000),
        ("B", "Task B", 3500),
    ]
    assert all(
        problem.contest == "abc500" and problem.external_id is None and problem.samples == EXPECTED
        for problem in problems
    )
    assert "missing_id" in codes(parsed)


def test_a_limit_line_belongs_to_its_own_task() -> None:
    second = "<span class='h2'>B - Second</span><div id='task-statement'><h3>Input</h3><pre>N</pre></div>"
    first = pages.task(pages.modern(PAIRS)).replace(b"</body>", second.encode() + b"</body>")
    parsed = parse_page(SITE, "tasks_print", first, "https://atcoder.jp/contests/abc500/tasks_print")
    assert [record.time_limit_ms for record in parsed.records if isinstance(record, ScrapedProblem)] == [2000, None]


def test_the_archive() -> None:
    rows = [("arc900", "2026-01-11 21:00:00+0900", "02:30"), ("ahc070", "2026-01-01 19:00:00+0900", "240:00")]
    parsed = parse_page(SITE, "archive", pages.archive(rows, pages=7))
    first, second = parsed.records
    assert isinstance(first, ScrapedContest)
    assert isinstance(second, ScrapedContest)
    assert (first.external_id, first.title, first.kind) == ("arc900", "Contest arc900", "algorithm")
    assert (first.rated_range, first.phase) == ("~ 1999", "ended")
    assert first.starts_at == datetime(2026, 1, 11, 12, 0, tzinfo=UTC)
    assert first.ends_at == datetime(2026, 1, 11, 14, 30, tzinfo=UTC)
    assert second.kind == "heuristic"
    assert second.ends_at == datetime(2026, 1, 11, 10, 0, tzinfo=UTC)
    assert parsed.pages == 7
    assert not parsed.findings


def test_a_time_a_browser_has_rewritten_is_read_from_its_link() -> None:
    row = (
        "<html><table><tr><td><a href='http://example.test/fixedtime.html?iso=20260110T2100&p1={city}'>"
        "<time class='fixtime'>2026-01-10(Sat) 13:00</time></a></td><td><a href='/contests/abc500'>ABC 500</a></td>"
        "</tr></table></html>"
    )
    (contest,) = parse_page(SITE, "archive", row.format(city=248).encode()).records
    assert isinstance(contest, ScrapedContest)
    assert contest.starts_at == datetime(2026, 1, 10, 12, 0, tzinfo=UTC)
    elsewhere = parse_page(SITE, "archive", row.format(city=136).encode())
    assert elsewhere.classification is Classification.FORMAT_CHANGED, "an unknown time zone is no time"


def test_contests_home_tables_tell_the_phase() -> None:
    home = "".join(
        f'<div id="contest-table-{name}"><table><tr>{time}<td>'
        f'<a href="/contests/{name}1">{name}</a></td></tr></table></div>'
        for name, time in (
            ("permanent", ""),
            ("upcoming", "<td><time>2026-02-01 21:00:00+0900</time></td>"),
            ("action", "<td><time>2026-01-10 21:00:00+0900</time></td>"),
        )
    )
    contests = [
        record
        for record in parse_page(SITE, "archive", f"<html>{home}</html>".encode()).records
        if isinstance(record, ScrapedContest)
    ]
    assert [(contest.phase, contest.starts_at is None) for contest in contests] == [
        ("permanent", True),
        ("upcoming", False),
        ("running", False),
    ]


def test_the_task_list() -> None:
    body = pages.tasks("abc107", ["abc107_a", "arc101_a"], "2018-08-25 21:00:00+0900", "2018-08-25 22:40:00+0900")
    contest, first, second = parse_page(SITE, "tasks", body, "https://atcoder.jp/contests/abc107/tasks").records
    assert isinstance(contest, ScrapedContest)
    assert contest.problems == ("abc107_a", "arc101_a")
    assert contest.title == "Contest abc107"
    assert isinstance(first, ScrapedProblem)
    assert isinstance(second, ScrapedProblem)
    assert (second.index, second.title, second.contest) == ("B", "Task arc101_a", "abc107")
    assert (second.time_limit_ms, second.memory_limit_mb) == (2000, 1024)
    assert second.starts_at == contest.starts_at == datetime(2018, 8, 25, 12, 0, tzinfo=UTC)
    assert (first.form, first.samples, first.statements) == (None, (), {}), "a list does not tell"


def test_a_list_of_submissions_is_no_task_list() -> None:
    row = '<tr><td>2026</td><td><a href="/contests/a/tasks/a_b">A - x</a></td><td>93 ms</td><td>4764 KB</td></tr>'
    assert (
        parse_page(SITE, "tasks", f"<html><table>{row}</table></html>".encode()).classification
        is Classification.FORMAT_CHANGED
    )


def test_standings() -> None:
    row = {
        "Rank": 1,
        "UserScreenName": "someone",
        "OldRating": 1770,
        "TaskResults": {"x_a": {"Status": 1}, "x_b": {"Status": 10}},
        "TotalResult": {"Score": 30050, "Penalty": 2},
    }
    newcomer = row | {"UserScreenName": "new", "OldRating": 0, "TaskResults": {}}
    body = json.dumps({"TaskInfo": [], "StandingsData": [row, newcomer, {"Rank": "x"}]}).encode()
    parsed = parse_page(SITE, "standings", body)
    assert parsed.records == (
        ScrapedStanding(1, "someone", 1770, 300.5, 2, ("x_a",)),
        ScrapedStanding(1, "new", None, 300.5, 2, ()),
    )
    assert codes(parsed) == {"bad_row"}
    nobody = parse_page(SITE, "standings", b'{"TaskInfo": [], "StandingsData": []}')
    assert nobody.classification is Classification.OK, "a contest nobody entered is empty, not broken"


def test_problem_models_and_contests() -> None:
    models = {"a_1": {"difficulty": -848, "is_experimental": True}, "a_2": {"difficulty": None}, "a_3": {"slope": 1}}
    parsed = parse_page(SITE, "problem_models", json.dumps(models).encode())
    assert parsed.records == (ScrapedDifficulty("a_1", "kenkoooo", -848, experimental=True),)
    assert (parsed.classification, parsed.findings) == (Classification.OK, ())
    rows = [{"id": "abc1", "title": "A", "start_epoch_second": 1530939600, "duration_second": 6000, "rate_change": "-"}]
    rows.append(rows[0] | {"id": "course", "start_epoch_second": 0, "duration_second": 3_153_600_000})
    contest, course = parse_page(SITE, "contests", json.dumps([*rows, {"id": "b"}]).encode()).records
    assert isinstance(course, ScrapedContest)
    assert (course.starts_at, course.ends_at) == (None, None), "the end of what never began"
    assert isinstance(contest, ScrapedContest)
    assert contest.starts_at == datetime(2018, 7, 7, 5, 0, tzinfo=UTC)
    assert contest.ends_at == datetime(2018, 7, 7, 6, 40, tzinfo=UTC)


def test_each_address_is_of_one_kind() -> None:
    for name, kind in [
        ("/contests/archive?page=2&lang=en", "archive"),
        ("/contests/", "archive"),
        ("/contests/abc107/tasks?lang=en", "tasks"),
        ("/contests/abc107/tasks/arc101_a?lang=en", "task"),
        ("/contests/abc107/tasks_print", "tasks_print"),
        ("/contests/abc107/standings/json", "standings"),
        ("/atcoder/resources/problem-models.json", "problem_models"),
        ("/atcoder/resources/contests.json", "contests"),
    ]:
        assert [kind.name for kind in SITE.kinds.values() if kind.url.search(name)] == [kind], (name, kind)


def test_every_encoding_reads_the_same_and_losses_are_told() -> None:
    text = pages.task(pages.modern(PAIRS, japanese="高橋君はランプを数えます。" * 5)).decode()
    expected = one(text.encode())
    for charset in ("cp932", "euc_jp"):
        assert one(text.replace("<title>", f'<meta charset="{charset}"><title>', 1).encode(charset)) == expected
        assert one(text.encode(charset)) == expected, "unlabelled"
    assert one(b"\xff\xfe" + text.encode("utf-16-le")) == expected
    assert one(b"\xef\xbb\xbf" + text.replace("<p>", "<p>\0").encode()) == expected
    broken = parse_page(SITE, "task", text.encode().replace("高".encode(), b"\xe9\xab", 1), URL)
    assert broken.classification is Classification.OK
    assert "encoding" in codes(broken)

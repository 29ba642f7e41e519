"""Codeforces' other pages: the archive of acm.sgu.ru, tables of problems, and what is no answer at all."""

import pytest

from app.domain.sources.records import Classification, ScrapedExample, ScrapedProblem
from scrapers.replay import parse_page
from scrapers.site import ParsedPage, find_site

SITE = find_site("codeforces")
URL = "https://codeforces.com/contest/1999/problem/B"


def page(inner: str, contest: str, title: str = "Dashboard") -> bytes:
    around = f'<table class="rtable"><tr><th><a href="{contest}">A contest</a></th></tr></table>'
    head = f"<head><title>{title} - Codeforces</title></head>"
    return f"<html>{head}<body><div id='sidebar'>{around}</div>{inner}</body></html>".encode()


def holder(inner: str, index: str = "B") -> str:
    return f'<div class="problemindexholder" problemindex="{index}"><div class="ttypography">{inner}</div></div>'


def one(body: bytes, url: str) -> ScrapedProblem:
    parsed = parse_page(SITE, "problem", body, url)
    assert parsed.classification is Classification.OK, parsed.findings
    (problem,) = parsed.records
    assert isinstance(problem, ScrapedProblem)
    return problem


def codes(parsed: ParsedPage) -> set[str]:
    return {finding.code for finding in parsed.findings}


def old(inner: str, index: str = "123") -> bytes:
    return page(holder(inner, index), "/contest/99999", f"Problem - 99999{index}")


def test_the_old_archive() -> None:
    label = "<table><tr><td><pre>sample input</pre></td><td><pre>sample output</pre></td></tr>"
    table = f"{label}<tr><td><pre>5\n</pre></td><td><pre>12\n13</pre></td></tr></table>"
    head = "Time limit per test: 0.25 second(s)<br/>Memory limit: 4096 kilobytes"
    text = (
        f'<div><div align="center"><h4>123. The boats</h4></div><div align="center">{head}</div>'
        '<div align="center">input: standard<br/>output: standard</div><br/><br/>Count <i>n</i> boats, print '
        "'<pre style=\"display: inline;font-size: 120.0%;\">H</pre>'.<br/><br/><div><b>Input</b></div>One number."
        f"<div><b>Example(s)</b></div>{table}<br/>{table}<b>Note</b><pre>none</pre></div><hr/>"
    )
    for url in ("https://codeforces.com/problemsets/acmsguru/problem/99999/123", ""):
        problem = one(old(text), url)
        assert (problem.external_id, problem.index, problem.title) == ("99999/123", "123", "The boats")
        assert problem.url == "https://codeforces.com/problemsets/acmsguru/problem/99999/123"
        assert (problem.time_limit_ms, problem.memory_limit_mb, problem.flags) == (250, 4, ())
        assert problem.samples == (ScrapedExample("5\n", "12\n13\n"),) * 2
        assert problem.statements["en"].startswith("Count *n* boats, print '`H`'.\n\n**Input**\n\nOne number.")


def test_the_old_archive_inside_a_table() -> None:
    text = (
        '<table class="bordertable"><tr><td><h3>124. The boats</h3>time limit per test: 0.5 sec.<br>memory limit per '
        "test: 65536 KB<br>input: boats.in<br>output: boats.out<p>Count them.</p><b>Sample test(s)</b><br><b>Input</b>"
        "<font><pre>5</pre></font><b>Output</b><font><pre>12</pre></font><b>Author:</b><pre>X</pre></td></tr></table>"
    )
    problem = one(old(text, "124"), "https://codeforces.com/problemsets/acmsguru/problem/99999/124?locale=en")
    assert (problem.time_limit_ms, problem.memory_limit_mb, problem.flags) == (500, 64, ("file_io",))
    assert problem.samples == (ScrapedExample("5\n", "12\n"),)
    assert problem.title == "The boats"


_LIMITS = "time limit per test: 0.5 sec.<br>memory limit per test: 65536 KB"
_SAMPLE = "<b>Sample test(s)</b><b>Input</b><pre>5</pre><b>Output</b><pre>12</pre>"


@pytest.mark.parametrize(
    ("head", "sample", "limits"),
    [
        (f"<h3>124. The boats</h3>{_LIMITS}", "<b>Sample Input</b><pre>5</pre><b>Sample Output</b><pre>12</pre>", 1),
        (f"<h3>124. The boats</h3>{_LIMITS}", "<p>Sample input 1</p><pre>5</pre><p>Sample output</p><pre>12</pre>", 1),
        (f"<p>124. The boats</p>{_LIMITS}", _SAMPLE, 1),
        (f"<b>124. The boats</b><br>{_LIMITS}", _SAMPLE, 1),
        ("<h4>124. The boats</h4>Time limit: 0.5 sec.<br>Memory limit: 65536 KB", _SAMPLE, 1),
        ("<h4>124. The boats</h4>ограничение по времени на тест: 0.5 сек.<br>ограничение по памяти на тест: 65536 КБ",
         "<b>Пример(ы)</b><b>Входные данные</b><pre>5</pre><b>Выходные данные</b><pre>12</pre>", 1),
        ("<h3>124. The boats</h3>", _SAMPLE, 0),
    ],
)  # fmt: skip
def test_the_old_archive_in_other_layouts(head: str, sample: str, limits: int) -> None:
    url = "https://codeforces.com/problemset/acmsguru/problem/99999/124"
    parsed = parse_page(SITE, "problem", old(f"{head}<p>Count them.</p>{sample}", "124"), url)
    (problem,) = parsed.records
    assert isinstance(problem, ScrapedProblem)
    assert (problem.external_id, problem.title) == ("99999/124", "The boats")
    assert problem.samples == (ScrapedExample("5\n", "12\n"),)
    (text,) = problem.statements.values()
    assert text.startswith("Count them.\n\n"), "neither title nor limits are part of the text"
    assert (problem.time_limit_ms, problem.memory_limit_mb) == ((500, 64) if limits else (None, None))
    assert codes(parsed) == (set() if limits else {"missing_limits"}), "a limit that is not there is not known"


def test_what_follows_the_limits_of_the_old_archive_on_the_next_line_is_text() -> None:
    limits = (
        "Time limit per test: 1 second(s)<br/>Memory limit: 65536 kilobytes<br/>input: standard<br/>output: standard"
    )
    text = f"<h4>499. The guess</h4>{limits}<br/>This is an interactive problem.<br/>Input: one number.{_SAMPLE}"
    problem = one(old(text, "499"), "https://codeforces.com/problemsets/acmsguru/problem/99999/499")
    assert (problem.title, problem.time_limit_ms, problem.memory_limit_mb) == ("The guess", 1000, 64)
    assert (problem.form, problem.flags) == ("interactive", ("interactive",))
    assert problem.statements["en"].startswith("This is an interactive problem.\nInput: one number.")


def test_the_list_of_the_old_archive() -> None:
    cell = '<a href="/problemsets/acmsguru/problem/99999/124">{}</a>'
    row = f"<tr><td class='id'>{cell.format(124)}</td><td><div>{cell.format('The boats')}</div></td></tr>"
    body = page(f'<table class="problems"><tr><th>#</th></tr>{row}</table>', "/problemsets/acmsguru")
    parsed = parse_page(SITE, "contest_problems", body, "https://codeforces.com/problemsets/acmsguru")
    (problem,) = parsed.records
    assert isinstance(problem, ScrapedProblem)
    assert (problem.external_id, problem.title, problem.time_limit_ms) == ("99999/124", "The boats", None)
    assert parse_page(SITE, "problem", body).classification is Classification.FORMAT_CHANGED


def test_a_table_of_problems_whose_statements_are_documents() -> None:
    rows = "".join(
        f'<tr><td class="id"><a href="/gym/100524/problem/{index}"> {index} </a></td><td><div><div><a '
        f'href="/gym/100524/problem/{index}"><!-- -->Task {index}</a></div><div class="notice"><div>{files}</div>'
        f"{limits}</div></div></td><td><a href='/gym/100524/submit/{index}'>x</a></td></tr>"
        for index, files, limits in (
            ("A", "boats.in / boats.out", "8 s, 512 MB"),
            ("B", "standard input/output", "0.5 s, 64 MB"),
            ("C", "input.txt/standard output", "1 s, 64 MB"),
            ("D", "standard input/output", "1.5 s.,64 MB"),
        )
    )
    body = page(f'<table class="problems"><tr><th>#</th></tr>{rows}</table>', "/gym/100524")
    parsed = parse_page(SITE, "contest_problems", body, "https://codeforces.com/gym/100524")
    first, second, third, fourth = (record for record in parsed.records if isinstance(record, ScrapedProblem))
    assert (first.external_id, first.title, first.flags) == ("100524/A", "Task A", ("file_io",))
    assert (third.flags, fourth.flags) == (("file_io",), ()), "one of the streams may be a file"
    assert (first.time_limit_ms, first.memory_limit_mb) == (8000, 512)
    assert first.url == "https://codeforces.com/gym/100524/problem/A"
    assert (second.time_limit_ms, second.flags, second.statements) == (500, (), {})


@pytest.mark.parametrize(
    ("body", "kind", "expected"),
    [
        ("<p>Codeforces is temporarily unavailable. Please, return soon.</p>", "contest_list", "unreachable"),
        ("<p>Codeforces is temporarily unavailable.</p>", "problem", "unreachable"),
        ("<p>The page is temporarily blocked by administrator.</p>", "standings", "unreachable"),
        ("<h1>Whoops</h1>", "problemset", "format_changed"),
        ('<script>Codeforces.showMessage("No such contest");</script>', "problem", "not_found"),
        ('<script>Codeforces.showMessage("Illegal contest ID");</script>', "contest_problems", "not_found"),
        ('<script>Codeforces.showMessage("Contest has not started yet");</script>', "problem", "not_open"),
        ('<div class="contest-state-phase">Before the contest</div>', "problem", "not_open"),
        ('<script>Codeforces.showMessage("You are not allowed to view the contest");</script>', "problem", "login"),
        ("<form><input name=handleOrEmail><input type=password></form>", "problem", "login"),
        ("<script>document.cookie=\"RCPC=\"+toHex(1);</script>", "rating_changes", "blocked"),
        ('<div class="topic"><div class="ttypography"><p>A post. Time limit per test.</p></div></div>', "problem",
         "format_changed"),
        ('<script>Codeforces.showMessage("Copied");</script><p>Profile</p>', "problem", "format_changed"),
    ],
)  # fmt: skip
def test_pages_that_are_no_answer(body: str, kind: str, expected: str) -> None:
    parsed = parse_page(SITE, kind, f"<html><head><title>Codeforces</title></head><body>{body}</body></html>".encode())
    assert parsed.classification == expected
    assert parsed.findings
    assert not parsed.records


def test_unknown_layouts_are_a_changed_format() -> None:
    for inner in (
        '<div class="problem-statement"><p>Loading...</p></div>',
        '<div class="problem-statement"></div>',
        '<div class="statement"><p>Text</p></div>',
    ):
        parsed = parse_page(SITE, "problem", page(holder(inner), "/contest/1999"), URL)
        assert (parsed.classification, parsed.records) == (Classification.FORMAT_CHANGED, ())


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("/api/contest.list?gym=false", "contest_list"),
        ("/api/problemset.problems", "problemset"),
        ("/api/contest.standings?contestId=5", "standings"),
        ("/api/contest.ratingChanges?contestId=5", "rating_changes"),
        ("/contest/1999/problem/B?locale=en", "problem"),
        ("/gym/100524/problem/A1", "problem"),
        ("/group/MWq/contest/219856/problem/A", "problem"),
        ("/problemset/problem/1999/B", "problem"),
        ("/problemsets/acmsguru/problem/99999/123", "problem"),
        ("/problemset/acmsguru/problem/99999/123", "problem"),
        ("/problemsets/acmsguru", "contest_problems"),
        ("/problemsets/acmsguru/page/2?locale=en", "contest_problems"),
        ("/contest/1999/problems", "contest_problems"),
        ("/contest/1999", "contest_problems"),
        ("/gym/100524?locale=en", "contest_problems"),
    ],
)
def test_each_address_is_of_one_kind(name: str, kind: str) -> None:
    assert [kind.name for kind in SITE.kinds.values() if kind.url.search(name)] == [kind]

"""Whatever Codeforces' pages and answers hold: a value or a typed finding, the same each time, in bounded time."""

import copy
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples
from support.thinned import thinned
from support.work import little_work

from app.domain.sources.records import Classification, record_to_json
from scrapers.replay import parse_page
from scrapers.site import Media, ParsedPage, find_site

SITE = find_site("codeforces")
JSON_KINDS = [name for name, kind in SITE.kinds.items() if kind.media is Media.JSON]
HTML_KINDS = [name for name, kind in SITE.kinds.items() if kind.media is Media.HTML]
URLS = st.sampled_from([
    "", "https://codeforces.com/contest/1/problem/A", "https://codeforces.com/problemsets/acmsguru/problem/99999/1",
    "http://[", "https://codeforces.com/contest/" + "9" * 50 + "/problem/A", "%00%ff/contest/1",
])  # fmt: skip
ODD = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8), st.just("\ud800"), st.just(10**30),
    st.just([]), st.just({}), st.just([[]]), st.just("A" * 3000),
)  # fmt: skip
ANSWER: dict[str, Any] = {
    "status": "OK",
    "comment": "Call limit exceeded",
    "result": {
        "contest": {"id": 1, "name": "Round (Div. 2)", "type": "IOI", "phase": "FINISHED", "durationSeconds": 7200,
                    "startTimeSeconds": 1_786_977_300},
        "problems": [{"contestId": 1, "index": "A", "name": "B", "type": "PROGRAMMING", "points": 1, "tags": ["dp"]}],
        "rows": [{"party": {"members": [{"handle": "ann"}], "participantType": "VIRTUAL", "teamName": None}, "rank": 1,
                  "points": 1, "penalty": 0, "problemResults": [{"points": 1}]}],
    },
}  # fmt: skip
CHANGE = {"rank": 1, "oldRating": 1, "newRating": 2, "id": 1, "name": "Round", "type": "CF", "phase": "BEFORE",
          "durationSeconds": 1, "startTimeSeconds": 1_786_977_300}  # fmt: skip

PIECES = st.sampled_from([
    '<div class="problem-statement">', '<div class="header">', '<div class="title">', "A. Boats", "</div>", "<div>",
    '<div class="time-limit">', "2 seconds", '<div class="memory-limit">', "256 мегабайт", '<div class="sample-tests">',
    '<div class="sample-test">', '<div class="input">', '<div class="output">', "<pre>", "</pre>", "1\n2", "<br>",
    '<div class="test-example-line">', '<div class="section-title">', "Interaction", "$$$x$$$", "$$$", "\x00", "&nbsp;",
    '<script type="math/tex">', "a_i", "</script>", '<span class="tex-span">', "<i>", "<sub>", "</span>", "<table>",
    '<table class="problems">', "<tr>", "<td>", '<a href="/contest/1/problem/A">', "</a>", '<table class="rtable">',
    '<a href="/contest/1">', '<div class="problemindexholder" problemindex="A">', '<div class="ttypography">',
    "Time limit per test: 1 s Memory limit: 2 KB", "<b>Example(s)</b>", '<span class="tag-box">', "*800",
    '<img src="//x/y.pdf">', '<a href="x.pdf">', '<pre style="display:inline">', "print any of them", "\ufffd",
])  # fmt: skip


def sound(kind: str, body: bytes, url: str = "") -> ParsedPage:
    """Reads the body twice and checks what must hold of any answer."""
    parsed = parse_page(SITE, kind, body, url)
    assert parse_page(SITE, kind, body, url) == parsed, "a replay equals the first parse"
    if parsed.classification is not Classification.OK:
        assert not parsed.records
        assert parsed.findings
    json.dumps([record_to_json(record) for record in parsed.records]).encode()
    for finding in parsed.findings:
        assert finding.code
        assert 0 < len(finding.message) < 1000
    return parsed


def paths(value: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [at, *(path for key, each in items for path in paths(each, (*at, key)))]


def changed(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    if not path:
        return new
    value = copy.deepcopy(value)
    inner = value
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = new
    return value


@settings(max_examples=examples(150))
@given(st.data(), st.sampled_from(JSON_KINDS), URLS)
def test_answers_with_a_fact_of_another_kind(data: st.DataObject, kind: str, url: str) -> None:
    answer = ANSWER | ({"result": [CHANGE]} if kind in ("contest_list", "rating_changes") else {})
    path = data.draw(st.sampled_from(paths(answer)))
    parsed = sound(kind, json.dumps(changed(answer, path, data.draw(ODD))).encode(), url)
    if not path:
        assert parsed.classification is not Classification.OK


@settings(max_examples=examples(80))
@given(st.recursive(ODD, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner)))
def test_any_json(value: Any) -> None:
    for kind in JSON_KINDS:
        for body in (value, {"status": "OK", "result": value}, {"status": value, "comment": value}):
            sound(kind, json.dumps(body).encode())


@settings(max_examples=examples(200))
@given(st.lists(PIECES, max_size=60), st.sampled_from(HTML_KINDS), URLS)
def test_any_markup(pieces: list[str], kind: str, url: str) -> None:
    parsed = sound(kind, f"<html><body>{''.join(pieces)}</html>".encode(), url)
    for record in parsed.records:
        printed = record_to_json(record)
        assert all(text.strip() for text in printed["statements"].values()), "a statement is never an empty text"
        assert set(printed["statements"]) == set(printed["locales"])


@settings(max_examples=examples(80))
@given(st.binary(max_size=300), st.sampled_from([*JSON_KINDS, *HTML_KINDS]), URLS)
def test_any_bytes(body: bytes, kind: str, url: str) -> None:
    assert sound(kind, body, url).classification is not Classification.OK
    sound(kind, b"{" + body)
    sound(kind, b"<html>" + body + b"</html>", url)


HEAD = (
    '<div class="problemindexholder" problemindex="A"><div class="problem-statement"><div class="header">'
    '<div class="title">A. X</div><div class="time-limit">1 s</div></div>'
)


@pytest.mark.parametrize(
    "unit",
    thinned([
        "<div>", "<p>$$$", '<script type="math/tex">x</script>',
        '<div class="sample-test"><div class="input"><pre>1</pre>',
        '<div class="section-title">', '<span class="tag-box">', '<div class="problem-statement">', "if many ",
        "если много print вывести ", "<table><tr><td>", '<div class="ttypography">time limit per test memory limit',
        '<div class="header"><div class="title">', "<b>Example</b><pre>1</pre>", "<sub><i>", "1 ", "```\n", "A. ",
    ], 2),
)  # fmt: skip
def test_work_grows_with_the_page_and_not_with_its_square(unit: str) -> None:
    def seconds(size: int) -> float:
        with little_work() as spent:
            for kind in HTML_KINDS:
                parse_page(SITE, kind, body_of(size))
        return spent()

    def body_of(size: int) -> bytes:
        return f"<html><body>{HEAD}{unit * (size // len(unit))}</html>".encode()

    for kind in HTML_KINDS:
        sound(kind, body_of(1000))
    small, large = seconds(3_000), seconds(24_000)
    assert large < 30 * small + 2, "eight times the page"

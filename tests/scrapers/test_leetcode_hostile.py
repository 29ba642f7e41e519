"""Whatever LeetCode's answers hold gives records or a named reason, in bounded time."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples
from support.thinned import thinned
from support.work import little_work

from app.domain.sources.records import Classification, ScrapedProblem, record_to_json
from scrapers.replay import parse_page
from scrapers.site import ParsedPage, find_site

SITE = find_site("leetcode")
KINDS = tuple(SITE.kinds)
NAMES = st.sampled_from(
    (
        *("data", "errors", "error", "question", "content", "translatedContent", "metaData", "titleSlug", "title"),
        *("isPaidOnly", "topicTags", "slug", "codeSnippets", "langSlug", "code", "exampleTestcases", "difficulty"),
        *("contest", "questions", "title_slug", "start_time", "startTime", "duration", "credit", "pastContests"),
        *("allContests", "totalNum", "numPerPage", "Rating", "TitleSlug", "params", "return", "classname", "methods"),
    )
)
TEXTS = st.sampled_from(
    (
        *(
            "<p>x</p><pre>Input: a = [1]\nOutput: 2</pre>",
            "a-slug",
            "Easy",
            "{",
            '{"name": "f"}',
            "[1]\n2",
            "\x00\ud800",
        ),
        *(
            '{"name": "f", "params": [{"name": "a", "type": "integer[]"}], "return": {"type": "string"}}',
            "<div>",
            "nan",
        ),
    )
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES | st.text(max_size=3), inner, max_size=5),
    max_leaves=20,
)
META = '{"name": "f", "params": [{"name": "a", "type": "integer[]"}], "return": {"type": "integer"}}'
QUESTION: dict[str, Any] = {
    "titleSlug": "x",
    "title": "X",
    "content": "<p>x</p><pre>Input: a = [1]\nOutput: 2</pre>",
    "metaData": META,
}


def sound(parsed: ParsedPage) -> None:
    """A value, with plain JSON records or a reason."""
    if parsed.classification is not Classification.OK:
        assert not parsed.records
        assert parsed.findings
    json.dumps([record_to_json(record) for record in parsed.records], ensure_ascii=False, allow_nan=False).encode()
    for record in parsed.records:
        if isinstance(record, ScrapedProblem):
            for sample in record.samples:
                for line in (sample.input + sample.output).splitlines():
                    json.loads(line)
            assert "\x00" not in json.dumps(record_to_json(record), ensure_ascii=False)


@settings(max_examples=examples(150))
@given(value=VALUES, kind=st.sampled_from(KINDS), wrap=st.sampled_from(("", "data", "question", "list")))
def test_any_json_value(value: Any, kind: str, wrap: str) -> None:
    if wrap == "data":
        value = {"data": value}
    elif wrap == "question":
        value = {"data": {"question": QUESTION | value if isinstance(value, dict) else value}}
    elif wrap == "list":
        value = {"data": {"pastContests": {"data": [value]}}}
    body = json.dumps(value).encode()
    parsed = parse_page(SITE, kind, body, "https://leetcode.com/graphql")
    sound(parsed)
    assert parsed == parse_page(SITE, kind, body, "https://leetcode.com/graphql"), "a replay equals the first parse"


@settings(max_examples=examples(150))
@given(
    field=st.sampled_from(
        (*QUESTION, "translatedContent", "codeSnippets", "exampleTestcases", "topicTags", "difficulty")
    ),
    value=VALUES,
)
def test_a_fact_of_the_wrong_type_costs_no_more_than_itself(field: str, value: Any) -> None:
    parsed = parse_page(SITE, "question", json.dumps({"data": {"question": QUESTION | {field: value}}}).encode())
    sound(parsed)
    if field not in ("content", "titleSlug", "isPaidOnly", "translatedContent"):
        assert parsed.classification is Classification.OK


MARKUP = (
    *("<pre>", "</pre>", "<div class='example-block'>", "</div>", "<p>", "<br>", "<b>Input:</b>", "Output: ", "Input"),
    *("Explanation:", "\n", "nums = [1,2]", ", k = 3", "&nbsp;", "<sup>", "</sup>", "<img src=x>", "<ul><li>"),
)


@settings(max_examples=examples(100))
@given(tags=st.lists(st.sampled_from(MARKUP), max_size=40))
def test_any_markup(tags: list[str]) -> None:
    sound(
        parse_page(SITE, "question", json.dumps({"data": {"question": QUESTION | {"content": "".join(tags)}}}).encode())
    )


@settings(max_examples=examples(60))
@given(
    body=st.binary(max_size=300),
    kind=st.sampled_from(KINDS),
    prefix=st.sampled_from((b"", b"{", b"<html>", b"Rating\t")),
)
def test_any_bytes(body: bytes, kind: str, prefix: bytes) -> None:
    sound(parse_page(SITE, kind, prefix + body, "https://leetcode.com/problems/[x"))


DEEP = {
    "nested divs": "<div>" * 15_000,
    "nested lists": "<ul><li>" * 10_000,
    "open pre": "<pre>" * 10_000 + "Input: 1",
    "labels": "<pre>" + "Input: a = [1]\nOutput: 2\n" * 5_000 + "</pre>",
    "blocks": "<div class='example-block'>Input: x</div>" * 5_000,
    "bold": "<b>" * 15_000 + "Input: a = [1]",
    "entities": "&nbsp;" * 50_000,
    "sups": "10<sup>4</sup>" * 10_000,
    "a word": "any " * 50_000,
    "api": "API " * 40_000,
    "multiple": "if there are multiple " * 10_000,
    "brackets": "<" * 150_000,
}


@pytest.mark.parametrize("name", thinned(DEEP, 2))
def test_long_and_deep_statements_take_little_time(name: str) -> None:
    for field in ("content", "translatedContent", "metaData", "exampleTestcases"):
        question = QUESTION | {"codeSnippets": [{"langSlug": "python3", "code": DEEP[name]}], field: DEEP[name]}
        with little_work():
            sound(parse_page(SITE, "question", json.dumps({"data": {"question": question}}).encode()))


@pytest.mark.parametrize("quote", ["'", "\\'", "'\\", "'value' ", "\\u0027"])
def test_hostile_pages_of_2016_take_little_time(quote: str) -> None:
    start = '<html><div class="question-content"><p>x</p></div><div ng-init="aceCtrl.init('
    with little_work():
        sound(parse_page(SITE, "question", f'{start}{quote * 100_000}"></div></html>'.encode()))


def test_hostile_pages_take_little_time() -> None:
    deep = "[" * 900 + '{"question": {"content": "x"}}' + "]" * 900
    for state in (
        deep,
        "[" * 100_000,
        "{}",
        '{"question": 1}',
        json.dumps({"question": QUESTION} | {"a": [{}] * 50_000}),
    ):
        with little_work():
            sound(parse_page(SITE, "question", f'<html><script id="__NEXT_DATA__">{state}</script></html>'.encode()))


@pytest.mark.parametrize("kind", KINDS)
def test_refusals_in_place_of_an_answer(kind: str) -> None:
    def classified(body: str) -> Classification:
        return parse_page(SITE, kind, body.encode()).classification

    assert classified("<html><head><title>Just a moment...</title></head></html>") is Classification.BLOCKED
    assert (
        classified("<html><body><p>CSRF verification failed. Request aborted.</p></body></html>")
        is Classification.BLOCKED
    )
    assert classified("<html><head><title>Page Not Found - LeetCode</title></head></html>") is Classification.NOT_FOUND
    assert classified("<html><p>Welcome</p></html>") is Classification.FORMAT_CHANGED
    for body in ("", "null", "3", '"x"', "[]", "{}", "[[]]", "[null]", '{"data": null}', '{"data": []}'):
        assert classified(body) is Classification.FORMAT_CHANGED

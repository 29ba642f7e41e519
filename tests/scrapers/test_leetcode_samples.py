"""Examples of LeetCode statements in every spelling, as JSON literals."""

import html
import json
from itertools import cycle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.work import little_work

from app.domain.problems import Param
from app.domain.sources.records import Classification, ScrapedExample, ScrapedProblem
from scrapers.replay import parse_page
from scrapers.site import ParsedPage, find_site
from scrapers.sites._leetcode.literals import fits, read_arguments, read_output, scan_literal

SITE = find_site("leetcode")
TYPES = {"nums": "integer[]", "k": "integer"}


def read(content: str, types: dict[str, str] | None = None, returns: str = "integer", cases: Any = None) -> ParsedPage:
    params = [{"name": name, "type": kind} for name, kind in (types or TYPES).items()]
    meta = json.dumps({"name": "f", "params": params, "return": {"type": returns}})
    question = {"titleSlug": "x", "title": "X", "content": content, "metaData": meta, "exampleTestcases": cases}
    return parse_page(SITE, "question", json.dumps({"data": {"question": question}}).encode())


def samples(parsed: ParsedPage) -> list[tuple[str, str]]:
    assert parsed.classification is Classification.OK, parsed.findings
    (problem,) = parsed.records
    assert isinstance(problem, ScrapedProblem)
    assert all(isinstance(sample, ScrapedExample) for sample in problem.samples)
    return [(sample.input, sample.output) for sample in problem.samples]


def codes(parsed: ParsedPage) -> set[str]:
    return {finding.code for finding in parsed.findings}


OLD = (
    "<pre>\n<strong>Input:</strong> {}\n<strong>Output:</strong> {}\n<strong>Explanation:</strong> so\nit is: 7\n</pre>"
)
PLAIN = "<p><b>Example:</b>\n<pre>\nInput:\n{}\n\nOutput:\n{}\n\nNote:\nno\n</pre>"
SPACED = "<pre><strong>Input: </strong>{}\n<strong>Output: </strong>{}</pre>"
NEW = (
    '<p><strong class="example">Example 1:</strong></p>\n\n<div class="example-block">\n<p><strong>Input:</strong> '
    '<span class="example-io">{}</span></p>\n\n<p><strong>Output:</strong> <span class="example-io">{}</span></p>\n\n'
    "<p><strong>Explanation:</strong></p>\n\n<ul>\n\t<li>so</li>\n</ul>\n</div>"
)
INSIDE = (
    '<div class="example-block"><p><span class="example-io"><b>输入：</b>{}</span></p>'
    '<p><span class="example-io"><b>输出：</b>{}</span></p><p><b>解释：</b>略</p></div>'
)
CHINESE = (
    "<p><strong>示例 1：</strong></p><pre><strong>输入：</strong>{}\n"
    "<strong>输出：</strong>{}\n<strong>解释：</strong>略\n</pre>"
)
PARAGRAPHS = "<p><strong>Example 1:</strong></p><p><b>Input:</b> {}</p><p><b>Output:</b> {}</p><p>Constraints:</p>"


@pytest.mark.parametrize("layout", [OLD, PLAIN, SPACED, NEW, INSIDE, CHINESE, PARAGRAPHS])
def test_every_layout(layout: str) -> None:
    content = layout.format("nums = [1, 2,-3], k = 2", "4") + layout.format("nums = [], k = 0", "-1")
    parsed = read(content)
    assert samples(parsed) == [("[1, 2,-3]\n2\n", "4\n"), ("[]\n0\n", "-1\n")]
    assert not parsed.findings
    agreed = read(content, cases="[1,2,-3]\n2\n[]\n0")
    assert samples(agreed)[0] == ("[1,2,-3]\n2\n", "4\n"), "as the site's own test spells it"
    assert not agreed.findings


def test_spaces_that_a_paragraph_folds_are_read_from_the_test_cases() -> None:
    content = NEW.format("s = &quot;  a   b&quot;", "2")
    parsed = read(content, {"s": "string"}, cases='"  a   b"')
    assert samples(parsed) == [('"  a   b"\n', "2\n")]
    assert not parsed.findings
    assert codes(read(content, {"s": "string"}, cases='"  a   c"')) == {"samples_differ"}
    assert samples(read(NEW.format("nums = [12], k = 3", "2"), cases="[1 2]\n3")) == [("[12]\n3\n", "2\n")]


def test_arguments_in_signature_order() -> None:
    for written, expected in [
        ("nums = [1,2], k = 3", "[1,2]\n3\n"),
        ("k = 3, nums = [1,2]", "[1,2]\n3\n"),
        ("nums = [1,2]，k = 3", "[1,2]\n3\n"),
        ("nums = [1,2] k = 3", "[1,2]\n3\n"),
        ("nums = [1,2]\nk = 3", "[1,2]\n3\n"),
        ("nums: [1,2], k: 3", "[1,2]\n3\n"),
        ("[1,2], 3", "[1,2]\n3\n"),
        ("[1,2]\n3", "[1,2]\n3\n"),
        ("nums = [\n  1,  // one\n  2\n], k = 3 (three)", "[1,2]\n3\n"),
        ("arr = [1,2], n = 3", "[1,2]\n3\n"),
        ("extra = 9, nums = [1,2], k = 3", "[1,2]\n3\n"),
        ("nums = 1 -> 2, k = 3", "[1,2]\n3\n"),
    ]:
        assert samples(read(OLD.format(html.escape(written), "4"))) == [(expected, "4\n")], (written, expected)


def test_outputs() -> None:
    for kind, written, expected in [
        ("integer", "4", "4"),
        ("integer", "4 (as told)", "4"),
        ("integer", "4.", "4"),
        ("boolean", "true", "true"),
        ("boolean", "False", "false"),
        ("double", "2.00000", "2.00000"),
        ("string", '"a, b"', '"a, b"'),
        ("string", "'ab'", '"ab"'),
        ("string", "ab cd", '"ab cd"'),
        ("character", "e", '"e"'),
        ("string", '"say \\"hi\\""', '"say \\"hi\\""'),
        ("list<string>", "['a','b']", '["a","b"]'),
        ("integer[][]", "[[1,2],\n[3]]", "[[1,2],[3]]"),
        ("TreeNode", "[1,null,2]", "[1,null,2]"),
        ("ListNode", "7 -> 0 -> 8 -> NULL", "[7,0,8]"),
        ("integer[]", "[0,1] or [1,0]", "[0,1]"),
        ("list<double>", "[1.5, 2.50000]", "[1.5, 2.50000]"),
    ]:
        parsed = read(OLD.format("nums = [1], k = 1", html.escape(written)), returns=kind)
        assert samples(parsed) == [("[1]\n1\n", f"{expected}\n")], (kind, written, expected)


def test_outputs_that_are_no_literal_are_left_out_and_told() -> None:
    for written in ["abc", "00010", "[1,", "4 and 5", "", "NaN", "10<sup>4</sup>", "[[1]", "2^31"]:
        parsed = read(OLD.format("nums = [1], k = 1", written))
        assert samples(parsed) == [], written
        assert {"unreadable_sample", "missing_samples"} <= codes(parsed), written


def test_strings_without_quotes_and_with_spaces() -> None:
    types = {"s": "string", "t": "string"}
    parsed = read(OLD.format("s = ab c, t = &quot;  d&nbsp; &quot;", "true"), types, "boolean")
    assert samples(parsed) == [('"ab c"\n"  d  "\n', "true\n")]


def test_pictures_drawn_in_text_are_read_from_the_test_cases() -> None:
    drawn = OLD.format("\n   1\n  / \\\n 2   3\n", "3")
    parsed = read(drawn, {"root": "TreeNode"}, cases="[1,2,3]")
    assert samples(parsed) == [("[1,2,3]\n", "3\n")]
    assert codes(parsed) == {"sample_from_testcases"}
    alone = read(drawn, {"root": "TreeNode"})
    assert samples(alone) == []
    assert "unreadable_sample" in codes(alone)


def test_samples_that_the_test_cases_contradict() -> None:
    content = OLD.format("nums = [1], k = 1", "4")
    other = read(content, cases="[1]\n2")
    assert samples(other) == [("[1]\n1\n", "4\n")]
    assert codes(other) == {"samples_differ"}
    assert codes(read(content, cases="[1]\n1\n[2]\n2")) == {"samples_differ"}
    assert codes(read(content, cases="[1]\n1\n[2]")) == {"samples_differ"}
    assert codes(read(content, cases="[1]\r\n1\r\n")) == set()
    assert codes(read(content, cases=["[1]\n1"])) == set()


def test_examples_without_a_partner() -> None:
    parsed = read("<pre>Input: nums = [1], k = 1\nInput: nums = [2], k = 2\nOutput: 3</pre><pre>Output: 5</pre>")
    assert samples(parsed) == [("[2]\n2\n", "3\n")]
    assert codes(parsed) == {"unpaired_sample"}


def test_several_examples_in_one_block() -> None:
    text = "Input: nums = [1], k = 1\nOutput: 1\n\nInput: nums = [2], k = 2\nOutput: 2\nExplanation: Input: x"
    assert samples(read(f"<pre>{text}</pre>")) == [("[1]\n1\n", "1\n"), ("[2]\n2\n", "2\n")]


def test_calls_of_a_class_in_the_new_layout() -> None:
    meta = {
        "classname": "A",
        "constructor": {},
        "methods": [{"name": "f", "params": [], "return": {"type": "integer"}}],
    }
    content = (
        '<div class="example-block"><p><strong>Input:</strong><br />\n<span class="example-io">[&quot;A&quot;, '
        "&quot;f&quot;]<br />\n[[], []]</span></p><p><strong>Output:</strong><br />\n"
        '<span class="example-io">[null, 1] </span></p><p><strong>Explanation</strong></p>A a = new A();</div>'
    )
    question = {"titleSlug": "x", "title": "X", "content": content, "metaData": json.dumps(meta)}
    parsed = parse_page(SITE, "question", json.dumps({"data": {"question": question}}).encode())
    assert samples(parsed) == [('["A", "f"]\n[[], []]\n', "[null, 1]\n")]
    assert not parsed.findings


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**12), 10**12) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4),
    max_leaves=12,
)


@given(values=st.lists(st.lists(JSON, max_size=4) | st.integers() | st.text(max_size=9), min_size=1, max_size=4))
def test_any_json_values_survive(values: list[Any]) -> None:
    literals = [json.dumps(value, ensure_ascii=False) for value in values]
    params = [Param(f"p{number}", "") for number in range(len(values))]
    text = ", ".join(f"p{number} = {literal}" for number, literal in enumerate(literals))
    assert read_arguments(text, params) == tuple(literals)
    assert read_arguments("\n".join(literals), params) == tuple(literals)
    assert read_output(f" {literals[0]}\n", "") == literals[0]


@given(text=st.text(alphabet="[]{}\"'\\,:=-> \n0189.eE_atnN/(){}，", max_size=200), kind=st.sampled_from(
    ["", "string", "integer[]", "ListNode", "double", "boolean", "Optional[TreeNode]", "Optional["]))  # fmt: skip
def test_any_text_gives_literals_or_nothing(text: str, kind: str) -> None:
    for params in (None, [Param("a", kind)], [Param("a", kind), Param("a", "integer")]):
        for literal in read_arguments(text, params) or ():
            json.loads(literal)
    found = read_output(text, kind)
    assert found is None or json.loads(found) is not json
    kept = read_output(text, kind, kept=True)
    assert kept is None or isinstance(json.loads(kept), list)
    scanned = scan_literal(text, 0)
    assert scanned is None or isinstance(fits(scanned[0], kind), bool)


HOSTILE = (
    *("[" * 45_000, '"' * 45_000, "a = " * 10_000, " " * 45_000 + ",", "1->" * 15_000, "'\\" * 20_000, "a," * 20_000),
    *("-" * 45_000, "(" * 45_000, "1 -" * 15_000, "[1," * 15_000, "// \n" * 10_000, "\u3000" * 45_000, "9" * 45_000),
)


READ_AS = [*zip(HOSTILE, cycle(("integer", "string", "integer[]")), strict=False)]


@pytest.mark.parametrize(("text", "read_as"), READ_AS, ids=lambda text: repr(text[:6]))
def test_long_hostile_texts_take_little_time(text: str, read_as: str) -> None:
    for kind in ("", "string", "integer[]"):
        with little_work():
            read_arguments(text, [Param("a", kind)])
            read_output(text, kind)
    with little_work():
        read_arguments(f"a = {text}", None)
        read_output(f"1, a = [{text}]", "integer[]", kept=True)
        read(f"<pre>Input: {text}\nOutput: {text}</pre>", {"a": read_as}, read_as)

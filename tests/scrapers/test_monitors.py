"""Alarms over a fresh problem: formulas nothing can set, texts in another language, numbers that cannot be."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples
from support.work import little_work

from app.domain.sources.records import ScrapedExample, ScrapedProblem
from scrapers.monitors import check_problem
from scrapers.reading.tex import can_be_typeset, find_broken_formulas, formulas

WHOLE = ScrapedProblem(
    "abc1_a", starts_at=datetime(2026, 1, 1, tzinfo=UTC), ends_at=datetime(2026, 1, 1, 2, tzinfo=UTC),
    time_limit_ms=2000, memory_limit_mb=1024, points=100.0, form="stdin", samples=(ScrapedExample("1\n", "2\n"),),
    statements={"en": "Print the sum of $A$ and $B$, where $1 \\le A \\le 10^{9}$ holds."},
)  # fmt: skip


def codes(**changes: Any) -> list[str]:
    return [each.code for each in check_problem(replace(WHOLE, **changes))]


def of_text(text: str, locale: str = "en") -> list[str]:
    return codes(statements={locale: text})


def test_a_whole_problem_raises_no_alarm() -> None:
    assert codes() == []


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"time_limit_ms": 0}, "time_limit_ms is 0"),
        ({"time_limit_ms": 2_000_000}, "time_limit_ms is 2e+06"),
        ({"memory_limit_mb": 0}, "memory_limit_mb is 0"),
        ({"memory_limit_mb": 1_048_576}, "memory_limit_mb is 1.04858e+06"),
        ({"points": -1.0}, "points is -1"),
        ({"points": 100_100.0}, "points is 100100"),
        ({"points": float("nan")}, "points is nan"),
    ],
)
def test_numbers_that_cannot_be(changes: dict[str, Any], said: str) -> None:
    [found] = check_problem(replace(WHOLE, **changes))
    assert found.code == "values"
    assert said in found.message
    assert found.subject == "abc1_a"


@pytest.mark.parametrize(
    "changes",
    [{"time_limit_ms": 50}, {"time_limit_ms": 45_000}, {"memory_limit_mb": 2048}, {"points": 0.0}, {"points": None}],
)
def test_numbers_at_the_edge_are_believed(changes: dict[str, Any]) -> None:
    assert codes(**changes) == []


ENGLISH = "You are given a sequence of integers. Print its largest element."
JAPANESE = "整数の列が与えられます。最大の要素を出力してください。長さは入力で与えられます。"
CHINESE = "给定一个整数序列，请输出其中最大的元素。序列的长度在输入的第一行给出，保证不为零。"


def test_a_text_is_in_its_language() -> None:
    for locale, text, alarm in [
        ("en", ENGLISH, False), ("en", JAPANESE, True), ("en", CHINESE, True),
        ("ja", JAPANESE, False), ("ja", ENGLISH, True), ("zh", CHINESE, False), ("zh", ENGLISH, True),
        ("zh", "これはひらがなばかりのぶんしょうなのでちゅうごくごではありません", True),
        ("ru", "Дана последовательность целых чисел, выведите наибольшее.", False), ("ja", "A + B", False),
        ("en", f"{ENGLISH} The word 漢字 is in it.", False), ("ja", "1 2 3 $x$", False),
    ]:  # fmt: skip
        assert of_text(text, locale) == (["language"] if alarm else []), (locale, text, alarm)


def test_a_formula_that_cannot_be_set_is_told_with_the_first_one() -> None:
    text = "Given $N$, $\\frobnicate{x}$, $\\frobnicate{x}$ and $\\frac$ " + ENGLISH
    [found] = check_problem(replace(WHOLE, statements={"en": text}))
    assert found.code == "tex"
    assert found.message == "2 formulas of the en statement cannot be set, as '\\\\frobnicate{x}'"


def test_formulas_are_found_where_they_are() -> None:
    text = "a $x$ `$no$` $$y$z$$ $$$ \\$5\n\n```\n$no$\n````\nand $a\n+b$, $5 or $10\n\n$q$\n> ```\n> $no$\n> ```\n$r$"
    assert list(formulas(text)) == ["x", "y$z", "a\n+b", "q", "r"]


def test_what_cannot_be_set() -> None:
    for tex in (
        "", " ", "x" * 2001, "{" * 900, "x^{" * 400 + "x" + "}" * 400, "\\def\\a{\\a\\a}\\a", "\\newcommand{\\x}{y}\\x",
        "\\unicode{x}", "\\frac", "x_", "\\left(",
    ):  # fmt: skip
        assert not can_be_typeset(tex), tex


@pytest.mark.parametrize(
    "tex", ["N", "10^{18}", "a_{i,j}", "\\sum_{i=1}^{N} a_i", "\\text{あ}", "\\begin{pmatrix}a&b\\\\c&d\\end{pmatrix}"]
)
def test_what_can_be_set(tex: str) -> None:
    assert can_be_typeset(tex)


@settings(max_examples=examples(300))
@given(st.text(st.sampled_from("$\\{}^_`> \n\tx1あ\x00\ud800"), max_size=200))
def test_any_text_is_answered(text: str) -> None:
    assert set(find_broken_formulas(text)) <= set(formulas(text))


@pytest.mark.parametrize("part", ["$", "$x$", "$$a$ ", "`", "```\n", "$a\\$", "\\", "$1$1", "\n", "> ```` \n"])
def test_no_text_takes_long(part: str) -> None:
    with little_work():
        find_broken_formulas((part * 100_000)[:100_000])


def test_growing_fences_do_not_take_long() -> None:
    with little_work():
        find_broken_formulas("\n".join("`" * n for n in range(3, 900)) + "$x$")

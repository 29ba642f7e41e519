"""The execution prompts, and what is read of answers to them."""

from dataclasses import replace

import pytest

from app.domain.asking.extraction import Extraction
from app.domain.deriving.items import DerivedItemKind, DerivedItemSpec
from app.domain.judging.non_program_answers import judge_answer
from app.domain.judging.verdicts import GradeResult, Verdict
from app.domain.problems import Form, Limits, Statement
from app.domain.scenarios import Item, Material, house_protocols, prompt_sha256, solving_scenarios
from app.domain.scenarios.execution import SCENARIO

STATEMENT = Statement("house/twice", "en", Form.FUNCTION, "Twice", "Return twice the list.", {}, (), Limits())
CODE = "def twice(xs: List[int]) -> List[int]:\n    return xs + xs"
DERIVED = DerivedItemSpec(DerivedItemKind.EXECUTION, {"code": CODE, "call": "twice(xs = [1])"}, [1, 1])
(ITEM,) = SCENARIO.items(Material(STATEMENT, derived=(DERIVED,)))
DIRECT, COT = SCENARIO.protocols[:2]


def asked(style: str = "direct", locale: str = "en") -> str:
    (message,) = SCENARIO.ask(STATEMENT, replace(DIRECT, style=style, locale=locale), ITEM).messages
    assert message.role == "user"
    return message.content


def test_a_direct_prompt_in_full() -> None:
    assert asked() == (
        "You are given Python code and an assertion that calls one of its functions. Replace ?? by the value that the "
        "call returns when exactly this code is run, whether or not the code seems right to you. Write the value as a "
        "literal: no names, no calls, no operators. Write nothing but the completed assertion, between the tags "
        "[ANSWER] and [/ANSWER], as in these examples.\n\n"
        '[PYTHON]\ndef greet(name: str) -> str:\n    return name + "!"\nassert greet(name = "Ada") == ??\n[/PYTHON]\n\n'
        '[ANSWER]\nassert greet(name = "Ada") == "Ada!"\n[/ANSWER]\n\n'
        "[PYTHON]\ndef last(numbers: List[int]) -> int:\n    return numbers[-1]\n"
        "assert last(numbers = [4, 8, 1]) == ??\n[/PYTHON]\n\n"
        "[ANSWER]\nassert last(numbers = [4, 8, 1]) == 1\n[/ANSWER]\n\n"
        "[PYTHON]\ndef twice(xs: List[int]) -> List[int]:\n    return xs + xs\nassert twice(xs = [1]) == ??\n[/PYTHON]"
    )


def test_step_by_step_has_one_example_with_its_steps() -> None:
    user = asked("cot")
    assert user.count("[ANSWER]\n") == user.count("[/THOUGHT]\n") == 1
    assert user.count("[PYTHON]\n") == 2
    assert "1. evens is called with [3, 4, 6]; kept begins as []." in user
    assert "[THOUGHT]\n1. 以 [3, 4, 6] 调用 evens，kept 初始为 []。" in asked("cot", "zh")


@pytest.mark.parametrize(
    ("style", "locale", "digest"),
    [
        ("direct", "en", "33ae0da17ade4929"),
        ("direct", "zh", "cde3a7003160faa0"),
        ("cot", "en", "7e1f2ffdf6ae1299"),
        ("cot", "zh", "70283d42f6401726"),
    ],
)
def test_its_words_are_pinned(style: str, locale: str, digest: str) -> None:
    """Another digest is another prompt revision of the protocols that use it."""
    protocol = replace(DIRECT, style=style, locale=locale)
    assert prompt_sha256(SCENARIO.ask(STATEMENT, protocol, ITEM))[:16] == digest


def verdict(text: str, item: Item = ITEM) -> tuple[Verdict, bool]:
    found, truth = SCENARIO.extract(text, DIRECT), SCENARIO.truth(item)
    assert truth is not None
    result = judge_answer(found.code, truth)
    assert isinstance(result, GradeResult)
    return result.verdict, found.followed_format


def test_every_kind_of_answer_has_its_outcome() -> None:
    for text, outcome in [
        ("[ANSWER]\nassert twice(xs = [1]) == [1, 1]\n[/ANSWER]", (Verdict.ACCEPTED, True)),
        ("[THOUGHT]\n1 == 1\n[/THOUGHT]\n[ANSWER]\nassert twice(xs=[1]) == [1,1]\n[/ANSWER]", (Verdict.ACCEPTED, True)),
        ("[ANSWER]\n```python\nassert twice(xs = [1]) == [1, 1]\n```\n[/ANSWER]", (Verdict.ACCEPTED, True)),
        ("<think>\n[ANSWER]2[/ANSWER]\n</think>\n[ANSWER]\n[1, 1]\n[/ANSWER]", (Verdict.ACCEPTED, False)),
        ("[ANSWER]\nassert twice(xs = [1]) == [1, 1]", (Verdict.ACCEPTED, False)),
        ("It is plain:\nassert twice(xs = [1]) == [1, 1]", (Verdict.ACCEPTED, False)),
        ("[ANSWER]\nassert twice(xs = [1]) == [1, 2]\n[/ANSWER]", (Verdict.WRONG_ANSWER, True)),
        ("[ANSWER]\nassert twice(xs = [1]) == (1, 1)\n[/ANSWER]", (Verdict.WRONG_ANSWER, True)),
        ("[ANSWER]\nassert twice(xs = [1]) == '[1, 1]'\n[/ANSWER]", (Verdict.WRONG_ANSWER, True)),
        ("[ANSWER]\nassert twice(xs = [1]) == [1] + [1]\n[/ANSWER]", (Verdict.NO_ANSWER, False)),
        ("[ANSWER]\nassert twice(xs = [1]) == twice([1])\n[/ANSWER]", (Verdict.NO_ANSWER, False)),
        ("[ANSWER]\nassert twice(xs = [1]) == [1, ", (Verdict.NO_ANSWER, False)),
        ("[ANSWER]\n[/ANSWER]", (Verdict.NO_ANSWER, False)),
        ("The value is [1, 1].", (Verdict.NO_ANSWER, False)),
        ("I cannot help with that.", (Verdict.NO_ANSWER, False)),
        ("", (Verdict.NO_ANSWER, False)),
    ]:
        assert verdict(text) == outcome, (text, outcome)


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("'HE\\nLL'", (Verdict.ACCEPTED, True)),
        ('"HE\\nLL"', (Verdict.ACCEPTED, True)),
        ("'HE LL'", (Verdict.WRONG_ANSWER, True)),
        ("['HE\\nLL']", (Verdict.WRONG_ANSWER, True)),
        ("HELL", (Verdict.NO_ANSWER, False)),
    ],
)
def test_a_text_is_a_value_as_any_other(written: str, expected: tuple[Verdict, bool]) -> None:
    (item,) = SCENARIO.items(Material(STATEMENT, derived=(replace(DERIVED, expected="HE\nLL"),)))
    assert verdict(f"[ANSWER]\nassert twice(xs = 'HE') == {written}\n[/ANSWER]", item) == expected


def test_the_right_value_goes_round() -> None:
    assert SCENARIO.extract(
        f"[ANSWER]\nassert {ITEM.facts['call']} == {ITEM.expected!r}\n[/ANSWER]", COT
    ) == Extraction("[1, 1]", followed_format=True)


def test_nobody_is_asked_before_the_problem_is_solved() -> None:
    assert {"codegen", "self_repair"} <= set(solving_scenarios())
    assert not {"execution", "test_output"} & set(solving_scenarios())
    assert {"house-execution", "house-execution-cot", "house-test-output"} <= {each.slug for each in house_protocols()}

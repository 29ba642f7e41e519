"""The test_output prompt, and what is read of answers to it."""

from dataclasses import replace

import pytest

from app.domain.asking.extraction import Extraction
from app.domain.deriving.items import DerivedItemKind, DerivedItemSpec
from app.domain.errors import InvalidInput
from app.domain.judging.non_program_answers import judge_answer
from app.domain.judging.verdicts import GradeResult, Verdict
from app.domain.problems import Form, Limits, Statement, Test
from app.domain.scenarios import Item, Material, prompt_sha256
from app.domain.scenarios.test_output import SCENARIO, without_examples

STARTER = "class Solution:\n    def total(self, xs: List[int]) -> int:\n"
STATEMENT = Statement(
    "house/total", "en", Form.FUNCTION, "Total", "Return the sum of `xs`.\n", {"python": STARTER},
    (Test([[1, 2]], 3, visible=True),), Limits(),
)  # fmt: skip
DERIVED = DerivedItemSpec(DerivedItemKind.TEST_OUTPUT, {"call": "total(xs = [1, 2])"}, 3, returns="integer")
(ITEM,) = SCENARIO.items(Material(STATEMENT, derived=(DERIVED,)))
PROTOCOL = SCENARIO.protocols[0]


def test_a_prompt_in_full() -> None:
    system, user = SCENARIO.ask(STATEMENT, PROTOCOL, ITEM).messages
    assert system.role == "system"
    assert user.content == (
        "### Question\n\n# Total\n\nReturn the sum of `xs`.\n\n"
        "### Function\n\n```python\nclass Solution:\n    def total(self, xs: List[int]) -> int:\n```\n\n"
        "### Test\n\nComplete this assertion: put the correct output in the place of ??, as a Python literal without "
        "names, calls or operators. Write the whole assertion in one fence.\n\n"
        "```python\nassert total(xs = [1, 2]) == ??\n```\n\n### Answer"
    )


@pytest.mark.parametrize(("locale", "digest"), [("en", "20f9cb47ce692e04"), ("zh", "78284fb15a31eeb9")])
def test_its_words_are_pinned(locale: str, digest: str) -> None:
    """Another digest is another prompt revision of the protocols that use it."""
    assert prompt_sha256(SCENARIO.ask(STATEMENT, replace(PROTOCOL, locale=locale), ITEM))[:16] == digest


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (
            "Sum up.\n\n**Example 1:**\n\nInput: [1]\nOutput: 1\n\n**Constraints:**\n\n* n < 9",
            "Sum up.\n\n**Constraints:**\n\n* n < 9",
        ),
        ("Sum up.\n\nExample:\n\n1 -> 1", "Sum up."),
        ("求和。\n\n**示例 1：**\n\n输入：[1]\n输出：1\n\n**提示：**\n\n* n < 9", "求和。\n\n**提示：**\n\n* n < 9"),
        ("For example, 1.\nSum up.", "For example, 1.\nSum up."),
    ],
)  # fmt: skip
def test_examples_in_the_text_are_left_out(text: str, kept: str) -> None:
    assert without_examples(text) == kept


def test_without_a_signature_it_is_not_asked() -> None:
    with pytest.raises(InvalidInput, match="signature"):
        SCENARIO.ask(replace(STATEMENT, starter_code={}), PROTOCOL, ITEM)


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("So:\n\n```python\nassert total(xs = [1, 2]) == 3\n```\n", (Verdict.ACCEPTED, True)),
        ("```\nassert Solution().total([1, 2]) == 3\n```", (Verdict.ACCEPTED, True)),
        ("assert total(xs = [1, 2]) == 3", (Verdict.ACCEPTED, False)),
        ("```python\n3\n```", (Verdict.ACCEPTED, False)),
        ("```python\nassert total(xs = [1, 2]) == 4\n```", (Verdict.WRONG_ANSWER, True)),
        ("```python\nassert total(xs = [1, 2]) == '3'\n```", (Verdict.WRONG_ANSWER, True)),
        ("```python\nassert total(xs = [1, 2]) == 1 + 2\n```", (Verdict.NO_ANSWER, False)),
        ("```python\nassert total(xs = [1, 2]) ==", (Verdict.NO_ANSWER, False)),
        ("<think>\nassert total(xs = [1, 2]) == 3", (Verdict.NO_ANSWER, False)),
        ("It is 3.", (Verdict.NO_ANSWER, False)),
        ("I cannot help with that.", (Verdict.NO_ANSWER, False)),
        ("", (Verdict.NO_ANSWER, False)),
    ],
)
def test_every_kind_of_answer_has_its_outcome(text: str, outcome: tuple[Verdict, bool]) -> None:
    assert verdict(text, ITEM) == outcome


def verdict(text: str, item: Item) -> tuple[Verdict, bool]:
    found, truth = SCENARIO.extract(text, PROTOCOL), SCENARIO.truth(item)
    assert truth is not None
    result = judge_answer(found.code, truth)
    assert isinstance(result, GradeResult)
    return result.verdict, found.followed_format


def test_the_right_value_goes_round() -> None:
    text = f"```python\nassert {ITEM.facts['call']} == {ITEM.expected!r}\n```"
    assert SCENARIO.extract(text, PROTOCOL) == Extraction("3", followed_format=True)


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("'12'", Verdict.ACCEPTED),
        ("12", Verdict.WRONG_ANSWER),
        ("'13'", Verdict.WRONG_ANSWER),
        ("None", Verdict.WRONG_ANSWER),
    ],
)
def test_a_text_is_a_value_as_any_other(written: str, expected: Verdict) -> None:
    derived = replace(DERIVED, facts={"call": "total(xs = [1, 2])"}, expected="12", returns="string")
    (item,) = SCENARIO.items(Material(STATEMENT, derived=(derived,)))
    assert verdict(f"```python\nassert total(xs = [1, 2]) == {written}\n```", item) == (expected, True)

"""CoCo-Bench's CG, CM and CR: their prompts, the code in answers, and how reviews are read and judged."""

import json
from dataclasses import replace
from typing import cast

import pytest

from app.db.kernel.session import Session
from app.db.tables import Sample
from app.domain.errors import InvalidInput
from app.domain.judging.non_program_answers import ExpectedValue, judge_value
from app.domain.judging.reviews import ReviewFaults, ReviewFinding, apply_fixes, judge_review, read_review
from app.domain.judging.verdicts import Verdict
from app.domain.problems import CHANGE, FAILURE, Form, Limits, Statement, Test
from app.domain.scenarios import Item, Material, Scenario, prompt_sha256
from app.domain.scenarios.coco_bug_fix import SCENARIO as FIX
from app.domain.scenarios.coco_completion import SCENARIO as COMPLETION
from app.domain.scenarios.coco_review import SCENARIO as REVIEW
from app.services.runs.items import PromptBuilder

CODE = "def run(text):\n    value = eval(text)  # unsafe\n    return valu\n"
TRUTH = ReviewFaults(
    {"security_issues": ["value = eval(text)"], "syntax_errors": ["return valu"]}, ["performance_issues"]
)
STATEMENT = Statement(
    "7", "en", Form.FUNCTION, "CG/python/7", "Runs what was typed.",
    {CHANGE: "eval is gone.", FAILURE: "Input:\ntext = '1'\nExpected: 1\nIt ended with NameError", "python": CODE},
    (), Limits(),
)  # fmt: skip
MATERIAL = Material(STATEMENT, (Test(CODE, json.dumps(TRUTH.as_json())),))
RIGHT = {
    "security_issues": [{"line": "value = eval(text)", "fix": "value = int(text)"}],
    "syntax_errors": [{"line": "    return valu", "fix": "return value"}],
}


@pytest.mark.parametrize(
    ("scenario", "number", "sha256"),
    [
        (COMPLETION, 0, "7b7e172104a393a32fb1969e356a5f309239c35674fc376092e5b7cb536a1412"),
        (FIX, 0, "378bbac6ae16b629b70182fcb8967de6cd138ae744520184214589a405aeed08"),
        (FIX, 1, "3c79c0c13b5a804b4372d945b6d7c901894670f1a9a43dd5512a23609c6623c0"),
        (FIX, 2, "406db06d067c792a13b6c231a7998f7be55d0a17a236b2e0baa66faa9ce5b208"),
        (REVIEW, 0, "bb101d47ca6b417fd382ec0b5626cc729cc556888894be86b4a90968255439ac"),
    ],
    ids=["cg", "cm", "cm-error", "cm-api", "cr"],
)  # fmt: skip
def test_the_prompts_are_pinned(scenario: Scenario, number: int, sha256: str) -> None:
    [item] = scenario.items(MATERIAL)
    prompt = scenario.ask(STATEMENT, scenario.protocols[number], item)
    assert prompt_sha256(prompt) == sha256
    text = prompt.messages[0].content
    assert f"```python\n{CODE.rstrip()}\n```" in text
    assert STATEMENT.text in text
    assert ("It ended with NameError" in text) is (scenario.protocols[number].style == "coco-error")
    assert ("eval is gone." in text) is (scenario.protocols[number].style == "coco-api")


def test_code_is_asked_for_in_its_own_language_and_judged_in_it() -> None:
    java = replace(STATEMENT, starter_code={"java": "class Solution { int f() { return ____; } }"})
    [item] = COMPLETION.items(Material(java))
    assert COMPLETION.truth(item) is None
    desk = PromptBuilder(cast("Session", None), _items={(COMPLETION.name, 7): (item,)})
    answered = Sample(problem_version_id=7, item=0, provenance={})
    assert desk.language(COMPLETION.protocols[0], answered) == "java"
    assert "in Java, in one fence" in COMPLETION.ask(java, COMPLETION.protocols[0], item).messages[0].content
    assert COMPLETION.items(Material(replace(STATEMENT, starter_code={}))) == ()


def test_a_failure_that_is_not_known_is_not_asked_with() -> None:
    bare = replace(STATEMENT, starter_code={"python": CODE})
    [item] = FIX.items(Material(bare))
    FIX.ask(bare, FIX.protocols[0], item)
    with pytest.raises(InvalidInput, match="how its code fails is not known"):
        FIX.ask(bare, FIX.protocols[1], item)
    with pytest.raises(InvalidInput, match="what changed in an API is not known"):
        FIX.ask(bare, FIX.protocols[2], item)


def test_the_code_of_an_answer() -> None:
    for text, code, followed in [
        ("```python\nx = 1\n```", "x = 1\n", True),
        ("```java\nclass A { }\n```", "class A { }\n", True),
        ("```cpp\nint f();\n```", "int f();\n", True),
        ("<think>```python\nx = 2\n```</think>\n```\nx = 1\n```", "x = 1\n", True),
        ("def f():\n    return 1", "def f():\n    return 1", False),
        ("class Solution {\n    int f() { return 1; }\n}", "class Solution {\n    int f() { return 1; }\n}\n", False),
        ("I will not write that.", None, False),
        ("", None, False),
    ]:
        for scenario in (COMPLETION, FIX):
            found = scenario.extract(text, scenario.protocols[0])
            assert (found.code, found.followed_format) == (code, followed), (text, code, followed)


def verdict(text: str) -> tuple[Verdict, str, bool]:
    """The verdict on a review, its message, and whether it is of the form asked for."""
    [item], protocol = REVIEW.items(MATERIAL), REVIEW.protocols[0]
    expected = REVIEW.truth(item)
    assert isinstance(expected, ExpectedValue)
    found = REVIEW.extract(text, protocol)
    result = judge_value(found.code, expected)
    return result.verdict, result.message, found.followed_format


def test_a_right_review() -> None:
    text = json.dumps(RIGHT)
    assert verdict(text) == (Verdict.ACCEPTED, "F1 of the categories 1.00, lines of 2 of 2 right", True)
    with_optional = json.dumps(RIGHT | {"performance_issues": [{"line": "x", "fix": "y"}]})
    assert verdict(with_optional)[0] is Verdict.ACCEPTED


@pytest.mark.parametrize(
    "text",
    [
        f"Here it is:\n```json\n{json.dumps(RIGHT)}\n```",
        json.dumps(RIGHT)[:-1] + ",}",
        json.dumps(RIGHT).replace('"', "“"),
        repr(RIGHT),
    ],
    ids=["around", "comma", "quotes", "python"],
)
def test_one_repair_is_made_and_recorded(text: str) -> None:
    assert verdict(text)[0] is Verdict.ACCEPTED
    assert verdict(text)[2] is False


@pytest.mark.parametrize(
    ("review", "message"),
    [
        ({"security_issues": RIGHT["security_issues"]}, "F1 of the categories 0.67, lines of 1 of 2 right"),
        (RIGHT | {"logical_errors": [{"line": "x", "fix": "y"}]}, "F1 of the categories 0.80, lines of 2 of 2 right"),
        (RIGHT | {"syntax_errors": [{"line": "return value", "fix": "1"}]}, "lines of 1 of 2 right; wrong: lines"),
        (RIGHT | {"syntax_errors": [{"line": "return valu", "fix": "return valu  # ok"}]}, "wrong: lines"),
        (RIGHT | {"syntax_errors": [{"line": "return valu", "fix": "return (value"}]}, "corrected code is no Python"),
        ({}, "F1 of the categories 0.00, lines of 0 of 2 right"),
    ],
)  # fmt: skip
def test_a_wrong_review_says_how_far_it_is(review: dict[str, object], message: str) -> None:
    given, said, followed = verdict(json.dumps(review))
    assert (given, followed) == (Verdict.WRONG_ANSWER, True)
    assert message in said


@pytest.mark.parametrize("text", ["", "I see no fault.", '{"security_issues": [', '{"style": []}', "[]", "{" * 60_000])
def test_what_is_no_review_is_no_answer(text: str) -> None:
    assert verdict(text)[0] is Verdict.NO_ANSWER


def test_the_published_form_is_read_but_names_no_line() -> None:
    found = read_review('{"security_issues": "value = int(text)", "syntax_errors": ""}')
    assert found is not None
    assert (found.review, found.strict) == ({"security_issues": (ReviewFinding("", "value = int(text)"),)}, False)
    assert judge_review(found.review, ReviewFaults({"security_issues": ["value = eval(text)"]}), CODE).fault == "lines"


def test_corrections_stand_in_the_places_of_their_lines() -> None:
    fixes = {
        "logical_errors": [
            ReviewFinding("value = eval(text)", "try:\n    value = int(text)\nexcept ValueError:\n    raise")
        ]
    }
    assert apply_fixes(CODE, fixes) == (
        "def run(text):\n    try:\n        value = int(text)\n    except ValueError:\n        raise\n    return valu\n"
    )


def test_items_of_other_tasks_have_no_review() -> None:
    assert REVIEW.items(Material(STATEMENT, (Test([1], 2),))) == ()
    assert REVIEW.items(Material(STATEMENT, (Test("1", "2"),))) == ()
    assert isinstance(REVIEW.items(MATERIAL)[0], Item)

"""CoCo-Bench's CU: what is asked forwards and backwards, what is read of an answer, and which inputs are right."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from app.domain.judging.hacks import HackRun
from app.domain.judging.non_program_answers import CLOSE_NUMBERS, AnswerRun, judge_answer
from app.domain.judging.verdicts import GradeResult, LimitMode, Verdict
from app.domain.problems import Entry, Form, Limits, Param, ProblemSpec, Statement, Test
from app.domain.scenarios import Material, ReferenceProgram, Scenario, prompt_sha256
from app.domain.scenarios.coco_forward import SCENARIO as FORWARD
from app.domain.scenarios.coco_reverse import SCENARIO as REVERSE

CODE = "def clipped(values, most):\n    return [min(value, most) for value in values]"
STATEMENT = Statement(
    "7", "en", Form.FUNCTION, "CU/python/7", "Clip.", {"python": CODE}, (), Limits(),
    Entry("clipped", params=(Param("values"), Param("most"))),
)  # fmt: skip
TEST = Test([[1, 2.5, 9], 3], [1, 2.5, 3])
MATERIAL = Material(STATEMENT, (TEST,), (ReferenceProgram("python", CODE),))


def judged(scenario: Scenario, text: str, statement: Statement = STATEMENT) -> GradeResult | AnswerRun | HackRun:
    """What becomes of an answer of this text."""
    [item] = scenario.items(replace(MATERIAL, statement=statement))
    truth = scenario.truth(item)
    assert truth is not None
    return judge_answer(scenario.extract(text, scenario.protocols[0]).code, truth)


@pytest.mark.parametrize(
    ("scenario", "sha256"),
    [
        (FORWARD, "108ebe88a55bfb868cf159bc08809c373cb4d47349c94b6b914b8c801326039b"),
        (REVERSE, "4b0b4aede8361710311abcff01a86e1e08bd72a077c751edf3b152b4fe99c335"),
    ],
    ids=["forward", "reverse"],
)  # fmt: skip
def test_the_prompt_is_pinned(scenario: Scenario, sha256: str) -> None:
    [item] = scenario.items(MATERIAL)
    prompt = scenario.ask(STATEMENT, scenario.protocols[0], item)
    assert prompt_sha256(prompt) == sha256
    text = prompt.messages[0].content
    assert f"The code, of which clipped is called:\n```python\n{CODE}\n```" in text
    assert ("values = [1, 2.5, 9]\nmost = 3" in text) is (scenario is FORWARD)
    assert ("The output:\n[1, 2.5, 3]" in text) is (scenario is REVERSE)


def test_no_input_is_asked_for_where_code_takes_none() -> None:
    bare = replace(MATERIAL, statement=replace(STATEMENT, entry=Entry("clipped")), tests=(Test([], 3),))
    assert len(FORWARD.items(bare)) == 1
    assert REVERSE.items(bare) == ()


def test_an_output_is_read_and_compared() -> None:
    for text, verdict, followed in [
        ("[1, 2.5, 3]", Verdict.ACCEPTED, True),
        ("(1, 2.50001, 3.0)", Verdict.ACCEPTED, True),
        ("<think>[0]</think>\n[1, 2.5, 3]", Verdict.ACCEPTED, True),
        ("```\n[1, 2.5, 3]\n```", Verdict.ACCEPTED, False),
        ("The output is: [1, 2.5, 3]", Verdict.ACCEPTED, False),
        ("values are clipped at 3.\n\n**Output:** `[1, 2.5, 3]`", Verdict.ACCEPTED, False),
        ("[1, 2, 3]", Verdict.WRONG_ANSWER, True),
        ('"[1, 2.5, 3]"', Verdict.WRONG_ANSWER, True),
        ("[1, 2.5, 3, [", Verdict.NO_ANSWER, False),
        ("clipped([1, 2.5, 9], 3)", Verdict.NO_ANSWER, False),
        ("I cannot help with that.", Verdict.NO_ANSWER, False),
        ("", Verdict.NO_ANSWER, False),
    ]:
        result = judged(FORWARD, text)
        assert isinstance(result, GradeResult), (text, verdict, followed)
        assert result.verdict is verdict, result.message
        assert FORWARD.extract(text, FORWARD.protocols[0]).followed_format is followed, (text, verdict, followed)


@pytest.mark.parametrize(
    "text",
    [
        "values = [1, 2.5, 7]\nmost = 3",
        "most = 3\nvalues = [1, 2.5, 7]",
        "[1, 2.5, 7]\n3",
        "[[1, 2.5, 7], 3]",
        '{"values": [1, 2.5, 7], "most": 3}',
        "clipped(values=[1, 2.5, 7], most=3)",
        "values = [1, 2.5, 7], most = 3",
        "```python\nvalues = [1, 2.5, 7]\nmost = 3\n```",
    ],
)
def test_an_input_is_what_the_code_is_run_on(text: str) -> None:
    found = judged(REVERSE, text)
    assert isinstance(found, AnswerRun)
    assert found.problem.tests == (Test([[1, 2.5, 7], 3], TEST.expected, visible=True),)
    assert (found.problem.entry, found.problem.limits, found.problem.checker) == (
        STATEMENT.entry,
        Limits(),
        CLOSE_NUMBERS,
    )
    assert (found.code, found.language) == (CODE, "python")
    ran, posed = GradeResult(Verdict.ACCEPTED, 1, 1, (), LimitMode.RLIMIT, "1"), found.problem

    class Runs:
        def grade(
            self, problem: ProblemSpec, code: str | None, language: str, *, time_factor: float = 1.0
        ) -> GradeResult:
            assert (problem, code, language, time_factor) == (posed, CODE, "python", 2.0)
            return ran

        def languages(self) -> dict[str, str]:
            raise AssertionError

        def answers(self, problem: ProblemSpec, code: str, language: str, inputs: Sequence[Any]) -> list[Any]:
            raise AssertionError

    judge = Runs()
    assert (
        found.grade_with(judge, 2.0).limit_mode is LimitMode.NONE
    )  # an input is no program that others are compared with
    assert AnswerRun(posed, CODE, "python").grade_with(judge, 2.0) == ran


def test_words_of_json_are_read_where_they_are_no_text_and_names_may_be_pythons_own_words() -> None:
    entry = Entry("f", params=(Param("from"), Param("is")))
    for text, given in (
        ("from = 'null is true'\nis = [true, null, 'false']", ["null is true", [True, None, "false"]]),
        ("is=1\nfrom = 'a\\nin = b'", ["a\nin = b", 1]),
        ('{"from": "true", "is": false}', ["true", False]),
    ):
        found = judged(REVERSE, text, replace(STATEMENT, entry=entry))
        assert isinstance(found, AnswerRun), text
        assert found.problem.tests[0].input == given
    for text in ("['a', true, null]", '["a", True, None]'):
        assert FORWARD.extract(text, FORWARD.protocols[0]).code == '["a", true, null]'
    assert FORWARD.extract("['a', none]", FORWARD.protocols[0]).code is None


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("values = [1, 2.5, 7]", Verdict.WRONG_ANSWER),
        ("values = [1]\nother = 3", Verdict.WRONG_ANSWER),
        ("values = [1]\nmost = 3\nmore = 4", Verdict.WRONG_ANSWER),
        ("values = open('x')\nmost = 3", Verdict.WRONG_ANSWER),
        ("values = [1, 2", Verdict.NO_ANSWER),
        ("I'm sorry, there is none.", Verdict.NO_ANSWER),
        ("", Verdict.NO_ANSWER),
    ],
)
def test_what_is_no_input_of_the_code_runs_nothing(text: str, verdict: Verdict) -> None:
    result = judged(REVERSE, text)
    assert isinstance(result, GradeResult)
    assert result.verdict is verdict, result.message


@pytest.mark.parametrize(
    ("text", "followed"),
    [
        ("values = [1]\nmost = 3", True),
        ("[1]\n3", False),
        ("values = [1], 3", False),
        ("```\nvalues = [1]\nmost = 3\n```", False),
        ("", False),
    ],
)
def test_only_arguments_with_their_names_are_as_asked(text: str, followed: bool) -> None:
    assert REVERSE.extract(text, REVERSE.protocols[0]).followed_format is followed


def test_a_single_parameter_takes_the_whole_list() -> None:
    found = judged(REVERSE, "[1, 2]", replace(STATEMENT, entry=Entry("f", params=(Param("values"),))))
    assert isinstance(found, AnswerRun)
    assert found.problem.tests[0].input == [[1, 2]]
    assert json.loads(REVERSE.extract("[1, 2]", REVERSE.protocols[0]).code or "") == {"given": [[1, 2]], "named": {}}


@pytest.mark.parametrize(("query", "kind"), [("SELECT a FROM t", "unordered"), ("SELECT a FROM t ORDER BY a", "float")])
def test_rows_of_a_query_come_in_any_order_unless_it_says_which(query: str, kind: str) -> None:
    [item] = REVERSE.items(replace(MATERIAL, statement=replace(STATEMENT, starter_code={"sql": query})))
    assert item.preimage is not None
    assert item.preimage.checker.kind == kind


def test_the_program_is_run_in_its_own_language() -> None:
    program = ReferenceProgram("java", "class Solution { }")
    [item] = REVERSE.items(replace(MATERIAL, programs=(program,)))
    assert item.preimage is not None
    assert (item.preimage.code, item.preimage.language) == (program.code, "java")

"""The prompt for an input, what is read of answers to it, and the run that decides them."""

from dataclasses import replace

import pytest

from app.domain.asking.extraction import Extraction
from app.domain.deriving.items import DerivedItemKind, DerivedItemSpec
from app.domain.judging.non_program_answers import AnswerRun, judge_answer
from app.domain.judging.verdicts import GradeResult, Verdict
from app.domain.problems import Form, Limits, Statement
from app.domain.scenarios import Material, house_protocols, prompt_sha256, solving_scenarios
from app.domain.scenarios.execution_input import SCENARIO

STATEMENT = Statement("house/within", "en", Form.FUNCTION, "Within", "Count what is small.", {}, (), Limits())
CODE = "def within(xs: List[int], most: int) -> int:\n    return len([x for x in xs if x <= most])"
FACTS = {"code": CODE, "name": "within", "params": ["xs", "most"], "output": "2"}
(ITEM,) = SCENARIO.items(
    Material(STATEMENT, derived=(DerivedItemSpec(DerivedItemKind.EXECUTION_INPUT, FACTS, 2, returns="integer"),))
)
HOUSE = SCENARIO.protocols[0]
CALL = "within(xs=[1, 2, 9], most=3)"


def asked(locale: str = "en") -> str:
    (message,) = SCENARIO.ask(STATEMENT, replace(HOUSE, locale=locale), ITEM).messages
    assert message.role == "user"
    return message.content


def test_the_prompt_in_full() -> None:
    assert asked() == (
        "You are given Python code and an assertion that calls one of its functions. Replace ?? by arguments for which "
        "the assertion holds when exactly this code is run, whether or not the code seems right to you. Any such "
        "arguments will do. Name each argument, and write its value as a literal: no names, no calls, no operators. "
        "Write nothing but the completed assertion, between the tags [ANSWER] and [/ANSWER], as in these examples.\n\n"
        '[PYTHON]\ndef greet(name: str) -> str:\n    return name + "!"\nassert greet(??) == "Ada!"\n[/PYTHON]\n\n'
        '[ANSWER]\nassert greet(name = "Ada") == "Ada!"\n[/ANSWER]\n\n'
        "[PYTHON]\ndef count(numbers: List[int], least: int) -> int:\n"
        "    return len([number for number in numbers if number >= least])\nassert count(??) == 2\n[/PYTHON]\n\n"
        "[ANSWER]\nassert count(numbers = [4, 1, 4], least = 3) == 2\n[/ANSWER]\n\n"
        f"[PYTHON]\n{CODE}\nassert within(??) == 2\n[/PYTHON]"
    )


@pytest.mark.parametrize(("locale", "digest"), [("en", "cce3b068e104679d"), ("zh", "8895693c4979374a")])
def test_its_words_are_pinned(locale: str, digest: str) -> None:
    """Another digest is another prompt revision of the protocols that use it."""
    assert prompt_sha256(SCENARIO.ask(STATEMENT, replace(HOUSE, locale=locale), ITEM))[:16] == digest


def test_what_is_read_of_an_answer() -> None:
    for text, found in [
        ("[ANSWER]\nassert within(xs = [1, 2, 9], most = 3) == 2\n[/ANSWER]", (CALL, True)),
        ("[ANSWER]\nassert within([1, 2, 9], most = 3) == 5\n[/ANSWER]", ("within([1, 2, 9], most=3)", True)),
        ("[ANSWER]within(xs = [1, 2, 9], most = 3)[/ANSWER]", (CALL, False)),
        ("[ANSWER]\nassert within(xs = [1, 2, 9], most = 3) == 2", (CALL, False)),
        ("It is plain:\nassert within(xs = [1, 2, 9], most = 3) == 2", (CALL, False)),
        ("<think>[ANSWER]\nassert f(1) == 2\n[/ANSWER]</think>I cannot tell.", (None, False)),
        ("[ANSWER]\nassert within(xs = list(range(2)), most = 3) == 2\n[/ANSWER]", (None, False)),
        ("[ANSWER]\nassert within(xs = [1] * 9, most = 3) == 2\n[/ANSWER]", (None, False)),
        ("[ANSWER]\nassert 2 == 2\n[/ANSWER]", (None, False)),
        ("[ANSWER]\nassert within(xs = [1, 2", (None, False)),
        ("[ANSWER]\n[1, 2, 9], 3\n[/ANSWER]", (None, False)),
        ("within(xs = [1, 2, 9], most = 3)", (None, False)),
        ("I cannot help with that.", (None, False)),
        ("", (None, False)),
    ]:
        code, followed = found
        assert SCENARIO.extract(text, HOUSE) == Extraction(code, followed), (text, found)


@pytest.mark.parametrize(
    ("call", "given"),
    [
        (CALL, [[1, 2, 9], 3]),
        ("within([1, 2, 9], 3)", [[1, 2, 9], 3]),
        ("within(most=3, xs='ab')", ["ab", 3]),
        ("within(xs=[1])", Verdict.WRONG_ANSWER),
        ("within([1], 2, 3)", Verdict.WRONG_ANSWER),
        ("within([1], xs=[1], most=2)", Verdict.WRONG_ANSWER),
        ("within(xs=[1], most=2, least=3)", Verdict.WRONG_ANSWER),
        ("within(**{'xs': [1], 'most': 2})", Verdict.WRONG_ANSWER),
        ("within(xs=(1, 2), most=3)", Verdict.WRONG_ANSWER),
        ("within(xs={1, 2}, most=3)", Verdict.WRONG_ANSWER),
        ("within(xs=[1], most=1e999)", Verdict.WRONG_ANSWER),
        ("len(xs=[1, 2], most=3)", Verdict.WRONG_ANSWER),
        (None, Verdict.NO_ANSWER),
    ],
)
def test_the_program_is_run_on_the_answer(call: str | None, given: object) -> None:
    truth = SCENARIO.truth(ITEM)
    assert truth is not None
    found = judge_answer(call, truth)
    if isinstance(given, Verdict):
        assert isinstance(found, GradeResult)
        assert found.verdict is given
        return
    assert isinstance(found, AnswerRun)
    (test,) = found.problem.tests
    assert (found.code, found.language, test.input, test.expected) == (CODE, "python", given, 2)


def test_it_stands_in_the_house_league_and_solves_nothing() -> None:
    assert "execution_input" not in solving_scenarios()
    assert "house-execution-input" in {each.slug for each in house_protocols()}

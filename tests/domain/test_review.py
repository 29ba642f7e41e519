"""The review prompt, what is read of answers to it, and how they are compared with the truth."""

import json
from dataclasses import replace

import pytest
from support.work import little_work

from app.domain.deriving.items import DerivedItemKind, DerivedItemSpec
from app.domain.judging.defects import Category, PlantedDefect, match_defect
from app.domain.judging.non_program_answers import judge_answer
from app.domain.judging.verdicts import GradeResult, Verdict
from app.domain.problems import Form, Limits, Statement
from app.domain.scenarios import Material, house_protocols, prompt_sha256, solving_scenarios
from app.domain.scenarios.review import SCENARIO

STATEMENT = Statement("house/sum", "en", Form.STDIN, "Sum of a line", "Print the sum.\n", {}, (), Limits(1500, 128))
CODE = "foo = map(int, input().split())\nprint(sum(foo))\n"
TRUTH = {"category": "naming", "lines": [1, 2]}
(ITEM,) = SCENARIO.items(Material(STATEMENT, derived=(DerivedItemSpec(DerivedItemKind.REVIEW, {"code": CODE}, TRUTH),)))
HOUSE = SCENARIO.protocols[0]


def test_the_prompt_in_full() -> None:
    system, user = SCENARIO.ask(STATEMENT, HOUSE, ITEM).messages
    assert (system.role, user.role) == ("system", "user")
    assert system.content == (
        "You are an expert Python programmer who reviews programs. You are given a programming problem and a Python "
        "program for it in which one defect was planted. You find it."
    )
    assert user.content == (
        "### Question\n\n# Sum of a line\n\nPrint the sum.\n\nLimits per test: 1.5 seconds, 128 MB of memory.\n\n"
        "### Program, with numbered lines\n\n```\n1 | foo = map(int, input().split())\n2 | print(sum(foo))\n```\n\n"
        "Exactly one defect was planted in a good and correct program. It is of one of these categories:\n\n"
        "- security: input is trusted in a way that lets whoever gives it run code\n"
        "- performance: a line does much more work than it needs to\n"
        "- naming: a variable has a name that says nothing about what it holds\n"
        "- logic: a line makes the program give wrong answers\n\n"
        "Answer with one JSON object and nothing else. Its keys are the four categories, and each value is a list of "
        "line numbers: for the defect's category the number of a line on which it is seen, for the others an empty "
        "list. This answer would name a logic defect on line 12:\n\n"
        '```json\n{"security": [], "performance": [], "naming": [], "logic": [12]}\n```\n\n### Answer'
    )


@pytest.mark.parametrize(("locale", "digest"), [("en", "d893b4432db03af7"), ("zh", "d0ea0e408d0c181e")])
def test_its_words_are_pinned(locale: str, digest: str) -> None:
    """Another digest is another prompt revision of the protocols that use it."""
    assert prompt_sha256(SCENARIO.ask(STATEMENT, replace(HOUSE, locale=locale), ITEM))[:16] == digest


def found(**lines: list[int]) -> str:
    return json.dumps({category.value: lines.get(category.value, []) for category in Category})


def judged(text: str) -> tuple[Verdict, int, bool]:
    read = SCENARIO.extract(text, HOUSE)
    truth = SCENARIO.truth(ITEM)
    assert truth is not None
    result = judge_answer(read.code, truth)
    assert isinstance(result, GradeResult)
    return result.verdict, result.passed, read.followed_format


def test_every_kind_of_answer_has_its_outcome() -> None:
    for text, outcome in [
        (found(naming=[2]), (Verdict.ACCEPTED, 2, True)),
        (found(naming=[1, 2]), (Verdict.ACCEPTED, 2, True)),
        (f"```json\n{found(naming=[1])}\n```", (Verdict.ACCEPTED, 2, True)),
        (f"<think>{found(logic=[1])}</think>\n{found(naming=[1])}", (Verdict.ACCEPTED, 2, True)),
        (found(naming=[3]), (Verdict.WRONG_ANSWER, 1, True)),
        (found(logic=[1]), (Verdict.WRONG_ANSWER, 1, True)),
        (found(logic=[3]), (Verdict.WRONG_ANSWER, 0, True)),
        (found(), (Verdict.WRONG_ANSWER, 0, True)),
        (found(naming=[1], logic=[1]), (Verdict.WRONG_ANSWER, 2, True)),
        (found(naming=[1, 3]), (Verdict.WRONG_ANSWER, 2, True)),
        (found(**{category.value: [1, 2] for category in Category}), (Verdict.WRONG_ANSWER, 2, True)),
        (f"I see it.\n{found(naming=[1])}\nThat is all.", (Verdict.ACCEPTED, 2, False)),
        ('{"naming": [1]}', (Verdict.ACCEPTED, 2, False)),
        ('{"Naming": 1, "logic": []}', (Verdict.ACCEPTED, 2, False)),
        ('{"naming": ["1"]}', (Verdict.NO_ANSWER, 0, False)),
        ('{"naming": [true]}', (Verdict.NO_ANSWER, 0, False)),
        ('{"naming": [1], "style": [2]}', (Verdict.NO_ANSWER, 0, False)),
        ('{"naming": [1], "logic": [', (Verdict.NO_ANSWER, 0, False)),
        ("{}", (Verdict.NO_ANSWER, 0, False)),
        ("The name foo on line 1 says nothing.", (Verdict.NO_ANSWER, 0, False)),
        ("I cannot help with that.", (Verdict.NO_ANSWER, 0, False)),
        ("", (Verdict.NO_ANSWER, 0, False)),
    ]:
        assert judged(text) == outcome, (text, outcome)


@pytest.mark.parametrize("answer", ["[]", "1", '{"naming": [1]}', found(naming=[1]).replace("[]", "{}")])
def test_what_is_no_review_is_refused(answer: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        match_defect(answer, PlantedDefect(Category.NAMING, (1,)))


@pytest.mark.parametrize("piece", ["{", '{"naming": [', "[" * 9, '{"naming": [1]} '])
def test_hostile_answers_take_little_work(piece: str) -> None:
    with little_work():
        SCENARIO.extract(piece * 100_000, HOUSE)


def test_it_stands_in_the_house_league_and_solves_nothing() -> None:
    assert "review" not in solving_scenarios()
    assert "house-review" in {each.slug for each in house_protocols()}

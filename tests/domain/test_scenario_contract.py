"""What every scenario promises, checked for each one that is found and for those of the document on adding one."""

import json
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from support.toys import plugged_in, sources

from app.domain.asking.completions import Prompt
from app.domain.asking.extraction import Extraction
from app.domain.asking.feedback import Feedback
from app.domain.asking.protocols import BUILT_IN_PROTOCOLS, HOUSE, Protocol
from app.domain.deriving.items import DerivedItemKind, DerivedItemSpec
from app.domain.errors import InvalidInput
from app.domain.judging.non_program_answers import ExpectedValue, judge_value
from app.domain.judging.preimages import Preimage
from app.domain.judging.verdicts import Verdict
from app.domain.problems import Entry, Form, Limits, Param, Statement, Test
from app.domain.scenarios import (
    GradedBy,
    Item,
    Material,
    Parent,
    ReferenceProgram,
    Scenario,
    prompt_sha256,
    scenarios,
)
from app.domain.states import ProblemState

with TemporaryDirectory() as _folder, plugged_in(Path(_folder)) as _known:
    SCENARIOS = _known

STATEMENT = Statement(
    problem="house/sum",
    locale="en",
    form=Form.STDIN,
    title="A title of its own",
    text="A text of its own.",
    starter_code={"python": "def add(a: int, b: int) -> int:", "failure": "It ended with NameError", "change": "def."},
    examples=(Test("1 2\n", "3\n", visible=True), Test("5 6\n", "11\n", visible=True)),
    limits=Limits(),
)
MATERIAL = Material(
    STATEMENT,
    (*STATEMENT.examples, *(Test(f"{number} 40\n", f"{number + 40}\n") for number in range(9))),
    (ReferenceProgram("python", "a, b = map(int, input().split())\nprint(a + b)\n"),),
    tuple(
        DerivedItemSpec(
            DerivedItemKind.EXECUTION,
            {
                "code": f"def f(a):\n    return [a, 2, {number}]",
                "call": f"f(a = {number})",
                "name": "f",
                "params": ["a"],
                "output": f"[{number}, 2]",
            },
            [number, 2],
        )
        for number in range(3)
    ),
)
TRUTH = {"lines": {"syntax_errors": ["def add(a: int, b: int) -> int:"]}, "optional": []}
# What is not made of every problem.
OWN_MATERIAL = {
    "coco_review": replace(MATERIAL, tests=(Test("def add(a: int, b: int) -> int:", json.dumps(TRUTH)),)),
    "coco_reverse": replace(
        MATERIAL, statement=replace(STATEMENT, entry=Entry("add", params=(Param("a"), Param("b"))))
    ),
}
PARENT = Parent("print(1)", Feedback(Verdict.WRONG_ANSWER, 1, "1 2\n", "3\n", "1\n"))


def material(scenario: Scenario) -> Material:
    """What it makes items of; a review's truth is a finding, and that of a program to be broken what is run."""
    truth = {
        GradedBy.FINDING: {"category": "logic", "lines": [2]},
        GradedBy.BREAKING: {
            "problem": {"id": "1", "tests": []}, "validator": ["python", ""], "references": [["python", ""]],
        },
    }.get(scenario.graded_by)  # fmt: skip
    if truth is None:
        return OWN_MATERIAL.get(scenario.name, MATERIAL)
    return replace(MATERIAL, derived=tuple(replace(one, expected=truth) for one in MATERIAL.derived))


def protocols(scenario: Scenario) -> list[Protocol]:
    return [
        replace(
            HOUSE, scenario=scenario.name, style=style, language=language, locale=locale,
            prerequisite=scenario.parent and "house",
        )
        for style in scenario.styles
        for language in scenario.languages_in(style)
        for locale in scenario.locales
    ]  # fmt: skip


def items(scenario: Scenario) -> list[Item]:
    """As they are asked: a child's with its parent."""
    made = scenario.items(material(scenario))
    return [item if scenario.parent is None else replace(item, parent=PARENT) for item in made]


def said(protocol: Protocol) -> str:
    """Which scenario, and which of its ways to ask, a failure is about."""
    return f"{protocol.scenario}-{protocol.style}-{protocol.language}-{protocol.locale}"


def test_the_scenarios_are_there_and_those_of_the_document_only_while_they_are_plugged_in() -> None:
    assert {"prediction", "second_try"} == set(sources())
    assert set(SCENARIOS) == {*scenarios(), *sources()}
    assert "codegen" in scenarios()
    assert not set(scenarios()) & set(sources())
    assert all(protocols(scenario) for scenario in SCENARIOS.values())


def test_items_are_numbered_from_zero_with_facts_that_follow_from_the_material() -> None:
    for scenario in SCENARIOS.values():
        made = scenario.items(material(scenario))
        assert [item.number for item in made] == list(range(len(made))), scenario
        assert made, scenario
        assert made == scenario.items(replace(material(scenario))), scenario
        assert all(item.parent is None for item in made), scenario
        assert all(json.loads(json.dumps(item.facts)) == item.facts for item in made), scenario


def test_a_scenario_graded_by_value_knows_the_value_of_every_item() -> None:
    for scenario in SCENARIOS.values():
        assert scenario.graded_by in GradedBy, scenario
        for item in scenario.items(material(scenario)):
            expected = scenario.truth(item)
            assert (expected is None) is (scenario.graded_by in (GradedBy.TESTS, GradedBy.NOTHING)), scenario
            assert isinstance(expected, Preimage) is (scenario.graded_by is GradedBy.INPUT), scenario
            if isinstance(expected, ExpectedValue) and scenario.name not in OWN_MATERIAL:
                plain = isinstance(item.expected, str) and item.rule is None and not item.is_json
                right = item.expected if plain else json.dumps(item.expected)
                assert judge_value(right, expected).verdict is Verdict.ACCEPTED, scenario
                assert judge_value(right + " and more", expected).verdict is Verdict.WRONG_ANSWER, scenario


def test_a_prompt_is_a_pure_function_of_its_item() -> None:
    for scenario in SCENARIOS.values():
        for protocol in protocols(scenario):
            digests = []
            for item in items(scenario):
                prompt = scenario.ask(STATEMENT, protocol, item)
                again = scenario.ask(replace(STATEMENT), protocol, replace(item))
                assert prompt == again, said(protocol)
                assert prompt_sha256(prompt) == prompt_sha256(again), said(protocol)
                assert {message.role for message in prompt.messages} <= {"system", "user", "assistant"}, said(protocol)
                assert prompt.messages[-1].role == "user", said(protocol)
                digests.append(prompt_sha256(prompt))
            assert len(set(digests)) == len(digests), f"two items ask the same: {said(protocol)}"


@pytest.mark.parametrize("scenario", SCENARIOS.values(), ids=SCENARIOS)
def test_what_asks_the_problem_itself_shows_it_with_its_examples(scenario: Scenario) -> None:
    if not scenario.asks_once or scenario.parent is not None:
        return
    for protocol in protocols(scenario):
        user = scenario.ask(STATEMENT, protocol, Item()).messages[-1].content
        assert f"\n# {STATEMENT.title}\n" in user, said(protocol)
        assert STATEMENT.text in user, said(protocol)
        for test in STATEMENT.examples:
            assert test.input.strip() in user, said(protocol)
            assert test.expected.strip() in user, said(protocol)


@pytest.mark.parametrize("scenario", SCENARIOS.values(), ids=SCENARIOS)
def test_a_child_shows_its_parents_program_and_verdict(scenario: Scenario) -> None:
    if scenario.parent is None:
        return
    assert scenario.parent in SCENARIOS
    item = items(scenario)[0]
    other = replace(item, parent=replace(PARENT, answer="x = 2"))
    worse = replace(item, parent=replace(PARENT, feedback=Feedback(Verdict.TIME_LIMIT)))
    for protocol in protocols(scenario):
        user = text_of(scenario.ask(STATEMENT, protocol, item))
        assert "print(1)" in user, said(protocol)
        assert text_of(scenario.ask(STATEMENT, protocol, other)) != user, said(protocol)
        assert text_of(scenario.ask(STATEMENT, protocol, worse)) != user, said(protocol)


def text_of(prompt: Prompt) -> str:
    return "\n".join(message.content for message in prompt.messages)


@pytest.mark.parametrize("scenario", SCENARIOS.values(), ids=SCENARIOS)
def test_what_is_not_its_own_is_refused(scenario: Scenario) -> None:
    protocol, item = protocols(scenario)[0], items(scenario)[0]
    for another in (
        replace(protocol, style="no such style"), replace(protocol, language="cobol"), replace(protocol, locale="tlh"),
        replace(protocol, scenario="another"),
    ):  # fmt: skip
        with pytest.raises(InvalidInput):
            scenario.ask(STATEMENT, another, item)
    other = replace(item, parent=None if scenario.parent else PARENT)
    with pytest.raises(InvalidInput, match="parent"):
        scenario.ask(STATEMENT, protocol, other)
    with pytest.raises(InvalidInput, match="prerequisite"):
        scenario.ask(STATEMENT, replace(protocol, prerequisite=None if scenario.parent else "house"), item)


def test_extraction_never_fails() -> None:
    for scenario in SCENARIOS.values():
        for protocol in protocols(scenario):
            for text in ("", "words", "\x00", "`" * 1000, "```\n", f"```{protocol.language}\nx = f(1)\n```"):
                assert isinstance(scenario.extract(text, protocol), Extraction), (said(protocol), text)
            assert scenario.extract("", protocol).code is None, said(protocol)


def test_its_protocols_are_its_own_and_find_their_parents() -> None:
    for scenario in SCENARIOS.values():
        assert scenario.states <= set(ProblemState), scenario
        assert scenario.states, scenario
        everybody = {each.slug: each for one in SCENARIOS.values() for each in (*BUILT_IN_PROTOCOLS, *one.protocols)}
        for protocol in scenario.protocols:
            scenario.check(protocol)
            assert everybody[protocol.slug] == protocol, "the slug is another protocol's"
            if protocol.prerequisite is not None:
                before = everybody[protocol.prerequisite]
                assert before.scenario in (scenario.parent, scenario.name), scenario
                assert before.locale == protocol.locale, scenario
                assert protocol.sampling.n <= before.sampling.n, scenario
        if scenario.ranked and scenario.protocols:
            assert {"en", "zh"} <= set(scenario.titles), scenario


def test_a_protocol_that_is_run_here_is_one_of_its_scenario() -> None:
    for protocol in [each for each in BUILT_IN_PROTOCOLS if not each.imported]:
        SCENARIOS[protocol.scenario].check(protocol)

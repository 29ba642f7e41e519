"""What every scenario promises, checked for each one that is found."""

from dataclasses import replace

import pytest

from app.domain.asking.extraction import Extraction
from app.domain.asking.protocols import HOUSE, Protocol
from app.domain.errors import InvalidInput
from app.domain.problems import Form, Limits, Statement, Test
from app.domain.registry import discover
from app.domain.scenarios import GradedBy, Scenario, prompt_sha256

SCENARIOS = discover("app.domain.scenarios", "SCENARIO", Scenario)

STATEMENT = Statement(
    problem="house/sum",
    locale="en",
    form=Form.STDIN,
    title="A title of its own",
    text="A text of its own.",
    starter_code={},
    examples=(Test("1 2\n", "3\n", visible=True), Test("5 6\n", "11\n", visible=True)),
    limits=Limits(),
)


def protocols(scenario: Scenario) -> list[Protocol]:
    return [
        replace(HOUSE, scenario=scenario.name, style=style, language=language, locale=locale)
        for style in scenario.styles
        for language in scenario.languages
        for locale in scenario.locales
    ]


CASES = [
    pytest.param(scenario, protocol, id=f"{name}-{protocol.style}-{protocol.language}-{protocol.locale}")
    for name, scenario in SCENARIOS.items()
    for protocol in protocols(scenario)
]


def test_the_first_scenario_is_there() -> None:
    assert "codegen" in SCENARIOS
    assert CASES


@pytest.mark.parametrize("scenario", SCENARIOS.values(), ids=SCENARIOS)
def test_items_are_numbered_from_zero_and_graded_somehow(scenario: Scenario) -> None:
    items = scenario.items(STATEMENT)
    assert items == tuple(range(len(items)))
    assert items
    assert scenario.graded_by in GradedBy


@pytest.mark.parametrize(("scenario", "protocol"), CASES)
def test_a_prompt_is_a_pure_function_that_shows_the_problem(scenario: Scenario, protocol: Protocol) -> None:
    for item in scenario.items(STATEMENT):
        prompt = scenario.prompt(STATEMENT, protocol, item)
        again = scenario.prompt(replace(STATEMENT), protocol, item)
        assert prompt == again
        assert prompt_sha256(prompt) == prompt_sha256(again)
        assert {message.role for message in prompt.messages} <= {"system", "user", "assistant"}
        assert prompt.messages[-1].role == "user"
        user = prompt.messages[-1].content
        assert f"\n# {STATEMENT.title}\n" in user
        assert STATEMENT.text in user


@pytest.mark.parametrize(("scenario", "protocol"), CASES)
def test_a_prompt_shows_the_public_examples(scenario: Scenario, protocol: Protocol) -> None:
    user = scenario.prompt(STATEMENT, protocol, 0).messages[-1].content
    for test in STATEMENT.examples:
        assert test.input.strip() in user
        assert test.expected.strip() in user


@pytest.mark.parametrize("scenario", SCENARIOS.values(), ids=SCENARIOS)
def test_an_unknown_item_or_style_is_refused(scenario: Scenario) -> None:
    protocol = protocols(scenario)[0]
    with pytest.raises(InvalidInput):
        scenario.prompt(STATEMENT, protocol, len(scenario.items(STATEMENT)))
    with pytest.raises(InvalidInput):
        scenario.prompt(STATEMENT, replace(protocol, style="no such style"), 0)


@pytest.mark.parametrize(("scenario", "protocol"), CASES)
def test_extraction_never_fails(scenario: Scenario, protocol: Protocol) -> None:
    for text in ("", "words", "\x00", "`" * 1000, "```\n", f"```{protocol.language}\nx = f(1)\n```"):
        assert isinstance(scenario.extract(text, protocol), Extraction)
    assert scenario.extract("", protocol).code is None

"""The scenario of setters: each role is an item, no answer is judged by itself, and nothing of it is ranked."""

from app.domain.asking.protocols import HOUSE
from app.domain.consensus.answers import SetterRole
from app.domain.consensus.prompts import prompt, setter_tasks
from app.domain.problems import Form, Limits, Statement, Test
from app.domain.scenarios import GradedBy, Material, prompt_sha256, scenarios, unranked_scenarios
from app.domain.states import ProblemState
from app.services.runs.items import gradable_answers

SCENARIO = scenarios()["setting"]
STATEMENT = Statement(
    "1", "en", Form.STDIN, "Best Stretch", "Print the sum.", {}, (Test("1\n", "1\n", visible=True),), Limits()
)


def test_items_are_the_roles_that_are_owed() -> None:
    items = SCENARIO.items(Material(STATEMENT))
    assert [(item.facts["role"], item.facts["ordinal"]) for item in items] == [*setter_tasks(Form.STDIN)]
    asked = [SCENARIO.ask(STATEMENT, SCENARIO.protocols[0], item) for item in items]
    assert prompt_sha256(asked[4]) == prompt_sha256(prompt(STATEMENT, SetterRole.SOLUTION, 1))


def test_only_a_fenced_block_is_an_answer() -> None:
    protocol = SCENARIO.protocols[0]
    assert SCENARIO.extract("So:\n```python\nprint(1)\n```\nDone.", protocol).code == "print(1)\n"
    assert SCENARIO.extract("print(1)", protocol).code is None


def test_nothing_of_it_is_ranked_or_judged() -> None:
    assert SCENARIO.graded_by is GradedBy.NOTHING
    assert SCENARIO.states == {ProblemState.CHECKED}
    assert SCENARIO.untested
    assert "setting" in unranked_scenarios()
    assert "setting" in gradable_answers(("python",)).unjudged
    assert "setting" not in gradable_answers(("python",)).by_value
    assert HOUSE.scenario not in gradable_answers(("python",)).unjudged

"""The demo models know what was derived of the league's problems by its prompt alone."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest
from support.files import READ_AT

from app.domain.asking.completions import Prompt
from app.domain.deriving.defects import plant_defects
from app.domain.deriving.inputs import nearby_inputs
from app.domain.deriving.items import DerivedItemKind, DerivedItemSpec, call_of
from app.domain.deriving.programs import shown_program, tidy_program
from app.domain.judging.defects import Category, PlantedDefect, match_defect
from app.domain.judging.hacks import parse_hack_input
from app.domain.judging.problem_file import problem_as_json
from app.domain.problems import Entry
from app.domain.scenarios import Material, Scenario
from app.domain.scenarios.bug_fix import SCENARIO as BUG_FIX
from app.domain.scenarios.execution_input import SCENARIO as INPUT
from app.domain.scenarios.hack import SCENARIO as HACK
from app.domain.scenarios.review import SCENARIO as REVIEW
from scrapers.suites.house import DemoModel, League, load_demo_models, load_league
from workers.demo.questions import QuestionIndex
from workers.demo.replies import reply
from workers.demo.values import value_of

FOLDER = Path(__file__).resolve().parents[2] / "league"


@dataclass(frozen=True)
class Demo:
    league: League
    index: QuestionIndex
    models: tuple[DemoModel, ...]

    def answers(self, scenario: Scenario, slug: str, item: DerivedItemSpec) -> Iterator[str | None]:
        """What is read of the models' answers to a derived item."""
        statement, protocol = self.league.problems[slug].statements["en"], scenario.protocols[0]
        (asked,) = scenario.items(Material(statement, derived=(item,)))
        question = self.index.find_question(text_of(scenario.ask(statement, protocol, asked)))
        assert question is not None
        assert question.problem.slug == slug
        for model in self.models:
            for seed in range(10):
                yield scenario.extract(reply(model, None, question, seed, None).text, protocol).code


def text_of(prompt: Prompt) -> str:
    return "\n\n".join(message.content for message in prompt.messages)


@pytest.fixture(scope="module")
def demo() -> Demo:
    league = load_league(FOLDER, READ_AT)
    return Demo(league, QuestionIndex(league), tuple(load_demo_models(FOLDER)))


def program_of(demo: Demo, slug: str) -> tuple[str, Entry | None]:
    problem = demo.league.problems[slug]
    code = next(each.code for each in problem.programs_of(reference=True) if each.language == "python")
    return tidy_program(code) or "", problem.spec.entry


@pytest.mark.parametrize("slug", ["supply-depot", "channel-closures"])
@pytest.mark.parametrize("category", Category)
def test_they_find_planted_defects_and_miss_some(demo: Demo, slug: str, category: Category) -> None:
    defect = plant_defects(*program_of(demo, slug), category)[0]
    truth = PlantedDefect(category, defect.lines)
    item = DerivedItemSpec(
        DerivedItemKind.REVIEW, {"code": defect.code}, {"category": category.value, "lines": list(defect.lines)}
    )
    found = [match_defect(answer, truth) for answer in demo.answers(REVIEW, slug, item) if answer is not None]
    right = [one.category and one.line and one.alone for one in found]
    assert 0 < sum(right) < len(right)
    assert any(one.category and not one.line for one in found)
    assert any(one.line and not one.category for one in found)


@pytest.mark.parametrize("slug", ["supply-depot", "channel-closures", "key-ring"])
def test_they_write_inputs_to_break_programs_and_some_are_examples(demo: Demo, slug: str) -> None:
    spec = demo.league.problems[slug].spec
    shown = [test.input for test in spec.tests if test.visible]
    code = tidy_program(demo.league.problems[slug].programs_of(reference=False)[0].code)
    truth = {"problem": problem_as_json(spec), "validator": ["python", ""], "references": []}
    said = demo.answers(HACK, slug, DerivedItemSpec(DerivedItemKind.HACK, {"code": code}, truth))
    inputs = [parse_hack_input(answer, spec) for answer in said if answer is not None]
    assert all(each in [test.input for test in spec.tests] for each in inputs)
    assert 0 < sum(each in shown for each in inputs) < len(inputs)


def test_they_mend_programs_and_miss_some(demo: Demo) -> None:
    code, entry = program_of(demo, "supply-depot")
    item = DerivedItemSpec(DerivedItemKind.BUG_FIX, {"code": plant_defects(code, entry, Category.LOGIC)[0].code}, None)
    programs = demo.league.problems["supply-depot"].programs_of(reference=True)
    references = {each.code.strip() for each in programs if each.language == "python"}
    right = [(answer or "").strip() in references for answer in demo.answers(BUG_FIX, "supply-depot", item)]
    assert 0 < sum(right) < len(right)


def test_they_find_inputs_near_the_examples_and_miss_some(demo: Demo) -> None:
    problem = demo.league.problems["tide-gauge"]
    entry, tests = problem.spec.entry, problem.spec.tests
    assert entry is not None
    text = next(text for program in problem.programs_of(reference=True) if (text := shown_program(program.code, entry)))
    given = nearby_inputs([test.input for test in tests if test.visible], {str(test.input) for test in tests}, 20)[-1]
    call = partial(call_of, entry.name, entry.params)
    question = demo.index.find_question(f"# {problem.statements['en'].title}\nassert {call(given)} == ??")
    assert question is not None
    value = value_of(question, call(given))
    assert value is not None
    facts = {"code": text, "name": entry.name, "params": [each.name for each in entry.params]}
    item = DerivedItemSpec(DerivedItemKind.EXECUTION_INPUT, {**facts, "output": repr(value.value)}, value.value)
    right = [
        found is not None and (returned := value_of(question, found)) is not None and returned.value == value.value
        for found in demo.answers(INPUT, "tide-gauge", item)
    ]
    assert 0 < sum(right) < len(right)

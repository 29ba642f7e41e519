"""The house league's items in the forms of suites: found by the exact text of their prompts, and answered."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from app.domain.asking.protocols import Protocol
from app.domain.imports import ImportedProblem, ImportedProgram
from app.domain.judging.reviews import ReviewFinding
from app.domain.problems import Level, Statement
from app.domain.publishing.bands import LABELS
from app.domain.scenarios import GradedBy, Item, Material, ReferenceProgram, Scenario, house_protocols, scenarios
from scrapers.suites.house import HouseItem
from workers.demo.values import nearby_value

_LEVELS = dict(enumerate(LABELS, start=1))


@dataclass(frozen=True, slots=True)
class DemoAnswer:
    """The content of an answer; `fence` is the language of its code fence, "" if it is given without one."""

    text: str
    fence: str = ""


@dataclass(frozen=True, slots=True)
class DemoItem:
    """An item as one scenario asks it, with its right answer, and wrong ones by a number from 0 to 1."""

    name: str
    level: Level
    statement: Statement
    released_at: datetime | None
    right: DemoAnswer
    wrong: Callable[[float], DemoAnswer]


def items_by_prompt(items: tuple[HouseItem, ...]) -> Mapping[str, DemoItem]:
    """Return every item under each protocol of the house that asks it, by the last message of its prompt."""
    return dict(pair for item in items for protocol in house_protocols() for pair in _iter_prompts(item, protocol))


def _iter_prompts(item: HouseItem, protocol: Protocol) -> Iterator[tuple[str, DemoItem]]:
    problem, covers, scenario = item.problem, protocol.covers, scenarios()[protocol.scenario]
    if problem.source not in covers.sources or problem.form not in covers.forms:
        return
    if not set(covers.tags) <= set(problem.tags):
        return
    material = material_of(problem)
    statement = material.statement
    for part in scenario.items(material):
        prompt = scenario.ask(statement, protocol, part)
        right, wrong = _answers(item, scenario, part)
        level = _LEVELS[int(problem.difficulty[1])] if problem.difficulty is not None else Level.MEDIUM
        name = f"{item.name} {protocol.slug}"
        yield prompt.messages[-1].content, DemoItem(name, level, statement, problem.released_on, right, wrong)


def material_of(problem: ImportedProblem) -> Material:
    """Return the material of a problem's items, as an installation has it after the import."""
    words = problem.statements["en"]
    examples = tuple(test for test in problem.tests if test.visible)
    statement = Statement(
        problem.external_id, "en", problem.form, words.title, words.text, words.starter_code, examples, problem.limits,
        problem.entry,
    )  # fmt: skip
    programs = tuple(
        ReferenceProgram(program.language, program.code) for program in problem.programs if program.reference
    )
    return Material(statement, problem.tests, programs)


def _answers(item: HouseItem, scenario: Scenario, part: Item) -> tuple[DemoAnswer, Callable[[float], DemoAnswer]]:
    problem = item.problem
    if scenario.graded_by is GradedBy.TESTS:
        right = next(program for program in problem.programs if program.reference)
        wrong = _last_wrong(problem)
        return _program(right), lambda _pick: _program(wrong)
    if scenario.graded_by is GradedBy.INPUT:
        names = [param.name for param in problem.entry.params] if problem.entry is not None else []
        test_input = problem.tests[0].input
        return _arguments(names, test_input), lambda pick: _arguments(names, nearby_value(test_input, pick).value)
    if isinstance(part.expected, dict):  # the true findings of a review
        return _review(item, part.expected["lines"]), lambda pick: _review(item, _missed(part.expected["lines"], pick))
    return _value(part.expected), lambda pick: _value(nearby_value(part.expected, pick).value)


def _last_wrong(problem: ImportedProblem) -> ImportedProgram:
    """Return the most plausible known-wrong program: stubs and code with blanks come before it."""
    return [program for program in problem.programs if not program.reference][-1]


def _program(program: ImportedProgram) -> DemoAnswer:
    return DemoAnswer(program.code.strip("\n"), program.language)


def _value(value: Any) -> DemoAnswer:
    return DemoAnswer(json.dumps(value, ensure_ascii=False))


def _arguments(names: list[str], values: list[Any]) -> DemoAnswer:
    pairs = zip(names, values, strict=True)
    return DemoAnswer("\n".join(f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in pairs))


def _review(item: HouseItem, lines: Mapping[str, list[str]]) -> DemoAnswer:
    findings = {
        name: [ReviewFinding(line, item.fixes.get(line, line))._asdict() for line in faulty]
        for name, faulty in lines.items()
    }
    return DemoAnswer(json.dumps(findings))


def _missed(lines: Mapping[str, list[str]], pick: float) -> dict[str, list[str]]:
    """Return a review that overlooks one category of faults, or mistakes the only one for another."""
    names = sorted(lines)
    missed = names[int(pick * len(names)) % len(names)]
    found = {name: lines[name] for name in names if name != missed}
    other = "logical_errors" if missed != "logical_errors" else "performance_issues"
    return found or {other: lines[missed]}

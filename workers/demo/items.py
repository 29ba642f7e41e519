"""The house league's items in the forms of suites: found by exactly what a prompt of theirs says, and answered."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from app.domain.asking.protocols import Protocol
from app.domain.imports import ImportedProblem, ImportedProgram
from app.domain.judging.reviews import Finding
from app.domain.problems import Level, Statement
from app.domain.publishing.bands import LABELS
from app.domain.scenarios import GradedBy, Item, Material, Program, Scenario, of_house, scenarios
from scrapers.suites.house import HouseItem
from workers.demo.values import beside

_LEVELS = dict(enumerate(LABELS, start=1))


@dataclass(frozen=True, slots=True)
class Answer:
    """What an answer is to hold; `fence` is the language it is fenced as, "" where it is given bare."""

    text: str
    fence: str = ""


@dataclass(frozen=True, slots=True)
class Asked:
    """An item as one scenario asks it: `right` and `wrong` answer it, the latter by a number from 0 to 1."""

    name: str
    level: Level
    statement: Statement
    released_at: datetime | None
    right: Answer
    wrong: Callable[[float], Answer]


def asked_items(items: tuple[HouseItem, ...]) -> Mapping[str, Asked]:
    """Every item under each protocol of the house that asks it, by the last message of its prompt."""
    return dict(pair for item in items for protocol in of_house() for pair in _asked(item, protocol))


def _asked(item: HouseItem, protocol: Protocol) -> Iterator[tuple[str, Asked]]:
    problem, covers, scenario = item.problem, protocol.covers, scenarios()[protocol.scenario]
    if problem.source not in covers.sources or problem.form not in covers.forms:
        return
    if not set(covers.tags) <= set(problem.tags):
        return
    material = material_of(problem)
    statement = material.statement
    for one in scenario.items(material):
        prompt = scenario.ask(statement, protocol, one)
        right, wrong = _answers(item, scenario, one)
        level = _LEVELS[int(problem.difficulty[1])] if problem.difficulty is not None else Level.MEDIUM
        name = f"{item.name} {protocol.slug}"
        yield prompt.messages[-1].content, Asked(name, level, statement, problem.released_on, right, wrong)


def material_of(problem: ImportedProblem) -> Material:
    """What its items are made of, as an installation has it that imported it."""
    words = problem.statements["en"]
    examples = tuple(test for test in problem.tests if test.visible)
    statement = Statement(
        problem.external_id, "en", problem.form, words.title, words.text, words.starter_code, examples, problem.limits,
        problem.entry,
    )  # fmt: skip
    programs = tuple(Program(program.language, program.code) for program in problem.programs if program.reference)
    return Material(statement, problem.tests, programs)


def _answers(item: HouseItem, scenario: Scenario, one: Item) -> tuple[Answer, Callable[[float], Answer]]:
    problem = item.problem
    if scenario.graded_by is GradedBy.TESTS:
        right = next(program for program in problem.programs if program.reference)
        wrong = _last_wrong(problem)
        return _program(right), lambda _pick: _program(wrong)
    if scenario.graded_by is GradedBy.INPUT:
        names = [param.name for param in problem.entry.params] if problem.entry is not None else []
        given = problem.tests[0].input
        return _arguments(names, given), lambda pick: _arguments(names, beside(given, pick).value)
    if isinstance(one.expected, dict):  # the truth of a review
        return _review(item, one.expected["lines"]), lambda pick: _review(item, _missed(one.expected["lines"], pick))
    return _value(one.expected), lambda pick: _value(beside(one.expected, pick).value)


def _last_wrong(problem: ImportedProblem) -> ImportedProgram:
    """The likeliest of the known-wrong programs: stubs and code with blanks come before it."""
    return [program for program in problem.programs if not program.reference][-1]


def _program(program: ImportedProgram) -> Answer:
    return Answer(program.code.strip("\n"), program.language)


def _value(value: Any) -> Answer:
    return Answer(json.dumps(value, ensure_ascii=False))


def _arguments(names: list[str], values: list[Any]) -> Answer:
    pairs = zip(names, values, strict=True)
    return Answer("\n".join(f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in pairs))


def _review(item: HouseItem, lines: Mapping[str, list[str]]) -> Answer:
    found = {
        name: [Finding(line, item.fixes.get(line, line))._asdict() for line in faulty] for name, faulty in lines.items()
    }
    return Answer(json.dumps(found))


def _missed(lines: Mapping[str, list[str]], pick: float) -> dict[str, list[str]]:
    """One category of faults overlooked; where there is but one, taken for another."""
    names = sorted(lines)
    lost = names[int(pick * len(names)) % len(names)]
    kept = {name: lines[name] for name in names if name != lost}
    other = "logical_errors" if lost != "logical_errors" else "performance_issues"
    return kept or {other: lines[lost]}

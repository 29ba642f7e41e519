"""Scenarios: rules by which a problem becomes prompts, answers and checks; one file each, found by the registry."""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, assert_never

from app.domain.asking.completions import Message, Prompt
from app.domain.asking.extraction import Extraction
from app.domain.asking.feedback import Feedback
from app.domain.asking.follow_up import FollowUp
from app.domain.asking.protocols import ANY_LANGUAGE, BUILT_IN_PROTOCOLS, HOUSE_SOURCES, Protocol
from app.domain.deriving.items import DerivedItemSpec
from app.domain.errors import InvalidInput
from app.domain.judging.defects import Category, PlantedDefect
from app.domain.judging.hacks import Hack, SourceCode
from app.domain.judging.non_program_answers import ExpectedValue, Rule, Truth
from app.domain.judging.preimages import Preimage
from app.domain.judging.problem_file import parse_problem
from app.domain.problems import Checker, Entry, Param, Statement, Test
from app.domain.registry import discover
from app.domain.states import ProblemState

# Characters of input and output together; scenarios do not get longer tests, which would not fit a prompt.
MAX_TEST_CHARS: Final = 10_000


class GradedBy(StrEnum):
    """Method that decides on an answer of a scenario."""

    TESTS = "tests"  # run the extracted program on the problem's tests
    VALUE = "value"  # compare the extracted value with the item's, nothing is run
    INPUT = "input"  # run the item's program on the extracted input: any that gives the item's value is right
    BREAKING = "breaking"  # run the item's wrong program on the extracted input: any on which it is wrong is right
    FINDING = "finding"  # compare the extracted review with the defect that was planted, nothing is run
    NOTHING = "nothing"  # no answer is judged by itself: it has no verdict and no score


class Need(StrEnum):
    """Input that a scenario makes its items of, beside the statement."""

    TESTS = "tests"
    PROGRAMS = "programs"
    DERIVED = "derived"  # items derived from the problem for the scenario, once no run is still to solve it


@dataclass(frozen=True, slots=True)
class ReferenceProgram:
    """Right program."""

    language: str
    code: str


@dataclass(frozen=True, slots=True)
class Material:
    """Input that a scenario makes items of: the statement, and the parts it needs.

    `tests` are those in use, including hidden ones, in order and at most `MAX_TEST_CHARS` long: a prompt that shows one
    reveals it to every model that is asked. `programs` are the problem's reference programs. `derived` shows no hidden
    test.
    """

    statement: Statement
    tests: tuple[Test, ...] = ()
    programs: tuple[ReferenceProgram, ...] = ()
    derived: tuple[DerivedItemSpec, ...] = ()


@dataclass(frozen=True, slots=True)
class Parent:
    """Answer that a child sample continues: its program, and the part of its failure that may be told."""

    answer: str | None
    feedback: Feedback


@dataclass(frozen=True, slots=True)
class Item:
    """One thing asked of a problem. `facts` are shown in its prompt beside the statement, as JSON values.

    A scenario graded by value gives the value `expected`. Text is compared by the checker; any other value, and text
    that `is_json`, with the answer read as JSON, `returns` naming its type. A `rule` decides instead if there is one.
    One graded by input gives its `preimage`, or in its facts the function `name` of the Python program `code` and its
    `params`, with the value it must return. One graded by breaking gives the wrong program `code` in its facts, and as
    `expected` the problem, its validator and its references. One graded by finding gives `category` and `lines` of a
    defect. `language` is that of the requested program, if it is not the protocol's. `parent` is set for a child when
    it is asked, `again` for an answer that goes back in a later round.
    """

    number: int = 0
    facts: Mapping[str, Any] = field(default_factory=dict)
    expected: Any = None
    checker: Checker = Checker()
    returns: str = ""
    is_json: bool = False
    rule: Rule | None = None
    preimage: Preimage | None = None
    language: str = ""
    parent: Parent | None = None
    again: FollowUp | None = None


def one_item(material: Material) -> tuple[Item, ...]:  # noqa: ARG001  # whatever the problem is
    """Return the single item of any problem; a scenario with these items is planned without reading any text."""
    return (Item(),)


def derived_items(material: Material) -> tuple[Item, ...]:
    """Return one item for each derived thing; a scenario with these items is planned by their number alone."""
    return tuple(
        Item(number, derived.facts, derived.expected, derived.checker, derived.returns, is_json=True)
        for number, derived in enumerate(material.derived)
    )


@dataclass(frozen=True, slots=True)
class Scenario:
    """Way of asking problems, as pure functions of values.

    `items(material)` numbers what is asked of one problem, from 0 without gaps; none if the problem offers nothing to
    ask. `prompt(statement, protocol, item)` is the exact text sent; it raises InvalidInput if the scenario cannot ask
    this statement under this protocol. `extract(text, protocol)` reads an answer's final text (never its reasoning) and
    cannot fail: an answer without code is an Extraction whose code is None.

    `parent` names the scenario whose answers this one continues, under the protocol's `prerequisite`; in a further
    round it continues its own. In the styles `by_examples` an answer continues only if an example failed. `states` are
    those of the problems it is planned for; answers of a ranked one are judged once their problem is published.
    `open_styles` name no language: their protocols have the language `ANY`, and `extract` finds the one that an answer
    chose. `fewer` has the languages of styles that are not written for all of them. `untested`: only while a problem
    has no tests. `rounds`: how often an answer may go back to its model, as a child of its own run. Protocols of a
    scenario that is not `ranked` are on no board or page. `protocols` are the ones it brings; the first is its board's
    own. `titles` name that board by locale.
    """

    name: str
    styles: tuple[str, ...]
    languages: tuple[str, ...]
    locales: tuple[str, ...]
    graded_by: GradedBy
    prompt: Callable[[Statement, Protocol, Item], Prompt]
    extract: Callable[[str, Protocol], Extraction]
    items: Callable[[Material], tuple[Item, ...]] = one_item
    needs: frozenset[Need] = frozenset()
    parent: str | None = None
    by_examples: tuple[str, ...] = ()
    states: frozenset[ProblemState] = frozenset({ProblemState.PUBLISHED})
    untested: bool = False
    open_styles: tuple[str, ...] = ()
    fewer: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    rounds: int = 0
    ranked: bool = True
    protocols: tuple[Protocol, ...] = ()
    titles: Mapping[str, str] = field(default_factory=dict)

    @property
    def asks_once(self) -> bool:
        """True if every problem has exactly one item."""
        return self.items is one_item

    def languages_in(self, style: str) -> tuple[str, ...]:
        """Return the languages that protocols of a style may have."""
        return (ANY_LANGUAGE,) if style in self.open_styles else self.fewer.get(style, self.languages)

    def ask(self, statement: Statement, protocol: Protocol, item: Item) -> Prompt:
        """Return the exact text sent. Raises InvalidInput if the scenario cannot ask this under this protocol."""
        self.check(protocol)
        if (item.parent is None) != (self.parent is None):
            raise InvalidInput(f"{self.name}: item {item.number} and its parent do not go together")
        if item.again is not None and item.again.round > self.rounds:
            raise InvalidInput(f"{self.name}: item {item.number} does not go back in round {item.again.round}")
        prompt = self.prompt(statement, protocol, item)
        if protocol.system is None:
            return prompt
        rest = tuple(message for message in prompt.messages if message.role != "system")
        return Prompt((Message("system", protocol.system), *rest) if protocol.system else rest)

    def truth(self, item: Item) -> Truth | None:
        """Return the value that decides an answer to an item; None if the problem's tests decide, or nothing does."""
        match self.graded_by:
            case GradedBy.VALUE:
                return ExpectedValue(item.expected, item.checker, item.returns, item.is_json, rule=item.rule)
            case GradedBy.INPUT:
                return item.preimage or _preimage(item)
            case GradedBy.BREAKING:
                return _hack(item)
            case GradedBy.FINDING:
                return PlantedDefect(Category(item.expected["category"]), tuple(item.expected["lines"]))
            case GradedBy.TESTS | GradedBy.NOTHING:
                return None
        assert_never(self.graded_by)

    def check(self, protocol: Protocol) -> None:
        """Raise InvalidInput if a protocol does not belong to this scenario."""
        if protocol.scenario != self.name:
            raise InvalidInput(f"protocol {protocol.slug} is one of {protocol.scenario}, not of {self.name}")
        for word, choices in (
            (protocol.style, self.styles), (protocol.language, self.languages_in(protocol.style)),
            (protocol.locale, self.locales),
        ):  # fmt: skip
            if word not in choices:
                raise InvalidInput(f"{self.name} has no {word!r}: it has {', '.join(choices)}")
        if (protocol.prerequisite is None) != (self.parent is None):
            raise InvalidInput(f"protocol {protocol.slug}: a prerequisite goes with a scenario that has a parent")


def _hack(item: Item) -> Hack:
    """Return the hack that a derived item describes by its facts and value."""
    value = item.expected
    return Hack(
        parse_problem(value["problem"]),
        SourceCode("python", item.facts["code"]),
        SourceCode(*value["validator"]),
        tuple(SourceCode(*reference) for reference in value["references"]),
    )


def _preimage(item: Item) -> Preimage:
    """Return the preimage that a derived item describes by its facts."""
    params = tuple(map(Param, item.facts["params"]))
    entry = Entry(item.facts["name"], params=params, returns=item.returns)
    return Preimage(item.facts["code"], entry, item.expected)


def scenarios() -> dict[str, Scenario]:
    """Return every scenario by name."""
    return discover("app.domain.scenarios", "SCENARIO", Scenario)


def unranked_scenarios() -> tuple[str, ...]:
    """Return the scenarios whose protocols are on no board."""
    return tuple(name for name, scenario in scenarios().items() if not scenario.ranked)


def solving_scenarios() -> tuple[str, ...]:
    """Return the scenarios whose answers solve a problem; no solution is shown while such an answer is pending.

    A derived scenario is none of them, because it shows a solution itself.
    """
    return tuple(
        name
        for name, scenario in scenarios().items()
        if scenario.graded_by is GradedBy.TESTS and Need.DERIVED not in scenario.needs
    )


def shipped_protocols() -> dict[str, Protocol]:
    """Return the protocols of this version by slug, including those of its scenarios."""
    own = (protocol for scenario in scenarios().values() for protocol in scenario.protocols)
    return {protocol.slug: protocol for protocol in (*BUILT_IN_PROTOCOLS, *own)}


def house_protocols() -> list[Protocol]:
    """Return the protocols for the bundled models: those of the house league alone, the plain one first.

    Those of several answers or any language come last: they are most of the work of a fresh installation's judge.
    """
    hidden = unranked_scenarios()
    house = [
        protocol
        for protocol in shipped_protocols().values()
        if protocol.covers.sources
        and HOUSE_SOURCES.issuperset(protocol.covers.sources)
        and protocol.scenario not in hidden
        and not protocol.practice
    ]
    return sorted(house, key=lambda protocol: protocol.sampling.n > 1 or protocol.language == ANY_LANGUAGE)


def prompt_sha256(prompt: Prompt) -> str:
    """Return the SHA-256 over the prompt's canonical JSON, in hexadecimal: a digest of exactly what is sent."""
    body = {"messages": [{"role": message.role, "content": message.content} for message in prompt.messages]}
    return hashlib.sha256(json.dumps(body, sort_keys=True, separators=(",", ":")).encode()).hexdigest()

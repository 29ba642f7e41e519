"""Scenarios: how a problem becomes prompts, answers and checks; one file each, found by the registry."""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, assert_never

from app.domain.asking.again import Again
from app.domain.asking.completions import Message, Prompt
from app.domain.asking.extraction import Extraction
from app.domain.asking.feedback import Feedback
from app.domain.asking.protocols import ANY, BUILT_IN, HOUSE_SOURCES, Protocol
from app.domain.deriving.items import Derived
from app.domain.errors import InvalidInput
from app.domain.judging.answers import Expected, Rule, Truth
from app.domain.judging.findings import Category, Planted
from app.domain.judging.hacks import Hack, Source
from app.domain.judging.preimages import Preimage
from app.domain.judging.problem_file import parse_problem
from app.domain.problems import Checker, Entry, Param, Statement, Test
from app.domain.registry import discover
from app.domain.states import ProblemState

# A longer test is not handed to scenarios: its text would not fit a prompt. Characters of input and output together.
LONGEST_TEST: Final = 10_000


class GradedBy(StrEnum):
    """What decides an answer of a scenario."""

    TESTS = "tests"  # run the extracted program on the problem's tests
    VALUE = "value"  # compare the extracted value with the item's, nothing is run
    INPUT = "input"  # run the item's program on the extracted input: any that gives the item's value is right
    BREAKING = "breaking"  # run the item's wrong program on the extracted input: any on which it is wrong is right
    FINDING = "finding"  # compare the extracted review with the defect that was planted, nothing is run
    NOTHING = "nothing"  # no answer is judged by itself: it has no verdict and no score


class Need(StrEnum):
    """What a scenario makes its items of, beside the statement."""

    TESTS = "tests"
    PROGRAMS = "programs"
    DERIVED = "derived"  # what was derived of the problem under the scenario's name, once everybody has solved it


@dataclass(frozen=True, slots=True)
class Program:
    """A program that is right."""

    language: str
    code: str


@dataclass(frozen=True, slots=True)
class Material:
    """What a scenario may make items of: the statement, and of the rest what it says it needs.

    `tests` are those in use, hidden ones too, in order and at most `LONGEST_TEST` long: a prompt that shows one tells
    it to everybody who is asked. `programs` are the problem's reference programs. `derived` shows no hidden test.
    """

    statement: Statement
    tests: tuple[Test, ...] = ()
    programs: tuple[Program, ...] = ()
    derived: tuple[Derived, ...] = ()


@dataclass(frozen=True, slots=True)
class Parent:
    """The answer that a child sample continues: its program, and what may be told of why it failed."""

    answer: str | None
    feedback: Feedback


@dataclass(frozen=True, slots=True)
class Item:
    """One thing asked of a problem. `facts` are what its prompt shows beside the statement, as JSON values.

    A scenario graded by value gives the value `expected`: text is compared as the checker says, any other value, and
    text that `is_json`, with the answer read as JSON, `returns` naming its type; where it has a `rule`, that decides
    instead. One graded by input gives its `preimage`, or in its facts the function `name` of the Python program `code`
    and its `params`, with what it is to return. One graded by breaking gives the wrong program `code` in its facts, and
    as `expected` the problem, its validator and its references. One graded by finding gives `category` and `lines` of a
    defect. `language` is that of the program asked for, where it is not the protocol's. `parent` is set for a child
    when it is asked, `again` for an answer that goes back in a later round.
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
    again: Again | None = None


def one_item(material: Material) -> tuple[Item, ...]:  # noqa: ARG001  # whatever the problem is
    """One thing is asked of every problem: a scenario with these items is planned without reading any text."""
    return (Item(),)


def derived_items(material: Material) -> tuple[Item, ...]:
    """One item for each thing that was derived: a scenario with these is planned by their number alone."""
    return tuple(
        Item(number, one.facts, one.expected, one.checker, one.returns, is_json=True)
        for number, one in enumerate(material.derived)
    )


@dataclass(frozen=True, slots=True)
class Scenario:
    """How problems are asked, as pure functions of values.

    `items(material)` numbers what is asked of one problem, from 0 without gaps; none where it offers nothing to ask.
    `prompt(statement, protocol, item)` is the exact text sent; it raises InvalidInput where the scenario
    cannot ask this statement under this protocol. `extract(text, protocol)` reads an answer's final text
    (never its reasoning) and cannot fail: an answer without code is an Extraction whose code is None.

    `parent` names the scenario whose answers this one continues, under the protocol's `prerequisite`; its own do, too,
    in a further round. In the styles `by_examples` an answer goes on only where an example failed. `states` are
    those of the problems it is planned for; answers of a ranked one are judged once their problem is published.
    `open_styles` name no language: their protocols have the language `ANY`, and `extract` tells which one an answer
    chose. `fewer` has the languages of styles that are not written for all of them.
    `untested`: only while a problem has no tests. `rounds`: how often an answer may go back to whoever gave it, as a
    child of its own run. Protocols of a scenario that is not `ranked` are on no board or page.
    `protocols` are the ones it brings; the first is its board's own. `titles` name that board by locale.
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
        """Whether every problem has one item, whatever it is."""
        return self.items is one_item

    def languages_in(self, style: str) -> tuple[str, ...]:
        """The languages that protocols of a style may have."""
        return (ANY,) if style in self.open_styles else self.fewer.get(style, self.languages)

    def ask(self, statement: Statement, protocol: Protocol, item: Item) -> Prompt:
        """The exact text sent. Raises InvalidInput where the scenario cannot ask this under this protocol."""
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
        """What decides an answer to an item; None where the problem's tests do, or nothing does."""
        match self.graded_by:
            case GradedBy.VALUE:
                return Expected(item.expected, item.checker, item.returns, item.is_json, rule=item.rule)
            case GradedBy.INPUT:
                return item.preimage or _preimage(item)
            case GradedBy.BREAKING:
                return _hack(item)
            case GradedBy.FINDING:
                return Planted(Category(item.expected["category"]), tuple(item.expected["lines"]))
            case GradedBy.TESTS | GradedBy.NOTHING:
                return None
        assert_never(self.graded_by)

    def check(self, protocol: Protocol) -> None:
        """Raises InvalidInput where a protocol is none of this scenario's."""
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
    """As the facts and the value of a derived item say it."""
    said = item.expected
    return Hack(
        parse_problem(said["problem"]),
        Source("python", item.facts["code"]),
        Source(*said["validator"]),
        tuple(Source(*reference) for reference in said["references"]),
    )


def _preimage(item: Item) -> Preimage:
    """As the facts of a derived item say it."""
    params = tuple(map(Param, item.facts["params"]))
    entry = Entry(item.facts["name"], params=params, returns=item.returns)
    return Preimage(item.facts["code"], entry, item.expected)


def scenarios() -> dict[str, Scenario]:
    """Every scenario, by name."""
    return discover("app.domain.scenarios", "SCENARIO", Scenario)


def unranked() -> tuple[str, ...]:
    """The scenarios whose protocols are on no board."""
    return tuple(name for name, scenario in scenarios().items() if not scenario.ranked)


def solving() -> tuple[str, ...]:
    """The scenarios whose answers solve a problem: while one is to come, nothing that shows a solution is asked.

    One that is derived shows a solution itself.
    """
    return tuple(
        name
        for name, scenario in scenarios().items()
        if scenario.graded_by is GradedBy.TESTS and Need.DERIVED not in scenario.needs
    )


def shipped() -> dict[str, Protocol]:
    """The protocols of this version by slug, those of its scenarios among them."""
    own = (protocol for scenario in scenarios().values() for protocol in scenario.protocols)
    return {protocol.slug: protocol for protocol in (*BUILT_IN, *own)}


def of_house() -> list[Protocol]:
    """The protocols under which the bundled models stand: those of the house league alone, the plain one first.

    Those of several answers or any language come last: they are most of what a fresh installation has to judge.
    """
    hidden = unranked()
    found = [
        protocol
        for protocol in shipped().values()
        if protocol.covers.sources
        and HOUSE_SOURCES.issuperset(protocol.covers.sources)
        and protocol.scenario not in hidden
    ]
    return sorted(found, key=lambda protocol: protocol.sampling.n > 1 or protocol.language == ANY)


def prompt_sha256(prompt: Prompt) -> str:
    """Digest of exactly what is sent: SHA-256 over the prompt's canonical JSON, in hexadecimal."""
    body = {"messages": [{"role": message.role, "content": message.content} for message in prompt.messages]}
    return hashlib.sha256(json.dumps(body, sort_keys=True, separators=(",", ":")).encode()).hexdigest()

"""Items of a problem that a scenario asks, made of stored data, with a child's parent beside its item."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from typing import Protocol as Shape

from app.db.kernel.session import Session
from app.db.problems import derivations, texts
from app.db.problems import problems as problem_store
from app.db.runs import runs as run_store
from app.db.runs import verdicts
from app.db.runs.due_work import GradingFilter
from app.db.runs.planning import CoveredProblem
from app.db.tables import Problem, ProgramKind, ProtocolRow, Run, Sample
from app.domain.asking.completions import Prompt
from app.domain.asking.feedback import Feedback, feedback
from app.domain.asking.protocols import Protocol
from app.domain.deriving.items import DerivedItemSpec
from app.domain.errors import InvalidInput, NotFound
from app.domain.judging.non_program_answers import ExpectedValue, Truth
from app.domain.judging.verdicts import GradeResult, Verdict
from app.domain.problems import ProblemSpec, Statement, Test
from app.domain.scenarios import (
    MAX_TEST_CHARS,
    GradedBy,
    Item,
    Material,
    Need,
    Parent,
    ReferenceProgram,
    Scenario,
    derived_items,
    prompt_sha256,
    scenarios,
    shipped_protocols,
)
from app.domain.states import ProblemState
from app.services.runs.consensus import rounds


def gradable_answers(languages: Collection[str] = ()) -> GradingFilter:
    """Return which answers can be judged by a judge of these languages."""
    declarations = scenarios().values()
    return GradingFilter(
        tuple(sorted(languages)),
        tuple(scenario.name for scenario in declarations if scenario.graded_by in (GradedBy.VALUE, GradedBy.FINDING)),
        tuple(
            (scenario.name, state)
            for scenario in declarations
            if not scenario.ranked
            for state in sorted(scenario.states - {ProblemState.PUBLISHED})
        ),
        tuple(scenario.name for scenario in declarations if scenario.graded_by is GradedBy.NOTHING),
    )


def count_items(session: Session, scenario: Scenario, covered: Iterable[CoveredProblem]) -> dict[int, int]:
    """Return the number of items of each of these problems, by version; empty for a scenario that asks once."""
    if scenario.asks_once:
        return {}
    if scenario.items is derived_items:
        texts_of = {text.version: text.test_set for text in covered}
        item_counts = derivations.counts(
            session, [tests for tests in texts_of.values() if tests is not None], scenario.name
        )
        return {version: item_counts.get(tests or 0, 0) for version, tests in texts_of.items()}
    return {
        text.version: len(
            _make_items(session, scenario, texts.statement(session, text.version), text.problem, text.test_set)
        )
        for text in covered
    }


def _make_items(
    session: Session, scenario: Scenario, statement: Statement, problem_id: int, test_set_id: int | None
) -> tuple[Item, ...]:
    """Return the items that a problem's text and tests in use make. Raises ValueError on wrong numbers."""
    tests: tuple[Test, ...] = ()
    programs: tuple[ReferenceProgram, ...] = ()
    if Need.TESTS in scenario.needs and test_set_id is not None:
        tests = problem_store.short_tests(session, test_set_id, statement.form, MAX_TEST_CHARS)
    if Need.PROGRAMS in scenario.needs:
        rows = [row for row in problem_store.programs(session, problem_id) if not row.secret]
        programs = tuple(ReferenceProgram(row.language, row.code) for row in rows if row.kind == ProgramKind.REFERENCE)
    yielded: tuple[DerivedItemSpec, ...] = ()
    if Need.DERIVED in scenario.needs and test_set_id is not None:
        yielded = derivations.derived_items(session, test_set_id, scenario.name)
    items = tuple(scenario.items(Material(statement, tests, programs, yielded)))
    if [item.number for item in items] != list(range(len(items))):
        raise ValueError(f"scenario {scenario.name} does not number its items from 0 without gaps")
    return items


class AskedSample(Shape):
    """The identity of a sample's item, from its row or from a claim."""

    @property
    def problem_id(self) -> int: ...
    @property
    def problem_version_id(self) -> int: ...
    @property
    def item(self) -> int: ...
    @property
    def parent_id(self) -> int | None: ...


class SampleWithAnswer(AskedSample, Shape):
    """The identity of a sample's item, with the provenance of its answer."""

    @property
    def provenance(self) -> Mapping[str, Any]: ...


@dataclass
class PromptBuilder:
    """Builder of items and prompts of samples; reads what several of them share once."""

    session: Session
    _statements: dict[int, Statement] = field(default_factory=dict)
    _items: dict[tuple[str, int], tuple[Item, ...]] = field(default_factory=dict)

    def prompt(self, protocol: Protocol, sample: AskedSample) -> Prompt:
        """Return the exact text that a sample sends. Raises InvalidInput if it cannot be asked."""
        return _scenario(protocol).ask(self._statement(sample), protocol, self.item(protocol, sample))

    def item(self, protocol: Protocol, sample: AskedSample) -> Item:
        """Return the item of a sample. Raises InvalidInput if it is no longer asked."""
        scenario = _scenario(protocol)
        key = scenario.name, sample.problem_version_id
        if key not in self._items:
            tests = _tests_in_use(self.session, sample) if scenario.needs else None
            self._items[key] = _make_items(self.session, scenario, self._statement(sample), sample.problem_id, tests)
        items = self._items[key]
        if sample.item >= len(items):
            raise InvalidInput(f"{scenario.name} asks {len(items)} items of this problem, not item {sample.item}")
        item = items[sample.item]
        if sample.parent_id is None:
            return item
        if scenario.rounds:
            parent = self.session.get_one(Sample, sample.parent_id)
            return replace(item, again=rounds.round_feedback(self.session, parent, scenario.rounds))
        return replace(item, parent=self._parent(sample.parent_id))

    def language(self, protocol: Protocol, sample: SampleWithAnswer) -> str:
        """Return the language of a program that answers a sample: its item's if that has one, else its protocol's."""
        default, scenario = protocol.judging_language(sample.provenance), scenarios().get(protocol.scenario)
        if scenario is None or scenario.asks_once or scenario.graded_by is not GradedBy.TESTS:
            return default
        try:
            return self.item(protocol, sample).language or default
        except InvalidInput:
            return default

    def truth(self, protocol: Protocol, sample_id: int) -> Truth | None:
        """Return what decides a sample's answer; None if it is a program, for the problem's tests.

        An answer is judged by the item it was asked for; if other tests have changed that item, it is a fault of ours.
        """
        scenario = scenarios().get(protocol.scenario)
        if scenario is None or scenario.graded_by in (GradedBy.TESTS, GradedBy.NOTHING):
            return None
        sample = self.session.get_one(Sample, sample_id)
        try:
            item = self.item(protocol, sample)
            if sample.prompt_sha256 not in (None, prompt_sha256(self.prompt(protocol, sample))):
                return ExpectedValue(fault="this item asks something else than the answer was asked for")
        except InvalidInput as gone:
            return ExpectedValue(fault=str(gone))
        return scenario.truth(item)

    def _statement(self, sample: AskedSample) -> Statement:
        version = sample.problem_version_id
        if version not in self._statements:
            self._statements[version] = texts.statement(self.session, version)
        return self._statements[version]

    def _parent(self, parent_id: int) -> Parent:
        parent = self.session.get_one(Sample, parent_id)
        tests = _tests_in_use(self.session, parent)
        judged = None if tests is None else verdicts.counting_result(self.session, parent.id, tests)
        if judged is None or tests is None:
            raise InvalidInput("no verdict on the parent counts")
        run = self.session.get_one(Run, parent.run_id)
        protocol = run_store.read_protocol(self.session.get_one(ProtocolRow, run.protocol_id).body)
        if _scenario(protocol).graded_by is not GradedBy.TESTS:
            return Parent(parent.answer, Feedback(judged.verdict))
        spec = problem_store.problem_spec(self.session, tests, parent.problem_version_id)
        return Parent(parent.answer, feedback(judged, spec.tests))


def _tests_in_use(session: Session, sample: AskedSample) -> int | None:
    return session.get_one(Problem, sample.problem_id).current_test_set_id


def _scenario(protocol: Protocol) -> Scenario:
    """Return the scenario of a protocol. Raises InvalidInput if this version does not know it."""
    scenario = scenarios().get(protocol.scenario)
    if scenario is None:
        raise InvalidInput(f"there is no scenario {protocol.scenario}")
    return scenario


@dataclass(frozen=True, slots=True)
class AskedItem:
    """One item of a problem as a protocol asks it: its prompt, and a truth or tests to decide an answer.

    An item that continues another answer has no prompt before that one is judged.
    """

    protocol: Protocol
    statement: Statement
    item: Item
    prompt: Prompt | None
    truth: Truth | None
    spec: ProblemSpec | None


def pose_items(session: Session, problem: str, slug: str) -> list[AskedItem]:
    """Return every item that a protocol asks of a problem `SOURCE/ID`, whatever the problem's state.

    Raises NotFound for either, and InvalidInput if the protocol does not ask that problem by itself.
    """
    row = run_store.protocol_by_slug(session, slug)
    protocol = shipped_protocols().get(slug) if row is None else run_store.read_protocol(row.body)
    source = problem_store.source_by_slug(session, problem.partition("/")[0])
    stored = None if source is None else problem_store.find(session, source.id, problem.partition("/")[2])
    if protocol is None:
        raise NotFound(f"there is no protocol {slug!r}")
    if stored is None:
        raise NotFound(f"there is no problem {problem!r}; a problem is named SOURCE/ID")
    scenario, version = _scenario(protocol), texts.version_in_use(session, stored.id, protocol.locale)
    if protocol.imported:
        raise InvalidInput(f"{slug} only has imported results: no model is asked under it")
    if version is None:
        raise InvalidInput(f"{problem} has no text in {protocol.locale}")
    statement = replace(texts.statement(session, version), problem=problem)  # the name that refusals use
    tests = stored.current_test_set_id
    by_tests = scenario.graded_by is GradedBy.TESTS
    spec = None if not by_tests or tests is None else problem_store.problem_spec(session, tests, version)
    return [
        AskedItem(
            protocol, statement, item, None if scenario.parent else scenario.ask(statement, protocol, item),
            scenario.truth(item),
            spec if spec is None or protocol.calibrated else spec.without_preamble(),
        )
        for item in _make_items(session, scenario, statement, stored.id, tests)
    ]  # fmt: skip


def follow_up_prompt(posed: AskedItem, answer: str | None, judged: GradeResult, tests: Sequence[Test]) -> Prompt:
    """Return the prompt of an item that continues an answer with this result under these tests.

    Raises InvalidInput if nothing is asked after it: it passes, or no example failed if only examples decide.
    """
    scenario, parent_feedback = _scenario(posed.protocol), feedback(judged, tests)
    by_examples = posed.protocol.style in scenario.by_examples
    if judged.verdict is Verdict.ACCEPTED or (by_examples and judged.tests and parent_feedback.test is None):
        raise InvalidInput(f"nothing is asked after this answer: it is {judged.verdict}, and carried over unchanged")
    if judged.verdict is Verdict.JUDGE_ERROR:
        raise InvalidInput(f"the answer could not be judged: {judged.message}")
    return scenario.ask(posed.statement, posed.protocol, replace(posed.item, parent=Parent(answer, parent_feedback)))

"""The inputs of a problem from setters' generators, probes and hacks, and the vote on their legality."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from app.domain.consensus.answers import AnswerId, Probes, SetterRole
from app.domain.consensus.legality import ValidatorPanel, ValidatorTrial
from app.domain.consensus.sizes import are_long, doubled_inputs, large_places, larger_inputs, size_of
from app.domain.consensus.vendors import STATEMENT
from app.domain.errors import InvalidProblem
from app.domain.reasons import Reason, error_reason
from app.domain.testgen.candidates import Candidate, CandidateCounts, candidates
from app.domain.testgen.grammars.grammar import Grammar
from app.domain.testgen.grammars.layout import rejection_reason
from app.domain.testgen.sampling.sample import InputKind
from app.domain.testgen.statements.statement import MAX_INPUT_ELEMENTS, max_input_elements
from workers.grading.consensus.program_runner import (
    HELPER_MS,
    ProgramRunner,
    SetterProgram,
    UnrunnableProgram,
    digest_of,
)
from workers.grading.proofs import REFERENCE_RUNS
from workers.grading.testing.inputs import read_inputs

GENERATOR_COUNTS: Final[Mapping[InputKind, int]] = {
    InputKind.SMALL: 40,
    InputKind.RANDOM: 14,
    InputKind.EXTREME: 10,
    InputKind.SLOW: 5,
}
OWN_AMOUNTS: Final = CandidateCounts(exhaustive=10, small=30, random=14, extreme=10, slow=5, bytes=8 << 20)
_MAX_INPUT_BYTES, _MAX_TOTAL_BYTES = 4 << 20, 48 << 20
_MAX_LARGER_INPUTS = 60  # inputs of our own that validators judge, to learn which sizes can be legal
_MAX_CHECKED_CHARS = 1 << 20  # of an input that is checked against the statement's constraints here
CONSTRAINTS_PIECE: Final = AnswerId(STATEMENT, STATEMENT, SetterRole.VALIDATOR)
_REPEATED = 2  # inputs of each kind that are printed twice: the same seed must make the same input


@dataclass(frozen=True, slots=True)
class SuiteBudget:
    """The limits on the cost of a suite.

    `counts` are the inputs of each kind from a generator, `own_amounts` those from the statement's constraints. If
    programs contradict each other, `extra_inputs` more small inputs are generated, and `shrunk_inputs` disputed ones
    are shrunk. Each reference runs `runs` times on the whole suite. `helper_ms` and `brute_ms` are CPU milliseconds for
    one input of a validator or generator, and of a brute force; `max_s` is seconds of judging.
    """

    counts: Mapping[InputKind, int] = field(default_factory=lambda: GENERATOR_COUNTS)
    own_amounts: CandidateCounts = OWN_AMOUNTS
    extra_inputs: int = 60
    shrunk_inputs: int = 4
    mutants: int = 24
    tests: int = 100
    runs: int = REFERENCE_RUNS
    helper_ms: int = HELPER_MS
    brute_ms: int = 2500
    max_s: float = 900.0

    def inputs_of(self, role: SetterRole) -> Mapping[InputKind, int]:
        """Return how many inputs of each kind a generator prints: half as many if it is its setter's second, a hack."""
        return {kind: -(-count // 2) for kind, count in self.counts.items()} if role is SetterRole.HACK else self.counts


class UnfitGenerator(Exception):
    """The reason why a generator breaks a rule of its role."""


def generate(
    runner: ProgramRunner, generator: SetterProgram, counts: Mapping[InputKind, int], first: int = 1
) -> list[Candidate]:
    """Return a generator's inputs, each kind with seeds from `first` on.

    Raises Unfit, Broken and TimeBudgetExceeded.
    """
    inputs: list[Candidate] = []
    for kind, count in counts.items():
        seeds = range(first, first + count)
        texts = runner.generate(generator, [*seeds, *seeds[:_REPEATED]], kind)
        if texts[:_REPEATED][:count] != texts[count:]:
            raise UnfitGenerator(Reason("unstable_kind", {"what": kind.value}))
        if not any(texts):
            raise UnfitGenerator(Reason("empty_kind", {"what": kind.value}))
        for text in texts[:count]:
            if text is not None and len(text) <= _MAX_INPUT_BYTES:
                inputs += _candidates(runner, kind, text)
    if not inputs:
        raise UnfitGenerator(Reason("no_inputs"))
    return inputs


def _candidates(runner: ProgramRunner, kind: InputKind, text: str) -> list[Candidate]:
    try:
        return [Candidate(kind, given) for given in read_inputs(runner.problem, text, kind)]
    except InvalidProblem:
        return []


def constraint_inputs(runner: ProgramRunner, rules: Grammar, amounts: CandidateCounts) -> list[Candidate]:
    """Return inputs within the statement's constraints, with the longest if possible. Raises TimeBudgetExceeded."""
    if max_input_elements(rules) > MAX_INPUT_ELEMENTS:
        amounts = amounts._replace(slow=0)
    with runner.count_time():
        return list(candidates(rules, 0, amounts))


def parse_input(runner: ProgramRunner, text: str) -> Any:
    """Parse the input of a probe or a hack; return None if it does not have the problem's form."""
    inputs = _candidates(runner, InputKind.SMALL, text)
    return inputs[0].given if inputs else None


def distinct(candidates: Sequence[Candidate], known: Sequence[Candidate] = ()) -> list[Candidate]:
    """Return each input once, smaller ones first, without the `known` ones, as far as the total size allows."""
    texts = {json.dumps(candidate.given) for candidate in known}
    room = _MAX_TOTAL_BYTES - sum(candidate.size for candidate in known)
    kept: list[Candidate] = []
    for candidate in sorted(candidates, key=lambda candidate: candidate.size):
        text = json.dumps(candidate.given)
        if text not in texts and candidate.size <= room:
            texts.add(text)
            room -= candidate.size
            kept.append(candidate)
    return kept


_VOTES: Final[Mapping[bool | None, str]] = {
    True: "it lets this input in, and whoever wrote the input holds it to be illegal",
    False: "it refuses this input, and whoever wrote the input holds it to be legal",
    None: "it says nothing of this input",
}


class Legality:
    """The validators of a problem, and their votes on inputs."""

    def __init__(
        self,
        runner: ProgramRunner,
        validators: Sequence[SetterProgram],
        probes: Mapping[AnswerId, Probes],
        constraints: Grammar | None = None,
    ) -> None:
        """Try each validator on the problem's samples and all setters' probes. Raises TimeBudgetExceeded.

        `constraints` are the statement's, which vote like a validator.
        """
        self._bench, self._constraints = runner, constraints
        self.broken: dict[AnswerId, str] = {}
        self.misjudged: dict[AnswerId, tuple[Any, str]] = {}  # by validator: its smallest wrong probe, and how it voted
        self.trials: list[ValidatorTrial] = []
        samples = [test.input for test in runner.problem.tests]
        probed = [
            (answer_id.vendor, legal, given)
            for answer_id, own in probes.items()
            for legal, texts in ((True, own.legal), (False, own.illegal))
            for given in (parse_input(runner, text) for text in texts)
            if given is not None
        ]
        givens = [*samples, *(given for _vendor, _legal, given in probed)]
        for validator in validators:
            try:
                votes = runner.votes(validator, givens)
            except UnrunnableProgram as broken:
                self.broken[validator.answer_id] = error_reason(broken)
                continue
            self.trials.append(self._trial(validator.answer_id, votes, probed))
        own = [] if constraints is None else [self._trial(CONSTRAINTS_PIECE, self._own_votes(givens), probed)]
        self.electorate = ValidatorPanel([*self.trials, *own])
        self.votes: dict[bytes, dict[AnswerId, bool | None]] = {}  # on legal inputs, by digest
        self._voting = [validator for validator in validators if validator.answer_id in self.electorate.all_voters]

    def _trial(
        self, answer_id: AnswerId, votes: Sequence[bool | None], asked: Sequence[tuple[str, bool, Any]]
    ) -> ValidatorTrial:
        samples = len(votes) - len(asked)
        probed = [(vendor, legal, vote) for (vendor, legal, _), vote in zip(asked, votes[samples:], strict=True)]
        wrong = [
            (len(self._bench.input_text(given)), given, vote)
            for (_, legal, given), vote in zip(asked, votes[samples:], strict=True)
            if vote is not legal
        ]
        if wrong:
            _size, given, vote = min(wrong, key=lambda row: row[0])
            self.misjudged[answer_id] = given, _VOTES[vote]
        return ValidatorTrial(answer_id, votes[:samples], probed)

    def _own_votes(self, givens: Sequence[Any]) -> list[bool | None]:
        """Return the votes of the statement's constraints; None for inputs that are too long to check in time."""
        rules = self._constraints
        with self._bench.count_time():
            return [
                None
                if rules is None or len(self._bench.input_text(given)) > _MAX_CHECKED_CHARS
                else rejection_reason(rules, given) is None
                for given in givens
            ]

    @property
    def rules(self) -> Grammar | None:
        """The statement's constraints if they have a vote, else None."""
        return self._constraints if STATEMENT in self.electorate.voters else None

    def lets_any_in(self, givens: Sequence[Any]) -> bool:
        """Return whether any of the inputs is legal; too long ones are left out. Raises TimeBudgetExceeded."""
        few = [
            Candidate(InputKind.SMALL, given)
            for given in givens
            if len(self._bench.input_text(given)) <= _MAX_INPUT_BYTES
        ]
        return bool(self.legal(few[:_MAX_LARGER_INPUTS]))

    def legal(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        """Return the inputs that are legal by the vote and would not be illegal without any one vendor.

        Raises TimeBudgetExceeded.
        """
        givens = [candidate.given for candidate in candidates]
        columns = {validator.answer_id: self._bench.votes(validator, givens) for validator in self._voting}
        if CONSTRAINTS_PIECE in self.electorate.all_voters:
            columns[CONSTRAINTS_PIECE] = self._own_votes(givens)
        legal = []
        for place, candidate in enumerate(candidates):
            votes = {answer_id: column[place] for answer_id, column in columns.items()}
            if self.electorate.is_legal(votes):
                self.votes[digest_of([candidate.given])] = votes
                legal.append(candidate)
        return legal


_MAX_DOUBLED: Final = 12  # small inputs that are doubled, to learn whether doubled inputs can be legal
_KINDS = list(InputKind)


def classify_by_size(legality: Legality, candidates: Sequence[Candidate]) -> tuple[list[Candidate], set[str]]:
    """Return the inputs with kinds that match their sizes, smaller ones first, and the large ones as JSON.

    A slow input that is not large becomes random; a large one that is small or random by its kind becomes slow. None is
    large if an input many times as large as the largest is legal. Raises TimeBudgetExceeded.
    """
    givens = [candidate.given for candidate in candidates]
    more, places = larger_inputs(givens), set[int]()
    if not legality.lets_any_in(more):
        small = sorted(candidates, key=lambda candidate: candidate.size)[: _MAX_DOUBLED * 4 : 4]
        bounded = bool(more) and legality.lets_any_in(doubled_inputs([candidate.given for candidate in small]))
        bounded = bounded or are_long(givens)
        places = large_places([size_of(given) for given in givens], bounded=bounded)
    fixed = [_with_kind(candidate, is_large=place in places) for place, candidate in enumerate(candidates)]
    fixed.sort(key=lambda candidate: (_KINDS.index(candidate.kind), candidate.size))
    return fixed, {json.dumps(candidates[place].given) for place in places}


def _with_kind(candidate: Candidate, *, is_large: bool) -> Candidate:
    if is_large and candidate.kind in (InputKind.SMALL, InputKind.RANDOM):
        return Candidate(InputKind.SLOW, candidate.given)
    if not is_large and candidate.kind is InputKind.SLOW:
        return Candidate(InputKind.RANDOM, candidate.given)
    return candidate


def find_illegal_kind(made: Sequence[Candidate], legal: Sequence[Candidate]) -> Candidate | None:
    """Return the smallest input of the kinds without a legal one; None if every kind that was made has one."""
    kinds = {candidate.kind for candidate in legal}
    return min((one for one in made if one.kind not in kinds), key=lambda one: one.size, default=None)

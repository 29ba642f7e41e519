"""The inputs of a problem from setters' generators, probes and hacks, and the vote on their legality."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from app.domain.errors import InvalidProblem
from app.domain.setting.answers import Piece, Probes, Role
from app.domain.setting.legality import Electorate, Trial
from app.domain.setting.sizes import are_long, doubled, large, larger, size_of
from app.domain.setting.vendors import STATEMENT
from app.domain.testgen.candidates import Amounts, Candidate, candidates
from app.domain.testgen.grammars.grammar import Grammar
from app.domain.testgen.grammars.layout import refused
from app.domain.testgen.sampling.sample import Kind
from app.domain.testgen.statements.statement import MOST_THINGS, most_things
from workers.grading.proofs import REFERENCE_RUNS
from workers.grading.setting.bench import HELPER_MS, Bench, Broken, Source, digest_of
from workers.grading.testing.inputs import read_inputs

COUNTS: Final[Mapping[Kind, int]] = {Kind.SMALL: 40, Kind.RANDOM: 14, Kind.EXTREME: 10, Kind.SLOW: 5}
OWN: Final = Amounts(exhaustive=10, small=30, random=14, extreme=10, slow=5, bytes=8 << 20)
_MAX_INPUT_BYTES, _MAX_TOTAL_BYTES = 4 << 20, 48 << 20
_MAX_LARGER_INPUTS = 60  # inputs of our own that validators judge, to learn which sizes can be legal
_MAX_CHECKED_CHARS = 1 << 20  # of an input that is checked against the statement's constraints here
CONSTRAINTS: Final = Piece(STATEMENT, STATEMENT, Role.VALIDATOR)
_REPEATED = 2  # inputs of each kind that are printed twice: the same seed must make the same input


@dataclass(frozen=True, slots=True)
class Effort:
    """The limits on the cost of a suite.

    `counts` are the inputs of each kind from a generator, `own` those from the statement's constraints. If programs
    contradict each other, `sought` more small inputs are generated, and `cut` disputed ones are shrunk. Each reference
    runs `runs` times on the whole suite. `helper_ms` and `brute_ms` are CPU milliseconds for one input of a validator
    or generator, and of a brute force; `most_s` is seconds of judging.
    """

    counts: Mapping[Kind, int] = field(default_factory=lambda: COUNTS)
    own: Amounts = OWN
    sought: int = 60
    cut: int = 4
    mutants: int = 24
    tests: int = 100
    runs: int = REFERENCE_RUNS
    helper_ms: int = HELPER_MS
    brute_ms: int = 2500
    most_s: float = 900.0

    def inputs_of(self, role: Role) -> Mapping[Kind, int]:
        """Return how many inputs of each kind a generator prints: half as many if it is its setter's second, a hack."""
        return {kind: -(-count // 2) for kind, count in self.counts.items()} if role is Role.HACK else self.counts


class Unfit(Exception):
    """The reason why a generator breaks a rule of its role."""


def printed(bench: Bench, generator: Source, counts: Mapping[Kind, int], first: int = 1) -> list[Candidate]:
    """Return a generator's inputs, each kind with seeds from `first` on.

    Raises Unfit, Broken and OutOfTime.
    """
    inputs: list[Candidate] = []
    for kind, count in counts.items():
        seeds = range(first, first + count)
        texts = bench.printed(generator, [*seeds, *seeds[:_REPEATED]], kind)
        if texts[:_REPEATED][:count] != texts[count:]:
            raise Unfit(f"kind {kind} with one seed is not the same twice")
        if not any(texts):
            raise Unfit(f"it prints nothing of kind {kind}")
        for text in texts[:count]:
            if text is not None and len(text) <= _MAX_INPUT_BYTES:
                inputs += _candidates(bench, kind, text)
    if not inputs:
        raise Unfit("it prints no input of the problem's form")
    return inputs


def _candidates(bench: Bench, kind: Kind, text: str) -> list[Candidate]:
    try:
        return [Candidate(kind, given) for given in read_inputs(bench.problem, text, kind)]
    except InvalidProblem:
        return []


def by_constraints(bench: Bench, rules: Grammar, amounts: Amounts) -> list[Candidate]:
    """Return inputs within the statement's constraints, with the longest if these can be made. Raises OutOfTime."""
    if most_things(rules) > MOST_THINGS:
        amounts = amounts._replace(slow=0)
    with bench.counted():
        return list(candidates(rules, 0, amounts))


def given_of(bench: Bench, text: str) -> Any:
    """Parse the input of a probe or a hack; return None if it does not have the problem's form."""
    inputs = _candidates(bench, Kind.SMALL, text)
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
        bench: Bench,
        validators: Sequence[Source],
        probes: Mapping[Piece, Probes],
        constraints: Grammar | None = None,
    ) -> None:
        """Try each validator on the problem's samples and all setters' probes. Raises OutOfTime.

        `constraints` are the statement's, which vote like a validator.
        """
        self._bench, self._constraints = bench, constraints
        self.broken: dict[Piece, str] = {}
        self.misjudged: dict[Piece, tuple[Any, str]] = {}  # by validator: its smallest wrong probe, and how it voted
        self.trials: list[Trial] = []
        samples = [test.input for test in bench.problem.tests]
        probed = [
            (piece.vendor, legal, given)
            for piece, of_piece in probes.items()
            for legal, texts in ((True, of_piece.legal), (False, of_piece.illegal))
            for given in (given_of(bench, text) for text in texts)
            if given is not None
        ]
        givens = [*samples, *(given for _vendor, _legal, given in probed)]
        for validator in validators:
            try:
                votes = bench.votes(validator, givens)
            except Broken as broken:
                self.broken[validator.piece] = str(broken)
                continue
            self.trials.append(self._trial(validator.piece, votes, probed))
        own = [] if constraints is None else [self._trial(CONSTRAINTS, self._own_votes(givens), probed)]
        self.electorate = Electorate([*self.trials, *own])
        self.votes: dict[bytes, dict[Piece, bool | None]] = {}  # on legal inputs, by digest
        self._voting = [validator for validator in validators if validator.piece in self.electorate.asked]

    def _trial(self, piece: Piece, votes: Sequence[bool | None], asked: Sequence[tuple[str, bool, Any]]) -> Trial:
        samples = len(votes) - len(asked)
        probed = [(vendor, legal, vote) for (vendor, legal, _), vote in zip(asked, votes[samples:], strict=True)]
        wrong = [
            (len(self._bench.text(given)), given, vote)
            for (_, legal, given), vote in zip(asked, votes[samples:], strict=True)
            if vote is not legal
        ]
        if wrong:
            _size, given, vote = min(wrong, key=lambda row: row[0])
            self.misjudged[piece] = given, _VOTES[vote]
        return Trial(piece, votes[:samples], probed)

    def _own_votes(self, givens: Sequence[Any]) -> list[bool | None]:
        """Return the votes of the statement's constraints; None for inputs that are too long to check in time."""
        rules = self._constraints
        with self._bench.counted():
            return [
                None
                if rules is None or len(self._bench.text(given)) > _MAX_CHECKED_CHARS
                else refused(rules, given) is None
                for given in givens
            ]

    @property
    def rules(self) -> Grammar | None:
        """The statement's constraints if they have a vote, else None."""
        return self._constraints if STATEMENT in self.electorate.voters else None

    def lets_any_in(self, givens: Sequence[Any]) -> bool:
        """Return whether any of the inputs is legal; too long ones are left out. Raises OutOfTime."""
        few = [Candidate(Kind.SMALL, given) for given in givens if len(self._bench.text(given)) <= _MAX_INPUT_BYTES]
        return bool(self.legal(few[:_MAX_LARGER_INPUTS]))

    def legal(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        """Return the inputs that are legal by the vote and would not be illegal without any one vendor.

        Raises OutOfTime.
        """
        givens = [candidate.given for candidate in candidates]
        columns = {validator.piece: self._bench.votes(validator, givens) for validator in self._voting}
        if CONSTRAINTS in self.electorate.asked:
            columns[CONSTRAINTS] = self._own_votes(givens)
        legal = []
        for place, candidate in enumerate(candidates):
            votes = {piece: column[place] for piece, column in columns.items()}
            if self.electorate.is_legal(votes):
                self.votes[digest_of([candidate.given])] = votes
                legal.append(candidate)
        return legal


_MAX_DOUBLED: Final = 12  # small inputs that are doubled, to learn whether doubled inputs can be legal
_KINDS = list(Kind)


def by_size(legality: Legality, candidates: Sequence[Candidate]) -> tuple[list[Candidate], set[str]]:
    """Return the inputs with kinds that match their sizes, smaller ones first, and the large ones as JSON.

    A slow input that is not large becomes random; a large one that is small or random by its kind becomes slow. None is
    large if an input many times as large as the largest is legal. Raises OutOfTime.
    """
    givens = [candidate.given for candidate in candidates]
    more, places = larger(givens), set[int]()
    if not legality.lets_any_in(more):
        small = sorted(candidates, key=lambda candidate: candidate.size)[: _MAX_DOUBLED * 4 : 4]
        bounded = bool(more) and legality.lets_any_in(doubled([candidate.given for candidate in small]))
        bounded = bounded or are_long(givens)
        places = large([size_of(given) for given in givens], bounded=bounded)
    fixed = [_with_kind(candidate, is_large=place in places) for place, candidate in enumerate(candidates)]
    fixed.sort(key=lambda candidate: (_KINDS.index(candidate.kind), candidate.size))
    return fixed, {json.dumps(candidates[place].given) for place in places}


def _with_kind(candidate: Candidate, *, is_large: bool) -> Candidate:
    if is_large and candidate.kind in (Kind.SMALL, Kind.RANDOM):
        return Candidate(Kind.SLOW, candidate.given)
    if not is_large and candidate.kind is Kind.SLOW:
        return Candidate(Kind.RANDOM, candidate.given)
    return candidate


def illegal_kind(made: Sequence[Candidate], legal: Sequence[Candidate]) -> Candidate | None:
    """Return the smallest input of the kinds without a legal one; None if every kind that was made has one."""
    kinds = {candidate.kind for candidate in legal}
    return min((one for one in made if one.kind not in kinds), key=lambda one: one.size, default=None)

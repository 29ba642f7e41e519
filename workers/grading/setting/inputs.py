"""The inputs of a problem: what setters' generators print, what they probe and hack with, and who says it is legal."""

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
_MOST_BYTES, _MOST_TOGETHER = 4 << 20, 48 << 20
_MOST_ASKED = 60  # inputs of our own that validators are asked about, to learn what may be large
_MOST_READ = 1 << 20  # characters of an input that is held against the statement's constraints here
CONSTRAINTS: Final = Piece(STATEMENT, STATEMENT, Role.VALIDATOR)
_AGAIN = 2  # of each kind so many are printed twice: the same seed makes the same input


@dataclass(frozen=True, slots=True)
class Effort:
    """What a suite may cost: inputs of each kind that a generator is asked for, our own by the statement's constraints,
    small ones sought where programs contradict each other and disputed ones cut to small ones, mutants, tests, runs of
    each reference on the whole, CPU milliseconds of a validator or generator and of a brute force for one input, and
    seconds of judging."""

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
        """How many inputs a generator is asked for: a hack half as many, for it comes beside its setter's other one."""
        return {kind: -(-count // 2) for kind, count in self.counts.items()} if role is Role.HACK else self.counts


class Unfit(Exception):
    """A generator that keeps no rule of its role, with the reason."""


def printed(bench: Bench, generator: Source, counts: Mapping[Kind, int], first: int = 1) -> list[Candidate]:
    """A generator's inputs, each kind with seeds from `first` on. Raises Unfit, Broken and OutOfTime."""
    made: list[Candidate] = []
    for kind, count in counts.items():
        seeds = range(first, first + count)
        texts = bench.printed(generator, [*seeds, *seeds[:_AGAIN]], kind)
        if texts[:_AGAIN][:count] != texts[count:]:
            raise Unfit(f"kind {kind} with one seed is not the same twice")
        if not any(texts):
            raise Unfit(f"it prints nothing of kind {kind}")
        for text in texts[:count]:
            if text is not None and len(text) <= _MOST_BYTES:
                made += _candidates(bench, kind, text)
    if not made:
        raise Unfit("it prints no input of the problem's form")
    return made


def _candidates(bench: Bench, kind: Kind, text: str) -> list[Candidate]:
    try:
        return [Candidate(kind, given) for given in read_inputs(bench.problem, text, kind)]
    except InvalidProblem:
        return []


def by_constraints(bench: Bench, rules: Grammar, amounts: Amounts) -> list[Candidate]:
    """Inputs that keep to the statement's constraints, the longest of them if these can be made. Raises OutOfTime."""
    if most_things(rules) > MOST_THINGS:
        amounts = amounts._replace(slow=0)
    with bench.counted():
        return list(candidates(rules, 0, amounts))


def given_of(bench: Bench, text: str) -> Any:
    """The input that a probe or a hack writes; None where it is none of the problem's form."""
    made = _candidates(bench, Kind.SMALL, text)
    return made[0].given if made else None


def distinct(candidates: Sequence[Candidate], known: Sequence[Candidate] = ()) -> list[Candidate]:
    """Each input once, the smaller first, and no more than there is room for; none of the `known` ones."""
    texts = {json.dumps(candidate.given) for candidate in known}
    room = _MOST_TOGETHER - sum(candidate.size for candidate in known)
    left: list[Candidate] = []
    for candidate in sorted(candidates, key=lambda candidate: candidate.size):
        text = json.dumps(candidate.given)
        if text not in texts and candidate.size <= room:
            texts.add(text)
            room -= candidate.size
            left.append(candidate)
    return left


_VOTES: Final[Mapping[bool | None, str]] = {
    True: "it lets this input in, and whoever wrote the input holds it to be illegal",
    False: "it refuses this input, and whoever wrote the input holds it to be legal",
    None: "it says nothing of this input",
}


class Legality:
    """The validators of a problem, and what they say."""

    def __init__(
        self,
        bench: Bench,
        validators: Sequence[Source],
        probes: Mapping[Piece, Probes],
        constraints: Grammar | None = None,
    ) -> None:
        """Try each on the problem's samples and on everybody's probes; `constraints` are the statement's, which vote
        like a validator. Raises OutOfTime."""
        self._bench, self._constraints = bench, constraints
        self.broken: dict[Piece, str] = {}
        self.misjudged: dict[Piece, tuple[Any, str]] = {}  # by validator: the smallest probe, and what it says of it
        self.trials: list[Trial] = []
        samples = [test.input for test in bench.problem.tests]
        asked = [
            (piece.vendor, legal, given)
            for piece, of_piece in probes.items()
            for legal, texts in ((True, of_piece.legal), (False, of_piece.illegal))
            for given in (given_of(bench, text) for text in texts)
            if given is not None
        ]
        givens = [*samples, *(given for _vendor, _legal, given in asked)]
        for validator in validators:
            try:
                votes = bench.votes(validator, givens)
            except Broken as broken:
                self.broken[validator.piece] = str(broken)
                continue
            self.trials.append(self._trial(validator.piece, votes, asked))
        own = [] if constraints is None else [self._trial(CONSTRAINTS, self._own_votes(givens), asked)]
        self.electorate = Electorate([*self.trials, *own])
        self.votes: dict[bytes, dict[Piece, bool | None]] = {}  # of what is legal, by its digest
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
            _size, given, vote = min(wrong, key=lambda each: each[0])
            self.misjudged[piece] = given, _VOTES[vote]
        return Trial(piece, votes[:samples], probed)

    def _own_votes(self, givens: Sequence[Any]) -> list[bool | None]:
        """What the statement's constraints say of each input; nothing of what is too long to be read in time."""
        rules = self._constraints
        with self._bench.counted():
            return [
                None if rules is None or len(self._bench.text(given)) > _MOST_READ else refused(rules, given) is None
                for given in givens
            ]

    @property
    def rules(self) -> Grammar | None:
        """The statement's constraints, where they have a vote."""
        return self._constraints if STATEMENT in self.electorate.voters else None

    def lets_any_in(self, givens: Sequence[Any]) -> bool:
        """Whether any of the inputs is legal; those that are too long for anybody are left out. Raises OutOfTime."""
        few = [Candidate(Kind.SMALL, given) for given in givens if len(self._bench.text(given)) <= _MOST_BYTES]
        return bool(self.legal(few[:_MOST_ASKED]))

    def legal(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        """Those that validators of two vendors let in, and without any one vendor are not illegal. Raises OutOfTime."""
        givens = [candidate.given for candidate in candidates]
        columns = {validator.piece: self._bench.votes(validator, givens) for validator in self._voting}
        if CONSTRAINTS in self.electorate.asked:
            columns[CONSTRAINTS] = self._own_votes(givens)
        legal = []
        for place, candidate in enumerate(candidates):
            votes = {piece: said[place] for piece, said in columns.items()}
            if self.electorate.is_legal(votes):
                self.votes[digest_of([candidate.given])] = votes
                legal.append(candidate)
        return legal


_MOST_SMALL: Final = 12  # inputs that are doubled, to learn whether what is made so can be legal
_KINDS = list(Kind)


def by_size(legality: Legality, candidates: Sequence[Candidate]) -> tuple[list[Candidate], set[str]]:
    """The inputs with kinds that their sizes bear out, smaller ones first; and as JSON those that are large.

    One that is slow by its generator's word alone is a random one, and one that is large in silence is slow. None is
    large if one that is many times as large as the largest is legal. Raises OutOfTime.
    """
    givens = [candidate.given for candidate in candidates]
    more, places = larger(givens), set[int]()
    if not legality.lets_any_in(more):
        small = sorted(candidates, key=lambda candidate: candidate.size)[: _MOST_SMALL * 4 : 4]
        bounded = bool(more) and legality.lets_any_in(doubled([candidate.given for candidate in small]))
        bounded = bounded or are_long(givens)
        places = large([size_of(given) for given in givens], bounded=bounded)
    kept = [_borne_out(candidate, is_large=place in places) for place, candidate in enumerate(candidates)]
    kept.sort(key=lambda candidate: (_KINDS.index(candidate.kind), candidate.size))
    return kept, {json.dumps(candidates[place].given) for place in places}


def _borne_out(candidate: Candidate, *, is_large: bool) -> Candidate:
    if is_large and candidate.kind in (Kind.SMALL, Kind.RANDOM):
        return Candidate(Kind.SLOW, candidate.given)
    if not is_large and candidate.kind is Kind.SLOW:
        return Candidate(Kind.RANDOM, candidate.given)
    return candidate


def illegal_kind(made: Sequence[Candidate], legal: Sequence[Candidate]) -> Candidate | None:
    """The smallest input of a kind of which none is legal; None where every kind that was made has legal ones."""
    kinds = {candidate.kind for candidate in legal}
    return min((one for one in made if one.kind not in kinds), key=lambda one: one.size, default=None)

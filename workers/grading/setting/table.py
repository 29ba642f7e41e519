"""What brute forces and solutions answer to every input, and which of their answers are as good as each other."""

import json
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from itertools import combinations
from typing import Any, Final

from app.domain.judging.verdicts import Verdict
from app.domain.problems import CheckerKind, Form, Test
from app.domain.setting.answers import Piece, Role
from app.domain.setting.comparing import View
from app.domain.setting.consensus import Missing
from app.domain.setting.table import Input
from app.domain.testgen.candidates import Candidate
from app.domain.testgen.sampling.sample import Kind
from workers.grading.producer import Attempt, Decides
from workers.grading.setting.bench import Bench, Broken, Source, digest_of, together, was_late
from workers.grading.setting.checkers import Answered
from workers.grading.setting.entrants import Entrants

OTHER: Final = "another answer"  # so begins, in words, how a program did that is wrong
_LEISURE: Final = 4  # times its limit that a solution may take to answer


class Table:
    """A problem's inputs, the samples first, and every program's attempt at each of them."""

    def __init__(self, bench: Bench, entrants: Entrants, brute_ms: int) -> None:
        self._bench, self._entrants, self._brute_ms = bench, entrants, brute_ms
        self._stated = {json.dumps(test.input): test.expected for test in bench.problem.tests}
        self.inputs: list[Candidate] = []
        self.attempts: dict[Piece, list[Attempt | None]] = {program.piece: [] for program in entrants.programs}
        self._talks: dict[Piece, list[tuple[Attempt | None, ...]]] = {one.piece: [] for one in entrants.programs}
        self._decided: dict[tuple[Piece | None, int, bytes], bool] = {}
        self._heads: set[str] = set()  # how lines begin that are said to an interactor which accepts them
        self._out: set[Piece] = set()  # broken, or wrong on a sample: they are asked no more
        self.ask([Candidate(Kind.EXAMPLE, test.input) for test in bench.problem.tests])
        for piece, attempts in self.attempts.items():
            if not all(attempt is not None and attempt.answered for attempt in attempts):
                self._out.add(piece)

    def ask(self, inputs: Sequence[Candidate]) -> None:
        """Add inputs, and ask every program. Raises OutOfTime."""
        self.inputs += inputs
        given = [candidate.given for candidate in inputs]
        for program in self._entrants.programs:
            self.attempts[program.piece] += self._asked(program, given)

    def _asked(self, program: Source, inputs: Sequence[Any]) -> list[Attempt | None]:
        """Its attempts; where programs talk, those with each interactor are kept besides."""
        if not inputs or program.piece in self._out:
            return [None] * len(inputs)
        brute = program.piece.role is Role.BRUTE
        time_ms = self._brute_ms if brute else _LEISURE * self._bench.problem.limits.time_ms
        try:
            if self._bench.problem.form is not Form.INTERACTIVE:
                return self._bench.answers(program, inputs, time_ms)
            talks = self._bench.talked(program, inputs, time_ms)
        except Broken as broken:
            self._entrants.tell(program.piece, "failed", str(broken))
            self._out.add(program.piece)
            return [None] * len(inputs)
        self._talks[program.piece] += talks
        said = [each.value for talk in talks for each in talk if each is not None and each.answered]
        self._heads |= {_head(line) for text in said for line in str(text).splitlines()}
        return [together(program, talk) for talk in talks]

    @property
    def programs(self) -> list[Source]:
        """Those that answer inputs."""
        return self._entrants.programs

    def said(self, piece: Piece, place: int) -> Any:
        """What a program answered to an input; None where it did not."""
        attempt = self.attempts[piece][place]
        return attempt.value if attempt is not None and attempt.answered else None

    def small(self) -> list[Answered]:
        """The small inputs with every different answer, those first on which most is said: samples, and what brute
        forces answer."""
        found = []
        for place, candidate in enumerate(self.inputs):
            by_role: dict[Role | None, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
            for piece in self.attempts:
                said = self.said(piece, place)
                if isinstance(said, str):
                    by_role[None][said].add(piece.vendor)
                    by_role[piece.role][said].add(piece.vendor)
            answers, brutes = (
                {text: frozenset(vendors) for text, vendors in by_role[role].items()} for role in (None, Role.BRUTE)
            )
            stated = self._stated.get(json.dumps(candidate.given)) if candidate.kind is Kind.EXAMPLE else None
            if stated is not None or brutes:
                found.append(Answered(candidate.given, answers, brutes, stated))
        return sorted(found, key=lambda one: (-len(one.answers), len(one.given)))

    def values(self, place: int) -> list[Any]:
        """The different answers to an input, the statement's first; their places are their numbers."""
        if self._bench.problem.form is Form.INTERACTIVE:
            return [""]
        candidate, found = self.inputs[place], dict[str, Any]()
        said = [one[place] for one in self.attempts.values()]
        values = [attempt.value for attempt in said if attempt is not None and attempt.answered]
        if candidate.kind is Kind.EXAMPLE:
            values.insert(0, self._stated[json.dumps(candidate.given)])
        for value in values:
            found.setdefault(self._spelled(value), value)
        return list(found.values())

    def _spelled(self, value: Any) -> str:
        """What tells an answer from another: white space at the ends of lines does not; False is not 0."""
        if not isinstance(value, str):
            return json.dumps(value)
        if self._bench.problem.form is Form.STDIN and self._bench.problem.checker.kind is not CheckerKind.EXACT:
            value = "\n".join(line.rstrip() for line in value.rstrip().split("\n"))
        return f"text {value}"

    def views(self, place: int, comparing: Mapping[Piece | None, Decides]) -> dict[Piece | None, View]:
        """An input as each of those that compare answers sees it. Raises OutOfTime."""
        stated = 0 if self.inputs[place].kind is Kind.EXAMPLE else None
        if self._bench.problem.form is Form.INTERACTIVE:
            return {
                who: View(
                    {piece: self._heard(talks[place : place + 1], at) for piece, talks in self._talks.items()}, stated
                )
                for at, who in enumerate(comparing)
            }
        values = self.values(place)
        numbers = {self._spelled(value): number for number, value in enumerate(values)}
        answers = {piece: self._number(attempts[place], numbers) for piece, attempts in self.attempts.items()}
        return {
            who: View(answers, stated, self._alike(who, decides, place, values)) for who, decides in comparing.items()
        }

    def _heard(self, talks: Sequence[tuple[Attempt | None, ...]], interactor: int) -> int | Missing:
        """What an interactor says of a program: all that it accepts is one answer.

        A program that says nothing, or nothing like what others are accepted for, contradicts nobody: it is broken.
        """
        attempt = talks[0][interactor] if talks else None
        if attempt is None or was_late(attempt):
            return Missing.LATE
        if attempt.answered:
            return 0
        makes_sense = not self._heads or _head(attempt.begins) in self._heads
        return Missing.WRONG if makes_sense and attempt.verdict is Verdict.WRONG_ANSWER else Missing.FAILED

    def _number(self, attempt: Attempt | None, numbers: Mapping[str, int]) -> int | Missing:
        if attempt is None or not attempt.answered:
            return Missing.LATE if was_late(attempt) else Missing.FAILED
        return numbers[self._spelled(attempt.value)]

    def _alike(
        self, who: Piece | None, decides: Decides, place: int, values: Sequence[Any]
    ) -> frozenset[tuple[int, int]]:
        """The pairs of answers of which each is right where the other one is; no pair is decided twice."""
        given, found = self.inputs[place].given, set[tuple[int, int]]()
        for (one, value), (other, another) in combinations(enumerate(values), 2):
            key = (who, place, digest_of([value, another]))
            if key not in self._decided:
                with self._bench.counted():
                    self._decided[key] = decides(Test(given, value), another) and decides(Test(given, another), value)
            if self._decided[key]:
                found.add((one, other))
        return frozenset(found)

    def found(
        self,
        comparing: Mapping[Piece | None, Decides],
        votes: Mapping[bytes, Mapping[Piece, bool | None]],
        by: Mapping[bytes, Collection[str]],
    ) -> list[Input]:
        """Every input with what was found out about it: `votes` and who brought it by its digest. Raises OutOfTime."""
        return [
            Input(
                candidate.size, self.views(place, comparing), votes.get(digest_of([candidate.given]), {}),
                frozenset(by.get(digest_of([candidate.given]), ())), stated=candidate.kind is Kind.EXAMPLE,
            )
            for place, candidate in enumerate(self.inputs)
        ]  # fmt: skip


def _head(line: str) -> str:
    """What tells how a line begins: its first word, all numbers alike."""
    word = next(iter(line.split()), "")
    return "0" if word.lstrip("-").isdecimal() else word


def how(attempt: Attempt | None) -> str:
    """In words, how a refuted program did."""
    if attempt is not None and attempt.answered:
        return OTHER
    if attempt is not None and attempt.verdict is Verdict.WRONG_ANSWER:
        return f"{OTHER}{f', {attempt.note[:200]}' if attempt.note else ''}"
    verdict = Verdict.TIME_LIMIT if attempt is None else attempt.verdict
    note = "" if attempt is None else attempt.note[:200]
    return f"{verdict.value.replace('_', ' ')}{f', {note}' if note else ''}"

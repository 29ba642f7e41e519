"""What brute forces and solutions answer to every input, and which of their answers are as good as each other."""

import json
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

from app.domain.judging.verdicts import Verdict
from app.domain.problems import Test
from app.domain.setting.answers import Piece, Role
from app.domain.setting.consensus import Missing, Row
from app.domain.testgen.candidates import Candidate
from app.domain.testgen.sampling.sample import Kind
from workers.grading.producer import Attempt, Decides
from workers.grading.setting.bench import Bench, Broken, Source, digest_of, was_late
from workers.grading.setting.checkers import Case
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
        self._decided: dict[tuple[int, bytes], bool] = {}
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
        if not inputs or program.piece in self._out:
            return [None] * len(inputs)
        brute = program.piece.role is Role.BRUTE
        try:
            return self._bench.answers(
                program, inputs, self._brute_ms if brute else _LEISURE * self._bench.problem.limits.time_ms
            )
        except Broken as broken:
            self._entrants.tell(program.piece, "failed", str(broken))
            self._out.add(program.piece)
            return [None] * len(inputs)

    @property
    def programs(self) -> list[Source]:
        """Those that answer inputs."""
        return self._entrants.programs

    def said(self, piece: Piece, place: int) -> Any:
        """What a program answered to an input; None where it did not."""
        attempt = self.attempts[piece][place]
        return attempt.value if attempt is not None and attempt.answered else None

    def cases(self) -> list[Case]:
        """Inputs with the statement's answer, or a brute force's, and what others say."""
        cases = []
        for place, candidate in enumerate(self.inputs):
            said = [
                attempt.value
                for attempts in self.attempts.values()
                if (attempt := attempts[place]) is not None and attempt.answered
            ]
            right = self._stated.get(json.dumps(candidate.given), said[0] if said else None)
            if right is not None:
                cases.append(Case(candidate.given, right, list(dict.fromkeys(said))))
        # Where programs say different things, checkers have most to say.
        return sorted(cases, key=lambda case: -len(case.answers))

    def rows(self, decides: Decides) -> tuple[list[Row], list[list[Any]]]:
        """The table that consensus reads, and for each input its different answers by their numbers.

        Raises OutOfTime.
        """
        rows, values = [], []
        for place, candidate in enumerate(self.inputs):
            stated = self._stated.get(json.dumps(candidate.given)) if candidate.kind is Kind.EXAMPLE else None
            classes = _Classes(partial(self._as_good, decides, place))
            first = None if stated is None else classes.number(stated)
            said = {piece: _number(attempts[place], classes) for piece, attempts in self.attempts.items()}
            rows.append(Row(candidate.size, said, first, unclear=classes.unclear))
            values.append([members[0] for members in classes.members])
        return rows, values

    def _as_good(self, decides: Decides, place: int, one: Any, other: Any) -> bool:
        """Whether each of two answers is right where the other one is; no pair is decided twice."""
        key = (place, digest_of([one, other]))
        if key not in self._decided:
            given = self.inputs[place].given
            with self._bench.counted():
                self._decided[key] = decides(Test(given, one), other) and decides(Test(given, other), one)
        return self._decided[key]


class _Classes:
    """The answers to one input, those that are as good as each other together.

    Each is held against all others, both ways. `unclear` where that makes no classes: one is as good as two that are
    not as good as each other.
    """

    def __init__(self, as_good: Callable[[Any, Any], bool]) -> None:
        self._as_good = as_good
        self.members: list[list[Any]] = []
        self.unclear = False

    def number(self, answer: Any) -> int:
        """The number of an answer's class, a new one where it is as good as none before."""
        for number, members in enumerate(self.members):
            if any(_is(one, answer) for one in members):
                return number
        alike = [[self._as_good(one, answer) for one in members] for members in self.members]
        found = [number for number, said in enumerate(alike) if any(said)]
        self.unclear |= len(found) > 1 or any(not all(alike[number]) for number in found)
        if not found:
            self.members.append([])
        number = found[0] if found else len(self.members) - 1
        self.members[number].append(answer)
        return number


def _number(attempt: Attempt | None, classes: _Classes) -> int | Missing:
    if attempt is None or not attempt.answered:
        return Missing.LATE if was_late(attempt) else Missing.FAILED
    return classes.number(attempt.value)


def how(attempt: Attempt | None) -> str:
    """In words, how a refuted program did."""
    if attempt is not None and attempt.answered:
        return OTHER
    if attempt is not None and attempt.verdict is Verdict.WRONG_ANSWER:
        return f"{OTHER}{f', {attempt.note[:200]}' if attempt.note else ''}"
    verdict = Verdict.TIME_LIMIT if attempt is None else attempt.verdict
    note = "" if attempt is None else attempt.note[:200]
    return f"{verdict.value.replace('_', ' ')}{f', {note}' if note else ''}"


def _is(value: Any, other: Any) -> bool:
    """Whether two answers are the same to the letter: False is not 0."""
    if isinstance(value, str):
        return bool(value == other)
    return json.dumps(value) == json.dumps(other)

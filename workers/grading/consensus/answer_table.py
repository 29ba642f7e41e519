"""The table of all answers of brute forces and solutions to all inputs, and of answers that are equally right."""

import json
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from itertools import combinations
from typing import Any, Final

from app.domain.consensus.agreement import MissingAnswer
from app.domain.consensus.answers import AnswerId, SetterRole
from app.domain.consensus.checkers import CheckerView
from app.domain.consensus.table import InputEvidence
from app.domain.judging.verdicts import Verdict
from app.domain.problems import CheckerKind, Form, Test
from app.domain.reasons import LISTED, Reason, cut_reason, error_reason
from app.domain.testgen.candidates import Candidate
from app.domain.testgen.sampling.sample import InputKind
from workers.grading.answering_judge import AnswerCheck, Attempt
from workers.grading.consensus.checkers import InputAnswers
from workers.grading.consensus.contributions import SetterContributions
from workers.grading.consensus.program_runner import (
    ProgramRunner,
    SetterProgram,
    UnrunnableProgram,
    combine_attempts,
    digest_of,
    was_late,
)

OTHER_ANSWER: Final = Reason("other_answer")  # the beginning of the reason why a program is wrong
_SOLUTION_TIME_FACTOR: Final = 4  # multiple of its time limit that a solution may take to answer


class AnswerTable:
    """A problem's inputs, the samples first, and every program's attempt at each."""

    def __init__(self, runner: ProgramRunner, entrants: SetterContributions, brute_ms: int) -> None:
        self._bench, self._entrants, self._brute_ms = runner, entrants, brute_ms
        self._stated = {json.dumps(test.input): test.expected for test in runner.problem.tests}
        self.inputs: list[Candidate] = []
        self.attempts: dict[AnswerId, list[Attempt | None]] = {program.answer_id: [] for program in entrants.programs}
        self._talks: dict[AnswerId, list[tuple[Attempt | None, ...]]] = {one.answer_id: [] for one in entrants.programs}
        self._decided: dict[tuple[AnswerId | None, int, bytes], bool] = {}
        self._heads: set[str] = set()  # beginnings of lines in dialogues that an interactor accepts
        self._out: set[AnswerId] = set()  # programs that fail, or are wrong on a sample: they are not run any more
        self.ask([Candidate(InputKind.EXAMPLE, test.input) for test in runner.problem.tests])
        for answer_id, attempts in self.attempts.items():
            if not all(attempt is not None and attempt.answered for attempt in attempts):
                self._out.add(answer_id)

    def ask(self, inputs: Sequence[Candidate]) -> None:
        """Add inputs, and run every program on them. Raises TimeBudgetExceeded."""
        self.inputs += inputs
        given = [candidate.given for candidate in inputs]
        for program in self._entrants.programs:
            self.attempts[program.answer_id] += self._run(program, given)

    def _run(self, program: SetterProgram, inputs: Sequence[Any]) -> list[Attempt | None]:
        """Return a program's attempts; on an interactive problem, keep those with each interactor too."""
        if not inputs or program.answer_id in self._out:
            return [None] * len(inputs)
        brute = program.answer_id.role is SetterRole.BRUTE
        time_ms = self._brute_ms if brute else _SOLUTION_TIME_FACTOR * self._bench.problem.limits.time_ms
        try:
            if self._bench.problem.form is not Form.INTERACTIVE:
                return self._bench.answers(program, inputs, time_ms)
            talks = self._bench.talks_with_all(program, inputs, time_ms)
        except UnrunnableProgram as broken:
            self._entrants.set_state(program.answer_id, "failed", error_reason(broken))
            self._out.add(program.answer_id)
            return [None] * len(inputs)
        self._talks[program.answer_id] += talks
        texts = [attempt.value for talk in talks for attempt in talk if attempt is not None and attempt.answered]
        self._heads |= {_head(line) for text in texts for line in str(text).splitlines()}
        return [combine_attempts(program, talk) for talk in talks]

    @property
    def programs(self) -> list[SetterProgram]:
        """The programs that answer inputs."""
        return self._entrants.programs

    def answer_of(self, answer_id: AnswerId, place: int) -> Any:
        """Return a program's answer to an input; None if it gave none."""
        attempt = self.attempts[answer_id][place]
        return attempt.value if attempt is not None and attempt.answered else None

    def small_inputs(self) -> list[InputAnswers]:
        """Return the samples and the inputs that brute forces answer, with every different answer.

        The inputs with the most different answers come first, then the shortest.
        """
        rows = []
        for place, candidate in enumerate(self.inputs):
            by_role: dict[SetterRole | None, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
            for answer_id in self.attempts:
                answer = self.answer_of(answer_id, place)
                if isinstance(answer, str):
                    by_role[None][answer].add(answer_id.vendor)
                    by_role[answer_id.role][answer].add(answer_id.vendor)
            answers, brutes = (
                {text: frozenset(vendors) for text, vendors in by_role[role].items()}
                for role in (None, SetterRole.BRUTE)
            )
            stated = self._stated.get(json.dumps(candidate.given)) if candidate.kind is InputKind.EXAMPLE else None
            if stated is not None or brutes:
                rows.append(InputAnswers(candidate.given, answers, brutes, stated))
        return sorted(rows, key=lambda row: (-len(row.answers), len(row.given)))

    def values(self, place: int) -> list[Any]:
        """Return the different answers to an input, the statement's first; their places are their numbers."""
        if self._bench.problem.form is Form.INTERACTIVE:
            return [""]
        candidate, by_key = self.inputs[place], dict[str, Any]()
        attempts = [row[place] for row in self.attempts.values()]
        values = [attempt.value for attempt in attempts if attempt is not None and attempt.answered]
        if candidate.kind is InputKind.EXAMPLE:
            values.insert(0, self._stated[json.dumps(candidate.given)])
        for value in values:
            by_key.setdefault(self._key(value), value)
        return list(by_key.values())

    def _key(self, value: Any) -> str:
        """Return a key that equal answers share: white space at line ends does not count, and False is not 0."""
        if not isinstance(value, str):
            return json.dumps(value)
        if self._bench.problem.form is Form.STDIN and self._bench.problem.checker.kind is not CheckerKind.EXACT:
            value = "\n".join(line.rstrip() for line in value.rstrip().split("\n"))
        return f"text {value}"

    def views(self, place: int, comparing: Mapping[AnswerId | None, AnswerCheck]) -> dict[AnswerId | None, CheckerView]:
        """Return an input with its answers as each checker or interactor sees them. Raises TimeBudgetExceeded."""
        stated = 0 if self.inputs[place].kind is InputKind.EXAMPLE else None
        if self._bench.problem.form is Form.INTERACTIVE:
            return {
                comparer: CheckerView(
                    {
                        answer_id: self._accepted(talks[place : place + 1], at)
                        for answer_id, talks in self._talks.items()
                    },
                    stated,
                )
                for at, comparer in enumerate(comparing)
            }
        values = self.values(place)
        numbers = {self._key(value): number for number, value in enumerate(values)}
        answers = {answer_id: self._number(attempts[place], numbers) for answer_id, attempts in self.attempts.items()}
        return {
            comparer: CheckerView(answers, stated, self._alike(comparer, decides, place, values))
            for comparer, decides in comparing.items()
        }

    def _accepted(self, talks: Sequence[tuple[Attempt | None, ...]], interactor: int) -> int | MissingAnswer:
        """Return an interactor's verdict on a program, in which all accepted dialogues are one answer.

        A program whose output is unlike any accepted dialogue counts as failed, and contradicts no other program.
        """
        attempt = talks[0][interactor] if talks else None
        if attempt is None or was_late(attempt):
            return MissingAnswer.LATE
        if attempt.answered:
            return 0
        makes_sense = not self._heads or _head(attempt.begins) in self._heads
        return MissingAnswer.WRONG if makes_sense and attempt.verdict is Verdict.WRONG_ANSWER else MissingAnswer.FAILED

    def _number(self, attempt: Attempt | None, numbers: Mapping[str, int]) -> int | MissingAnswer:
        if attempt is None or not attempt.answered:
            return MissingAnswer.LATE if was_late(attempt) else MissingAnswer.FAILED
        return numbers[self._key(attempt.value)]

    def _alike(
        self, comparer: AnswerId | None, decides: AnswerCheck, place: int, values: Sequence[Any]
    ) -> frozenset[tuple[int, int]]:
        """Return the pairs of answers of which each is right if the other one is; no pair is decided twice."""
        given, pairs = self.inputs[place].given, set[tuple[int, int]]()
        for (one, value), (other, another) in combinations(enumerate(values), 2):
            key = (comparer, place, digest_of([value, another]))
            if key not in self._decided:
                with self._bench.count_time():
                    self._decided[key] = decides(Test(given, value), another) and decides(Test(given, another), value)
            if self._decided[key]:
                pairs.add((one, other))
        return frozenset(pairs)

    def evaluated_inputs(
        self,
        comparing: Mapping[AnswerId | None, AnswerCheck],
        votes: Mapping[bytes, Mapping[AnswerId, bool | None]],
        by: Mapping[bytes, Collection[str]],
    ) -> list[InputEvidence]:
        """Return every input with its answers, its `votes`, and the vendors that brought it, `by` digest.

        Raises TimeBudgetExceeded.
        """
        return [
            InputEvidence(
                candidate.size, self.views(place, comparing), votes.get(digest_of([candidate.given]), {}),
                frozenset(by.get(digest_of([candidate.given]), ())), stated=candidate.kind is InputKind.EXAMPLE,
            )
            for place, candidate in enumerate(self.inputs)
        ]  # fmt: skip


def _head(line: str) -> str:
    """Return the first word of a line, with "0" for any number."""
    word = next(iter(line.split()), "")
    return "0" if word.lstrip("-").isdecimal() else word


def describe_failure(attempt: Attempt | None) -> Reason:
    """Describe the attempt that refuted a program."""
    if attempt is not None and attempt.answered:
        return OTHER_ANSWER
    if attempt is not None and attempt.verdict is Verdict.WRONG_ANSWER:
        return _add_note(OTHER_ANSWER, attempt.note)
    verdict = Verdict.TIME_LIMIT if attempt is None else attempt.verdict
    return _add_note(Reason(f"ended.{verdict}"), "" if attempt is None else attempt.note)


def _add_note(reason: Reason, note: str) -> Reason:
    return Reason(LISTED, cause=(reason, cut_reason(note, 200))) if note else reason

"""The choice of interactors for interactive problems: those that refuse wrong dialogues.

An interactor's input is hidden from the programs that talk to it, so setters agree only if the statement says how it
is written. Each interactor is tried on the dialogues of all solutions, and on changed ones.

A right dialogue with another end is wrong if only one end is right. Several ends are right if solutions of two vendors
end in one way, those of two vendors in another, and the interactor accepts both. Without that, an interactor that
accepts a changed end does not check the answer.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from app.domain.consensus.agreement import LEAST_VENDORS
from app.domain.consensus.answers import AnswerId
from app.domain.consensus.checkers import CheckerCase, CheckerTrial
from app.domain.judging.verdicts import Verdict
from app.domain.problems import CheckerKind, Interactor
from app.domain.reasons import Reason, error_reason
from app.domain.testgen.candidates import Candidate
from workers.grading.answering_judge import Attempt
from workers.grading.consensus.program_runner import ProgramRunner, SetterProgram, UnrunnableProgram
from workers.grading.consensus.selection import CheckerSelection, Shown, TrialInput, select_checkers

_MAX_CASES, _MAX_TALKS = 8, 6
_MAX_TALK_CHARS: Final = 20_000  # of a dialogue that is changed
_LONG_LINES, _LONG_CHARS = 3000, 60_000  # of a very long dialogue, which a pipe just holds
_GARBAGE: Final = ("", "\n", "\x00\x01\ufffd\n", "yes no maybe\n" * 20)

# The judge passes interactors the jury's answer as a second argument, which those of setters do not expect.
_TWO_ARGUMENTS = """\
import sys as _sys
del _sys.argv[2:3]
exec(compile({code!r}, "interactor.py", "exec"), globals())
"""


_SAID: Final = "what is said"


@dataclass(frozen=True, slots=True)
class _FixedDialogue:
    """A fixed text that a contestant sends to an interactor about one input, without reading its replies.

    `must`: no interactor may accept it. `of` is the place of the right text that was changed, and `end` its new last
    line if only that was changed; a `sensible` end has the right form and another value. `long`: all but the end is
    repeated so often that it breaks a bound on queries, if there is one.
    """

    given: Any
    words: str
    must: bool = False
    of: int | None = None
    end: str | None = None
    sensible: bool = False
    long: bool = False

    @property
    def case(self) -> CheckerCase:
        return CheckerCase(exact=self.long or self.end is not None)


class InteractorFailed(Exception):
    """The message of an interactor that fails with any program."""


def as_interactor(source: SetterProgram) -> Interactor:
    """Return a setter's program as a problem's interactor."""
    return Interactor(_TWO_ARGUMENTS.format(code=source.code), CheckerKind.KATTIS, "python")


def choose(
    runner: ProgramRunner,
    sources: Sequence[SetterProgram],
    solutions: Sequence[SetterProgram],
    inputs: Sequence[Candidate],
) -> CheckerSelection:
    """Try each on dialogues of solutions about the smallest inputs, and on changed ones. Raises TimeBudgetExceeded."""
    if len({source.answer_id.vendor for source in sources}) < LEAST_VENDORS:
        return CheckerSelection(trial=CheckerTrial(known=False))  # no other vendor's interactor could agree with it
    given = [candidate.given for candidate in inputs[:_MAX_CASES]]
    trials = _InteractorTrials(runner, solutions, given)
    garbage = [_FixedDialogue(one, words, must=True) for one in given[:1] for words in _GARBAGE]
    for source in sources:
        if trials.verdicts(source, garbage) is not None:
            trials.try_solutions(source)
    talks = list(_changed(given, trials.attempts))
    says: dict[AnswerId, list[bool]] = {}
    for source in (source for source in sources if source.answer_id in trials.attempts):
        verdicts = trials.verdicts(source, talks)
        if verdicts is not None and trials.checks_ends(source, talks, verdicts):
            says[source.answer_id] = [*trials.accepts_each(source), *verdicts]
    scenarios = [
        TrialInput(one, None, CheckerCase(frozenset({solution.answer_id.vendor})))
        for solution in solutions
        for one in given
    ]
    scenarios += [TrialInput(talk.given, talk.words, talk.case) for talk in talks]
    return _unanimous(select_checkers(sources, scenarios, says, trials.refused, known=False, noun=_SAID), scenarios)


def _unanimous(choice: CheckerSelection, scenarios: Sequence[TrialInput]) -> CheckerSelection:
    """Return the choice, or none if the deciding ones differ about a dialogue in the form of a right program's.

    A program talks to only one of them, so it must not matter which one that is.
    """
    says = {source.answer_id: choice.trial.says[source.answer_id] for source in choice.deciding}
    for at, scenario in enumerate(scenarios):
        if scenario.case.exact and len({verdicts[at] for verdicts in says.values()}) > 1:
            refused = {**choice.refused, **dict.fromkeys(says, Reason("other_verdicts"))}
            shows = {answer_id: scenario.show(accepts=verdicts[at], noun=_SAID) for answer_id, verdicts in says.items()}
            return replace(choice, deciding=(), refused=refused, shows={**choice.shows, **shows})
    return choice


class _InteractorTrials:
    """The trials of interactors: `attempts` of the solutions with each, and why an interactor is `refused`, with the
    dialogue that shows it."""

    def __init__(self, runner: ProgramRunner, solutions: Sequence[SetterProgram], given: Sequence[Any]) -> None:
        self._bench, self._solutions, self._given = runner, solutions, given
        self.attempts: dict[AnswerId, list[list[Attempt | None]]] = {}
        self.refused: dict[AnswerId, tuple[str, Shown | None]] = {}

    def try_solutions(self, source: SetterProgram) -> None:
        """Run every solution with an interactor."""
        try:
            rows = [_attempts(self._bench, source, solution, self._given) for solution in self._solutions]
        except InteractorFailed as failed:
            self.refused[source.answer_id] = Reason("fails", cause=error_reason(failed)), None
        else:
            self.attempts[source.answer_id] = rows

    def accepts_each(self, source: SetterProgram) -> list[bool]:
        """Return whether an interactor accepts each solution on each input."""
        return [attempt is not None and attempt.answered for row in self.attempts[source.answer_id] for attempt in row]

    def verdicts(self, source: SetterProgram, talks: Sequence[_FixedDialogue]) -> list[bool] | None:
        """Return whether an interactor accepts each text; None if it fails, or accepts one that it must refuse."""
        results = self._bench.recite(
            as_interactor(source),
            [(talk.given, talk.words) for talk in talks],
            lambda place, attempt: talks[place].must and attempt.answered,
        )
        if results and results[-1].verdict is Verdict.JUDGE_ERROR:
            self.refused[source.answer_id] = Reason("fails", cause=results[-1].note), None
            return None
        verdicts = [attempt.answered for attempt in results]
        if verdicts and talks[len(verdicts) - 1].must and verdicts[-1]:
            self._refuse(source, Reason("accepts_senseless"), talks[len(verdicts) - 1])
            return None
        return verdicts

    def checks_ends(self, source: SetterProgram, talks: Sequence[_FixedDialogue], verdicts: Sequence[bool]) -> bool:
        """Return whether an interactor refuses right dialogues with another end.

        It must refuse all of them, or some if several ends are right.
        """
        ends = [
            (talk, verdict)
            for talk, verdict in zip(talks, verdicts, strict=True)
            if talk.end is not None and talk.of is not None and verdicts[talk.of]
        ]
        accepted = [talk for talk, verdict in ends if verdict]
        # If several ends are right, malformed ones prove nothing: they may be refused for their form.
        sensible = [verdict for talk, verdict in ends if talk.sensible] or [verdict for _, verdict in ends]
        if accepted and (all(sensible) or not self._several_ends(source)):
            self._refuse(source, Reason("accepts_other_end"), accepted[0])
            return False
        return True

    def _several_ends(self, source: SetterProgram) -> bool:
        """Return whether an interactor accepts two ends about one input, each from solutions of two vendors."""
        for place in range(len(self._given)):
            vendors = defaultdict[str, set[str]](set)
            for solution, row in zip(self._solutions, self.attempts[source.answer_id], strict=True):
                attempt = row[place]
                if attempt is not None and attempt.answered and attempt.value:
                    vendors[" ".join(attempt.value.splitlines()[-1].split())].add(solution.answer_id.vendor)
            if sum(len(names) >= LEAST_VENDORS for names in vendors.values()) > 1:
                return True
        return False

    def _refuse(self, source: SetterProgram, reason: str, talk: _FixedDialogue) -> None:
        self.refused[source.answer_id] = (
            reason, TrialInput(talk.given, talk.words, talk.case).show(accepts=True, noun=_SAID),
        )  # fmt: skip


def _attempts(
    runner: ProgramRunner, source: SetterProgram, solution: SetterProgram, given: Sequence[Any]
) -> list[Attempt | None]:
    """Run a solution with an interactor; one that cannot be run is accepted by none. Raises Failed."""
    try:
        attempts = runner.talks_with(as_interactor(source), solution, given)
    except UnrunnableProgram:
        return [None] * len(given)
    for attempt in attempts:
        if attempt is not None and attempt.verdict is Verdict.JUDGE_ERROR:
            raise InteractorFailed(attempt.note)
    return attempts


def _changed(given: Sequence[Any], tried: Mapping[AnswerId, list[list[Attempt | None]]]) -> Iterator[_FixedDialogue]:
    """Yield texts that interactors of two vendors accept from solutions, and changed forms of each.

    These are cut short, have another end, a broken line, or the end twice, or repeat the queries many times.
    """
    talks = place = 0
    for at, one in enumerate(given):
        vendors = defaultdict[str, set[str]](set)
        for answer_id, rows in tried.items():
            for row in rows:
                attempt = row[at]
                if attempt is not None and attempt.answered and attempt.value and len(attempt.value) < _MAX_TALK_CHARS:
                    vendors[attempt.value].add(answer_id.vendor)
        right = min((words for words, names in vendors.items() if len(names) > 1), key=len, default=None)
        if right is None or talks >= _MAX_TALKS:
            continue
        talks += 1
        lines = right.splitlines(keepends=True)
        forms = [
            _FixedDialogue(one, right),
            _FixedDialogue(one, "".join(lines[:-1]), must=True),
            _FixedDialogue(one, right + lines[-1]),
        ]
        forms += [
            _FixedDialogue(one, "".join([*lines[:-1], end]), of=place, end=end, sensible=sensible)
            for end, sensible in _ends(lines[-1])
        ]
        if len(lines) > 1 and all(line.split()[:1] != lines[-1].split()[:1] for line in lines[:-1]):
            forms.append(_FixedDialogue(one, _repeated(lines[:-1]) + lines[-1], long=True))
        if len(lines) > 1 and lines[0].split()[-1:] and lines[0].split()[-1].lstrip("-").isdigit():
            forms.append(_FixedDialogue(one, "".join([f"{lines[0].rstrip()}x\n", *lines[1:]]), must=True))
        yield from forms
        place += len(forms)


def _repeated(lines: Sequence[str]) -> str:
    """Return the queries, repeated as often as the limits of a long dialogue allow."""
    text = "".join(lines)
    return text * max(2, min(_LONG_LINES // len(lines), _LONG_CHARS // len(text)))


def _ends(line: str) -> list[tuple[str, bool]]:
    """Return other last lines, and whether each has the right form."""
    words = line.split()
    if not words:
        return []
    near = [(words[:-1], False), ([*words[:-1], f"{words[-1]}x"], False)]
    if words[-1].lstrip("-").isdigit():
        near += [([*words[:-1], str(int(words[-1]) + step)], True) for step in (1, -1, 7)]
    return [(" ".join(other) + "\n", sensible) for other, sensible in near]

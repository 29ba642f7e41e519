"""Which interactors decide where programs talk to the judge: those that refuse what is no right dialogue.

What an interactor reads is hidden from those who talk to it, so setters can only agree where the statement says how
that is written. Each is tried on the talks of everybody's solutions and on changed ones.

A right talk with another end is wrong where one end is right. Several are if solutions of two vendors end in one way,
and those of two vendors in another, and the interactor takes both: without that, one that takes a changed end too does
not look at what is answered.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from app.domain.judging.verdicts import Verdict
from app.domain.problems import CheckerKind, Interactor
from app.domain.setting.answers import Piece
from app.domain.setting.comparing import Case, Hearing
from app.domain.setting.consensus import LEAST_VENDORS
from app.domain.testgen.candidates import Candidate
from workers.grading.producer import Attempt
from workers.grading.setting.bench import Bench, Broken, Source
from workers.grading.setting.hearings import Choice, Scenario, Shown, chosen

_MOST_CASES, _MOST_TALKS = 8, 6
_LONGEST: Final = 20_000  # characters of a talk that is changed
_MANY, _ROOM = 3000, 60_000  # lines of a talk without end, and its characters: as many as a pipe holds
_GARBAGE: Final = ("", "\n", "\x00\x01\ufffd\n", "yes no maybe\n" * 20)

# An interactor of ours gets the judge's answer too, which a setter's knows nothing of.
_TWO_ARGUMENTS = """\
import sys as _sys
del _sys.argv[2:3]
exec(compile({code!r}, "interactor.py", "exec"), globals())
"""


_SAID: Final = "what is said"


@dataclass(frozen=True, slots=True)
class _Talk:
    """What a contestant says whatever it hears, about one input.

    `must`: no interactor may accept it. `of` is the place of the right talk that was changed, and `end` its new last
    line where that alone was; it may still be `sensible`, and say something else. `long`: all but its end is said so
    often that it breaks a bound, if there is one.
    """

    given: Any
    words: str
    must: bool = False
    of: int | None = None
    end: str | None = None
    sensible: bool = False
    long: bool = False

    @property
    def case(self) -> Case:
        return Case(exact=self.long or self.end is not None)


class Failed(Exception):
    """What an interactor fails with, whatever a program says."""


def as_interactor(source: Source) -> Interactor:
    """A setter's interactor as a problem's."""
    return Interactor(_TWO_ARGUMENTS.format(code=source.code), CheckerKind.KATTIS, "python")


def choose(bench: Bench, sources: Sequence[Source], solutions: Sequence[Source], inputs: Sequence[Candidate]) -> Choice:
    """Try each on the talks of solutions about the smallest inputs, and on changed ones. Raises OutOfTime."""
    if len({source.piece.vendor for source in sources}) < LEAST_VENDORS:
        return Choice(hearing=Hearing(known=False))  # nobody could agree with it
    given = [candidate.given for candidate in inputs[:_MOST_CASES]]
    trial = _Trial(bench, solutions, given)
    noise = [_Talk(one, words, must=True) for one in given[:1] for words in _GARBAGE]
    for source in sources:
        if trial.verdicts(source, noise) is not None:
            trial.hear_solutions(source)
    talks = list(_changed(given, trial.said))
    heard: dict[Piece, list[bool]] = {}
    for source in (source for source in sources if source.piece in trial.said):
        verdicts = trial.verdicts(source, talks)
        if verdicts is not None and trial.looks_at_ends(source, talks, verdicts):
            heard[source.piece] = [*trial.accepted(source), *verdicts]
    scenarios = [
        Scenario(one, None, Case(frozenset({solution.piece.vendor}))) for solution in solutions for one in given
    ]
    scenarios += [Scenario(talk.given, talk.words, talk.case) for talk in talks]
    return _of_one_mind(chosen(sources, scenarios, heard, trial.refused, known=False, noun=_SAID), scenarios)


def _of_one_mind(choice: Choice, scenarios: Sequence[Scenario]) -> Choice:
    """The choice, or nobody where those that decide differ about words that are written like a right program's.

    A program talks to one of them, so it must not matter to which.
    """
    says = {source.piece: choice.hearing.says[source.piece] for source in choice.deciding}
    for at, scenario in enumerate(scenarios):
        if scenario.case.exact and len({said[at] for said in says.values()}) > 1:
            refused = {**choice.refused, **dict.fromkeys(says, "another vendor's says otherwise")}
            shows = {piece: scenario.shown(accepts=said[at], noun=_SAID) for piece, said in says.items()}
            return replace(choice, deciding=(), refused=refused, shows={**choice.shows, **shows})
    return choice


class _Trial:
    """What interactors make of talks; `said` are the solutions' attempts, `refused` why an interactor is none, with the
    talk that shows it."""

    def __init__(self, bench: Bench, solutions: Sequence[Source], given: Sequence[Any]) -> None:
        self._bench, self._solutions, self._given = bench, solutions, given
        self.said: dict[Piece, list[list[Attempt | None]]] = {}
        self.refused: dict[Piece, tuple[str, Shown | None]] = {}

    def hear_solutions(self, source: Source) -> None:
        """Let every solution talk to it."""
        try:
            rows = [_attempts(self._bench, source, solution, self._given) for solution in self._solutions]
        except Failed as failed:
            self.refused[source.piece] = f"it fails: {failed}", None
        else:
            self.said[source.piece] = rows

    def accepted(self, source: Source) -> list[bool]:
        """Which of the solutions' talks it accepts."""
        return [attempt is not None and attempt.answered for row in self.said[source.piece] for attempt in row]

    def verdicts(self, source: Source, talks: Sequence[_Talk]) -> list[bool] | None:
        """Which of the talks it accepts; None where it is refused for that, or fails."""
        heard = self._bench.recited(
            as_interactor(source),
            [(talk.given, talk.words) for talk in talks],
            lambda place, attempt: talks[place].must and attempt.answered,
        )
        if heard and heard[-1].verdict is Verdict.JUDGE_ERROR:
            self.refused[source.piece] = f"it fails: {heard[-1].note}", None
            return None
        verdicts = [attempt.answered for attempt in heard]
        if verdicts and talks[len(verdicts) - 1].must and verdicts[-1]:
            self._refuse(source, "it accepts a dialogue that says too little, or no sense", talks[len(verdicts) - 1])
            return None
        return verdicts

    def looks_at_ends(self, source: Source, talks: Sequence[_Talk], verdicts: Sequence[bool]) -> bool:
        """Whether it refuses right talks with another end: all of them, or some where several ends are right."""
        ends = [
            (talk, verdict)
            for talk, verdict in zip(talks, verdicts, strict=True)
            if talk.end is not None and talk.of is not None and verdicts[talk.of]
        ]
        taken = [talk for talk, verdict in ends if verdict]
        # Where several are right, those that make no sense prove nothing: they may be refused unseen.
        sensible = [verdict for talk, verdict in ends if talk.sensible] or [verdict for _, verdict in ends]
        if taken and (all(sensible) or not self._several_ends(source)):
            self._refuse(source, "it accepts a right dialogue with another end", taken[0])
            return False
        return True

    def _several_ends(self, source: Source) -> bool:
        """Whether it takes two ends about one input, each from solutions of two vendors."""
        for place in range(len(self._given)):
            vendors = defaultdict[str, set[str]](set)
            for solution, row in zip(self._solutions, self.said[source.piece], strict=True):
                attempt = row[place]
                if attempt is not None and attempt.answered and attempt.value:
                    vendors[" ".join(attempt.value.splitlines()[-1].split())].add(solution.piece.vendor)
            if sum(len(names) >= LEAST_VENDORS for names in vendors.values()) > 1:
                return True
        return False

    def _refuse(self, source: Source, reason: str, talk: _Talk) -> None:
        self.refused[source.piece] = (
            reason, Scenario(talk.given, talk.words, talk.case).shown(accepts=True, noun=_SAID),
        )  # fmt: skip


def _attempts(bench: Bench, source: Source, solution: Source, given: Sequence[Any]) -> list[Attempt | None]:
    """How an interactor takes a solution; a solution that cannot be run is accepted by none. Raises Failed."""
    try:
        attempts = bench.talks(as_interactor(source), solution, given)
    except Broken:
        return [None] * len(given)
    for attempt in attempts:
        if attempt is not None and attempt.verdict is Verdict.JUDGE_ERROR:
            raise Failed(attempt.note)
    return attempts


def _changed(given: Sequence[Any], said: Mapping[Piece, list[list[Attempt | None]]]) -> Iterator[_Talk]:
    """Talks that interactors of two vendors hold to be right; and each of them cut short, with another end, with a
    broken line, with its end said twice, and with what is asked said over and over."""
    talks = place = 0
    for at, one in enumerate(given):
        vendors = defaultdict[str, set[str]](set)
        for piece, rows in said.items():
            for row in rows:
                attempt = row[at]
                if attempt is not None and attempt.answered and attempt.value and len(attempt.value) < _LONGEST:
                    vendors[attempt.value].add(piece.vendor)
        right = min((words for words, names in vendors.items() if len(names) > 1), key=len, default=None)
        if right is None or talks >= _MOST_TALKS:
            continue
        talks += 1
        lines = right.splitlines(keepends=True)
        made = [_Talk(one, right), _Talk(one, "".join(lines[:-1]), must=True), _Talk(one, right + lines[-1])]
        made += [
            _Talk(one, "".join([*lines[:-1], end]), of=place, end=end, sensible=sensible)
            for end, sensible in _ends(lines[-1])
        ]
        if len(lines) > 1 and all(line.split()[:1] != lines[-1].split()[:1] for line in lines[:-1]):
            made.append(_Talk(one, _without_end(lines[:-1]) + lines[-1], long=True))
        if len(lines) > 1 and lines[0].split()[-1:] and lines[0].split()[-1].lstrip("-").isdigit():
            made.append(_Talk(one, "".join([f"{lines[0].rstrip()}x\n", *lines[1:]]), must=True))
        yield from made
        place += len(made)


def _without_end(lines: Sequence[str]) -> str:
    """What is asked, again and again."""
    said = "".join(lines)
    return said * max(2, min(_MANY // len(lines), _ROOM // len(said)))


def _ends(line: str) -> list[tuple[str, bool]]:
    """Last lines that say something else, and whether they are as sensible."""
    words = line.split()
    if not words:
        return []
    near = [(words[:-1], False), ([*words[:-1], f"{words[-1]}x"], False)]
    if words[-1].lstrip("-").isdigit():
        near += [([*words[:-1], str(int(words[-1]) + step)], True) for step in (1, -1, 7)]
    return [(" ".join(other) + "\n", sensible) for other, sensible in near]

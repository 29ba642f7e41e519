"""Which interactors decide where programs talk to the judge: those that refuse what is no right dialogue.

What an interactor reads is hidden from those who talk to it, so setters can only agree where the statement says how
that is written. Each is tried on the talks of everybody's solutions and on changed ones.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from app.domain.judging.verdicts import Verdict
from app.domain.problems import CheckerKind, Interactor
from app.domain.setting.answers import Piece
from app.domain.setting.consensus import LEAST_VENDORS
from app.domain.testgen.candidates import Candidate
from workers.grading.producer import Attempt
from workers.grading.setting.bench import Bench, Broken, Source

LEAST_AGREED: Final = 0.95  # of the scenarios, of two vendors' interactors
_MOST_CASES, _MOST_TALKS = 8, 6
_LONGEST: Final = 20_000  # characters of a talk that is changed
_GARBAGE: Final = ("", "\n", "\x00\x01\ufffd\n", "yes no maybe\n" * 20)

# An interactor of ours gets the judge's answer too, which a setter's knows nothing of.
_TWO_ARGUMENTS = """\
import sys as _sys
del _sys.argv[2:3]
exec(compile({code!r}, "interactor.py", "exec"), globals())
"""


Shown = tuple[Any, str | None, str]  # an input, what was said about it, and what the interactor says of that


@dataclass(frozen=True, slots=True)
class Choice:
    """The interactors that decide together, the chosen one first; why each other one does not, and what shows it."""

    deciding: tuple[Source, ...] = ()
    refused: dict[Piece, str] = field(default_factory=dict)
    shows: dict[Piece, Shown] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Talk:
    """What a contestant says whatever it hears, about one input; `must`: no interactor may accept it."""

    given: Any
    words: str
    must: bool


class Failed(Exception):
    """What an interactor fails with, whatever a program says."""


def as_interactor(source: Source) -> Interactor:
    """A setter's interactor as a problem's."""
    return Interactor(_TWO_ARGUMENTS.format(code=source.code), CheckerKind.KATTIS, "python")


def choose(bench: Bench, sources: Sequence[Source], solutions: Sequence[Source], inputs: Sequence[Candidate]) -> Choice:
    """Try each on the talks of solutions about the smallest inputs, and on changed ones. Raises OutOfTime.

    All that say the same in 95 % of the talks as another vendor's decide, and those that contradict them too, unless
    they refuse the solutions of their own vendor that others accept.
    """
    if len({source.piece.vendor for source in sources}) < LEAST_VENDORS:
        return Choice()  # nobody could agree with it
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
        if verdicts is not None:
            heard[source.piece] = [*trial.accepted(source), *verdicts]
    scenarios = [(one, None) for _solution in solutions for one in given] + [(talk.given, talk.words) for talk in talks]
    return _chosen(sources, solutions, heard, trial, scenarios)


class _Trial:
    """What interactors make of talks; `said` are the solutions' attempts, `refused` why an interactor is none, and
    `shows` the talk that shows it."""

    def __init__(self, bench: Bench, solutions: Sequence[Source], given: Sequence[Any]) -> None:
        self._bench, self._solutions, self._given = bench, solutions, given
        self.said: dict[Piece, list[list[Attempt | None]]] = {}
        self.refused: dict[Piece, str] = {}
        self.shows: dict[Piece, Shown] = {}

    @property
    def cases(self) -> int:
        """How many inputs every solution talks about."""
        return len(self._given)

    def hear_solutions(self, source: Source) -> None:
        """Let every solution talk to it."""
        try:
            rows = [_attempts(self._bench, source, solution, self._given) for solution in self._solutions]
        except Failed as failed:
            self.refused[source.piece] = f"it fails: {failed}"
        else:
            self.said[source.piece] = rows

    def accepted(self, source: Source) -> list[bool]:
        """Which of the solutions' talks it accepts."""
        return [attempt is not None and attempt.answered for row in self.said[source.piece] for attempt in row]

    def verdicts(self, source: Source, talks: Sequence[_Talk]) -> list[bool] | None:
        """Which of the talks it accepts; None where it is refused for that, or fails."""
        must = [talk.must for talk in talks]
        heard = self._bench.recited(
            as_interactor(source),
            [(talk.given, talk.words) for talk in talks],
            lambda place, attempt: must[place] and attempt.answered,
        )
        if heard and heard[-1].verdict is Verdict.JUDGE_ERROR:
            self.refused[source.piece] = f"it fails: {heard[-1].note}"
            return None
        verdicts = [attempt.answered for attempt in heard]
        if verdicts and must[len(verdicts) - 1] and verdicts[-1]:
            talk = talks[len(verdicts) - 1]
            self.refused[source.piece] = "it accepts a dialogue that says too little, or no sense"
            self.shows[source.piece] = _shown(talk.given, talk.words, accepts=True)
            return None
        changed = [verdict for talk, verdict in zip(talks, verdicts, strict=True) if not talk.must]
        if changed and all(changed):
            self.refused[source.piece] = "it accepts every changed dialogue"
            return None
        return verdicts


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


def _changed(given: Sequence[Any], said: dict[Piece, list[list[Attempt | None]]]) -> Iterator[_Talk]:
    """Talks that interactors of two vendors hold to be right, cut short or with another end."""
    count = 0
    for place, one in enumerate(given):
        vendors: dict[str, set[str]] = {}
        for piece, rows in said.items():
            for row in rows:
                attempt = row[place]
                if attempt is not None and attempt.answered and attempt.value and len(attempt.value) < _LONGEST:
                    vendors.setdefault(attempt.value, set()).add(piece.vendor)
        right = min((words for words, names in vendors.items() if len(names) > 1), key=len, default=None)
        if right is None or count >= _MOST_TALKS:
            continue
        count += 1
        lines = right.splitlines(keepends=True)
        yield _Talk(one, "".join(lines[:-1]), must=True)
        yield from (_Talk(one, "".join([*lines[:-1], end]), must=False) for end in _ends(lines[-1]))
        yield _Talk(one, right + lines[-1], must=False)


def _ends(line: str) -> list[str]:
    """Last lines near a right one: most of them are wrong."""
    words = line.split()
    if not words:
        return []
    near = [words[:-1], [*words[:-1], f"{words[-1]}x"]]
    if words[-1].lstrip("-").isdigit():
        near += [[*words[:-1], str(int(words[-1]) + step)] for step in (1, -1)]
    return [" ".join(other) + "\n" for other in near]


def _chosen(
    sources: Sequence[Source],
    solutions: Sequence[Source],
    heard: dict[Piece, list[bool]],
    trial: _Trial,
    scenarios: Sequence[tuple[Any, str | None]],
) -> Choice:
    refused, shows = trial.refused, trial.shows
    pairs = [
        (_agreement(heard[one], heard[other]), one, other)
        for one in heard
        for other in heard
        if one.vendor != other.vendor and one < other
    ]
    best = max(pairs, key=lambda pair: pair[0], default=None)
    if best is None or best[0] < LEAST_AGREED:
        for piece in heard:
            others = [said for other, said in heard.items() if other.vendor != piece.vendor]
            if others:
                refused[piece] = "no other vendor's interactor says the same"
                shows |= _differing(piece, heard[piece], others, scenarios)
        return Choice((), refused, shows)
    _, first, second = best
    deciding = [first, second]
    for piece in heard:
        if piece in deciding:
            continue
        if _agreement(heard[piece], heard[first]) < LEAST_AGREED and _denies_its_own(
            piece, solutions, heard, (first, second), trial.cases
        ):
            shows |= _differing(piece, heard[piece], [heard[first]], scenarios)
            refused[piece] = "it refuses solutions of its own vendor that others accept"
        else:
            deciding.append(piece)
    by_piece = {source.piece: source for source in sources}
    return Choice(tuple(by_piece[piece] for piece in deciding), refused, shows)


def _differing(
    piece: Piece, said: Sequence[bool], others: Sequence[Sequence[bool]], scenarios: Sequence[tuple[Any, str | None]]
) -> dict[Piece, Shown]:
    """The first talk of which an interactor says something else than another, one with known words if there is one."""
    differ = [place for place in range(len(said)) if any(other[place] is not said[place] for other in others)]
    for place in sorted(differ, key=lambda place: scenarios[place][1] is None):
        return {piece: _shown(*scenarios[place], accepts=said[place])}
    return {}


def _shown(given: Any, words: str | None, *, accepts: bool) -> Shown:
    return given, words, f"it {'accepts' if accepts else 'refuses'} {'a solution' if words is None else 'what is said'}"


def _denies_its_own(
    piece: Piece, solutions: Sequence[Source], heard: dict[Piece, list[bool]], others: Sequence[Piece], cases: int
) -> bool:
    for number, solution in enumerate(solutions):
        part = slice(number * cases, (number + 1) * cases)
        if solution.piece.vendor == piece.vendor and all(all(heard[other][part]) for other in others):
            return not all(heard[piece][part])
    return False


def _agreement(one: Sequence[bool], other: Sequence[bool]) -> float:
    return sum(a is b for a, b in zip(one, other, strict=True)) / len(one) if one else 0.0

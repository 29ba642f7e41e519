"""Which checker decides where several answers are right: one that another vendor's checker agrees with."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from app.domain.errors import InvalidProblem, JudgeError
from app.domain.problems import Checker, CheckerKind, Test
from app.domain.setting.answers import Piece
from app.domain.setting.consensus import LEAST_VENDORS
from app.domain.setting.vendors import OPERATOR
from workers.grading.setting.bench import Bench, Source, digest_of

LEAST_AGREED: Final = 0.95  # of the scenarios, of two vendors' checkers
_MOST_CASES, _MOST_ANSWERS = 12, 4
_GARBAGE: Final = ("", "\n", "\x00\x01\ufffd", "yes no maybe\n" * 50, "-1\n", "9" * 400 + "\n")
Says = dict[int, bool]


@dataclass(frozen=True, slots=True)
class Case:
    """An input with an answer that is held to be right, and what programs answer."""

    given: Any
    right: str
    answers: Sequence[str]


@dataclass(frozen=True, slots=True)
class Choice:
    """The checker, if one can be had, and why each of the others is not, with the case that shows it: an input, an
    answer to it, and what the checker says of that."""

    piece: Piece | None
    checker: Checker | None
    agreed: frozenset[Piece]
    refused: dict[Piece, str]
    shows: dict[Piece, tuple[Any, str, str]]


def as_checker(source: Source) -> Checker:
    """A setter's checker as a problem's."""
    return Checker(CheckerKind.KATTIS, program=source.code, language="python")


def choose(bench: Bench, sources: Sequence[Source], cases: Sequence[Case]) -> Choice:
    """Try each on right answers, on changed ones and on bytes that are none. Raises OutOfTime.

    Where all are of one vendor, none is run: nobody could agree with it.
    """
    vendors = {source.piece.vendor for source in sources}
    if len(vendors) < LEAST_VENDORS and OPERATOR not in vendors:
        return Choice(None, None, frozenset(), {}, {})
    scenarios = [scenario for case in cases[:_MOST_CASES] for scenario in _scenarios(case)]
    refused: dict[Piece, str] = {}
    shows: dict[Piece, tuple[Any, str, str]] = {}
    says: dict[Piece, list[bool]] = {}
    for source in sources:
        try:
            says[source.piece] = _said(bench, source, scenarios)
        except _Unfit as unfit:
            refused[source.piece] = str(unfit)
            if unfit.scenario is not None:
                shows[source.piece] = _shown(unfit.scenario, accepts=not unfit.scenario.must)
    vouched = [piece for piece in says if piece.vendor == OPERATOR]
    pairs = [
        (_agreement(says[one], says[other]), one, other)
        for one in says
        for other in says
        if one.vendor != other.vendor and one < other
    ]
    best = max(pairs, key=lambda pair: (pair[0], pair[1]), default=None)
    if vouched:  # a person says how answers are compared; it must be fit all the same
        best = (1.0, vouched[-1], vouched[-1])
    if best is None or best[0] < LEAST_AGREED:
        for piece in says:
            others = [said for other, said in says.items() if other.vendor != piece.vendor]
            if others:  # one that is alone was not refuted by anything
                refused[piece] = "no other vendor's checker says the same"
                shows |= _differing(piece, says[piece], others, scenarios)
        return Choice(None, None, frozenset(), refused, shows)
    code = next(source for source in sources if source.piece == best[1])
    agreed = frozenset(piece for piece in says if _agreement(says[piece], says[best[1]]) >= LEAST_AGREED)
    for piece in says.keys() - agreed:
        refused[piece] = "other vendors' checkers say otherwise"
        shows |= _differing(piece, says[piece], [says[best[1]]], scenarios)
    return Choice(best[1], as_checker(code), agreed, refused, shows)


class _Unfit(Exception):
    """Why a checker is none, and the scenario that shows it."""

    def __init__(self, reason: str, scenario: "_Scenario | None" = None) -> None:
        super().__init__(reason)
        self.scenario = scenario


@dataclass(frozen=True, slots=True)
class _Scenario:
    given: Any
    right: str
    answer: str
    must: bool | None  # what any checker says of it; None where that is the question


def _scenarios(case: Case) -> list[_Scenario]:
    made = [_Scenario(case.given, case.right, case.right, must=True)]
    made += [_Scenario(case.given, case.right, answer, None) for answer in case.answers[:_MOST_ANSWERS]]
    made += [_Scenario(case.given, case.right, answer, None) for answer in _changed(case.right)]
    made += [_Scenario(case.given, case.right, answer, must=False) for answer in _GARBAGE[:4]]
    made += [_Scenario(case.given, case.right, answer, None) for answer in _GARBAGE[4:]]
    return made


def _changed(text: str) -> list[str]:
    """Answers near a right one: most of them are wrong."""
    words = text.split()
    if not words:
        return []
    near = [words[:-1], [*words, words[-1]], words[::-1], [*words[:-1], f"{words[-1]}1"]]
    if words[-1].lstrip("-").isdigit():
        near += [[*words[:-1], str(int(words[-1]) + step)] for step in (1, -1)]
    return list(dict.fromkeys(" ".join(line) + "\n" for line in near if line != words))


def _said(bench: Bench, source: Source, scenarios: Sequence[_Scenario]) -> list[bool]:
    problem = replace(bench.problem, checker=as_checker(source), tests=())

    def work() -> list[bool]:
        with bench.counted():
            try:
                with bench.producer.deciding(problem) as decides:
                    return [_verdict(decides, scenario) for scenario in scenarios]
            except InvalidProblem as broken:
                raise _Unfit(str(broken)) from broken
            except JudgeError as broken:
                raise _Unfit(f"it fails: {broken}") from broken

    asked = digest_of([(one.given, one.right, one.answer) for one in scenarios])
    return bench.once((problem.checker, asked), work)


def _verdict(decides: Callable[[Test, Any], bool], scenario: _Scenario) -> bool:
    verdict = decides(Test(scenario.given, scenario.right), scenario.answer)
    if scenario.must is not None and verdict is not scenario.must:
        what = "a right answer" if scenario.must else "bytes that are no answer"
        raise _Unfit(f"it {'accepts' if verdict else 'rejects'} {what}: {scenario.answer[:40]!r}", scenario)
    return verdict


def _differing(
    piece: Piece, said: Sequence[bool], others: Sequence[Sequence[bool]], scenarios: Sequence[_Scenario]
) -> dict[Piece, tuple[Any, str, str]]:
    """The first case of which a checker says something else than another."""
    for place, scenario in enumerate(scenarios):
        if any(other[place] is not said[place] for other in others):
            return {piece: _shown(scenario, accepts=said[place])}
    return {}


def _shown(scenario: _Scenario, *, accepts: bool) -> tuple[Any, str, str]:
    return scenario.given, scenario.answer, "it accepts the output" if accepts else "it rejects the output"


def _agreement(one: Sequence[bool], other: Sequence[bool]) -> float:
    """The share of scenarios on which both say the same."""
    return sum(a is b for a, b in zip(one, other, strict=True)) / len(one) if one else 0.0

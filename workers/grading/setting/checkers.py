"""Which checkers decide where several answers are right: those that are fit, if two vendors' say the same.

They are tried on small inputs: on every answer that a brute force gives, on the answers next to it that can be
enumerated, on answers that are broken, and on bytes that are none.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, product
from typing import Any, Final

from app.domain.errors import InvalidProblem, JudgeError
from app.domain.problems import Checker, CheckerKind, Test
from app.domain.setting.answers import Piece
from app.domain.setting.comparing import Case, Hearing
from app.domain.setting.consensus import LEAST_VENDORS
from app.domain.setting.vendors import OPERATOR
from workers.grading.setting.bench import Bench, Source, digest_of
from workers.grading.setting.hearings import Choice, Scenario, Shown, chosen

_MOST_INPUTS, _MOST_ANSWERS, _MOST_NEAR = 12, 6, 14
_GARBAGE: Final = ("", "\n", "\x00\x01\ufffd", "yes no maybe\n" * 50)
_ODD: Final = ("-1\n", "9" * 400 + "\n")
_NO_NUMBERS: Final = ("nan", "inf")  # a difference to them may be within every tolerance, by how it is compared
_OUTPUT: Final = "the output"
_NEAR: Final = Case(exact=True)  # an answer that we wrote like a right one


@dataclass(frozen=True, slots=True)
class Answered:
    """A small input, each different answer to it with the vendors whose programs give it, and those of brute forces
    apart; `stated` is the statement's."""

    given: Any
    answers: Mapping[str, frozenset[str]]
    brutes: Mapping[str, frozenset[str]]
    stated: str | None = None

    @property
    def right(self) -> str:
        """The answer that stands for the judge's: the statement's, or what most brute forces give, or most programs."""
        if self.stated is not None:
            return self.stated
        return max(self.answers, key=lambda one: (len(self.brutes.get(one, ())), len(self.answers[one])))


@dataclass(frozen=True, slots=True)
class _Asked:
    """A scenario as it is put to a checker; `must` is what every one says, and `voiced` who has to accept it: vendors
    whose brute forces give that answer, where those of two do."""

    scenario: Scenario
    right: str
    must: bool | None = None
    voiced: frozenset[str] = frozenset()


class _Unfit(Exception):
    """Why a checker is none, and what shows it."""

    def __init__(self, reason: str, shown: Shown | None = None) -> None:
        super().__init__(reason)
        self.shown = shown


def as_checker(source: Source) -> Checker:
    """A setter's checker as a problem's."""
    return Checker(CheckerKind.KATTIS, program=source.code, language="python")


def choose(bench: Bench, sources: Sequence[Source], answered: Sequence[Answered], *, known: bool) -> Choice:
    """Try each on the same scenarios; `known`: answers can be compared without any. Raises OutOfTime.

    Where all are of one vendor, none is run: nobody could agree with it.
    """
    vendors = {source.piece.vendor for source in sources}
    if len(vendors) < LEAST_VENDORS and OPERATOR not in vendors:
        return Choice(hearing=Hearing(known=known))
    asked = [*_musts(answered), *_enumerated(answered)]
    says: dict[Piece, list[bool]] = {}
    unfit: dict[Piece, tuple[str, Shown | None]] = {}
    for source in sources:
        try:
            says[source.piece] = _said(bench, source, asked)
        except _Unfit as wrong:
            unfit[source.piece] = str(wrong), wrong.shown
            continue
        near = [at for at, one in enumerate(asked) if one.scenario.case == _NEAR]
        if near and all(says[source.piece][at] for at in near):
            shown = asked[near[0]].scenario.shown(accepts=True, noun=_OUTPUT)
            unfit[source.piece] = "it accepts every answer that is written like a right one", shown
            del says[source.piece]
    return chosen(sources, [one.scenario for one in asked], says, unfit, known=known, noun=_OUTPUT)


def _musts(answered: Sequence[Answered]) -> Iterator[_Asked]:
    """What any checker says the same of, whoever wrote it."""
    for one in answered:
        if one.stated is not None:
            yield _Asked(Scenario(one.given, one.stated, Case()), one.stated, must=True)
    for one in answered[:2]:
        for text in _GARBAGE:
            if text.split() != one.right.split():
                yield _Asked(Scenario(one.given, text, Case()), one.right, must=False)
    for one in [one for one in answered if any(map(_is_finite, one.right.split()))][:2]:
        for text in (_without_numbers(one.right, word) for word in _NO_NUMBERS):
            yield _Asked(Scenario(one.given, text, Case()), one.right, must=False)


def _without_numbers(right: str, word: str) -> str:
    """A right answer with what is none in place of each number in it."""
    lines = [[word if _is_finite(one) else one for one in line.split()] for line in right.splitlines()]
    return "".join(f"{' '.join(line)}\n" for line in lines)


def _is_finite(word: str) -> bool:
    try:
        return math.isfinite(float(word))
    except ValueError:
        return False


def _enumerated(answered: Sequence[Answered]) -> Iterator[_Asked]:
    spelled = {word for one in answered for text in (one.right, *one.brutes) for word in text.split()}
    for one in answered[:_MOST_INPUTS]:
        right = one.right
        common = Counter({text: len(one.brutes.get(text, ())) * 100 + len(by) for text, by in one.answers.items()})
        given = [text for text, _ in common.most_common(_MOST_ANSWERS)]
        for text in given:
            by, brutes = one.answers[text], one.brutes.get(text, frozenset())
            case = Case(by, exact=bool(brutes) or _is_spelled(text, spelled))
            yield _Asked(Scenario(one.given, text, case), right, voiced=brutes if len(brutes) > 1 else frozenset())
        others = [other.right for other in answered if other is not one]
        near = [text for text in _near(right, spelled, others) if text not in one.answers]
        for text in near[:: 1 + len(near) // _MOST_NEAR]:
            yield _Asked(Scenario(one.given, text, _NEAR), right)
        for text in (*_broken(right), *_ODD):
            if text not in one.answers:
                yield _Asked(Scenario(one.given, text, Case()), right)


def _is_spelled(text: str, words: set[str]) -> bool:
    """Whether it is written like right answers: of numbers and their words."""
    return bool(text.split()) and all(word in words or _is_number(word) for word in text.split())


def _is_number(word: str) -> bool:
    return word.lstrip("-").isdecimal() and len(word) < 19  # what 64 bits hold


def _near(right: str, spelled: set[str], others: Sequence[str]) -> list[str]:
    """Answers written like a right one: all with numbers next to its own where these are few, else each with one word,
    or two words or lines, changed; and what is right for other inputs."""
    lines = [line.split() for line in right.splitlines() if line.split()]
    places = [(at, word) for at, line in enumerate(lines) for word in range(len(line))]
    names = sorted(word for word in spelled if not _is_number(word))[:4]
    choices = [_instead(lines[at][word], names) for at, word in places]
    found: list[list[list[str]]] = []
    if places and len(places) <= 3:  # 27 answers of numbers
        found += [_put(lines, dict(zip(places, words, strict=True))) for words in product(*choices)]
    else:
        found += [_put(lines, {place: word}) for place, some in zip(places, choices, strict=True) for word in some]
        found += [
            _put(lines, {one: lines[other[0]][other[1]], other: lines[one[0]][one[1]]})
            for one, other in pairwise(places)
        ]
        found += [[*lines[:at], lines[at + 1], lines[at], *lines[at + 2 :]] for at in range(len(lines) - 1)]
    texts = ["".join(f"{' '.join(line)}\n" for line in one) for one in found]
    return [text for text in dict.fromkeys([*texts, *others]) if text.split() != right.split()]


def _instead(word: str, names: Sequence[str]) -> list[str]:
    if _is_number(word):
        return [word, str(int(word) + 1), str(int(word) - 1)]
    return [word, *(name for name in names if name != word)]


def _put(lines: Sequence[Sequence[str]], words: Mapping[tuple[int, int], str]) -> list[list[str]]:
    return [[words.get((at, place), word) for place, word in enumerate(line)] for at, line in enumerate(lines)]


def _broken(text: str) -> list[str]:
    """Answers with too little, too much, or in another order: layout may excuse who differs about them."""
    words = text.split()
    if not words:
        return []
    near = [words[:-1], [*words, words[-1]], words[::-1], [*words[:-1], f"{words[-1]}1"]]
    return list(dict.fromkeys(" ".join(line) + "\n" for line in near if line != words))


def _said(bench: Bench, source: Source, asked: Sequence[_Asked]) -> list[bool]:
    problem = replace(bench.problem, checker=as_checker(source), tests=())

    def work() -> list[bool] | _Unfit:
        with bench.counted():
            try:
                with bench.producer.deciding(problem) as decides:
                    return [_verdict(decides, one, source.piece.vendor) for one in asked]
            except InvalidProblem as broken:
                return _Unfit(str(broken))
            except JudgeError as broken:
                return _Unfit(f"it fails: {broken}")
            except _Unfit as unfit:
                return unfit

    key = digest_of([(one.scenario.given, one.right, one.scenario.words) for one in asked])
    said = bench.once((problem.checker, source.piece.vendor, key), work)
    if isinstance(said, _Unfit):
        raise said
    return said


def _verdict(decides: Callable[[Test, Any], bool], one: _Asked, vendor: str) -> bool:
    scenario = one.scenario
    verdict = decides(Test(scenario.given, one.right), scenario.words)
    must = True if vendor in one.voiced else one.must
    if must is not None and verdict is not must:
        if vendor in one.voiced:
            what = "what brute forces of two vendors answer, its own among them"
        else:
            what = "a right answer" if must else "bytes that are no answer"
        words = f"it {'accepts' if verdict else 'rejects'} {what}: {str(scenario.words)[:40]!r}"
        raise _Unfit(words, scenario.shown(accepts=verdict, noun=_OUTPUT))
    return verdict

"""The choice of checkers for problems with several right answers: fit ones, if two vendors' checkers agree.

They are tried on small inputs, with every answer of a brute force, answers near it that can be enumerated, malformed
answers, and bytes that are no answer.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, product
from typing import Any, Final

from app.domain.consensus.agreement import LEAST_VENDORS
from app.domain.consensus.answers import AnswerId
from app.domain.consensus.checkers import CheckerCase, CheckerTrial
from app.domain.consensus.vendors import OPERATOR
from app.domain.errors import InvalidProblem, JudgeError
from app.domain.problems import Checker, CheckerKind, Test
from app.domain.reasons import Reason, error_reason
from workers.grading.consensus.program_runner import ProgramRunner, SetterProgram, digest_of
from workers.grading.consensus.selection import CheckerSelection, Shown, TrialInput, select_checkers

_MAX_INPUTS, _MAX_ANSWERS, _MAX_NEAR = 12, 6, 14
_GARBAGE: Final = ("", "\n", "\x00\x01\ufffd", "yes no maybe\n" * 50)
_ODD: Final = ("-1\n", "9" * 400 + "\n")
_NO_NUMBERS: Final = ("nan", "inf")  # some comparisons find them within every tolerance
_OUTPUT: Final = "the output"
_NEAR: Final = CheckerCase(exact=True)  # an answer of ours in the format of a right one


@dataclass(frozen=True, slots=True)
class InputAnswers:
    """A small input with each different answer to it and the vendors of all programs, or of brute forces, that give it.

    `stated` is the statement's answer.
    """

    given: Any
    answers: Mapping[str, frozenset[str]]
    brutes: Mapping[str, frozenset[str]]
    stated: str | None = None

    @property
    def right(self) -> str:
        """The answer used as the jury's: the statement's, else that of most brute forces, then of most programs."""
        if self.stated is not None:
            return self.stated
        return max(self.answers, key=lambda one: (len(self.brutes.get(one, ())), len(self.answers[one])))


@dataclass(frozen=True, slots=True)
class _Question:
    """A scenario as a checker gets it, with the jury's answer.

    `must` is the verdict that every checker has to give. `accepted_by` are the vendors whose checkers have to accept
    it: their brute forces give that answer, and so do those of another vendor.
    """

    scenario: TrialInput
    right: str
    must: bool | None = None
    accepted_by: frozenset[str] = frozenset()


class _UnfitChecker(Exception):
    """The reason why a checker is unfit, and an example that shows it."""

    def __init__(self, reason: str, shown: Shown | None = None) -> None:
        super().__init__(reason)
        self.shown = shown


def as_checker(source: SetterProgram) -> Checker:
    """Return a setter's program as a problem's checker."""
    return Checker(CheckerKind.KATTIS, program=source.code, language="python")


def choose(
    runner: ProgramRunner, sources: Sequence[SetterProgram], answered: Sequence[InputAnswers], *, known: bool
) -> CheckerSelection:
    """Try each on the same scenarios; `known`: answers can be compared without a checker. Raises TimeBudgetExceeded.

    If all are of one vendor that is not the operator, none is run, since no other vendor's could agree with it.
    """
    vendors = {source.answer_id.vendor for source in sources}
    if len(vendors) < LEAST_VENDORS and OPERATOR not in vendors:
        return CheckerSelection(trial=CheckerTrial(known=known))
    questions = [*_obvious(answered), *_enumerated(answered)]
    says: dict[AnswerId, list[bool]] = {}
    unfit: dict[AnswerId, tuple[str, Shown | None]] = {}
    for source in sources:
        try:
            says[source.answer_id] = _verdicts(runner, source, questions)
        except _UnfitChecker as wrong:
            unfit[source.answer_id] = error_reason(wrong), wrong.shown
            continue
        near = [at for at, question in enumerate(questions) if question.scenario.case == _NEAR]
        if near and all(says[source.answer_id][at] for at in near):
            shown = questions[near[0]].scenario.show(accepts=True, noun=_OUTPUT)
            unfit[source.answer_id] = Reason("accepts_all"), shown
            del says[source.answer_id]
    return select_checkers(
        sources, [question.scenario for question in questions], says, unfit, known=known, noun=_OUTPUT
    )


def _obvious(answered: Sequence[InputAnswers]) -> Iterator[_Question]:
    """Yield the questions that every right checker answers alike."""
    for one in answered:
        if one.stated is not None:
            yield _Question(TrialInput(one.given, one.stated, CheckerCase()), one.stated, must=True)
    for one in answered[:2]:
        for text in _GARBAGE:
            if text.split() != one.right.split():
                yield _Question(TrialInput(one.given, text, CheckerCase()), one.right, must=False)
    for one in [one for one in answered if any(map(_is_finite, one.right.split()))][:2]:
        for text in (_without_numbers(one.right, word) for word in _NO_NUMBERS):
            yield _Question(TrialInput(one.given, text, CheckerCase()), one.right, must=False)


def _without_numbers(right: str, word: str) -> str:
    """Return a right answer with `word` in the place of each number."""
    lines = [[word if _is_finite(one) else one for one in line.split()] for line in right.splitlines()]
    return "".join(f"{' '.join(line)}\n" for line in lines)


def _is_finite(word: str) -> bool:
    try:
        return math.isfinite(float(word))
    except ValueError:
        return False


def _enumerated(answered: Sequence[InputAnswers]) -> Iterator[_Question]:
    words = {word for one in answered for text in (one.right, *one.brutes) for word in text.split()}
    for one in answered[:_MAX_INPUTS]:
        right = one.right
        common = Counter({text: len(one.brutes.get(text, ())) * 100 + len(by) for text, by in one.answers.items()})
        for text, _ in common.most_common(_MAX_ANSWERS):
            by, brutes = one.answers[text], one.brutes.get(text, frozenset())
            case = CheckerCase(by, exact=bool(brutes) or _is_formatted(text, words))
            accepted_by = brutes if len(brutes) > 1 else frozenset[str]()
            yield _Question(TrialInput(one.given, text, case), right, accepted_by=accepted_by)
        others = [other.right for other in answered if other is not one]
        near = [text for text in _near(right, words, others) if text not in one.answers]
        for text in near[:: 1 + len(near) // _MAX_NEAR]:
            yield _Question(TrialInput(one.given, text, _NEAR), right)
        for text in (*_malformed(right), *_ODD):
            if text not in one.answers:
                yield _Question(TrialInput(one.given, text, CheckerCase()), right)


def _is_formatted(text: str, words: set[str]) -> bool:
    """Return whether a text has the format of right answers: numbers and their words."""
    return bool(text.split()) and all(word in words or _is_number(word) for word in text.split())


def _is_number(word: str) -> bool:
    return word.lstrip("-").isdecimal() and len(word) < 19  # fits 64 bits


def _near(right: str, known: set[str], others: Sequence[str]) -> list[str]:
    """Return answers in the format of a right one, and the right answers to other inputs.

    If it has at most three words, these are all combinations of them and their neighbours; else one word is changed,
    or two words or lines are swapped. `known` are the words of right answers.
    """
    lines = [line.split() for line in right.splitlines() if line.split()]
    places = [(at, word) for at, line in enumerate(lines) for word in range(len(line))]
    names = sorted(word for word in known if not _is_number(word))[:4]
    choices = [_neighbours(lines[at][word], names) for at, word in places]
    changed: list[list[list[str]]] = []
    if places and len(places) <= 3:  # 27 answers of numbers
        changed += [_edit(lines, dict(zip(places, words, strict=True))) for words in product(*choices)]
    else:
        changed += [_edit(lines, {place: word}) for place, some in zip(places, choices, strict=True) for word in some]
        changed += [
            _edit(lines, {one: lines[other[0]][other[1]], other: lines[one[0]][one[1]]})
            for one, other in pairwise(places)
        ]
        changed += [[*lines[:at], lines[at + 1], lines[at], *lines[at + 2 :]] for at in range(len(lines) - 1)]
    texts = ["".join(f"{' '.join(line)}\n" for line in one) for one in changed]
    return [text for text in dict.fromkeys([*texts, *others]) if text.split() != right.split()]


def _neighbours(word: str, names: Sequence[str]) -> list[str]:
    if _is_number(word):
        return [word, str(int(word) + 1), str(int(word) - 1)]
    return [word, *(name for name in names if name != word)]


def _edit(lines: Sequence[Sequence[str]], words: Mapping[tuple[int, int], str]) -> list[list[str]]:
    return [[words.get((at, place), word) for place, word in enumerate(line)] for at, line in enumerate(lines)]


def _malformed(text: str) -> list[str]:
    """Return answers with too few or too many words, or in another order, on which fit checkers may differ."""
    words = text.split()
    if not words:
        return []
    near = [words[:-1], [*words, words[-1]], words[::-1], [*words[:-1], f"{words[-1]}1"]]
    return list(dict.fromkeys(" ".join(line) + "\n" for line in near if line != words))


def _verdicts(runner: ProgramRunner, source: SetterProgram, questions: Sequence[_Question]) -> list[bool]:
    problem = replace(runner.problem, checker=as_checker(source), tests=())

    def work() -> list[bool] | _UnfitChecker:
        with runner.count_time():
            try:
                with runner.judge.open_checker(problem) as decides:
                    return [_verdict(decides, question, source.answer_id.vendor) for question in questions]
            except InvalidProblem as broken:
                return _UnfitChecker(error_reason(broken))
            except JudgeError as broken:
                return _UnfitChecker(Reason("fails", cause=error_reason(broken)))
            except _UnfitChecker as unfit:
                return unfit

    key = digest_of([(one.scenario.given, one.right, one.scenario.words) for one in questions])
    verdicts = runner.run_once((problem.checker, source.answer_id.vendor, key), work)
    if isinstance(verdicts, _UnfitChecker):
        raise verdicts
    return verdicts


def _verdict(decides: Callable[[Test, Any], bool], question: _Question, vendor: str) -> bool:
    scenario = question.scenario
    verdict = decides(Test(scenario.given, question.right), scenario.words)
    must = True if vendor in question.accepted_by else question.must
    if must is not None and verdict is not must:
        what = "alike" if vendor in question.accepted_by else "right" if must else "garbage"
        reason = Reason(f"{'accepts' if verdict else 'rejects'}_{what}", cause=repr(str(scenario.words)[:40]))
        raise _UnfitChecker(reason, scenario.show(accepts=verdict, noun=_OUTPUT))
    return verdict

"""Choice of the programs that decide which answers are equally good: checkers, or interactors. Pure.

All fit programs decide together if two of different vendors agree on the cases that every program is tried on. If the
deciding programs differ about an input, the input decides nothing. So no vendor's program makes two answers equal, or
different, against another vendor's.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Final, NamedTuple

from app.domain.consensus.agreement import MissingAnswer
from app.domain.consensus.answers import AnswerId
from app.domain.consensus.vendors import OPERATOR
from app.domain.reasons import Reason

LEAST_AGREED: Final = 0.95  # share of cases on which two vendors' programs must agree


@dataclass(frozen=True, slots=True)
class CheckerCase:
    """Case on which comparing programs are tried.

    `by` are the vendors whose programs give this answer; empty if we made it up. Two deciding programs may not differ
    about an `exact` case: it is written like right answers, so a doubt about layout is no excuse.
    """

    by: frozenset[str] = frozenset()
    exact: bool = False


@dataclass(frozen=True, slots=True)
class CheckerTrial:
    """Verdicts of every fit program on every case; `known`: answers can be compared without any of them."""

    cases: Sequence[CheckerCase] = ()
    says: Mapping[AnswerId, Sequence[bool]] = field(default_factory=dict)
    known: bool = True


class DecidingCheckers(NamedTuple):
    """Programs that decide together, the chosen one first, and the reasons why others do not.

    None stands for the known way of comparing.
    """

    deciding: tuple[AnswerId | None, ...]
    refused: Mapping[AnswerId, str]


def choose_deciding(hearing: CheckerTrial, without: str | None = None) -> DecidingCheckers:
    """Choose the programs that decide, without one vendor's programs and the cases that only this vendor brought."""
    places = [place for place, case in enumerate(hearing.cases) if not case.by or case.by - {without}]
    cases = [hearing.cases[place] for place in places]
    says = {
        answer_id: [verdicts[place] for place in places]
        for answer_id, verdicts in sorted(hearing.says.items())
        if answer_id.vendor != without
    }
    vouched = [answer_id for answer_id in says if answer_id.vendor == OPERATOR]
    if vouched:  # a person has added a checker
        last = says[vouched[-1]]
        agreed = [
            answer_id
            for answer_id in says
            if answer_id.vendor != OPERATOR and _agreement(says[answer_id], last) >= LEAST_AGREED
        ]
        others = [answer_id for answer_id in says if answer_id not in agreed and answer_id != vouched[-1]]
        return DecidingCheckers((vouched[-1], *agreed), dict.fromkeys(others, Reason("person_otherwise")))
    pairs = [
        (_agreement(says[one], says[other]), one, other)
        for one, other in combinations(says, 2)
        if one.vendor != other.vendor and _agree_on_exact(cases, says[one], says[other])
    ]
    best = max(pairs, key=lambda pair: pair[0], default=None)
    if best is not None and best[0] >= LEAST_AGREED:
        return DecidingCheckers(*_add_others(best[1:], cases, says))
    vendors = {answer_id.vendor for answer_id in says}
    refused = dict.fromkeys(says, Reason("none_alike")) if len(vendors) > 1 else {}
    return DecidingCheckers((None,) if hearing.known else (), refused)


def _add_others(
    pair: tuple[AnswerId, AnswerId], cases: Sequence[CheckerCase], says: Mapping[AnswerId, Sequence[bool]]
) -> tuple[tuple[AnswerId, ...], dict[AnswerId, str]]:
    """Return the pair with every other program except those that accept no program's answer at all.

    A program that accepts other programs' answers than the pair does may be the one that is right.
    """
    of_programs = [at for at, case in enumerate(cases) if case.by]
    others = [answer_id for answer_id in says if answer_id not in pair]
    rejecting = [
        answer_id for answer_id in others if of_programs and not any(says[answer_id][at] for at in of_programs)
    ]
    beside = (*pair, *(answer_id for answer_id in others if answer_id not in rejecting))
    return beside, dict.fromkeys(rejecting, Reason("accepts_nothing"))


def _agree_on_exact(cases: Sequence[CheckerCase], one: Sequence[bool], other: Sequence[bool]) -> bool:
    return all(a is b for case, a, b in zip(cases, one, other, strict=True) if case.exact)


def _agreement(one: Sequence[bool], other: Sequence[bool]) -> float:
    return sum(a is b for a, b in zip(one, other, strict=True)) / len(one) if one else 0.0


@dataclass(frozen=True, slots=True)
class CheckerView:
    """Answers of programs to one input, as one comparing program sees them.

    Answers are numbers, equal if the texts are identical; `stated` is the statement's. `alike` holds pairs, the smaller
    number first, in which each answer is right if the other one is.
    """

    answers: Mapping[AnswerId, int | MissingAnswer]
    stated: int | None = None
    alike: frozenset[tuple[int, int]] = frozenset()


class MergedView(NamedTuple):
    """View in which equally good answers all have the least number among them.

    `unclear` if equality is not transitive: one answer equals two that differ from each other.
    """

    answers: dict[AnswerId, int | MissingAnswer]
    stated: int | None
    unclear: bool


def merge_views(views: Sequence[CheckerView], without: str | None = None) -> MergedView:
    """Merge the views of all deciding programs, without one vendor's programs; the result is unclear if they differ.

    A program that took too long with one of them took too long; one that broke is wrong if another of them calls it
    wrong.
    """
    sorted_out = [_merge_equal(view, without) for view in views]
    late, wrong = (
        {answer_id for view in sorted_out for answer_id, answer in view.answers.items() if answer is missing}
        for missing in (MissingAnswer.LATE, MissingAnswer.WRONG)
    )

    def combine(answer_id: AnswerId, answer: int | MissingAnswer) -> int | MissingAnswer:
        if answer_id in late:
            return MissingAnswer.LATE
        return MissingAnswer.WRONG if answer is MissingAnswer.FAILED and answer_id in wrong else answer

    told = [
        view._replace(answers={answer_id: combine(answer_id, answer) for answer_id, answer in view.answers.items()})
        for view in sorted_out
    ]
    first = told[0]
    return first._replace(unclear=any(view.unclear or view != first for view in told))


def _merge_equal(view: CheckerView, without: str | None) -> MergedView:
    answers = {answer_id: answer for answer_id, answer in view.answers.items() if answer_id.vendor != without}
    numbers = {answer for answer in answers.values() if isinstance(answer, int)}
    numbers |= set() if view.stated is None else {view.stated}
    least = {number: min([number, *(a for a, b in view.alike if b == number and a in numbers)]) for number in numbers}
    pairs = {(a, b) for a, b in combinations(sorted(numbers), 2) if least[a] == least[b]}
    return MergedView(
        {answer_id: least[answer] if isinstance(answer, int) else answer for answer_id, answer in answers.items()},
        None if view.stated is None else least[view.stated],
        unclear=pairs != {pair for pair in view.alike if numbers.issuperset(pair)},
    )

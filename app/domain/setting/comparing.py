"""Which answers are as good as each other, and whose word on that counts: programs that compare answers. Pure.

They are checkers, or interactors where programs talk. All that are fit decide together, if two of different vendors say
the same of the cases that everybody is tried on: where those that decide differ about an input, nothing is said of it.
So no vendor's program makes two answers equal, or different, against another's.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Final, NamedTuple

from app.domain.setting.answers import Piece
from app.domain.setting.consensus import Missing
from app.domain.setting.vendors import OPERATOR

LEAST_AGREED: Final = 0.95  # of the cases, of two vendors' programs


@dataclass(frozen=True, slots=True)
class Case:
    """Something that programs which compare are tried on.

    `by` are the vendors whose programs answer so; empty where we made it up. About an `exact` one two that decide may
    not differ: it is written like right answers, so that no doubt about a layout excuses them.
    """

    by: frozenset[str] = frozenset()
    exact: bool = False


@dataclass(frozen=True, slots=True)
class Hearing:
    """What every fit program says of every case; `known`: answers can be compared without any of them."""

    cases: Sequence[Case] = ()
    says: Mapping[Piece, Sequence[bool]] = field(default_factory=dict)
    known: bool = True


class Decided(NamedTuple):
    """Who decides together, the one that is chosen first, and why others do not. The known way of comparing is None."""

    deciding: tuple[Piece | None, ...]
    refused: Mapping[Piece, str]


def decided(hearing: Hearing, without: str | None = None) -> Decided:
    """Who decides, without one vendor's programs and the cases that it alone brought."""
    places = [at for at, case in enumerate(hearing.cases) if not case.by or case.by - {without}]
    cases = [hearing.cases[at] for at in places]
    says = {
        piece: [said[at] for at in places] for piece, said in sorted(hearing.says.items()) if piece.vendor != without
    }
    vouched = [piece for piece in says if piece.vendor == OPERATOR]
    if vouched:  # a person says how answers are compared
        last = says[vouched[-1]]
        agreed = [piece for piece in says if piece.vendor != OPERATOR and _agreement(says[piece], last) >= LEAST_AGREED]
        others = [piece for piece in says if piece not in agreed and piece != vouched[-1]]
        return Decided((vouched[-1], *agreed), dict.fromkeys(others, "a person's says otherwise"))
    pairs = [
        (_agreement(says[one], says[other]), one, other)
        for one, other in combinations(says, 2)
        if one.vendor != other.vendor and _are_one(cases, says[one], says[other])
    ]
    best = max(pairs, key=lambda pair: pair[0], default=None)
    if best is not None and best[0] >= LEAST_AGREED:
        return Decided(*_beside(best[1:], cases, says))
    vendors = {piece.vendor for piece in says}
    refused = dict.fromkeys(says, "no other vendor's says the same") if len(vendors) > 1 else {}
    return Decided((None,) if hearing.known else (), refused)


def _beside(
    pair: tuple[Piece, Piece], cases: Sequence[Case], says: Mapping[Piece, Sequence[bool]]
) -> tuple[tuple[Piece, ...], dict[Piece, str]]:
    """The pair and every other program, but those that accept no program's answer at all.

    Who accepts other programs' than the two do may be the one who is right.
    """
    of_programs = [at for at, case in enumerate(cases) if case.by]
    others = [piece for piece in says if piece not in pair]
    deaf = [piece for piece in others if of_programs and not any(says[piece][at] for at in of_programs)]
    beside = (*pair, *(piece for piece in others if piece not in deaf))
    return beside, dict.fromkeys(deaf, "it accepts no program's answer")


def _are_one(cases: Sequence[Case], one: Sequence[bool], other: Sequence[bool]) -> bool:
    return all(a is b for case, a, b in zip(cases, one, other, strict=True) if case.exact)


def _agreement(one: Sequence[bool], other: Sequence[bool]) -> float:
    return sum(a is b for a, b in zip(one, other, strict=True)) / len(one) if one else 0.0


@dataclass(frozen=True, slots=True)
class View:
    """What programs made of an input, as one of those that compare sees it.

    Answers are numbers, equal where they are the same to the letter; `stated` is the statement's. `alike` are pairs,
    the smaller number first, of which each is right where the other one is.
    """

    answers: Mapping[Piece, int | Missing]
    stated: int | None = None
    alike: frozenset[tuple[int, int]] = frozenset()


class Seen(NamedTuple):
    """A view sorted out: of answers that are as good as each other all have the least number among them.

    `unclear` where that makes no classes: one is as good as two that are not as good as each other.
    """

    answers: dict[Piece, int | Missing]
    stated: int | None
    unclear: bool


def seen(views: Sequence[View], without: str | None = None) -> Seen:
    """What those that decide see together, without one vendor's programs: unclear where they differ.

    A program that took too long with one of them took too long; one that broke where another calls it wrong is wrong.
    """
    sorted_out = [_sorted_out(view, without) for view in views]
    late, wrong = (
        {piece for view in sorted_out for piece, said in view.answers.items() if said is missing}
        for missing in (Missing.LATE, Missing.WRONG)
    )

    def together(piece: Piece, said: int | Missing) -> int | Missing:
        if piece in late:
            return Missing.LATE
        return Missing.WRONG if said is Missing.FAILED and piece in wrong else said

    told = [
        view._replace(answers={piece: together(piece, said) for piece, said in view.answers.items()})
        for view in sorted_out
    ]
    first = told[0]
    return first._replace(unclear=any(view.unclear or view != first for view in told))


def _sorted_out(view: View, without: str | None) -> Seen:
    answers = {piece: said for piece, said in view.answers.items() if piece.vendor != without}
    numbers = {said for said in answers.values() if isinstance(said, int)}
    numbers |= set() if view.stated is None else {view.stated}
    least = {number: min([number, *(a for a, b in view.alike if b == number and a in numbers)]) for number in numbers}
    pairs = {(a, b) for a, b in combinations(sorted(numbers), 2) if least[a] == least[b]}
    return Seen(
        {piece: least[said] if isinstance(said, int) else said for piece, said in answers.items()},
        None if view.stated is None else least[view.stated],
        unclear=pairs != {pair for pair in view.alike if numbers.issuperset(pair)},
    )

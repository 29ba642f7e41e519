"""Which answers stand: those that programs of several vendors give, and that no vendor decides. Pure.

On small inputs brute forces say the truth, where those of two vendors answer alike and none contradicts. It refutes
solutions, but only those whose own vendor's brute force says so too: else two vendors that misread a sentence alike
would outvote the third. On large inputs the solutions that are left must agree, one of them in Python, since programs
whose integers end overflow alike. Nobody is outvoted there: who contradicts the others falls by a small input or not
at all, and without one the large input has no answer. A program that a person vouches for speaks as a vendor of its
own, on small inputs beside brute forces too; who contradicts it falls where another vendor's program says the same as
it. After UniCode (arXiv 2510.17868), with the vendors kept apart.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum

from app.domain.setting.answers import Piece, Role
from app.domain.setting.vendors import OPERATOR

LEAST_SOLUTIONS, LEAST_VENDORS = 3, 2
_ENDLESS = frozenset({"python", "pypy"})  # languages whose integers do not overflow


class Missing(Enum):
    """Why a program gave no answer: it took too long, it broke, or those it talked to called it wrong."""

    LATE = "late"
    FAILED = "failed"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class Row:
    """A legal input, by its size in bytes, and what programs made of it.

    Answers are numbers: one number for all that are as good as each other. `stated` is the number of the answer that
    the statement gives. A program that was not run on it is absent. Where it is `unclear` which answers are as good as
    each other, nothing is said of the input or of anybody by it. Vendors that `doubt` it hold it to be illegal.
    """

    size: int
    answers: Mapping[Piece, int | Missing]
    stated: int | None = None
    unclear: bool = False
    doubt: frozenset[str] = frozenset()


@dataclass(slots=True)
class Ruling:
    """What came of it, rows by their places: answers that stand, refuted programs with their smallest witness,
    rows on which programs that nothing refutes contradict each other, and `doubted` ones, which nobody is judged by: a
    vendor contradicts others there, and holds the input to be illegal. `doubters` are its programs, with such a row."""

    expected: dict[int, int] = field(default_factory=dict)
    refuted: dict[Piece, int] = field(default_factory=dict)
    dissent: dict[int, tuple[Piece, ...]] = field(default_factory=dict)
    doubted: set[int] = field(default_factory=set)
    doubters: dict[Piece, int] = field(default_factory=dict)
    truths: int = 0  # rows whose answer brute forces of two vendors gave

    def alive(self, pieces: Iterable[Piece]) -> list[Piece]:
        """Those of the programs that nothing refutes."""
        return [piece for piece in pieces if piece not in self.refuted]


def ruling_over(rows: Mapping[int, Row], languages: Mapping[Piece, str]) -> Ruling:
    """The ruling over all programs, whose languages are given, by the places of the rows."""
    ruling = Ruling()
    table = {
        place: {piece: answer for piece, answer in row.answers.items() if _decides(piece)}
        for place, row in rows.items()
    }
    clear = [place for place, row in rows.items() if not row.unclear]
    places = sorted(clear, key=lambda place: (rows[place].size, place))
    stated = [place for place in places if rows[place].stated is not None]
    for place in stated:
        _hold_to_the_statement(ruling, place, table[place], rows[place].stated)
    for place in [place for place in places if place not in stated]:
        _hear_doubt(ruling, place, table[place], rows[place].doubt)
    places = [place for place in places if place not in ruling.doubted]
    for place in places:
        _examine_brutes(ruling, place, table[place])
    truths = {place: truth for place in places if (truth := _truth(ruling, table[place])) is not None}
    for place, truth in truths.items():
        _refute(ruling, place, table[place], truth)
    ruling.truths = sum(rows[place].stated is None for place in truths)
    left = -1
    while left != len(ruling.refuted):  # who falls on a large input has no say on any other
        left = len(ruling.refuted)
        ruling.expected, ruling.dissent = {}, {}
        for place in places:
            _settle(ruling, place, table[place], rows[place].stated, truths.get(place), languages)
    for place in (place for place, row in rows.items() if row.unclear):
        ruling.dissent[place] = tuple(sorted(piece for piece, said in table[place].items() if isinstance(said, int)))
    return ruling


def _hear_doubt(ruling: Ruling, place: int, answers: dict[Piece, int | Missing], doubt: frozenset[str]) -> None:
    """Who holds an input to be illegal need not answer it; and if it says something else than others, nobody's answer
    counts there."""
    left = ruling.alive(answers)
    others = {answers[piece] for piece in left if piece.vendor not in doubt}
    own = [piece for piece in left if piece.vendor in doubt]
    for piece in own:
        if isinstance(answers[piece], int) and answers[piece] not in others:
            ruling.doubted.add(place)
            ruling.doubters.setdefault(piece, place)
    for piece in own:
        if not isinstance(answers[piece], int):
            del answers[piece]


def _decides(piece: Piece) -> bool:
    return piece.role in (Role.BRUTE, Role.SOLUTION)


def _hold_to_the_statement(
    ruling: Ruling, place: int, answers: Mapping[Piece, int | Missing], stated: int | None
) -> None:
    """Samples bind everybody; only a brute force may be too slow for one."""
    for piece, answer in answers.items():
        if answer != stated and not (answer is Missing.LATE and piece.role is Role.BRUTE):
            ruling.refuted.setdefault(piece, place)


def _said(ruling: Ruling, answers: Mapping[Piece, int | Missing], role: Role) -> dict[Piece, int]:
    """What the programs of a role that nothing refutes answer."""
    return {
        piece: answer
        for piece, answer in answers.items()
        if piece.role is role and isinstance(answer, int) and piece not in ruling.refuted
    }


def _examine_brutes(ruling: Ruling, place: int, answers: Mapping[Piece, int | Missing]) -> None:
    """Only a person ends their disputes: a vendor's solutions may misread what its brute force reads well."""
    oracles = _oracles(ruling, answers)
    for piece, answer in oracles.items():
        if piece.vendor != OPERATOR and _is_overruled(piece, answer, oracles):
            ruling.refuted.setdefault(piece, place)


def _oracles(ruling: Ruling, answers: Mapping[Piece, int | Missing]) -> dict[Piece, int]:
    """What is said where a brute force answers: by those, and by programs that a person vouches for."""
    brutes = _said(ruling, answers, Role.BRUTE)
    vouched = {piece: said for piece, said in _said(ruling, answers, Role.SOLUTION).items() if piece.vendor == OPERATOR}
    return {**brutes, **vouched} if brutes else {}


def _is_overruled(piece: Piece, answer: int, oracles: Mapping[Piece, int]) -> bool:
    """Whether a person's programs say with one voice something else, and another vendor's brute force says that too."""
    vouched = {said for other, said in oracles.items() if other.vendor == OPERATOR}
    beside = {said for other, said in oracles.items() if other.vendor not in (OPERATOR, piece.vendor)}
    return len(vouched) == 1 and answer not in vouched and vouched <= beside


def _truth(ruling: Ruling, answers: Mapping[Piece, int | Missing]) -> int | None:
    """What the brute forces of at least two vendors say with one voice, or those of one and a person's program."""
    brutes = _oracles(ruling, answers)
    if len({piece.vendor for piece in brutes}) < LEAST_VENDORS or len(set(brutes.values())) != 1:
        return None
    return next(iter(brutes.values()))


def _refute(ruling: Ruling, place: int, answers: Mapping[Piece, int | Missing], truth: int) -> None:
    voices = {piece.vendor for piece in _oracles(ruling, answers)}
    for piece, answer in answers.items():
        wrong = isinstance(answer, int) and answer != truth and voices & {piece.vendor, OPERATOR}
        if piece.role is Role.SOLUTION and (wrong or _breaks_alone(ruling, answers, piece, truth)):
            ruling.refuted.setdefault(piece, place)


def _breaks_alone(ruling: Ruling, answers: Mapping[Piece, int | Missing], piece: Piece, truth: int | None) -> bool:
    """Whether it fails on what another program of its vendor, or a person's, answers as is right.

    Who is alone may fail because the input is not legal, and two vendors that lie about that would silence it.
    """
    return answers[piece] is Missing.FAILED and any(
        answer == truth and other not in ruling.refuted and other.vendor in (piece.vendor, OPERATOR)
        for other, answer in answers.items()
    )


def _settle(
    ruling: Ruling,
    place: int,
    answers: Mapping[Piece, int | Missing],
    stated: int | None,
    truth: int | None,
    languages: Mapping[Piece, str],
) -> None:
    brutes, solutions = _said(ruling, answers, Role.BRUTE), _said(ruling, answers, Role.SOLUTION)
    lone = None if brutes else _overruled(solutions)
    if lone is not None and _carry({p: said for p, said in solutions.items() if p != lone}, languages):
        ruling.refuted[lone] = place
        del solutions[lone]
    said = {*brutes.values(), *solutions.values()}
    if len(said) > 1:
        ruling.dissent[place] = tuple(sorted({**brutes, **solutions}))
    elif stated is not None or truth is not None:
        ruling.expected[place] = stated if stated is not None else said.pop()
    elif _carry(solutions, languages):
        ruling.expected[place] = answer = said.pop()
        for piece in answers:
            wrong = answers[piece] is Missing.WRONG or _breaks_alone(ruling, answers, piece, answer)
            if piece.role is Role.SOLUTION and wrong:
                ruling.refuted.setdefault(piece, place)


def _carry(solutions: Mapping[Piece, int], languages: Mapping[Piece, str]) -> bool:
    """Whether solutions are enough, and different enough, to answer an input that no brute force can."""
    return (
        len(solutions) >= LEAST_SOLUTIONS
        and len({piece.vendor for piece in solutions}) >= LEAST_VENDORS
        and any(languages[piece] in _ENDLESS for piece in solutions)
    )


def _overruled(solutions: Mapping[Piece, int]) -> Piece | None:
    """The setter's that says something else than all others, among them a person's; None without such."""
    for piece, answer in solutions.items():
        others = {other: said for other, said in solutions.items() if other != piece}
        if len(set(others.values())) == 1 and answer not in others.values() and len(others) > 1:
            vouched = any(other.vendor == OPERATOR for other in others)
            return piece if vouched and piece.vendor != OPERATOR else None
    return None

"""Agreement on answers: an answer stands if programs of several vendors give it, and no single vendor decides. Pure.

On small inputs brute forces give the truth if those of two vendors answer alike and none contradicts. The truth refutes
a solution only if its own vendor's brute force says the same: otherwise two vendors that misread a sentence alike would
outvote the third. On large inputs the remaining solutions must agree, one of them in Python, because programs whose
integers are bounded overflow alike. There is no majority there: a solution that contradicts the others is refuted by a
small input or not at all, and without one the large input has no answer. A program that a person vouches for counts as
a vendor of its own, on small inputs beside brute forces too; a program that contradicts it is refuted if another
vendor's program agrees with it. After UniCode (arXiv 2510.17868), with the vendors kept apart.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum

from app.domain.consensus.answers import Piece, SetterRole
from app.domain.consensus.vendors import OPERATOR

LEAST_SOLUTIONS, LEAST_VENDORS = 3, 2
_UNBOUNDED = frozenset({"python", "pypy"})  # languages whose integers do not overflow


class MissingAnswer(Enum):
    """Reason why a program gave no answer: it took too long, it broke, or the program it talked to called it wrong."""

    LATE = "late"
    FAILED = "failed"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """Legal input, by its size in bytes, with the programs' answers.

    Answers are numbers: equally good answers have one number. `stated` is the number of the statement's answer. A
    program that was not run on the input is absent. If it is `unclear` which answers are equally good, the input
    decides nothing. `objecting_vendors` hold it to be illegal.
    """

    size: int
    answers: Mapping[Piece, int | MissingAnswer]
    stated: int | None = None
    unclear: bool = False
    objecting_vendors: frozenset[str] = frozenset()


@dataclass(slots=True)
class ConsensusAgreement:
    """Agreement over all rows, which are named by their places.

    `expected` are answers that stand, `refuted` programs with their smallest witness, `dissent` rows on which unrefuted
    programs contradict each other. `contested` rows judge no program: a vendor contradicts others there and holds the
    input to be illegal. `objectors` are its programs, each with such a row.
    """

    expected: dict[int, int] = field(default_factory=dict)
    refuted: dict[Piece, int] = field(default_factory=dict)
    dissent: dict[int, tuple[Piece, ...]] = field(default_factory=dict)
    contested: set[int] = field(default_factory=set)
    objectors: dict[Piece, int] = field(default_factory=dict)
    truths: int = 0  # rows whose answer brute forces of two vendors gave

    def drop_refuted(self, pieces: Iterable[Piece]) -> list[Piece]:
        """Return the programs that nothing refutes."""
        return [piece for piece in pieces if piece not in self.refuted]


def agree_on_rows(rows: Mapping[int, AnswerRow], languages: Mapping[Piece, str]) -> ConsensusAgreement:
    """Return the agreement of all programs, whose languages are given, by the places of the rows."""
    ruling = ConsensusAgreement()
    table = {
        place: {piece: answer for piece, answer in row.answers.items() if _decides(piece)}
        for place, row in rows.items()
    }
    clear = [place for place, row in rows.items() if not row.unclear]
    places = sorted(clear, key=lambda place: (rows[place].size, place))
    stated = [place for place in places if rows[place].stated is not None]
    for place in stated:
        _apply_sample(ruling, place, table[place], rows[place].stated)
    for place in [place for place in places if place not in stated]:
        _apply_objections(ruling, place, table[place], rows[place].objecting_vendors)
    places = [place for place in places if place not in ruling.contested]
    for place in places:
        _examine_brutes(ruling, place, table[place])
    truths = {place: truth for place in places if (truth := _truth(ruling, table[place])) is not None}
    for place, truth in truths.items():
        _refute(ruling, place, table[place], truth)
    ruling.truths = sum(rows[place].stated is None for place in truths)
    left = -1
    while left != len(ruling.refuted):  # a program refuted on a large input decides no other
        left = len(ruling.refuted)
        ruling.expected, ruling.dissent = {}, {}
        for place in places:
            _decide_row(ruling, place, table[place], rows[place].stated, truths.get(place), languages)
    for place in (place for place, row in rows.items() if row.unclear):
        ruling.dissent[place] = tuple(sorted(piece for piece, said in table[place].items() if isinstance(said, int)))
    return ruling


def _apply_objections(
    ruling: ConsensusAgreement, place: int, answers: dict[Piece, int | MissingAnswer], doubt: frozenset[str]
) -> None:
    """Apply objections: programs of a vendor that holds an input to be illegal need not answer it.

    If such a program gives another answer than the others, no answer counts on this input.
    """
    left = ruling.drop_refuted(answers)
    others = {answers[piece] for piece in left if piece.vendor not in doubt}
    objecting = [piece for piece in left if piece.vendor in doubt]
    for piece in objecting:
        if isinstance(answers[piece], int) and answers[piece] not in others:
            ruling.contested.add(place)
            ruling.objectors.setdefault(piece, place)
    for piece in objecting:
        if not isinstance(answers[piece], int):
            del answers[piece]


def _decides(piece: Piece) -> bool:
    return piece.role in (SetterRole.BRUTE, SetterRole.SOLUTION)


def _apply_sample(
    ruling: ConsensusAgreement, place: int, answers: Mapping[Piece, int | MissingAnswer], stated: int | None
) -> None:
    """Refute programs by a sample, which binds all of them; only a brute force may be too slow for one."""
    for piece, answer in answers.items():
        if answer != stated and not (answer is MissingAnswer.LATE and piece.role is SetterRole.BRUTE):
            ruling.refuted.setdefault(piece, place)


def _role_answers(
    ruling: ConsensusAgreement, answers: Mapping[Piece, int | MissingAnswer], role: SetterRole
) -> dict[Piece, int]:
    """Return the answers of a role's unrefuted programs."""
    return {
        piece: answer
        for piece, answer in answers.items()
        if piece.role is role and isinstance(answer, int) and piece not in ruling.refuted
    }


def _examine_brutes(ruling: ConsensusAgreement, place: int, answers: Mapping[Piece, int | MissingAnswer]) -> None:
    """Refute brute forces only by a person's program: a vendor's solutions may misread more than its brute force."""
    oracles = _oracles(ruling, answers)
    for piece, answer in oracles.items():
        if piece.vendor != OPERATOR and _is_overruled(piece, answer, oracles):
            ruling.refuted.setdefault(piece, place)


def _oracles(ruling: ConsensusAgreement, answers: Mapping[Piece, int | MissingAnswer]) -> dict[Piece, int]:
    """Return the answers of brute forces and of programs that a person vouches for; empty if no brute force answers."""
    brutes = _role_answers(ruling, answers, SetterRole.BRUTE)
    vouched = {
        piece: answer
        for piece, answer in _role_answers(ruling, answers, SetterRole.SOLUTION).items()
        if piece.vendor == OPERATOR
    }
    return {**brutes, **vouched} if brutes else {}


def _is_overruled(piece: Piece, answer: int, oracles: Mapping[Piece, int]) -> bool:
    """Return whether a person's programs and another vendor's brute force agree on another answer than this one."""
    vouched = {other_answer for other, other_answer in oracles.items() if other.vendor == OPERATOR}
    beside = {other_answer for other, other_answer in oracles.items() if other.vendor not in (OPERATOR, piece.vendor)}
    return len(vouched) == 1 and answer not in vouched and vouched <= beside


def _truth(ruling: ConsensusAgreement, answers: Mapping[Piece, int | MissingAnswer]) -> int | None:
    """Return the answer on which brute forces of at least two vendors agree, or those of one and a person's program."""
    brutes = _oracles(ruling, answers)
    if len({piece.vendor for piece in brutes}) < LEAST_VENDORS or len(set(brutes.values())) != 1:
        return None
    return next(iter(brutes.values()))


def _refute(ruling: ConsensusAgreement, place: int, answers: Mapping[Piece, int | MissingAnswer], truth: int) -> None:
    voices = {piece.vendor for piece in _oracles(ruling, answers)}
    for piece, answer in answers.items():
        wrong = isinstance(answer, int) and answer != truth and voices & {piece.vendor, OPERATOR}
        if piece.role is SetterRole.SOLUTION and (wrong or _breaks_alone(ruling, answers, piece, truth)):
            ruling.refuted.setdefault(piece, place)


def _breaks_alone(
    ruling: ConsensusAgreement, answers: Mapping[Piece, int | MissingAnswer], piece: Piece, truth: int | None
) -> bool:
    """Return whether a program fails on an input that another program of its vendor, or a person's, answers rightly.

    A vendor's only program may fail because the input is illegal; two vendors that lie about that would silence it.
    """
    return answers[piece] is MissingAnswer.FAILED and any(
        answer == truth and other not in ruling.refuted and other.vendor in (piece.vendor, OPERATOR)
        for other, answer in answers.items()
    )


def _decide_row(
    ruling: ConsensusAgreement,
    place: int,
    answers: Mapping[Piece, int | MissingAnswer],
    stated: int | None,
    truth: int | None,
    languages: Mapping[Piece, str],
) -> None:
    brutes, solutions = (
        _role_answers(ruling, answers, SetterRole.BRUTE),
        _role_answers(ruling, answers, SetterRole.SOLUTION),
    )
    lone = None if brutes else _overruled_solution(solutions)
    if lone is not None and _are_enough(
        {piece: answer for piece, answer in solutions.items() if piece != lone}, languages
    ):
        ruling.refuted[lone] = place
        del solutions[lone]
    distinct = {*brutes.values(), *solutions.values()}
    if len(distinct) > 1:
        ruling.dissent[place] = tuple(sorted({**brutes, **solutions}))
    elif stated is not None or truth is not None:
        ruling.expected[place] = stated if stated is not None else distinct.pop()
    elif _are_enough(solutions, languages):
        ruling.expected[place] = answer = distinct.pop()
        for piece in answers:
            wrong = answers[piece] is MissingAnswer.WRONG or _breaks_alone(ruling, answers, piece, answer)
            if piece.role is SetterRole.SOLUTION and wrong:
                ruling.refuted.setdefault(piece, place)


def _are_enough(solutions: Mapping[Piece, int], languages: Mapping[Piece, str]) -> bool:
    """Return whether solutions are enough, and different enough, to answer an input that no brute force can."""
    return (
        len(solutions) >= LEAST_SOLUTIONS
        and len({piece.vendor for piece in solutions}) >= LEAST_VENDORS
        and any(languages[piece] in _UNBOUNDED for piece in solutions)
    )


def _overruled_solution(solutions: Mapping[Piece, int]) -> Piece | None:
    """Return the setter's solution that contradicts all others, one of them a person's; None without such."""
    for piece, answer in solutions.items():
        others = {other: other_answer for other, other_answer in solutions.items() if other != piece}
        if len(set(others.values())) == 1 and answer not in others.values() and len(others) > 1:
            vouched = any(other.vendor == OPERATOR for other in others)
            return piece if vouched and piece.vendor != OPERATOR else None
    return None

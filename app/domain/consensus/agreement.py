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

from app.domain.consensus.answers import AnswerId, SetterRole
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
    answers: Mapping[AnswerId, int | MissingAnswer]
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
    refuted: dict[AnswerId, int] = field(default_factory=dict)
    dissent: dict[int, tuple[AnswerId, ...]] = field(default_factory=dict)
    contested: set[int] = field(default_factory=set)
    objectors: dict[AnswerId, int] = field(default_factory=dict)
    truths: int = 0  # rows whose answer brute forces of two vendors gave

    def drop_refuted(self, answer_ids: Iterable[AnswerId]) -> list[AnswerId]:
        """Return the programs that nothing refutes."""
        return [answer_id for answer_id in answer_ids if answer_id not in self.refuted]


def agree_on_rows(rows: Mapping[int, AnswerRow], languages: Mapping[AnswerId, str]) -> ConsensusAgreement:
    """Return the agreement of all programs, whose languages are given, by the places of the rows."""
    agreement = ConsensusAgreement()
    table = {
        place: {answer_id: answer for answer_id, answer in row.answers.items() if _decides(answer_id)}
        for place, row in rows.items()
    }
    clear = [place for place, row in rows.items() if not row.unclear]
    places = sorted(clear, key=lambda place: (rows[place].size, place))
    stated = [place for place in places if rows[place].stated is not None]
    for place in stated:
        _apply_sample(agreement, place, table[place], rows[place].stated)
    for place in [place for place in places if place not in stated]:
        _apply_objections(agreement, place, table[place], rows[place].objecting_vendors)
    places = [place for place in places if place not in agreement.contested]
    for place in places:
        _examine_brutes(agreement, place, table[place])
    truths = {place: truth for place in places if (truth := _truth(agreement, table[place])) is not None}
    for place, truth in truths.items():
        _refute(agreement, place, table[place], truth)
    agreement.truths = sum(rows[place].stated is None for place in truths)
    left = -1
    while left != len(agreement.refuted):  # a program refuted on a large input decides no other
        left = len(agreement.refuted)
        agreement.expected, agreement.dissent = {}, {}
        for place in places:
            _decide_row(agreement, place, table[place], rows[place].stated, truths.get(place), languages)
    for place in (place for place, row in rows.items() if row.unclear):
        agreement.dissent[place] = tuple(
            sorted(answer_id for answer_id, said in table[place].items() if isinstance(said, int))
        )
    return agreement


def _apply_objections(
    agreement: ConsensusAgreement, place: int, answers: dict[AnswerId, int | MissingAnswer], doubt: frozenset[str]
) -> None:
    """Apply objections: programs of a vendor that holds an input to be illegal need not answer it.

    If such a program gives another answer than the others, no answer counts on this input.
    """
    left = agreement.drop_refuted(answers)
    others = {answers[answer_id] for answer_id in left if answer_id.vendor not in doubt}
    objecting = [answer_id for answer_id in left if answer_id.vendor in doubt]
    for answer_id in objecting:
        if isinstance(answers[answer_id], int) and answers[answer_id] not in others:
            agreement.contested.add(place)
            agreement.objectors.setdefault(answer_id, place)
    for answer_id in objecting:
        if not isinstance(answers[answer_id], int):
            del answers[answer_id]


def _decides(answer_id: AnswerId) -> bool:
    return answer_id.role in (SetterRole.BRUTE, SetterRole.SOLUTION)


def _apply_sample(
    agreement: ConsensusAgreement, place: int, answers: Mapping[AnswerId, int | MissingAnswer], stated: int | None
) -> None:
    """Refute programs by a sample, which binds all of them; only a brute force may be too slow for one."""
    for answer_id, answer in answers.items():
        if answer != stated and not (answer is MissingAnswer.LATE and answer_id.role is SetterRole.BRUTE):
            agreement.refuted.setdefault(answer_id, place)


def _role_answers(
    agreement: ConsensusAgreement, answers: Mapping[AnswerId, int | MissingAnswer], role: SetterRole
) -> dict[AnswerId, int]:
    """Return the answers of a role's unrefuted programs."""
    return {
        answer_id: answer
        for answer_id, answer in answers.items()
        if answer_id.role is role and isinstance(answer, int) and answer_id not in agreement.refuted
    }


def _examine_brutes(agreement: ConsensusAgreement, place: int, answers: Mapping[AnswerId, int | MissingAnswer]) -> None:
    """Refute brute forces only by a person's program: a vendor's solutions may misread more than its brute force."""
    oracles = _oracles(agreement, answers)
    for answer_id, answer in oracles.items():
        if answer_id.vendor != OPERATOR and _is_overruled(answer_id, answer, oracles):
            agreement.refuted.setdefault(answer_id, place)


def _oracles(agreement: ConsensusAgreement, answers: Mapping[AnswerId, int | MissingAnswer]) -> dict[AnswerId, int]:
    """Return the answers of brute forces and of programs that a person vouches for; empty if no brute force answers."""
    brutes = _role_answers(agreement, answers, SetterRole.BRUTE)
    vouched = {
        answer_id: answer
        for answer_id, answer in _role_answers(agreement, answers, SetterRole.SOLUTION).items()
        if answer_id.vendor == OPERATOR
    }
    return {**brutes, **vouched} if brutes else {}


def _is_overruled(answer_id: AnswerId, answer: int, oracles: Mapping[AnswerId, int]) -> bool:
    """Return whether a person's programs and another vendor's brute force agree on another answer than this one."""
    vouched = {other_answer for other, other_answer in oracles.items() if other.vendor == OPERATOR}
    beside = {
        other_answer for other, other_answer in oracles.items() if other.vendor not in (OPERATOR, answer_id.vendor)
    }
    return len(vouched) == 1 and answer not in vouched and vouched <= beside


def _truth(agreement: ConsensusAgreement, answers: Mapping[AnswerId, int | MissingAnswer]) -> int | None:
    """Return the answer on which brute forces of at least two vendors agree, or those of one and a person's program."""
    brutes = _oracles(agreement, answers)
    if len({answer_id.vendor for answer_id in brutes}) < LEAST_VENDORS or len(set(brutes.values())) != 1:
        return None
    return next(iter(brutes.values()))


def _refute(
    agreement: ConsensusAgreement, place: int, answers: Mapping[AnswerId, int | MissingAnswer], truth: int
) -> None:
    voices = {answer_id.vendor for answer_id in _oracles(agreement, answers)}
    for answer_id, answer in answers.items():
        wrong = isinstance(answer, int) and answer != truth and voices & {answer_id.vendor, OPERATOR}
        if answer_id.role is SetterRole.SOLUTION and (wrong or _breaks_alone(agreement, answers, answer_id, truth)):
            agreement.refuted.setdefault(answer_id, place)


def _breaks_alone(
    agreement: ConsensusAgreement,
    answers: Mapping[AnswerId, int | MissingAnswer],
    answer_id: AnswerId,
    truth: int | None,
) -> bool:
    """Return whether a program fails on an input that another program of its vendor, or a person's, answers rightly.

    A vendor's only program may fail because the input is illegal; two vendors that lie about that would silence it.
    """
    return answers[answer_id] is MissingAnswer.FAILED and any(
        answer == truth and other not in agreement.refuted and other.vendor in (answer_id.vendor, OPERATOR)
        for other, answer in answers.items()
    )


def _decide_row(
    agreement: ConsensusAgreement,
    place: int,
    answers: Mapping[AnswerId, int | MissingAnswer],
    stated: int | None,
    truth: int | None,
    languages: Mapping[AnswerId, str],
) -> None:
    brutes, solutions = (
        _role_answers(agreement, answers, SetterRole.BRUTE),
        _role_answers(agreement, answers, SetterRole.SOLUTION),
    )
    lone = None if brutes else _overruled_solution(solutions)
    if lone is not None and _are_enough(
        {answer_id: answer for answer_id, answer in solutions.items() if answer_id != lone}, languages
    ):
        agreement.refuted[lone] = place
        del solutions[lone]
    distinct = {*brutes.values(), *solutions.values()}
    if len(distinct) > 1:
        agreement.dissent[place] = tuple(sorted({**brutes, **solutions}))
    elif stated is not None or truth is not None:
        agreement.expected[place] = stated if stated is not None else distinct.pop()
    elif _are_enough(solutions, languages):
        agreement.expected[place] = answer = distinct.pop()
        for answer_id in answers:
            wrong = answers[answer_id] is MissingAnswer.WRONG or _breaks_alone(agreement, answers, answer_id, answer)
            if answer_id.role is SetterRole.SOLUTION and wrong:
                agreement.refuted.setdefault(answer_id, place)


def _are_enough(solutions: Mapping[AnswerId, int], languages: Mapping[AnswerId, str]) -> bool:
    """Return whether solutions are enough, and different enough, to answer an input that no brute force can."""
    return (
        len(solutions) >= LEAST_SOLUTIONS
        and len({answer_id.vendor for answer_id in solutions}) >= LEAST_VENDORS
        and any(languages[answer_id] in _UNBOUNDED for answer_id in solutions)
    )


def _overruled_solution(solutions: Mapping[AnswerId, int]) -> AnswerId | None:
    """Return the setter's solution that contradicts all others, one of them a person's; None without such."""
    for answer_id, answer in solutions.items():
        others = {other: other_answer for other, other_answer in solutions.items() if other != answer_id}
        if len(set(others.values())) == 1 and answer not in others.values() and len(others) > 1:
            vouched = any(other.vendor == OPERATOR for other in others)
            return answer_id if vouched and answer_id.vendor != OPERATOR else None
    return None

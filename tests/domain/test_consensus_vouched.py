"""A program that a person vouches for: a vendor of its own, which ends a dispute where another's says the same."""

from collections.abc import Mapping

from app.domain.consensus.agreement import ConsensusAgreement, MissingAnswer
from app.domain.consensus.answers import Piece, SetterRole
from app.domain.consensus.checkers import CheckerView
from app.domain.consensus.table import ConsensusTable, InputEvidence, find_agreement

A, B = (Piece(vendor, vendor, SetterRole.BRUTE) for vendor in "ab")
OF_A, OF_B = (Piece(vendor, vendor, SetterRole.SOLUTION) for vendor in "ab")
OWN = Piece("operator", "operator", SetterRole.SOLUTION)


def ruling(size: int = 5, **answers: int | MissingAnswer) -> ConsensusAgreement:
    pieces = {"a": A, "b": B, "of_a": OF_A, "of_b": OF_B, "own": OWN}
    return ruled(size, {pieces[name]: answer for name, answer in answers.items()})


def ruled(size: int, answers: Mapping[Piece, int | MissingAnswer]) -> ConsensusAgreement:
    return find_agreement(
        ConsensusTable([InputEvidence(size, {None: CheckerView(answers)})], dict.fromkeys(answers, "python"))
    )


def test_it_ends_a_dispute_of_two_vendors() -> None:
    assert ruling(a=1, b=2, of_a=1, of_b=2).dissent
    found = ruling(a=1, b=2, of_a=1, of_b=2, own=1)
    assert (found.expected, set(found.refuted), found.truths) == ({0: 1}, {B, OF_B}, 1)


def test_it_does_not_decide_alone() -> None:
    found = ruling(a=2, b=2, of_a=2, of_b=2, own=1)
    assert found.expected == {}, "against all vendors nothing stands"
    assert not {A, B, OF_A, OF_B} & set(found.refuted)
    assert ruling(a=1, b=2, own=3).refuted == {}
    assert ruling(own=1, of_a=1).expected == {}, "three solutions are asked for where no brute force answers"


def test_beside_one_brute_force_it_is_the_second_voice() -> None:
    found = ruling(a=1, b=MissingAnswer.LATE, of_b=3, own=1)
    assert (found.expected, set(found.refuted)) == ({0: 1}, {OF_B})


def test_a_lone_dissenter_on_a_large_input_falls_before_it() -> None:
    both = {"of_a": 1, "own": 1}
    found = ruled(10**6, {OF_A: 1, Piece("a", "a", SetterRole.SOLUTION, 1): 1, OWN: 1, OF_B: 2})
    assert (found.expected, set(found.refuted)) == ({0: 1}, {OF_B})
    assert ruling(10**6, **both).expected == {}

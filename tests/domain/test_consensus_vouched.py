"""A program that a person vouches for: a vendor of its own, which ends a dispute where another's says the same."""

from collections.abc import Mapping

from app.domain.consensus.agreement import ConsensusAgreement, MissingAnswer
from app.domain.consensus.answers import AnswerId, SetterRole
from app.domain.consensus.checkers import CheckerView
from app.domain.consensus.table import ConsensusTable, InputEvidence, find_agreement

A, B = (AnswerId(vendor, vendor, SetterRole.BRUTE) for vendor in "ab")
OF_A, OF_B = (AnswerId(vendor, vendor, SetterRole.SOLUTION) for vendor in "ab")
OWN = AnswerId("operator", "operator", SetterRole.SOLUTION)


def agreement(size: int = 5, **answers: int | MissingAnswer) -> ConsensusAgreement:
    answer_ids = {"a": A, "b": B, "of_a": OF_A, "of_b": OF_B, "own": OWN}
    return ruled(size, {answer_ids[name]: answer for name, answer in answers.items()})


def ruled(size: int, answers: Mapping[AnswerId, int | MissingAnswer]) -> ConsensusAgreement:
    return find_agreement(
        ConsensusTable([InputEvidence(size, {None: CheckerView(answers)})], dict.fromkeys(answers, "python"))
    )


def test_it_ends_a_dispute_of_two_vendors() -> None:
    assert agreement(a=1, b=2, of_a=1, of_b=2).dissent
    found = agreement(a=1, b=2, of_a=1, of_b=2, own=1)
    assert (found.expected, set(found.refuted), found.truths) == ({0: 1}, {B, OF_B}, 1)


def test_it_does_not_decide_alone() -> None:
    found = agreement(a=2, b=2, of_a=2, of_b=2, own=1)
    assert found.expected == {}, "against all vendors nothing stands"
    assert not {A, B, OF_A, OF_B} & set(found.refuted)
    assert agreement(a=1, b=2, own=3).refuted == {}
    assert agreement(own=1, of_a=1).expected == {}, "three solutions are asked for where no brute force answers"


def test_beside_one_brute_force_it_is_the_second_voice() -> None:
    found = agreement(a=1, b=MissingAnswer.LATE, of_b=3, own=1)
    assert (found.expected, set(found.refuted)) == ({0: 1}, {OF_B})


def test_a_lone_dissenter_on_a_large_input_falls_before_it() -> None:
    both = {"of_a": 1, "own": 1}
    found = ruled(10**6, {OF_A: 1, AnswerId("a", "a", SetterRole.SOLUTION, 1): 1, OWN: 1, OF_B: 2})
    assert (found.expected, set(found.refuted)) == ({0: 1}, {OF_B})
    assert agreement(10**6, **both).expected == {}

"""A program that a person vouches for: a vendor of its own, which ends a dispute where another's says the same."""

from collections.abc import Mapping

from app.domain.setting.answers import Piece, Role
from app.domain.setting.comparing import View
from app.domain.setting.consensus import Missing, Ruling
from app.domain.setting.table import Input, Table, consensus

A, B = (Piece(vendor, vendor, Role.BRUTE) for vendor in "ab")
OF_A, OF_B = (Piece(vendor, vendor, Role.SOLUTION) for vendor in "ab")
OWN = Piece("operator", "operator", Role.SOLUTION)


def ruling(size: int = 5, **answers: int | Missing) -> Ruling:
    pieces = {"a": A, "b": B, "of_a": OF_A, "of_b": OF_B, "own": OWN}
    return ruled(size, {pieces[name]: answer for name, answer in answers.items()})


def ruled(size: int, answers: Mapping[Piece, int | Missing]) -> Ruling:
    return consensus(Table([Input(size, {None: View(answers)})], dict.fromkeys(answers, "python")))


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
    found = ruling(a=1, b=Missing.LATE, of_b=3, own=1)
    assert (found.expected, set(found.refuted)) == ({0: 1}, {OF_B})


def test_a_lone_dissenter_on_a_large_input_falls_before_it() -> None:
    both = {"of_a": 1, "own": 1}
    found = ruled(10**6, {OF_A: 1, Piece("a", "a", Role.SOLUTION, 1): 1, OWN: 1, OF_B: 2})
    assert (found.expected, set(found.refuted)) == ({0: 1}, {OF_B})
    assert ruling(10**6, **both).expected == {}

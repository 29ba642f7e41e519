"""Which inputs make the suite, and when it is admitted."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from app.domain.reasons import Reason
from app.domain.testgen.input_selection import SuiteCandidate, choose_tests
from app.domain.testgen.report import SuiteEvidence, refusal
from app.domain.testgen.sampling.sample import InputKind

OFFERS = st.lists(
    st.builds(
        SuiteCandidate,
        st.sampled_from(list(InputKind)),
        st.integers(1, 50),
        st.frozensets(st.integers(0, 12), max_size=4),
        st.sampled_from(["1", "2", "3"]),
    ),
    max_size=40,
)


@given(OFFERS, st.integers(1, 20), st.integers(1, 600))
def test_neither_the_number_nor_the_bytes_are_exceeded(offers: list[SuiteCandidate], most: int, room: int) -> None:
    chosen = choose_tests(offers, most, room)
    assert len(chosen) == len(set(chosen)) <= most
    assert sum(offers[place].size for place in chosen) <= room
    assert chosen == choose_tests(offers, most, room)


@given(OFFERS)
def test_with_room_enough_all_is_taken_and_so_all_is_caught(offers: list[SuiteCandidate]) -> None:
    assert sorted(choose_tests(offers, 100, 10**6)) == list(range(len(offers)))


def test_what_catches_most_goes_first_and_the_shorter_of_equals() -> None:
    offers = [
        SuiteCandidate(InputKind.SMALL, 1),
        SuiteCandidate(InputKind.RANDOM, 9, frozenset({1, 2})),
        SuiteCandidate(InputKind.RANDOM, 5, frozenset({1, 2})),
        SuiteCandidate(InputKind.RANDOM, 5, frozenset({3})),
    ]
    assert choose_tests(offers, 1, 100) == [2]
    assert choose_tests(offers, 2, 100) == [2, 3]


def test_examples_come_first_then_small_tests_and_slow_ones_last() -> None:
    offers = [SuiteCandidate(kind, 5, frozenset({number})) for number, kind in enumerate(reversed(InputKind))]
    assert [offers[place].kind for place in choose_tests(offers, 5, 100)] == list(InputKind)


def test_the_rest_is_filled_kind_by_kind_rare_answers_first() -> None:
    offers = [
        SuiteCandidate(InputKind.SLOW, 9),
        *(SuiteCandidate(InputKind.SMALL, 1, answer="often" if at else "rare") for at in range(30)),
    ]
    chosen = choose_tests(offers, 10, 100)
    assert 0 in chosen
    assert 1 in chosen


GOOD = SuiteEvidence(
    tests=20, tried=30, valid=30, disagreed=0, caught=["wrong"], missed=[], mutants_caught=["a", "b", "c"],
    mutants_missed=["d"], trivial_programs={"echo": "wrong_answer"}, trivial_passed=[],
)  # fmt: skip


def test_a_good_suite_is_admitted() -> None:
    assert refusal(GOOD) is None
    assert GOOD.validity == 1.0
    assert GOOD.score == 0.75


def test_whatever_is_missing_is_the_reason() -> None:
    for broken, reason in [
        (replace(GOOD, tests=0), "no test"),
        (replace(GOOD, unstable=Reason("reference_gets", {"what": "a", "verdict": "TLE"})), "gets TLE"),
        (replace(GOOD, disagreed=1, valid=29), "disagree on 1 of 30"),
        (replace(GOOD, valid=29), "1 of 30 inputs are invalid"),
        (replace(GOOD, doubts=[Reason("few_tests", {"n": 2})]), "too few"),
        (replace(GOOD, missed=["slow.py"]), "accepted: slow.py"),
        (replace(GOOD, trivial_passed=["echo"]), "trivial programs are accepted: echo"),
        (replace(GOOD, mutants_missed=["d", "e"]), "0.60 is below 0.75"),
        (replace(GOOD, caught=[], mutants_caught=[], mutants_missed=[]), "nothing shows"),
    ]:
        assert reason in str(refusal(broken)), (broken, reason)


def test_without_mutants_known_wrong_programs_are_evidence() -> None:
    assert refusal(replace(GOOD, mutants_caught=[], mutants_missed=[])) is None


def test_nothing_tried_is_not_valid() -> None:
    assert replace(GOOD, tried=0, valid=0).validity == 0.0


def test_a_large_input_has_its_place_however_much_small_ones_catch() -> None:
    small = [SuiteCandidate(InputKind.SMALL, 1, frozenset({place})) for place in range(30)]
    slow = [SuiteCandidate(InputKind.SLOW, size, cost_ms=cost) for size, cost in ((9, 3.0), (99, 90.0), (9, 40.0))]
    assert {kind for place in choose_tests([*small, *slow], 8, 50) if (kind := [*small, *slow][place].kind)} == {
        InputKind.SMALL, InputKind.SLOW
    }  # fmt: skip
    assert 32 in choose_tests([*small, *slow], 8, 50), "of those that there is room for, the one that takes longest"


def test_of_slow_inputs_those_that_take_longest_are_taken() -> None:
    offers = [
        SuiteCandidate(InputKind.SLOW, 9, answer=str(place), cost_ms=cost)
        for place, cost in enumerate((3.0, 90.0, 40.0, 1.0))
    ]
    few = choose_tests([*offers, *(SuiteCandidate(InputKind.SMALL, 1, answer=str(at)) for at in range(20))], 10, 10**6)
    assert [place for place in few if place < 4] == [1]

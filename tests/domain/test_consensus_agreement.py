"""Which answers stand: no vendor decides one alone, and two that misread alike do not outvote a third."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.consensus.admission import ConsensusEvidence, refusal, shortfall
from app.domain.consensus.agreement import AnswerRow, ConsensusAgreement, MissingAnswer
from app.domain.consensus.answers import AnswerId, SetterRole, language_of
from app.domain.consensus.checkers import CheckerView
from app.domain.consensus.table import ConsensusTable, InputEvidence
from app.domain.consensus.table import find_agreement as ruled
from app.domain.problems import Form
from app.domain.testgen import report

VENDORS = "abc"
Answers = Mapping[AnswerId, int | MissingAnswer]


def brute(vendor: str) -> AnswerId:
    return AnswerId(vendor, f"{vendor}-1", SetterRole.BRUTE)


def solution(vendor: str, ordinal: int = 0) -> AnswerId:
    return AnswerId(vendor, f"{vendor}-1", SetterRole.SOLUTION, ordinal)


def said(**answers: int | MissingAnswer | None) -> Answers:
    """`a_b` is the brute force of vendor a, `a_0` its first solution; None is not asked."""
    table: dict[AnswerId, int | MissingAnswer] = {}
    for name, answer in answers.items():
        vendor, which = name.split("_")
        if answer is not None:
            table[brute(vendor) if which == "b" else solution(vendor, int(which))] = answer
    return table


def consensus(rows: list[AnswerRow]) -> ConsensusAgreement:
    """Every second solution is in C++, as setters are asked; how answers are compared, and what is legal, is known."""
    languages = {
        answer_id: language_of(answer_id.role, answer_id.ordinal, "") for row in rows for answer_id in row.answers
    }
    inputs = [
        InputEvidence(row.size, {None: CheckerView(row.answers, row.stated, UNCLEAR if row.unclear else frozenset())})
        for row in rows
    ]
    return ruled(ConsensusTable(inputs, languages))


UNCLEAR = frozenset({(0, 1), (1, 2)})  # where programs answer all three, that makes no classes


AGREED = said(a_b=1, b_b=1, a_0=1, a_1=1, b_0=1)


def test_two_brute_forces_say_the_truth_and_refute_with_the_smallest_input() -> None:
    wrong = said(a_b=1, b_b=1, a_0=2, b_0=1)
    agreement = consensus([AnswerRow(9, wrong), AnswerRow(3, wrong), AnswerRow(1, AGREED)])
    assert agreement.expected == {0: 1, 1: 1, 2: 1}
    assert agreement.refuted == {solution("a"): 1}
    assert (agreement.dissent, agreement.truths) == ({}, 3)


def test_one_vendors_brute_force_is_no_truth() -> None:
    agreement = consensus([AnswerRow(1, said(a_b=1, a_0=1, b_0=2))])
    assert (agreement.expected, agreement.refuted) == ({}, {})
    assert set(agreement.dissent) == {0}
    assert consensus([AnswerRow(1, said(a_b=1, a_0=1, a_1=1))]).expected == {}


def test_an_answer_that_one_vendor_tips_does_not_stand() -> None:
    """Without a's brute force nothing refutes what says 2, and what says 1 is refuted instead."""
    rows = [
        AnswerRow(1, said(a_b=6, b_b=5, c_b=5, b_0=6)), AnswerRow(2, said(a_b=5, c_b=5, c_0=6, c_1=6)),
        AnswerRow(3, said(a_b=5, d_b=5, d_0=6)), AnswerRow(9, said(a_0=1, a_1=1, b_0=1, c_0=2, c_1=2, d_0=2)),
    ]  # fmt: skip
    agreement = consensus(rows)
    assert (set(agreement.expected), set(agreement.dissent)) == ({1, 2}, {0, 3})


@pytest.mark.parametrize("third", [{"c_b": 2}, {"c_0": 2}, {"c_b": 2, "c_0": 2}])
def test_two_that_misread_alike_do_not_outvote_a_third(third: dict[str, int]) -> None:
    agreement = consensus([AnswerRow(1, {**AGREED, **said(**third)})])
    assert (agreement.expected, agreement.refuted) == ({}, {})
    assert {answer_id.vendor for answer_id in agreement.dissent[0]} == {"a", "b", "c"}


def test_a_third_brute_force_is_heard_though_its_own_solution_misreads_like_the_others() -> None:
    agreement = consensus([AnswerRow(1, {**AGREED, **said(c_b=2, c_0=1)})])
    assert (agreement.expected, agreement.refuted) == ({}, {})
    assert brute("c") in agreement.dissent[0]


def test_samples_bind_everybody_but_brute_forces_may_be_late() -> None:
    row = AnswerRow(
        5, said(a_b=MissingAnswer.LATE, b_b=7, a_0=7, b_0=8, b_1=MissingAnswer.FAILED, c_0=MissingAnswer.LATE), stated=7
    )
    agreement = consensus([row])
    assert set(agreement.refuted) == {solution("b"), solution("b", 1), solution("c")}
    assert (agreement.expected, agreement.truths) == ({0: 7}, 0)


def test_large_inputs_need_three_solutions_of_two_vendors() -> None:
    assert consensus([AnswerRow(9, said(a_0=1, a_1=1, b_0=1))]).expected == {0: 1}
    assert consensus([AnswerRow(9, said(a_0=1, b_0=1))]).expected == {}
    assert consensus([AnswerRow(9, said(a_0=1, a_1=1, a_2=1))]).expected == {}
    assert consensus([AnswerRow(9, said(a_0=1, a_1=1, b_0=1, b_b=2))]).expected == {}
    assert consensus([AnswerRow(9, said(a_1=1, a_3=1, b_1=1))]).expected == {}, "they may overflow alike"
    assert set(consensus([AnswerRow(9, said(a_0=1, a_1=1, b_0=1, c_1=2))]).dissent) == {0}
    assert set(consensus([AnswerRow(9, said(a_0=1, a_1=1, b_0=1, b_1=2, a_3=2))]).dissent) == {0}


def test_a_minority_of_one_is_never_outvoted_on_a_large_input() -> None:
    """It falls by a small input; without one the large input has no answer."""
    large = [
        AnswerRow(80, said(a_0=3, b_1=4)),
        AnswerRow(90, said(a_0=1, a_1=1, b_0=1, b_1=2)),
        AnswerRow(95, said(a_0=5, a_1=5, b_0=5, b_1=6)),
    ]
    agreement = consensus(large)
    assert (agreement.expected, agreement.refuted, set(agreement.dissent)) == ({}, {}, {0, 1, 2})
    agreement = consensus([*large, AnswerRow(2, {**AGREED, **said(b_1=2)})])
    assert (agreement.expected, agreement.refuted, agreement.dissent) == ({1: 1, 2: 5, 3: 1}, {solution("b", 1): 3}, {})
    assert consensus([AnswerRow(9, said(a_0=1, a_1=1, b_1=2))]).refuted == {}
    within_reach = consensus([AnswerRow(9, said(a_0=1, a_1=1, b_0=1, b_1=2, a_b=1))])
    assert (within_reach.expected, set(within_reach.dissent)) == ({}, {0})


def test_what_a_small_input_refutes_has_no_say_on_large_ones() -> None:
    small = AnswerRow(1, said(a_b=1, b_b=1, a_0=1, a_1=1, b_0=1, b_1=2))
    large = AnswerRow(99, said(a_0=4, a_1=4, b_0=4, b_1=5))
    assert consensus([large, small]).expected == {0: 4, 1: 1}


def test_who_breaks_on_a_large_input_is_refuted_and_who_is_late_is_not() -> None:
    agreement = consensus([AnswerRow(9, said(a_0=1, a_1=1, b_0=1, b_1=MissingAnswer.FAILED, c_0=MissingAnswer.LATE))])
    assert (agreement.expected, agreement.refuted) == ({0: 1}, {solution("b", 1): 0})


def test_who_breaks_where_its_own_vendor_answers_nothing_keeps_its_say() -> None:
    """Two that lie together let in an input that is not legal, so that whoever would contradict them breaks on it."""
    trap = AnswerRow(1, said(a_b=5, b_b=5, a_0=5, c_0=MissingAnswer.FAILED))
    large = AnswerRow(9, said(a_0=2, a_1=2, b_0=2, c_0=1))
    huge = AnswerRow(99, said(a_0=2, a_1=2, b_0=2, c_0=MissingAnswer.FAILED))
    agreement = consensus([trap, large, huge])
    assert (agreement.expected, agreement.refuted, set(agreement.dissent)) == ({0: 5, 2: 2}, {}, {1})
    answered = AnswerRow(1, {**trap.answers, **said(c_1=5)})
    assert consensus([answered, large, huge]).refuted == {solution("c"): 0}


def test_where_it_is_unclear_which_answers_are_as_good_nothing_is_said_of_anybody() -> None:
    wrong = {**AGREED, **said(b_0=2, a_1=0)}
    agreement = consensus(
        [AnswerRow(1, wrong, unclear=True), AnswerRow(2, wrong, stated=1, unclear=True), AnswerRow(3, AGREED)]
    )
    assert (agreement.expected, agreement.refuted, set(agreement.dissent)) == ({2: 1}, {}, {0, 1})


ANSWER_IDS = st.sampled_from([brute(v) for v in VENDORS] + [solution(v, at) for v in VENDORS for at in range(3)])
ROWS = st.lists(
    st.builds(
        AnswerRow,
        st.integers(1, 50),
        st.dictionaries(
            ANSWER_IDS, st.sampled_from([0, 0, 0, 1, 2, MissingAnswer.LATE, MissingAnswer.FAILED]), max_size=10
        ),
        st.sampled_from([None, None, 0]),
    ),
    max_size=6,
)


@given(ROWS, st.sampled_from(VENDORS))
def test_without_any_vendor_an_answer_is_the_same_or_none(rows: list[AnswerRow], vendor: str) -> None:
    left = [
        replace(row, answers={answer_id: said for answer_id, said in row.answers.items() if answer_id.vendor != vendor})
        for row in rows
    ]
    full, part = consensus(rows).expected, consensus(left).expected
    assert {place: part[place] for place in full if place in part} == {
        place: full[place] for place in full if place in part
    }


@given(ROWS)
def test_no_vendor_alone_makes_an_answer_or_refutes_another(rows: list[AnswerRow]) -> None:
    agreement = consensus(rows)
    for place, answer in agreement.expected.items():
        vendors = {answer_id.vendor for answer_id, said in rows[place].answers.items() if said == answer}
        assert len(vendors) >= 2 or rows[place].stated == answer
    for answer_id, place in agreement.refuted.items():
        others = {other.vendor for other, said in rows[place].answers.items() if said != rows[place].answers[answer_id]}
        assert others - {answer_id.vendor} or rows[place].stated is not None


@given(ROWS)
def test_whoever_says_something_else_stands_in_the_way_unless_a_sample_or_its_own_vendor_refutes_it(
    rows: list[AnswerRow],
) -> None:
    """A wrong answer that two share falls wherever a third speaks against it."""
    agreement = consensus(rows)
    for place, answer in agreement.expected.items():
        for answer_id, said in rows[place].answers.items():
            if isinstance(said, int) and said != answer:
                shown = rows[agreement.refuted[answer_id]]
                voices = {
                    p.vendor: a for p, a in shown.answers.items() if p.role is SetterRole.BRUTE and isinstance(a, int)
                }
                mine = shown.answers[answer_id]
                assert shown.stated is not None or mine is MissingAnswer.FAILED or voices[answer_id.vendor] != mine
                assert shown.stated is not None or answer_id.role is SetterRole.SOLUTION


A, B = AnswerId("a", "a-1", SetterRole.VALIDATOR), AnswerId("b", "b-1", SetterRole.VALIDATOR)
GOOD: dict[str, Any] = {
    "validators": (A, B), "brutes": (brute("a"), brute("b")),
    "references": (solution("a"), solution("a", 1), solution("b")), "legal": 90, "truths": 40, "disputed": 0,
    "large": 20, "dissent": 2, "answered_large": 15, "contested": 9,
    "proof": report.SuiteEvidence(
        tests=40, tried=90, valid=90, disagreed=0, caught=("wrong",), missed=(), mutants_caught=("m",) * 9,
        mutants_missed=("m",), trivial_programs={}, trivial_passed=(),
    ),
}  # fmt: skip


def checker(vendor: str) -> AnswerId:
    return AnswerId(vendor, f"{vendor}-1", SetterRole.CHECKER)


def test_what_is_agreed_on_and_proven_is_admitted() -> None:
    assert refusal(ConsensusEvidence(**GOOD)) is None
    unproven = ConsensusEvidence(**{**GOOD, "proof": None})
    assert (shortfall(unproven), refusal(unproven)) == (None, "it is not proven")


# Who says how answers are compared, the form, and why the suite is not admitted.
COMPARED: list[tuple[tuple[AnswerId, ...] | None, Form, str | None]] = [
    (None, Form.STDIN, None),
    ((checker("a"), checker("b")), Form.STDIN, None),
    ((checker("operator"),), Form.STDIN, None),
    ((checker("a"), checker("a")), Form.STDIN, "agree on no checker"),
    ((), Form.STDIN, "agree on no checker"),
    (None, Form.FUNCTION, None),
    ((), Form.FUNCTION, "import the problem with tests of its own"),
    (None, Form.INTERACTIVE, None),
    ((checker("a"),), Form.INTERACTIVE, "interactors of two vendors"),
    ((), Form.INTERACTIVE, "interactors of two vendors"),
]


@pytest.mark.parametrize(("comparers", "form", "reason"), COMPARED)
def test_without_two_that_say_how_answers_are_compared_nothing_is_admitted(
    comparers: tuple[AnswerId, ...] | None, form: Form, reason: str | None
) -> None:
    said = refusal(ConsensusEvidence(**{**GOOD, "comparers": comparers, "form": form}))
    assert said is None if reason is None else reason in str(said)
    assert form is Form.STDIN or "checker" not in str(said), "nobody is asked for one"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"validators": (A,)}, "validators of one vendor"),
        ({"validators": ()}, "validators of no vendors"),
        ({"legal": 0}, "no input"),
        ({"brutes": (brute("a"),)}, "brute forces of one vendor"),
        ({"truths": 9}, "9 inputs alike"),
        ({"disputed": 1}, "contradict each other on 1 small"),
        ({"contested": 10}, "holds 10 of 90 legal inputs to be illegal"),
        ({"references": (solution("a"), solution("b"))}, "2 solutions of 2 vendors"),
        ({"references": tuple(solution("a", at) for at in range(4))}, "4 solutions of one vendor"),
        ({"dissent": 3}, "3 of 20 large"),
        ({"answered_large": 0}, "no large input"),
        ({"proof": replace(GOOD["proof"], missed=("wrong",))}, "known-wrong programs are accepted"),
    ],
)
def test_each_lack_refuses(change: dict[str, Any], reason: str) -> None:
    assert reason in str(refusal(ConsensusEvidence(**{**GOOD, **change})))


@given(st.sampled_from(VENDORS), st.integers(0, 5), st.integers(0, 99))
def test_no_vendor_alone_admits(vendor: str, count: int, many: int) -> None:
    alone = ConsensusEvidence(
        validators=(AnswerId(vendor, "v", SetterRole.VALIDATOR),), brutes=(brute(vendor),),
        references=[solution(vendor, at) for at in range(count)], legal=many, truths=many, disputed=0, large=many,
        dissent=0, answered_large=many, proof=GOOD["proof"],
    )  # fmt: skip
    assert refusal(alone) is not None
    others = {name: GOOD[name] for name in ("validators", "brutes", "references")}
    for name in others:
        assert refusal(replace(alone, **{**others, name: getattr(alone, name)})) is not None
    compared = replace(alone, **others, legal=90, truths=90, comparers=[checker(vendor)] * count)
    assert refusal(compared) is not None

"""Which answers go back: those alone that fell short, at most twice each, and none where the shortfall is ours."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.consensus.answers import AnswerId, SetterRole
from app.domain.consensus.rounds import (
    FELL_SHORT,
    MOST_ROUNDS,
    AnswerOutcome,
    ReturnCount,
    answers_to_return,
    outcome_reason,
    stored_outcome,
)
from app.domain.reasons import Reason

STOOD = ("agrees", "chosen", "unused", "used", "votes")
ANSWER_IDS = st.builds(
    AnswerId, st.sampled_from("abc"), st.sampled_from("xy"), st.sampled_from(SetterRole), st.integers(0, 2)
)
WORDS = st.sampled_from([*sorted(FELL_SHORT), *STOOD])
FINDINGS = st.dictionaries(ANSWER_IDS, WORDS, max_size=12).map(
    lambda words: [AnswerOutcome(answer_id, word, "why", {"input": "1\n"}) for answer_id, word in words.items()]
)
TRIES = st.dictionaries(ANSWER_IDS, st.builds(ReturnCount, st.integers(0, 3), st.booleans()), max_size=12)


@given(FINDINGS, TRIES)
def test_what_has_stood_is_never_asked_again(findings: list[AnswerOutcome], tries: dict[AnswerId, ReturnCount]) -> None:
    assert not {finding.word for finding in answers_to_return(findings, tries, ours=False)} & set(STOOD)


@given(FINDINGS, TRIES)
def test_nothing_goes_back_for_what_is_our_fault(
    findings: list[AnswerOutcome], tries: dict[AnswerId, ReturnCount]
) -> None:
    assert answers_to_return(findings, tries, ours=True) == []


@given(st.lists(FINDINGS, max_size=6), st.sets(ANSWER_IDS))
def test_no_piece_goes_back_more_than_twice_and_the_silent_once(
    plays: list[list[AnswerOutcome]], silent: set[AnswerId]
) -> None:
    tries: dict[AnswerId, ReturnCount] = {}
    for findings in plays:
        for finding in answers_to_return(findings, tries, ours=False):
            tries[finding.answer_id] = ReturnCount(
                tries.get(finding.answer_id, ReturnCount()).asked + 1, finding.answer_id in silent
            )
    assert all(asked <= (1 if answer_id in silent else MOST_ROUNDS) for answer_id, (asked, _) in tries.items())


@given(FINDINGS)
def test_all_that_fell_short_goes_back_at_first_whatever_their_order(findings: list[AnswerOutcome]) -> None:
    again = answers_to_return(findings, {}, ours=False)
    assert again == sorted((one for one in findings if one.word in FELL_SHORT), key=lambda one: one.answer_id)
    assert again == answers_to_return(findings[::-1], {}, ours=False)
    assert all(one.shows == {"input": "1\n"} for one in again), "it goes back with its evidence"


@pytest.mark.parametrize(
    ("stored", "said", "codes"),
    [
        ({"state": "refuted: another answer"}, "refuted: another answer", None),
        ({"state": "refuted", "reason": "another answer"}, "refuted: another answer", "classed"),
        ({"state": "left out", **stored_outcome("left out", "")}, "left out", "outcome.left_out"),
        ({"state": "used", **stored_outcome("failed", "no luck")}, "failed: no luck", "classed"),
        (stored_outcome("short", Reason("no_large_input")), "short: none of the inputs is large, whatever its kind",
         "classed"),
    ],
)  # fmt: skip
def test_a_stored_outcome_is_a_reason(stored: dict[str, str], said: str, codes: str | None) -> None:
    reason = outcome_reason(stored)
    assert (reason, getattr(reason, "code", None)) == (said, codes)

"""What the making of tests may take: a bound is kept before a call, however many are under way."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.consensus.limits import CONSENSUS_LIMITS, CallDecision, ConsensusUsage, UsageAccount

NONE = ConsensusUsage()
NEEDS = st.builds(
    ConsensusUsage, st.integers(0, 3), st.integers(0, 50), st.integers(0, 5).map(Decimal), st.integers(0, 9).map(float)
)
LIMIT = ConsensusUsage(10, 200, Decimal(20), 40.0)


@given(st.lists(st.tuples(NEEDS, st.booleans()), max_size=40))
def test_what_is_used_stays_within_the_bound(calls: list[tuple[ConsensusUsage, bool]]) -> None:
    account = UsageAccount(LIMIT, NONE)
    for need, ends in calls:
        if account.check_call(need) is CallDecision.LEAVES:
            account.reserve(need)
            if ends:
                account.used, account.reserved = account.used + account.reserved, NONE
        assert (account.used + account.reserved).first_above(LIMIT) is None


@given(NEEDS, NEEDS, NEEDS)
def test_a_bound_is_reached_only_by_what_was_used(
    used: ConsensusUsage, reserved: ConsensusUsage, need: ConsensusUsage
) -> None:
    answer = UsageAccount(LIMIT, used, reserved).check_call(need)
    assert (answer is CallDecision.REACHED) == ((used + need).first_above(LIMIT) is not None)
    assert UsageAccount(LIMIT, used).check_call(need) is not CallDecision.WAITS, "nobody waits for nothing"


@pytest.mark.parametrize(
    ("need", "words"),
    [
        (ConsensusUsage(11), "0 of 10 calls"), (ConsensusUsage(0, 201), "0 of 200 tokens"),
        (ConsensusUsage(usd=Decimal("20.01")), "$0.00 of $20.00"),
        (ConsensusUsage(judge_s=41.0), "0 of 40 seconds of judging"),
    ],
)  # fmt: skip
def test_the_reason_names_what_is_used_up(need: ConsensusUsage, words: str) -> None:
    account = UsageAccount(LIMIT, NONE)
    assert account.check_call(need) is CallDecision.REACHED
    assert account.reason(need) == f"its bound is reached: {words} are used up"


def test_a_day_has_room_for_many_problems() -> None:
    assert CONSENSUS_LIMITS.problem.first_above(CONSENSUS_LIMITS.day) is None

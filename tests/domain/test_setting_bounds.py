"""What the making of tests may take: a bound is kept before a call, however many are under way."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.setting.bounds import BOUNDS, Account, Amounts, Answer

NONE = Amounts()
NEEDS = st.builds(
    Amounts, st.integers(0, 3), st.integers(0, 50), st.integers(0, 5).map(Decimal), st.integers(0, 9).map(float)
)
LIMIT = Amounts(10, 200, Decimal(20), 40.0)


@given(st.lists(st.tuples(NEEDS, st.booleans()), max_size=40))
def test_what_is_used_stays_within_the_bound(calls: list[tuple[Amounts, bool]]) -> None:
    account = Account(LIMIT, NONE)
    for need, ends in calls:
        if account.ask(need) is Answer.LEAVES:
            account.take(need)
            if ends:
                account.used, account.reserved = account.used + account.reserved, NONE
        assert (account.used + account.reserved).beyond(LIMIT) is None


@given(NEEDS, NEEDS, NEEDS)
def test_a_bound_is_reached_only_by_what_was_used(used: Amounts, reserved: Amounts, need: Amounts) -> None:
    answer = Account(LIMIT, used, reserved).ask(need)
    assert (answer is Answer.REACHED) == ((used + need).beyond(LIMIT) is not None)
    assert Account(LIMIT, used).ask(need) is not Answer.WAITS, "nobody waits for nothing"


@pytest.mark.parametrize(
    ("need", "words"),
    [
        (Amounts(11), "0 of 10 calls"), (Amounts(0, 201), "0 of 200 tokens"),
        (Amounts(usd=Decimal("20.01")), "$0.00 of $20.00"), (Amounts(judge_s=41.0), "0 of 40 seconds of judging"),
    ],
)  # fmt: skip
def test_the_reason_names_what_is_used_up(need: Amounts, words: str) -> None:
    account = Account(LIMIT, NONE)
    assert account.ask(need) is Answer.REACHED
    assert account.reason(need) == f"its bound is reached: {words} are used up"


def test_a_day_has_room_for_many_problems() -> None:
    assert BOUNDS.problem.beyond(BOUNDS.day) is None

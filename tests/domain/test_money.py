"""What calls cost, and which of them budgets let leave."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.asking.completions import Message, Prompt, Usage
from app.domain.asking.money import (
    FREE,
    Budget,
    PriceChange,
    Prices,
    RunBudget,
    cost,
    format_dollars,
    max_cost,
    prices_at,
)
from app.domain.asking.protocols import Sampling

PRICES = Prices(Decimal(2), Decimal(10))
PROMPT = Prompt((Message("system", "é" * 100), Message("user", "x" * 776)))


def test_a_call_costs_what_its_tokens_do() -> None:
    for usage, prices, usd in [
        (Usage(1_000_000, 0, 0, 100_000), PRICES, Decimal(3)),
        (Usage(1_000_000, 400_000, 50_000, 50_000), Prices(Decimal(2), Decimal(10), Decimal(1)), Decimal("2.6")),
        (Usage(1_000_000, 400_000, None, 0), PRICES, Decimal(2)),
        (Usage(None, 0, 0, 1), PRICES, None),
        (Usage(1, 0, 0, None), PRICES, None),
        (Usage(1, 0, 0, 1), Prices(None, Decimal(1)), None),
        (Usage(1, 0, 0, 1), Prices(Decimal(1), None), None),
        (Usage(1, 0, 0, 1), FREE, Decimal(0)),
    ]:
        assert cost(usage, prices) == usd, (usage, prices, usd)


def test_the_most_a_call_costs_is_a_token_a_byte_and_all_it_may_write() -> None:
    sampling = Sampling(max_tokens=100_000)
    assert max_cost(PROMPT, sampling, PRICES) == Decimal("1.004")
    assert (
        max_cost(PROMPT, sampling, Prices(Decimal(2), Decimal(10), Decimal(4)))
        == (Decimal(4) * 2000 + Decimal(10) * 100_000) / 1_000_000
    )
    assert max_cost(PROMPT, sampling, Prices(Decimal(2), None)) is None
    assert max_cost(PROMPT, sampling, Prices(None, Decimal(2))) is None


@given(
    st.decimals(0, 100, places=2),
    st.lists(st.tuples(st.integers(1, 3), st.decimals(0, 20, places=2)), max_size=20),
    st.lists(st.tuples(st.decimals(0, 100, places=2), st.decimals(0, 50, places=2), st.sets(st.integers(1, 3))),
             max_size=4),
)  # fmt: skip
def test_no_budget_is_ever_exceeded_by_what_leaves(
    spent: Decimal, calls: list[tuple[int, Decimal]], limits: list[tuple[Decimal, Decimal, set[int]]]
) -> None:
    budgets = [Budget("its budget", limit, spent, other, frozenset(runs)) for limit, other, runs in limits]
    others = [budget.reserved for budget in budgets]
    purse = RunBudget(budgets)
    left = {number for number, (run, usd) in enumerate(calls) if purse.reserve(number, run, usd)}
    assert left == set(purse.reservations)
    for budget, other in zip(budgets, others, strict=True):
        own = sum(usd for number, (run, usd) in enumerate(calls) if number in left and run in budget.runs)
        assert budget.reserved == other + own
        assert not own or budget.spent + budget.reserved <= budget.limit
    assert all(calls[number][0] not in purse.shortfalls for number in left)


def test_a_run_is_exhausted_only_when_nothing_under_way_can_help() -> None:
    waits = RunBudget([Budget("its budget", Decimal(10), Decimal(5), Decimal(5), frozenset({1}))])
    assert not waits.reserve(1, 1, Decimal(1))
    assert not waits.shortfalls, "what is under way may turn out to cost less"
    ends = RunBudget([Budget("its budget", Decimal(10), Decimal("9.5"), Decimal(0), frozenset({1}))])
    assert not ends.reserve(1, 1, Decimal(2))
    assert not ends.reserve(2, 1, Decimal(1))
    short = ends.shortfalls[1]
    assert (short.usd, short.reason) == (
        Decimal(1), "its budget is used up: $9.50 of $10.00 are spent, and the next call may cost $1.00",
    )  # fmt: skip
    assert ends.reserve(3, 1, Decimal("0.5"))
    assert not ends.shortfalls, "a smaller call could leave"


def test_a_call_without_a_price_leaves_only_where_nothing_is_limited() -> None:
    purse = RunBudget([Budget("its daily budget", Decimal(10), Decimal(0), Decimal(0), frozenset({1}))])
    assert purse.reserve(1, 2, None)
    assert not purse.reserve(2, 1, None)
    assert purse.reservations == {}
    assert purse.shortfalls[1].usd == 0
    assert purse.shortfalls[1].reason == "the price of a call is not known, so that its daily budget cannot be kept"


def test_what_is_under_way_is_named_where_that_is_the_reason() -> None:
    budget = Budget("its budget", Decimal(10), Decimal(5), Decimal(6))
    assert budget.over
    assert (
        budget.reason(Decimal(1))
        == "its budget is used up: $5.00 of $10.00 are spent, and calls under way may cost $6.00"
    )


@pytest.mark.parametrize(
    ("usd", "text"),
    [("0", "$0.00"), ("12.346", "$12.35"), ("0.1", "$0.10"), ("0.0123", "$0.012"), ("0.00004567", "$0.000046")],
)
def test_amounts_are_read_as_cents_or_as_two_digits(usd: str, text: str) -> None:
    assert format_dollars(Decimal(usd)) == text


def test_a_request_costs_what_held_when_it_was_sent() -> None:
    day = datetime(2026, 11, 1, tzinfo=UTC)
    first, second, before = (Prices(Decimal(usd), Decimal(0)) for usd in (1, 2, 9))
    history = [PriceChange(day, first), PriceChange(day + timedelta(days=2), second)]
    moments = (-1, 0, 1, 2, 3)
    assert [prices_at(history, day + timedelta(days=days), before) for days in moments] == [
        before, first, first, second, second,
    ]  # fmt: skip
    assert prices_at([], day, before) == before

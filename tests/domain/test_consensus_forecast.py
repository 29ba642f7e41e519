"""What the tests of a problem are expected to take."""

from decimal import Decimal

import pytest

from app.domain.asking.money import Prices
from app.domain.consensus.forecast import (
    CALLS_PER_PROBLEM,
    DOCUMENTED_USE,
    ForecastAmount,
    ForecastSetter,
    SetterUse,
    forecast_problem,
    vendor_share,
)

PRICES = Prices(Decimal(2), Decimal(10), Decimal("0.5"))
USE = SetterUse(calls=10.0, tokens_input=8000.0, tokens_cached=2000.0, tokens_output=5000.0, problems=3)


def setter(vendor: str, share: float = 1.0, prices: Prices = PRICES) -> ForecastSetter:
    return ForecastSetter(f"of-{vendor}", vendor, share, USE, prices)


@pytest.mark.parametrize(("vendors", "share"), [(0, 0.0), (1, 1.0), (2, 1.0), (3, 2 / 3), (4, 0.5)])
def test_two_vendors_are_drawn_for_each_problem(vendors: int, share: float) -> None:
    assert vendor_share(vendors) == share


def test_problem_sums_its_setters_by_their_share_and_price() -> None:
    one = (Decimal(2) * 6000 + Decimal("0.5") * 2000 + Decimal(10) * 5000) / 1_000_000
    assert forecast_problem([setter("a")], 128.0) == ForecastAmount(10.0, 13_000.0, 128.0, one)
    third = 2 / 3
    summed = forecast_problem([setter(vendor, third) for vendor in "abc"], 60.0)
    assert summed.calls == pytest.approx(20.0)
    assert summed.tokens == pytest.approx(26_000.0)
    assert summed.judge_s == 60.0
    assert summed.usd is not None
    assert float(summed.usd) == pytest.approx(float(2 * one))


def test_cost_is_unknown_if_one_price_is() -> None:
    amount = forecast_problem([setter("a"), setter("b", prices=Prices(None, Decimal(1)))], 1.0)
    assert (amount.calls, amount.usd) == (20.0, None)
    assert amount.times(3).usd is None


def test_contest_is_its_problems() -> None:
    assert ForecastAmount(9.0, 100.0, 2.0, Decimal("0.5")).times(4) == ForecastAmount(36.0, 400.0, 8.0, Decimal(2))


def test_documented_use_asks_each_role_of_a_program_once() -> None:
    assert CALLS_PER_PROBLEM == 9
    assert (DOCUMENTED_USE.calls, DOCUMENTED_USE.problems) == (9, 0)

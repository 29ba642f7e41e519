"""Forecast of what the registered setters take for the tests of a contest, from what was measured here so far."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from app.db.kernel.session import Session
from app.db.runs.consensus import forecasts as store
from app.db.runs.consensus import setters as setter_store
from app.db.runs.consensus.forecasts import ContestSums, SetterSums
from app.domain.asking.money import Prices
from app.domain.consensus.agreement import LEAST_VENDORS
from app.domain.consensus.forecast import (
    CONTESTS_PER_WEEK,
    DOCUMENTED_USE,
    JUDGE_S_PER_PROBLEM,
    PROBLEMS_PER_CONTEST,
    ForecastAmount,
    ForecastSetter,
    SetterUse,
    forecast_problem,
    vendor_share,
)
from app.services.runs.budgets import prices_of

_PERIOD = timedelta(weeks=8)
_WEEK = timedelta(weeks=1)
_UNKNOWN = Prices(None, None)


@dataclass(frozen=True, slots=True)
class SiteForecast:
    """A site's contests: problems in each, contests a week, and the amounts; `contests` were counted (0: assumed)."""

    site: str
    problems_per_contest: float
    contests_per_week: float
    contests: int
    contest: ForecastAmount
    week: ForecastAmount


@dataclass(frozen=True, slots=True)
class SetterForecast:
    """Expected amounts for the tests of a problem, of a contest of each site, and of a week.

    `judged` is the number of problems that the seconds of judging were measured on. `vendors` are registered; below
    two, `setters` are assumed ones of two vendors.
    """

    setters: tuple[ForecastSetter, ...]
    vendors: int
    judged: int
    problem: ForecastAmount
    sites: tuple[SiteForecast, ...]
    week: ForecastAmount


def forecast(session: Session, sites: Sequence[str], now: datetime) -> SetterForecast:
    """Return the forecast for the registered setters and these sites."""
    setters = _registered(session)
    vendors = len({setter.vendor for setter in setters})
    if vendors < LEAST_VENDORS:
        setters = [*setters, *_assumed(LEAST_VENDORS - vendors)]
    judged, seconds = store.judging_seconds(session)
    problem = forecast_problem(setters, seconds / judged if judged else JUDGE_S_PER_PROBLEM)
    counted = store.contest_sums(session, now - _PERIOD, now)
    lines = tuple(_site(site, counted.get(site), problem, now) for site in sites)
    week = sum((line.week for line in lines), ForecastAmount())
    return SetterForecast(tuple(setters), vendors, judged, problem, lines, week)


def _registered(session: Session) -> list[ForecastSetter]:
    """Return the setters that were not removed, with their own figures if they have any."""
    rows = [row for row in setter_store.all_setters(session) if row.setter.removed_at is None]
    share = vendor_share(max(LEAST_VENDORS, len({row.setter.vendor for row in rows})))
    sums = store.setter_sums(session)
    return [
        ForecastSetter(
            row.setter.name, row.setter.vendor, share, _use(sums.get(row.setter.name)), prices_of(row.endpoint)
        )
        for row in rows
    ]


def _assumed(number: int) -> list[ForecastSetter]:
    """Return setters that are not registered yet, of a vendor each."""
    return [
        ForecastSetter(f"(setter {place})", f"(vendor {place})", 1.0, DOCUMENTED_USE, _UNKNOWN)
        for place in range(LEAST_VENDORS - number + 1, LEAST_VENDORS + 1)
    ]


def _use(sums: SetterSums | None) -> SetterUse:
    if sums is None:
        return DOCUMENTED_USE
    number = sums.problems
    read, cached, written = (tokens / number for tokens in (sums.tokens_input, sums.tokens_cached, sums.tokens_output))
    return SetterUse(sums.calls / number, read, cached, written, number)


def _site(site: str, sums: ContestSums | None, problem: ForecastAmount, now: datetime) -> SiteForecast:
    problems, weekly, contests = PROBLEMS_PER_CONTEST, CONTESTS_PER_WEEK, 0
    if sums is not None:
        contests = sums.contests
        problems, weekly = sums.problems / contests, contests / max(1.0, (now - sums.first_end) / _WEEK)
    contest = problem.times(problems)
    return SiteForecast(site, problems, weekly, contests, contest, contest.times(weekly))

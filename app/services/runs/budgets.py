"""Budgets: enforced while samples are taken and answers recorded, and changed by operators, which resumes paused runs.

The most that a call may cost is reserved in every budget of its run, from when its sample is taken until its answer is
recorded. So spending stays within the budget, unless a call costs more than its maximum.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from app.db.kernel import logs
from app.db.kernel.session import Session
from app.db.runs import budgets as store
from app.db.runs import runs as run_store
from app.db.tables import BudgetRow, Endpoint, Run
from app.domain.asking.money import FREE, BudgetShortfall, Prices, RunBudget
from app.domain.audit_reason import check_reason
from app.domain.errors import Conflict, InvalidInput, NotFound

_MAX_USD = Decimal(10) ** 9


def prices_of(endpoint: Endpoint) -> Prices:
    """Return the prices of calls to an endpoint; calls to weights of our own are free unless a price is set."""
    if endpoint.weights is not None and endpoint.price_input is None and endpoint.price_output is None:
        return FREE
    return Prices(endpoint.price_input, endpoint.price_output, endpoint.price_cached)


def lock_budgets(session: Session, endpoint_id: int, now: datetime) -> RunBudget:
    """Return the budgets of an endpoint's runs, locked against other workers until the transaction ends."""
    return RunBudget(store.budgets_covering(session, store.runs_at(session, endpoint_id), now, lock=True))


def save_reservations(session: Session, purse: RunBudget) -> None:
    """Store the reservations made, and pause the runs whose budget is exhausted."""
    store.reserve(session, purse.reservations)
    store.pause(session, purse.shortfalls)


def record_spending(
    session: Session, costs: Sequence[store.AnswerCost], needs: Mapping[int, Decimal], now: datetime, *, dearer: bool
) -> None:
    """Count the cost of answers, by run; `dearer`: one cost more than was reserved for it.

    Then its budgets may be exceeded, and the runs are paused at once. `needs` is the cost of a call of each run.
    """
    store.record_costs(session, costs, now)
    if dearer:
        _stop(session, needs, now)


def _stop(session: Session, needs: Mapping[int, Decimal], now: datetime) -> None:
    """Pause those of these runs whose calls under way may exceed a budget."""
    over = [budget for budget in store.budgets_covering(session, set(needs), now) if budget.over]
    store.pause(
        session,
        {
            run: BudgetShortfall(budget.reason(needs[run]), needs[run])
            for budget in over
            for run in budget.runs
            if run in needs
        },
    )


def resume_runs(session: Session, now: datetime) -> int:
    """Resume runs that a budget paused if it now covers their next call; return their number."""
    resumed = 0
    for run in store.paused_runs(session):
        limits = store.budgets_covering(session, {run.id}, now)
        prices = prices_of(run.endpoint)
        unpriced = prices.input is None or prices.output is None
        if limits and (unpriced or any(limit.over or limit.used_up(run.needs_usd) for limit in limits)):
            continue
        try:
            run_store.resume(session, run.id)
        except Conflict:  # its protocol has another revision, so this one is not asked
            continue
        resumed += 1
    return resumed


@dataclass(frozen=True, slots=True)
class BudgetLine:
    """A budget as it stands: its owner, its limit and what counts against it, in US dollars."""

    run: int | None
    organisation: str | None
    daily: bool
    usd: Decimal
    spent: Decimal


def budgets(session: Session, now: datetime) -> list[BudgetLine]:
    """Return every budget."""
    return [_line(session, row, now) for row in store.all_budgets(session)]


def budgets_of_run(session: Session, run_id: int, now: datetime) -> list[BudgetLine]:
    """Return a run's own budgets."""
    return [_line(session, row, now) for row in store.of_run(session, run_id)]


def _line(session: Session, row: BudgetRow, now: datetime) -> BudgetLine:
    return BudgetLine(row.run_id, row.organisation, row.daily, row.usd, store.spent_usd(session, row, now))


@dataclass(frozen=True, slots=True)
class BudgetOwner:
    """Owner of a budget: a run, an organisation, or with neither all runs of maintainers."""

    run: int | None = None
    organisation: str | None = None
    daily: bool = False

    def __str__(self) -> str:
        whose = f"run {self.run}" if self.run is not None else self.organisation or "everything"
        return f"{whose}, daily" if self.daily else whose


def change_budget(
    session: Session, whose: BudgetOwner, usd: Decimal | None, reason: str, now: datetime, actor: str = "operator"
) -> None:
    """Set a budget, or with None remove it. Runs that it paused go on; runs under way that it stops are paused.

    Raises InvalidInput, and NotFound for an unknown run or organisation, or a budget that was not set.
    """
    if usd is not None and not (usd.is_finite() and 0 <= usd <= _MAX_USD):
        raise InvalidInput(f"a budget must be from 0 to {_MAX_USD} US dollars", pointer="/usd")
    words = check_reason(reason)
    _check_owner(session, whose)
    before = store.find(session, whose.run, whose.organisation, daily=whose.daily)
    old = None if before is None else str(before.usd)
    if usd is None:
        if before is None:
            raise NotFound(f"there is no budget of {whose}")
        store.remove(session, before)
    else:
        row = store.set_budget(session, whose.run, whose.organisation, usd, daily=whose.daily)
        runs = store.runs_under(session, row)
        _stop(session, dict.fromkeys(runs, Decimal(0)), now)
    new = None if usd is None else str(usd)
    logs.write_audit(session, now, actor, "budget.changed", str(whose), words, {"usd": old}, {"usd": new})
    resume_runs(session, now)


def _check_owner(session: Session, whose: BudgetOwner) -> None:
    if whose.run is not None and whose.organisation is not None:
        raise InvalidInput("a budget is for a run or for an organisation, not both")
    if whose.run is not None and (not 0 < whose.run < 2**63 or session.get(Run, whose.run) is None):
        raise NotFound(f"there is no run {whose.run}")
    if whose.organisation is not None and not (
        whose.organisation.isprintable() and store.has_organisation(session, whose.organisation)
    ):
        raise NotFound(f"{whose.organisation!r} has no models")

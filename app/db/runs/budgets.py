"""Budgets: the spending that counts against them, reservations, and the runs that they paused."""

from collections.abc import Collection, Iterable, Mapping
from datetime import UTC, date, datetime
from decimal import Decimal
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Select, and_, delete, func, literal, or_, select, true, update
from sqlalchemy.dialects.postgresql import ARRAY, Insert, insert
from sqlalchemy.types import BigInteger, Numeric

from app.db.kernel.session import Session
from app.db.tables import BudgetRow, Endpoint, Model, Run, Sample, Spending
from app.domain.asking import money
from app.domain.asking.money import BudgetShortfall
from app.domain.reasons import Reason
from app.domain.states import RunState, SampleState

# Vendors pay for calls to their own endpoints, and the bundled ones cost nothing.
_IS_OURS = and_(Model.organisation_id.is_(None), ~Model.demo)


def budgets_covering(
    session: Session, run_ids: Collection[int], now: datetime, *, lock: bool = False
) -> list[money.Budget]:
    """Return the budgets of these runs, each with the spending that counts now.

    With `lock`, other transactions cannot reserve from them until this one ends; call it before claiming samples.
    """
    run_facts = select(Run.id, Model.organisation_name, _IS_OURS.label("ours")).join(Model, Model.id == Run.model_id)
    runs = session.execute(run_facts.where(Run.id.in_(run_ids))).all()
    everything = and_(BudgetRow.run_id.is_(None), BudgetRow.organisation.is_(None))
    named = BudgetRow.organisation.in_({row.organisation_name for row in runs})
    concerned = or_(BudgetRow.run_id.in_(run_ids), named, everything if any(row.ours for row in runs) else ~true())
    query = select(BudgetRow).where(concerned).order_by(BudgetRow.id)
    if lock:
        query = query.with_for_update().execution_options(populate_existing=True)
    return [
        _with_spending(session, row, now, frozenset(run.id for run in runs if _covers(row, *run)))
        for row in session.scalars(query).all()
    ]


def _covers(row: BudgetRow, run_id: int, organisation: str, ours: bool) -> bool:
    if row.run_id is not None:
        return row.run_id == run_id
    return ours if row.organisation is None else row.organisation == organisation


def _with_spending(session: Session, row: BudgetRow, now: datetime, runs: frozenset[int]) -> money.Budget:
    return money.Budget(_describe(row), row.usd, spent_usd(session, row, now), _reserved(session, row), runs)


def _describe(row: BudgetRow) -> Reason:
    budget = "daily_budget" if row.daily else "budget"
    if row.run_id is not None:
        return Reason(f"own_{budget}")
    if row.organisation:
        return Reason(f"vendor_{budget}", {"what": row.organisation})
    return Reason(f"service_{budget}")


def spent_usd(session: Session, row: BudgetRow, now: datetime) -> Decimal:
    """Return the US dollars that count against a budget now."""
    total = _of_budget(select(func.coalesce(func.sum(Spending.usd), 0)).join(Run, Run.id == Spending.run_id), row)
    if row.daily:
        total = total.where(Spending.day == _day(now))
    return session.scalar(total) or Decimal(0)


def _reserved(session: Session, row: BudgetRow) -> Decimal:
    total = _of_budget(select(func.coalesce(func.sum(Sample.reserved_usd), 0)).join(Run, Run.id == Sample.run_id), row)
    under_way = (Sample.lease_token.is_not(None), Sample.state == SampleState.INFERRING)
    return session.scalar(total.where(*under_way)) or Decimal(0)


def _of_budget(query: Select[Any], row: BudgetRow) -> Select[Any]:
    if row.run_id is not None:
        return query.where(Run.id == row.run_id)
    whose = _IS_OURS if row.organisation is None else Model.organisation_name == row.organisation
    return query.join(Model, Model.id == Run.model_id).where(whose)


def _day(now: datetime) -> date:
    return now.astimezone(UTC).date()


def runs_at(session: Session, endpoint_id: int) -> set[int]:
    """Return the runs that are asked at an endpoint, in any state."""
    return set(session.scalars(select(Run.id).where(Run.endpoint_id == endpoint_id)))


def reserve(session: Session, usd: Mapping[int, Decimal]) -> None:
    """Store with claimed samples the most that each call may cost."""
    if usd:
        rows = func.unnest(literal(list(usd), ARRAY(BigInteger)), literal(list(usd.values()), ARRAY(Numeric)))
        reserved = rows.table_valued("sample", "usd").render_derived()
        session.execute(
            update(Sample)
            .where(Sample.id == reserved.c.sample)
            .values(reserved_usd=reserved.c.usd)
            .execution_options(synchronize_session=False)
        )


class AnswerCost(NamedTuple):
    """Cost of an answer of a run, None if unknown, and the most that was reserved for it."""

    run_id: int
    usd: Decimal | None
    most: Decimal


def record_costs(session: Session, costs: Iterable[AnswerCost], now: datetime) -> None:
    """Add the cost of answers to their runs' spending on the day of `now`.

    An unknown cost counts as the reserved amount; otherwise a vendor that reports no tokens could exceed a budget.
    """
    sums: dict[int, list[AnswerCost]] = {}
    for cost in costs:
        sums.setdefault(cost.run_id, []).append(cost)
    rows = [
        {"run_id": run_id, "day": _day(now), "answers": len(run_costs),
         "unpriced": sum(cost.usd is None for cost in run_costs),
         "usd": sum((cost.most if cost.usd is None else cost.usd for cost in run_costs), Decimal(0))}
        for run_id, run_costs in sorted(sums.items())
    ]  # fmt: skip
    if rows:
        session.connection().execute(_upsert_spending(), rows)


@cache  # answers come in small batches, many a second
def _upsert_spending() -> Insert:
    """Return the statement that adds to a day's spending, or starts it."""
    new = insert(Spending)
    added = {name: getattr(Spending, name) + new.excluded[name] for name in ("answers", "unpriced", "usd")}
    return new.on_conflict_do_update(index_elements=["run_id", "day"], set_=added)


class RunCost(NamedTuple):
    """Total cost of a run's answers; `unpriced` of them have no known cost and count as reserved."""

    answers: int
    unpriced: int
    usd: Decimal


def spent_by(session: Session, run_ids: Collection[int]) -> dict[int, RunCost]:
    """Return the total cost by run; runs without answers are left out."""
    sums = select(Spending.run_id, func.sum(Spending.answers), func.sum(Spending.unpriced), func.sum(Spending.usd))
    rows = session.execute(sums.where(Spending.run_id.in_(run_ids)).group_by(Spending.run_id))
    return {row[0]: RunCost(int(row[1] or 0), int(row[2] or 0), row[3] or Decimal(0)) for row in rows}


def pause(session: Session, shorts: Mapping[int, BudgetShortfall]) -> None:
    """Pause active runs whose budget is used up, with the reason."""
    for run_id, short in sorted(shorts.items()):
        session.execute(
            update(Run)
            .where(Run.id == run_id, Run.state == RunState.ACTIVE)
            .values(state=RunState.PAUSED, state_reason=short.reason, needs_usd=short.usd)
        )


class PausedRun(NamedTuple):
    """A run that a budget paused, its endpoint, and the possible cost of its next call."""

    id: int
    endpoint: Endpoint
    needs_usd: Decimal


def paused_runs(session: Session) -> list[PausedRun]:
    """Return all runs that a budget paused, oldest first."""
    return [
        PausedRun(run_id, endpoint, usd)
        for run_id, endpoint, usd in session.execute(_paused_query())
        if usd is not None
    ]


@cache
def _paused_query() -> Select[int, Endpoint, Decimal | None]:
    return (
        select(Run.id, Endpoint, Run.needs_usd)
        .join(Endpoint, Endpoint.id == Run.endpoint_id)
        .where(Run.state == RunState.PAUSED, Run.needs_usd.is_not(None))
        .order_by(Run.id)
    )


def runs_under(session: Session, row: BudgetRow) -> set[int]:
    """Return the active runs under a budget."""
    query = select(Run.id).where(Run.state == RunState.ACTIVE, Run.endpoint_id.is_not(None))
    if row.run_id is not None:
        return set(session.scalars(query.where(Run.id == row.run_id)))
    whose = _IS_OURS if row.organisation is None else Model.organisation_name == row.organisation
    return set(session.scalars(query.join(Model, Model.id == Run.model_id).where(whose)))


def find(session: Session, run_id: int | None, organisation: str | None, *, daily: bool) -> BudgetRow | None:
    """Return the budget with that natural key, locked."""
    return session.scalar(select(BudgetRow).where(*_key(run_id, organisation, daily=daily)).with_for_update())


def set_budget(
    session: Session, run_id: int | None, organisation: str | None, usd: Decimal, *, daily: bool
) -> BudgetRow:
    """Set a budget, new or not."""
    new = insert(BudgetRow).values(run_id=run_id, organisation=organisation, daily=daily, usd=usd)
    return session.scalars(
        new.on_conflict_do_update(index_elements=["run_id", "organisation", "daily"], set_={"usd": usd})
        .returning(BudgetRow),
        execution_options={"populate_existing": True},
    ).one()  # fmt: skip


def remove(session: Session, row: BudgetRow) -> None:
    """Delete a budget."""
    session.execute(delete(BudgetRow).where(BudgetRow.id == row.id))


def all_budgets(session: Session) -> list[BudgetRow]:
    """Return all budgets: the overall one, then those of organisations and of runs."""
    order = (
        BudgetRow.run_id.is_not(None),
        BudgetRow.organisation.is_not(None),
        BudgetRow.organisation,
        BudgetRow.run_id,
    )
    return list(session.scalars(select(BudgetRow).order_by(*order, BudgetRow.daily)))


def of_run(session: Session, run_id: int) -> list[BudgetRow]:
    """Return a run's own budgets."""
    return list(session.scalars(select(BudgetRow).where(BudgetRow.run_id == run_id).order_by(BudgetRow.daily)))


def _key(run_id: int | None, organisation: str | None, *, daily: bool) -> tuple[ColumnElement[bool], ...]:
    return (
        BudgetRow.run_id.is_not_distinct_from(run_id), BudgetRow.organisation.is_not_distinct_from(organisation),
        BudgetRow.daily.is_(daily),
    )  # fmt: skip


def has_organisation(session: Session, name: str) -> bool:
    """Return whether a model names that organisation."""
    return session.scalar(select(Model.id).where(Model.organisation_name == name).limit(1)) is not None

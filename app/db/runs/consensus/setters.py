"""Setters: models that make tests, each asked in a private run."""

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import NamedTuple

from sqlalchemy import ColumnElement, func, select

from app.db.kernel.session import Session
from app.db.tables import Endpoint, Model, Run, Sample, Setter, Spending
from app.domain.states import SampleState


class SetterRun(NamedTuple):
    """A setter with its run and endpoint."""

    setter: Setter
    run: Run
    endpoint: Endpoint


def all_setters(session: Session) -> list[SetterRun]:
    """Return every setter, removed ones included, by name."""
    rows = session.execute(
        select(Setter, Run, Endpoint)
        .join(Run, Run.id == Setter.run_id)
        .join(Endpoint, Endpoint.id == Run.endpoint_id)
        .order_by(Setter.name)
    )
    return [SetterRun(*row) for row in rows]


def lock_setter(session: Session, name: str) -> Setter | None:
    """Return the setter with that name, removed or not, locked."""
    return session.scalar(select(Setter).where(Setter.name == name).with_for_update())


def add(session: Session, name: str, vendor: str, run_id: int, now: datetime) -> Setter:
    """Add a setter."""
    setter = Setter(name=name, vendor=vendor, run_id=run_id, added_at=now)
    session.add(setter)
    session.flush()
    return setter


def present_vendors(session: Session, *, demo: bool) -> set[str]:
    """Return the vendors whose setters make tests of demo sources, or of the others.

    Demo setters know invented contests alone, and nobody pays a real one for these.
    """
    return set(session.scalars(select(Setter.vendor).where(Setter.removed_at.is_(None), is_demo().is_(demo))))


def is_demo() -> ColumnElement[bool]:
    """Return the condition that a setter's model is bundled."""
    return (
        select(Model.demo).join(Run, Run.model_id == Model.id).where(Run.id == Setter.run_id).scalar_subquery()
    )  # fmt: skip


def active_setters(session: Session) -> list[Setter]:
    """Return the setters that were not removed, by name."""
    return list(session.scalars(select(Setter).where(Setter.removed_at.is_(None)).order_by(Setter.name)))


def answers(session: Session) -> Mapping[int, Mapping[SampleState, int]]:
    """Return run -> number of setter samples in each state."""
    rows = session.execute(
        select(Sample.run_id, Sample.state, func.count())
        .where(Sample.run_id.in_(select(Setter.run_id)))
        .group_by(Sample.run_id, Sample.state)
    )
    by_run: dict[int, dict[SampleState, int]] = {}
    for run, state, count in rows:
        by_run.setdefault(run, {})[SampleState(state)] = count
    return by_run


def costs(session: Session) -> Mapping[int, Decimal | None]:
    """Return run -> cost of setter answers in US dollars; None if a cost is unknown."""
    rows = session.execute(
        select(Spending.run_id, func.sum(Spending.usd), func.sum(Spending.unpriced))
        .where(Spending.run_id.in_(select(Setter.run_id)))
        .group_by(Spending.run_id)
    )
    return {run: None if unpriced else usd for run, usd, unpriced in rows}

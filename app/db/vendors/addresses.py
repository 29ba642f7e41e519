"""Who had an address asked: what was sent there, by whose endpoints."""

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import CTE, Select, func, select

from app.db.kernel.session import Session
from app.db.tables import Endpoint, Exposure, Model, Organisation, Run, Sample


class Asker(NamedTuple):
    """What one organisation, or maintainers (None), had an address asked; whether any endpoint of theirs that asked
    there was ever answered."""

    address: str
    organisation_id: int | None
    organisation: str | None
    problems: int
    first: datetime
    last: datetime
    answered: bool


def askers(session: Session) -> list[Asker]:
    """Of every address that several had asked, by address and the first sending."""
    several = (
        select(Exposure.address)
        .join(Endpoint, Endpoint.id == Exposure.endpoint_id)
        .join(Model, Model.id == Endpoint.model_id)
        .where(Exposure.address != "")
        .group_by(Exposure.address)
        .having(func.count(func.coalesce(Model.organisation_id, 0).distinct()) > 1)
    )
    return _askers(session, several)


def others_at_addresses_of(session: Session, organisation_id: int) -> list[Asker]:
    """What others had asked at the addresses that answered this organisation's own endpoints."""
    asked = _endpoints()
    own = (
        select(Exposure.address)
        .join(asked, asked.c.endpoint == Exposure.endpoint_id)
        .where(asked.c.organisation == organisation_id, asked.c.answered, Exposure.address != "")
        .distinct()
    )
    return [row for row in _askers(session, own) if row.organisation_id != organisation_id]


def _askers(session: Session, query: Select[str]) -> list[Asker]:
    addresses = session.scalars(query).all()
    asked = _endpoints()
    first = func.min(Exposure.sent_at)
    rows = session.execute(
        select(
            Exposure.address, Organisation.id, Organisation.name, func.count(Exposure.problem_id.distinct()),
            first, func.max(Exposure.sent_at), func.bool_or(asked.c.answered),
        )
        .join(asked, asked.c.endpoint == Exposure.endpoint_id)
        .outerjoin(Organisation, Organisation.id == asked.c.organisation)
        .where(Exposure.address.in_(addresses))
        .group_by(Exposure.address, Organisation.id)
        .order_by(Exposure.address, first)
    )  # fmt: skip
    return [Asker(*row) for row in rows]


def _endpoints() -> CTE:
    """Whose each endpoint is, and whether it was ever answered: looked up once each, not at every sending."""
    answered = select(Sample.id).join(Run, Run.id == Sample.run_id)
    answered = answered.where(Run.endpoint_id == Endpoint.id, Sample.answered_at.is_not(None))
    columns = (Endpoint.id.label("endpoint"), Model.organisation_id.label("organisation"))
    rows = select(*columns, answered.exists().label("answered")).join(Model, Model.id == Endpoint.model_id)
    return rows.cte("asked").prefix_with("MATERIALIZED")

"""Use of endpoint addresses by organisations: the problems that each had sent there."""

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import CTE, Select, func, select

from app.db.kernel.session import Session
from app.db.tables import Endpoint, ExposureRow, Model, Organisation, Run, Sample


class AddressUsage(NamedTuple):
    """One organisation's use of an address: problems sent there, and whether one of its endpoints ever answered.

    The organisation is None for maintainers.
    """

    address: str
    organisation_id: int | None
    organisation: str | None
    problems: int
    first: datetime
    last: datetime
    answered: bool


def shared_address_usage(session: Session) -> list[AddressUsage]:
    """Return the uses of every address that several organisations used, by address and first sending."""
    several = (
        select(ExposureRow.address)
        .join(Endpoint, Endpoint.id == ExposureRow.endpoint_id)
        .join(Model, Model.id == Endpoint.model_id)
        .where(ExposureRow.address != "")
        .group_by(ExposureRow.address)
        .having(func.count(func.coalesce(Model.organisation_id, 0).distinct()) > 1)
    )
    return _usage(session, several)


def usage_by_others(session: Session, organisation_id: int) -> list[AddressUsage]:
    """Return others' uses of the addresses that answered this organisation's own endpoints."""
    endpoints = _endpoints()
    own = (
        select(ExposureRow.address)
        .join(endpoints, endpoints.c.endpoint == ExposureRow.endpoint_id)
        .where(endpoints.c.organisation == organisation_id, endpoints.c.answered, ExposureRow.address != "")
        .distinct()
    )
    return [row for row in _usage(session, own) if row.organisation_id != organisation_id]


def _usage(session: Session, query: Select[str]) -> list[AddressUsage]:
    addresses = session.scalars(query).all()
    endpoints = _endpoints()
    first = func.min(ExposureRow.sent_at)
    rows = session.execute(
        select(
            ExposureRow.address, Organisation.id, Organisation.name, func.count(ExposureRow.problem_id.distinct()),
            first, func.max(ExposureRow.sent_at), func.bool_or(endpoints.c.answered),
        )
        .join(endpoints, endpoints.c.endpoint == ExposureRow.endpoint_id)
        .outerjoin(Organisation, Organisation.id == endpoints.c.organisation)
        .where(ExposureRow.address.in_(addresses))
        .group_by(ExposureRow.address, Organisation.id)
        .order_by(ExposureRow.address, first)
    )  # fmt: skip
    return [AddressUsage(*row) for row in rows]


def _endpoints() -> CTE:
    """Select each endpoint with its organisation and whether it ever answered, evaluated once per endpoint."""
    answered = select(Sample.id).join(Run, Run.id == Sample.run_id)
    answered = answered.where(Run.endpoint_id == Endpoint.id, Sample.answered_at.is_not(None))
    columns = (Endpoint.id.label("endpoint"), Model.organisation_id.label("organisation"))
    rows = select(*columns, answered.exists().label("answered")).join(Model, Model.id == Endpoint.model_id)
    return rows.cte("asked").prefix_with("MATERIALIZED")

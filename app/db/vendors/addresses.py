"""Use of endpoint addresses by organisations: the problems that each had sent there."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import CTE, ColumnElement, Select, func, select, true

from app.db.kernel.session import Session
from app.db.tables import Endpoint, ExposureRow, Model, Organisation, Run, Sample

_ANYBODY = true()


@dataclass(frozen=True, slots=True)
class AddressAsker:
    """An organisation that had an address of yours asked; null stands for maintainers of this site."""

    address: str
    organisation: str | None
    problems: int
    first_sent_at: datetime
    last_sent_at: datetime
    answered: bool  # there, by one of its endpoints


def shared_address_usage(session: Session) -> list[AddressAsker]:
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


def usage_by_others(session: Session, organisation_id: int) -> list[AddressAsker]:
    """Return others' uses of the addresses that answered this organisation's own endpoints."""
    endpoints = _endpoints()
    own = (
        select(ExposureRow.address)
        .join(endpoints, endpoints.c.endpoint == ExposureRow.endpoint_id)
        .where(endpoints.c.organisation == organisation_id, endpoints.c.answered, ExposureRow.address != "")
        .distinct()
    )
    return _usage(session, own, Organisation.id.is_distinct_from(organisation_id))


def _usage(session: Session, query: Select[str], who: ColumnElement[bool] = _ANYBODY) -> list[AddressAsker]:
    addresses = session.scalars(query).all()
    endpoints = _endpoints()
    first = func.min(ExposureRow.sent_at)
    rows = session.execute(
        select(
            ExposureRow.address, Organisation.name, func.count(ExposureRow.problem_id.distinct()), first,
            func.max(ExposureRow.sent_at), func.bool_or(endpoints.c.answered),
        )
        .join(endpoints, endpoints.c.endpoint == ExposureRow.endpoint_id)
        .outerjoin(Organisation, Organisation.id == endpoints.c.organisation)
        .where(ExposureRow.address.in_(addresses), who)
        .group_by(ExposureRow.address, Organisation.id)
        .order_by(ExposureRow.address, first)
    )  # fmt: skip
    return [AddressAsker(*row) for row in rows]


def _endpoints() -> CTE:
    """Select each endpoint with its organisation and whether it ever answered, evaluated once per endpoint."""
    answered = select(Sample.id).join(Run, Run.id == Sample.run_id)
    answered = answered.where(Run.endpoint_id == Endpoint.id, Sample.answered_at.is_not(None))
    columns = (Endpoint.id.label("endpoint"), Model.organisation_id.label("organisation"))
    rows = select(*columns, answered.exists().label("answered")).join(Model, Model.id == Endpoint.model_id)
    return rows.cte("asked").prefix_with("MATERIALIZED")

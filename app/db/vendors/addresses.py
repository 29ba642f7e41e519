"""Use of endpoint addresses by organisations: the problems that each had sent there."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import CTE, Select, func, select

from app.db.boards import deployments
from app.db.kernel.session import Session
from app.db.runs.results import is_public
from app.db.tables import Endpoint, ExposureRow, Model, Organisation, Problem, Run, Sample
from app.domain.vendors.gateways import deployment_of


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


def public_usage_by_others(session: Session, organisation_id: int) -> list[AddressAsker]:
    """Return others' public runs at the deployments that answered this organisation's own endpoints.

    Everything in it is on public pages, too: a private or embargoed run adds neither a line nor a number.
    """
    known = deployments.gateways(session)
    rows = session.execute(
        select(Endpoint.id, Endpoint.base_url, Endpoint.remote_name, Model.organisation_id)
        .join(Model, Model.id == Endpoint.model_id)
        .where(Endpoint.answering_since.is_not(None), Endpoint.weights.is_(None), ~Endpoint.trusted)
    ).all()
    places = {row.id: deployment_of(known, row.base_url, row.remote_name) for row in rows}
    own = {places[row.id] for row in rows if row.organisation_id == organisation_id}
    others = [row.id for row in rows if row.organisation_id != organisation_id and places[row.id] in own]
    tried = func.coalesce(Sample.answered_at, Sample.first_tried_at)
    sums = session.execute(
        select(
            Run.endpoint_id, Organisation.name, Sample.problem_id, func.min(func.coalesce(Run.sent_at, tried)),
            func.max(tried),
        )
        .join(Sample, Sample.run_id == Run.id)
        .join(Problem, Problem.id == Sample.problem_id)
        .join(Model, Model.id == Run.model_id)
        .outerjoin(Organisation, Organisation.id == Model.organisation_id)
        .where(Run.endpoint_id.in_(others), Run.public, is_public(), tried.is_not(None))
        .group_by(Run.endpoint_id, Organisation.id, Sample.problem_id)
    )  # fmt: skip
    by_asker: dict[tuple[str, str | None], list[tuple[int, datetime, datetime]]] = {}
    for endpoint, organisation, problem, first, last in sums:
        by_asker.setdefault((places[endpoint].address, organisation), []).append((problem, first, last))
    lines = [
        AddressAsker(
            address, organisation, len({problem for problem, _, _ in sent}), min(first for _, first, _ in sent),
            max(last for _, _, last in sent), answered=True,
        )
        for (address, organisation), sent in by_asker.items()
    ]  # fmt: skip
    return sorted(lines, key=lambda line: (line.address, line.first_sent_at))


def _usage(session: Session, query: Select[str]) -> list[AddressAsker]:
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
        .where(ExposureRow.address.in_(addresses))
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

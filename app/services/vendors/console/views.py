"""Models, endpoints and usage of the own organisation, for the pages of its console."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from app.db.kernel.session import Session
from app.db.runs import runs as run_store
from app.db.vendors import console as store
from app.db.vendors.console import UsageRow
from app.domain.asking.protocols import BUILT_IN_PROTOCOLS
from app.domain.errors import NotFound
from app.domain.states import MemberRole
from app.services.vendors import own_endpoints, own_models, probes, registrations
from app.services.vendors.console.sign_in import ConsoleMember
from app.services.vendors.probes import ProbeAnswer
from app.services.vendors.registrations import EndpointAnswer, ModelAnswer

USAGE_PERIOD: Final = timedelta(days=366)


@dataclass(frozen=True, slots=True)
class ProtocolChoice:
    """A protocol that may be ordered."""

    slug: str
    title: str


def list_models(session: Session, who: ConsoleMember) -> list[ModelAnswer]:
    """Return the models of the own organisation by name."""
    who.require(MemberRole.VIEWER)
    return [registrations.view_model(session, row) for row in store.models_of(session, who.organisation_id)]


def get_model(session: Session, who: ConsoleMember, slug: str) -> ModelAnswer:
    """Return a model of the own organisation. Raises NotFound."""
    who.require(MemberRole.VIEWER)
    return own_models.get_model(session, who.organisation_id, slug)


def list_endpoints(session: Session, who: ConsoleMember) -> list[EndpointAnswer]:
    """Return the endpoints of the own organisation by model."""
    who.require(MemberRole.VIEWER)
    rows = store.endpoints_of(session, who.organisation_id)
    return [registrations.view_endpoint(session, row, model) for row, model in rows]


def get_endpoint(session: Session, who: ConsoleMember, endpoint_id: int) -> EndpointAnswer:
    """Return an endpoint of the own organisation. Raises NotFound."""
    who.require(MemberRole.VIEWER)
    return own_endpoints.get_endpoint(session, who.organisation_id, str(endpoint_id))


def find_probe(session: Session, who: ConsoleMember, endpoint_id: int, now: datetime) -> ProbeAnswer | None:
    """Return the newest probe of an own endpoint; None before the first. Raises NotFound for another's endpoint."""
    get_endpoint(session, who, endpoint_id)
    try:
        return probes.read_probe(session, who.organisation_id, endpoint_id, now)
    except NotFound:
        return None


def list_protocols(session: Session) -> list[ProtocolChoice]:
    """Return the protocols that may be ordered: those that ship, and those that maintainers opened."""
    shipped = [
        ProtocolChoice(protocol.slug, protocol.title)
        for protocol in BUILT_IN_PROTOCOLS
        if not (protocol.imported or protocol.recorded)
    ]
    opened = [ProtocolChoice(row.slug, row.title) for row in run_store.asked_protocols(session) if row.orderable]
    return [*shipped, *(choice for choice in opened if choice.slug not in {known.slug for known in shipped})]


def list_usage(session: Session, who: ConsoleMember, now: datetime) -> list[UsageRow]:
    """Return the usage of each own endpoint in each month of the last year, the last month first."""
    who.require(MemberRole.VIEWER)
    since = (now - USAGE_PERIOD).replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    return store.usage_by_month(session, who.organisation_id, since)

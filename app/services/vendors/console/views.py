"""Models, endpoints and usage of the own organisation, for the pages of its console."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Final

from app.db.kernel.session import Session
from app.db.runs import runs as run_store
from app.db.tables import Endpoint, Model
from app.db.vendors import console as store
from app.db.vendors import submissions as submission_store
from app.db.vendors.console import UsageRow
from app.domain.asking.protocols import BUILT_IN_PROTOCOLS
from app.domain.errors import NotFound
from app.domain.states import MemberRole
from app.services.runs import cutoffs
from app.services.vendors import declarations
from app.services.vendors.console.sign_in import ConsoleMember
from app.services.vendors.registrations import WaitingDeclaration

USAGE_PERIOD: Final = timedelta(days=366)
_LARGEST_ID: Final = 2**63 - 1


@dataclass(frozen=True, slots=True)
class OwnModel:
    """A model of the own organisation; `cutoff_basis` is the rule by which its cutoff counts."""

    slug: str
    name: str
    link: str | None
    released_on: date | None
    cutoff_on: date | None
    cutoff_basis: str
    evidence: str | None
    waiting: WaitingDeclaration | None


@dataclass(frozen=True, slots=True)
class OwnEndpoint:
    """An endpoint of the own organisation, without its secret. Prices are US dollars per million tokens."""

    id: int
    model: str
    protocol: str
    remote_name: str
    base_url: str
    has_secret: bool
    max_concurrency: int
    timeout_s: float | None
    price_input: float | None
    price_cached: float | None
    price_output: float | None
    stopped: str | None


@dataclass(frozen=True, slots=True)
class ProtocolChoice:
    """A protocol that may be ordered."""

    slug: str
    title: str


def list_models(session: Session, who: ConsoleMember) -> list[OwnModel]:
    """Return the models of the own organisation by name."""
    who.require(MemberRole.VIEWER)
    return [_model_view(session, row) for row in store.models_of(session, who.organisation_id)]


def get_model(session: Session, who: ConsoleMember, slug: str) -> OwnModel:
    """Return a model of the own organisation. Raises NotFound."""
    who.require(MemberRole.VIEWER)
    row = submission_store.own_model(session, who.organisation_id, slug) if slug.isprintable() else None
    if row is None:
        raise NotFound(f"you have no model {slug}")
    return _model_view(session, row)


def list_endpoints(session: Session, who: ConsoleMember) -> list[OwnEndpoint]:
    """Return the endpoints of the own organisation by model."""
    who.require(MemberRole.VIEWER)
    return [_endpoint_view(row, model) for row, model in store.endpoints_of(session, who.organisation_id)]


def get_endpoint(session: Session, who: ConsoleMember, endpoint_id: int) -> OwnEndpoint:
    """Return an endpoint of the own organisation. Raises NotFound."""
    found = [line for line in list_endpoints(session, who) if line.id == endpoint_id]
    if not found or endpoint_id > _LARGEST_ID:
        raise NotFound(f"you have no endpoint {endpoint_id}")
    return found[0]


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


def _model_view(session: Session, model: Model) -> OwnModel:
    counted, basis = cutoffs.effective_cutoff(model)
    waiting = declarations.waiting_for_model(session, model.id)
    return OwnModel(
        model.slug, model.name, model.link, model.released_on, counted, basis, model.cutoff_evidence,
        None if waiting is None else WaitingDeclaration(waiting.cutoff_on, waiting.released_on, waiting.evidence),
    )  # fmt: skip


def _endpoint_view(row: Endpoint, model: str) -> OwnEndpoint:
    return OwnEndpoint(
        id=row.id,
        model=model,
        protocol=row.backend,
        remote_name=row.remote_name,
        base_url=row.base_url,
        has_secret=row.secret_encrypted is not None,
        max_concurrency=row.max_concurrency,
        timeout_s=row.timeout_s,
        price_input=_price(row.price_input),
        price_cached=_price(row.price_cached),
        price_output=_price(row.price_output),
        stopped=row.stopped_reason,
    )


def _price(price: Decimal | None) -> float | None:
    return None if price is None else float(price)

"""A vendor's own endpoints: read and changed."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Annotated

from pydantic import Field

from app.db.kernel import logs
from app.db.kernel.session import Session
from app.db.tables import Endpoint, Model
from app.db.vendors import own_registrations as store
from app.db.vendors import submissions as order_store
from app.domain.cursors import read_cursor, write_cursor
from app.domain.errors import Conflict, NotFound
from app.domain.etags import check_etag, etag_of
from app.domain.reasons import Reason
from app.services.runs.control import endpoints
from app.services.runs.control.endpoints import NewEndpoint
from app.services.runs.endpoint_secrets import Vault
from app.services.vendors.registrations import EndpointAnswer, view_endpoint

_CURSOR = "endpoints"
_LARGEST_ID = 2**63 - 1  # PostgreSQL's bigint; no larger id exists


@dataclass(frozen=True, slots=True)
class EndpointPage:
    """Your endpoints, newest first."""

    data: list[EndpointAnswer]
    next_cursor: Annotated[str | None, Field(description="the cursor of the next page; null on the last one")]


@dataclass(frozen=True, slots=True)
class EndpointChange:
    """New facts of an endpoint; None leaves a fact as it is. Prices are US dollars per million tokens."""

    base_url: str | None = None
    secret: str | None = None
    max_concurrency: int | None = None
    timeout_s: float | None = None
    price_input: Decimal | None = None
    price_cached: Decimal | None = None
    price_output: Decimal | None = None


def list_endpoints(
    session: Session,
    organisation_id: int,
    cursor: str | None,
    limit: int,
    *,
    model: str | None = None,
    stopped: bool | None = None,
) -> EndpointPage:
    """Return a page of an organisation's endpoints. Raises InvalidInput for a cursor of another list."""
    before = None if cursor is None else read_cursor(_CURSOR, cursor)
    rows = store.list_endpoints(session, organisation_id, before, limit + 1, model=model, stopped=stopped)
    more = write_cursor(_CURSOR, rows[limit - 1].endpoint.id) if len(rows) > limit else None
    return EndpointPage([view_endpoint(session, *row) for row in rows[:limit]], more)


def get_endpoint(session: Session, organisation_id: int, name: str) -> EndpointAnswer:
    """Return an endpoint of this organisation by its number or its opaque id. Raises NotFound."""
    endpoint, model = find_own(session, organisation_id, name)
    return view_endpoint(session, endpoint, model.slug)


def update_endpoint(
    session: Session,
    organisation_id: int,
    name: str,
    change: EndpointChange,
    if_match: str | None,
    now: datetime,
    vault: Vault,
) -> EndpointAnswer:
    """Change an endpoint, which also ends its stop; the caller has checked a new address.

    Raises NotFound, PreconditionMissing, PreconditionFailed, and as a registration does: Conflict for a new address
    after the first answer, InvalidInput for one without the secret.
    """
    endpoint, model = find_own(session, organisation_id, name)
    session.refresh(model, with_for_update=True)
    session.refresh(endpoint, with_for_update=True)
    check_etag(if_match, etag_of(view_endpoint(session, endpoint, model.slug)))
    if model.withdrawn_at is not None:
        raise Conflict(f"you withdrew {model.slug}: its endpoints are not asked any more")
    new = NewEndpoint(
        model=model.slug,
        backend=endpoint.backend,
        remote_name=endpoint.remote_name,
        base_url=change.base_url or endpoint.base_url,
        secret=change.secret,
        max_concurrency=change.max_concurrency,
        price_input=change.price_input,
        price_cached=change.price_cached,
        price_output=change.price_output,
        timeout_s=change.timeout_s,
    )
    endpoint = endpoints.register(session, model, new, now, vault)
    subject = f"{model.slug}/{endpoint.id}"
    logs.write_audit(session, now, f"org:{organisation_id}", "endpoint.written", subject, Reason("vendor_api"))
    return view_endpoint(session, endpoint, model.slug)


def find_own(session: Session, organisation_id: int, name: str) -> tuple[Endpoint, Model]:
    """Return an endpoint of this organisation with its model. Raises NotFound."""
    number = int(name) if name.isascii() and name.isdigit() and len(name) < 20 else None
    known = name.isprintable() if number is None else 0 < number <= _LARGEST_ID
    endpoint = order_store.own_endpoint(session, organisation_id, number or name) if known else None
    if endpoint is None:
        raise NotFound(f"you have no endpoint {name}")
    return endpoint, session.get_one(Model, endpoint.model_id)

"""What a vendor offers: models, and endpoints where they are served."""

from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from app.db.kernel import logs
from app.db.kernel.session import Session
from app.db.runs import runs as run_store
from app.db.tables import Endpoint
from app.db.vendors import submissions as store
from app.domain.cube.facts import CutoffBasis
from app.domain.errors import Conflict, InvalidInput, NotFound
from app.domain.imports import ImportedModel, is_plausible
from app.domain.windows import midnight
from app.services.runs import secrets
from app.services.runs.secrets import Vault

DEFAULT_CONCURRENCY = 8


@dataclass(frozen=True, slots=True)
class NewModel:
    """What a vendor says of a model."""

    slug: str
    name: str
    released_on: date | None = None
    cutoff_on: date | None = None
    cutoff_evidence: str | None = None
    link: str | None = None


@dataclass(frozen=True, slots=True)
class NewEndpoint:
    """Where a model is served; `secret` is sealed at once and never shown again. None: nothing was said of it."""

    model: str
    backend: str
    remote_name: str
    base_url: str
    secret: str | None = None
    max_concurrency: int | None = None
    price_input: Decimal | None = None
    price_cached: Decimal | None = None
    price_output: Decimal | None = None


@dataclass(frozen=True, slots=True)
class RegisteredModel:
    """A model as it stands after its registration."""

    slug: str
    name: str
    released_on: date | None
    cutoff_on: date | None
    cutoff_basis: str
    cutoff_evidence: str | None


@dataclass(frozen=True, slots=True)
class RegisteredEndpoint:
    """An endpoint as it stands; of its secret only whether there is one."""

    id: int
    backend: str
    remote_name: str
    base_url: str
    has_secret: bool
    max_concurrency: int
    stopped_reason: str | None


def create_model(session: Session, organisation_id: int, new: NewModel, now: datetime) -> RegisteredModel:
    """Register a model. Raises Conflict when the slug is taken, InvalidInput for days that cannot be true."""
    for day, pointer in ((new.released_on, "/released_on"), (new.cutoff_on, "/cutoff/date")):
        if day is not None and not is_plausible(midnight(day), now):
            raise InvalidInput("dates must lie between the year 2000 and a year from now", pointer=pointer)
    if store.model_by_slug(session, new.slug) is not None:
        raise Conflict(f"the slug {new.slug} is taken")
    organisation = run_store.organisation(session, organisation_id)
    imported = ImportedModel(
        slug=new.slug,
        name=new.name,
        organisation=organisation.name,
        released_on=new.released_on,
        cutoff_on=new.cutoff_on,
        cutoff_basis=CutoffBasis.DECLARED if new.cutoff_on else CutoffBasis.UNKNOWN,
        cutoff_evidence=new.cutoff_evidence,
        link=new.link,
    )
    model = run_store.ensure_model(session, imported, now)
    model.organisation_id = organisation_id
    logs.audit(session, now, f"org:{organisation_id}", "model.created", new.slug, "vendor API")
    return RegisteredModel(
        slug=model.slug,
        name=model.name,
        released_on=model.released_on,
        cutoff_on=model.cutoff_on,
        cutoff_basis=model.cutoff_basis,
        cutoff_evidence=model.cutoff_evidence,
    )


def create_endpoint(
    session: Session, organisation_id: int, new: NewEndpoint, now: datetime, vault: Vault
) -> RegisteredEndpoint:
    """Register where a model is served, or say more of an endpoint that is registered; its stop is over then.

    The address was checked by the caller. What is not given stays as it is. Raises NotFound, Unavailable for a
    secret while our key is lost, Conflict when another
    address is given though there is an open order or an answer, InvalidInput when one is given without the secret.
    """
    model = store.own_model(session, organisation_id, new.model)
    if model is None:
        raise NotFound(f"no model {new.model} of yours")
    if new.secret:
        secrets.refuse_while_lost(session, vault)
    columns = _stated(new, now, vault)
    endpoint = store.locked_endpoint(session, model.id, new.backend, new.remote_name)
    if endpoint is None:
        first = {"backend": new.backend, "remote_name": new.remote_name, "max_concurrency": DEFAULT_CONCURRENCY}
        endpoint = run_store.ensure_endpoint(session, model.id, {**first, **columns})
    else:
        _check_address(session, endpoint, new)
        for name, value in columns.items():
            setattr(endpoint, name, value)
        session.flush()
        run_store.revive(session, endpoint.id)
    subject = f"{model.slug}/{endpoint.id}"
    logs.audit(session, now, f"org:{organisation_id}", "endpoint.written", subject, "vendor API")
    return RegisteredEndpoint(
        id=endpoint.id,
        backend=endpoint.backend,
        remote_name=endpoint.remote_name,
        base_url=endpoint.base_url,
        has_secret=endpoint.secret_encrypted is not None,
        max_concurrency=endpoint.max_concurrency,
        stopped_reason=endpoint.stopped_reason,
    )


def _stated(new: NewEndpoint, now: datetime, vault: Vault) -> dict[str, Any]:
    """The columns of an endpoint that a registration says something of."""
    priced = any(price is not None for price in (new.price_input, new.price_cached, new.price_output))
    columns = {
        "secret_encrypted": vault.seal(new.secret) if new.secret else None,
        "max_concurrency": new.max_concurrency,
        "price_input": new.price_input,
        "price_cached": new.price_cached,
        "price_output": new.price_output,
        "price_on": now.date() if priced else None,
    }
    fixed = {"base_url": new.base_url, "trusted": False, "stopped_at": None, "stopped_reason": None}
    return fixed | {name: value for name, value in columns.items() if value is not None}


def _check_address(session: Session, endpoint: Endpoint, new: NewEndpoint) -> None:
    """One name stands for one deployment, from its first order on."""
    if endpoint.base_url == new.base_url:
        return
    message = f"endpoint {endpoint.id} is registered at another base_url"
    if store.was_asked(session, endpoint.id):
        raise Conflict(f"{message} and was asked there: register the new address under a model of its own")
    if store.has_open_order(session, endpoint.id):
        raise Conflict(f"{message} and has an open order: cancel that first")
    if endpoint.secret_encrypted is not None and new.secret is None:
        raise InvalidInput(f"{message}: its secret goes to no other address, so give it again", pointer="/secret")

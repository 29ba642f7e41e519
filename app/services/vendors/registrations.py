"""Registration of a vendor's models and endpoints."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Annotated, Literal

from pydantic import Field

from app.db.kernel import logs
from app.db.kernel.session import Session
from app.db.runs import local_endpoints
from app.db.runs import models as model_store
from app.db.runs import runs as run_store
from app.db.tables import Endpoint, Model
from app.db.vendors import own_registrations
from app.db.vendors import submissions as store
from app.domain.errors import Conflict, NotFound
from app.domain.imports import ImportedModel
from app.domain.reasons import Reason
from app.services.runs import cutoffs
from app.services.runs.control import endpoints
from app.services.runs.control.endpoints import NewEndpoint
from app.services.runs.endpoint_secrets import Vault
from app.services.runs.result_views import Tombstone, tombstone_of
from app.services.vendors import declarations, names
from app.services.vendors.declarations import DeclaredDates

# Models of one organisation: the declaration of each waits on a maintainer's page, and each may have rows on boards.
MAX_MODELS = 500


@dataclass(frozen=True, slots=True)
class NewModel:
    """A vendor's model to be registered."""

    slug: str
    name: str
    declared: DeclaredDates = DeclaredDates()
    link: str | None = None


Day = date  # a field of that name hides the type


@dataclass(frozen=True, slots=True)
class DeclaredCutoff:
    """The cutoff that counts, and its evidence."""

    date: Day | None
    basis: str
    evidence: str | None


@dataclass(frozen=True, slots=True)
class WaitingDeclaration:
    """The vendor's own dates of the model, until a maintainer has decided."""

    date: Day | None
    released_on: Day | None
    evidence: str | None


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """A model of yours."""

    object: Literal["model"]
    slug: str
    name: str
    link: Annotated[str | None, Field(description="a page about it")]
    released_on: date | None
    cutoff: DeclaredCutoff
    waiting: WaitingDeclaration | None
    created_at: datetime
    sent: Annotated[bool, Field(description="true once a prompt was sent to it: its slug and name stay from then on")]
    withdrawn: Annotated[Tombstone | None, Field(description="null unless you took it off the boards")]


@dataclass(frozen=True, slots=True)
class EndpointPrices:
    """Prices of an endpoint in US dollars per million tokens; null if not registered."""

    input: float | None
    cached: float | None
    output: float | None


@dataclass(frozen=True, slots=True)
class EndpointAnswer:
    """An endpoint of yours, without its secret."""

    object: Literal["endpoint"]
    id: int
    endpoint_id: Annotated[str, Field(description="its opaque id; routes take it as they take `id`")]
    model: Annotated[str, Field(description="the slug of its model")]
    protocol: str
    remote_name: str
    base_url: str
    has_secret: bool
    max_concurrency: int
    timeout_s: float | None
    prices: EndpointPrices
    answered: Annotated[bool, Field(description="true once an answer came: its `base_url` stays from then on")]
    stopped: Annotated[str | None, Field(description="why it is not asked; null while it is")]
    created_at: datetime


def create_model(session: Session, organisation_id: int, new: NewModel, now: datetime) -> ModelAnswer:
    """Register a model. Raises Conflict when the slug is taken, the name looks like that of another organisation's
    model, or the organisation has too many, and InvalidInput for days that cannot be true."""
    declarations.check(new.declared, now)
    organisation = run_store.organisation(session, organisation_id)
    if model_store.count_of(session, organisation_id) >= MAX_MODELS:
        raise Conflict(f"you have reached the limit of {MAX_MODELS} models: submit under one of them")
    names.check_model_name(session, organisation, new.name)
    imported = ImportedModel(slug=new.slug, name=new.name, organisation=organisation.name, link=new.link)
    model = run_store.add_model(session, imported, now, organisation_id)
    if model is None and names.release_unused_slug(session, new.slug, now):
        model = run_store.add_model(session, imported, now, organisation_id)
    if model is None:
        raise Conflict(f"the slug {new.slug} is taken")
    logs.write_audit(
        session,
        now,
        f"org:{organisation_id}",
        "model.created",
        new.slug,
        Reason("vendor_api"),
        after=cutoffs.cutoff_record(model),
    )
    declarations.store_declaration(session, model, new.declared, now)
    return view_model(session, model)


def declare(session: Session, organisation_id: int, slug: str, declared: DeclaredDates, now: datetime) -> ModelAnswer:
    """Declare the dates of a model; they count once a maintainer has accepted them. Raises NotFound, InvalidInput."""
    return view_model(session, declarations.declare(session, organisation_id, slug, declared, now))


def view_model(session: Session, model: Model) -> ModelAnswer:
    """Return a model as its vendor sees it."""
    declared = declarations.waiting_for_model(session, model.id)
    return ModelAnswer(
        object="model",
        slug=model.slug,
        name=model.name,
        link=model.link,
        released_on=model.released_on,
        cutoff=DeclaredCutoff(*cutoffs.effective_cutoff(model), model.cutoff_evidence),
        waiting=None
        if declared is None
        else WaitingDeclaration(declared.cutoff_on, declared.released_on, declared.evidence),
        created_at=model.created_at,
        sent=own_registrations.has_sent(session, model.id),
        withdrawn=tombstone_of(model),
    )


def has_endpoint(session: Session, organisation_id: int, new: NewEndpoint) -> bool:
    """Return whether an endpoint of that model, format and remote name is registered already."""
    model = store.own_model(session, organisation_id, new.model)
    return model is not None and endpoints.is_registered(session, model, new)


def create_endpoint(
    session: Session, organisation_id: int, new: NewEndpoint, now: datetime, vault: Vault
) -> EndpointAnswer:
    """Register an endpoint, or change a registered one, which also ends its stop.

    Raises NotFound if the model is not this organisation's, and as the registration of any endpoint does.
    """
    model = store.own_model(session, organisation_id, new.model)
    if model is None:
        raise NotFound(f"you have no model {new.model}")
    if model.withdrawn_at is not None:
        raise Conflict(f"you withdrew {new.model}: register the new model under another slug")
    endpoint = endpoints.register(session, model, new, now, vault)
    subject = f"{model.slug}/{endpoint.id}"
    logs.write_audit(session, now, f"org:{organisation_id}", "endpoint.written", subject, Reason("vendor_api"))
    return view_endpoint(session, endpoint, model.slug)


def view_endpoint(session: Session, endpoint: Endpoint, model: str) -> EndpointAnswer:
    """Return an endpoint as its vendor sees it: without its secret."""
    prices = (endpoint.price_input, endpoint.price_cached, endpoint.price_output)
    return EndpointAnswer(
        object="endpoint",
        id=endpoint.id,
        endpoint_id=endpoint.public_id,
        model=model,
        protocol=endpoint.backend,
        remote_name=endpoint.remote_name,
        base_url=endpoint.base_url,
        has_secret=endpoint.secret_encrypted is not None,
        max_concurrency=endpoint.max_concurrency,
        timeout_s=endpoint.timeout_s,
        prices=EndpointPrices(*(None if price is None else float(price) for price in prices)),
        answered=local_endpoints.has_answers(session, endpoint.id),
        stopped=endpoint.stopped_reason,
        created_at=endpoint.created_at,
    )

"""Registration of a vendor's models and endpoints."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Annotated, Literal

from pydantic import Field

from app.db.kernel import logs
from app.db.kernel.session import Session
from app.db.runs import models as model_store
from app.db.runs import runs as run_store
from app.db.tables import Model
from app.db.vendors import submissions as store
from app.domain.characters import lookalike_key
from app.domain.errors import Conflict, NotFound
from app.domain.imports import ImportedModel
from app.domain.reasons import Reason
from app.services.runs import cutoffs
from app.services.runs.control import endpoints
from app.services.runs.control.endpoints import NewEndpoint
from app.services.runs.endpoint_secrets import Vault
from app.services.vendors import declarations
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
    released_on: date | None
    cutoff: DeclaredCutoff
    waiting: WaitingDeclaration | None


@dataclass(frozen=True, slots=True)
class EndpointAnswer:
    """An endpoint of yours, without its secret."""

    object: Literal["endpoint"]
    id: int
    protocol: str
    remote_name: str
    base_url: str
    has_secret: bool
    max_concurrency: int
    timeout_s: float | None
    stopped: Annotated[str | None, Field(description="why it is not asked; null while it is")]


def create_model(session: Session, organisation_id: int, new: NewModel, now: datetime) -> ModelAnswer:
    """Register a model. Raises Conflict when the slug is taken, the name looks like that of another organisation's
    model, or the organisation has too many, and InvalidInput for days that cannot be true."""
    declarations.check(new.declared, now)
    organisation = run_store.organisation(session, organisation_id)
    if model_store.count_of(session, organisation_id) >= MAX_MODELS:
        raise Conflict(f"you have reached the limit of {MAX_MODELS} models: submit under one of them")
    skeleton = lookalike_key(new.name)
    similar = next(
        (name for name in model_store.names_of_others(session, organisation) if lookalike_key(name) == skeleton), None
    )
    if similar is not None:
        raise Conflict(f"the name looks like {similar}, which belongs to another organisation: choose a distinct one")
    imported = ImportedModel(slug=new.slug, name=new.name, organisation=organisation.name, link=new.link)
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
    return _model_answer(session, model)


def declare(session: Session, organisation_id: int, slug: str, declared: DeclaredDates, now: datetime) -> ModelAnswer:
    """Declare the dates of a model; they count once a maintainer has accepted them. Raises NotFound, InvalidInput."""
    return _model_answer(session, declarations.declare(session, organisation_id, slug, declared, now))


def _model_answer(session: Session, model: Model) -> ModelAnswer:
    declared = declarations.waiting_for_model(session, model.id)
    return ModelAnswer(
        object="model",
        slug=model.slug,
        name=model.name,
        released_on=model.released_on,
        cutoff=DeclaredCutoff(*cutoffs.effective_cutoff(model), model.cutoff_evidence),
        waiting=None
        if declared is None
        else WaitingDeclaration(declared.cutoff_on, declared.released_on, declared.evidence),
    )


def create_endpoint(
    session: Session, organisation_id: int, new: NewEndpoint, now: datetime, vault: Vault
) -> EndpointAnswer:
    """Register an endpoint, or change a registered one, which also ends its stop.

    Raises NotFound if the model is not this organisation's, and as the registration of any endpoint does.
    """
    model = store.own_model(session, organisation_id, new.model)
    if model is None:
        raise NotFound(f"you have no model {new.model}")
    endpoint = endpoints.register(session, model, new, now, vault)
    subject = f"{model.slug}/{endpoint.id}"
    logs.write_audit(session, now, f"org:{organisation_id}", "endpoint.written", subject, Reason("vendor_api"))
    return EndpointAnswer(
        object="endpoint",
        id=endpoint.id,
        protocol=endpoint.backend,
        remote_name=endpoint.remote_name,
        base_url=endpoint.base_url,
        has_secret=endpoint.secret_encrypted is not None,
        max_concurrency=endpoint.max_concurrency,
        timeout_s=endpoint.timeout_s,
        stopped=endpoint.stopped_reason,
    )

"""Registration of a vendor's models and endpoints."""

from dataclasses import dataclass
from datetime import date, datetime

from app.db.kernel import logs
from app.db.kernel.session import Session
from app.db.runs import models as model_store
from app.db.runs import runs as run_store
from app.db.tables import Model
from app.db.vendors import submissions as store
from app.domain.characters import lookalike_key
from app.domain.cutoffs import Cutoff
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


@dataclass(frozen=True, slots=True)
class RegisteredModel:
    """A model as it stands: the cutoff that counts, and the declaration that waits for a maintainer."""

    slug: str
    name: str
    released_on: date | None
    cutoff: Cutoff
    evidence: str | None
    waiting: DeclaredDates | None


@dataclass(frozen=True, slots=True)
class RegisteredEndpoint:
    """An endpoint as it stands, without its secret."""

    id: int
    backend: str
    remote_name: str
    base_url: str
    has_secret: bool
    max_concurrency: int
    timeout_s: float | None
    stopped_reason: str | None


def create_model(session: Session, organisation_id: int, new: NewModel, now: datetime) -> RegisteredModel:
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
    return _registered_model(session, model)


def declare(
    session: Session, organisation_id: int, slug: str, declared: DeclaredDates, now: datetime
) -> RegisteredModel:
    """Declare the dates of a model; they count once a maintainer has accepted them. Raises NotFound, InvalidInput."""
    return _registered_model(session, declarations.declare(session, organisation_id, slug, declared, now))


def _registered_model(session: Session, model: Model) -> RegisteredModel:
    return RegisteredModel(
        slug=model.slug,
        name=model.name,
        released_on=model.released_on,
        cutoff=cutoffs.effective_cutoff(model),
        evidence=model.cutoff_evidence,
        waiting=declarations.waiting_for_model(session, model.id),
    )


def create_endpoint(
    session: Session, organisation_id: int, new: NewEndpoint, now: datetime, vault: Vault
) -> RegisteredEndpoint:
    """Register an endpoint, or change a registered one, which also ends its stop.

    Raises NotFound if the model is not this organisation's, and as the registration of any endpoint does.
    """
    model = store.own_model(session, organisation_id, new.model)
    if model is None:
        raise NotFound(f"you have no model {new.model}")
    endpoint = endpoints.register(session, model, new, now, vault)
    subject = f"{model.slug}/{endpoint.id}"
    logs.write_audit(session, now, f"org:{organisation_id}", "endpoint.written", subject, Reason("vendor_api"))
    return RegisteredEndpoint(
        id=endpoint.id,
        backend=endpoint.backend,
        remote_name=endpoint.remote_name,
        base_url=endpoint.base_url,
        has_secret=endpoint.secret_encrypted is not None,
        max_concurrency=endpoint.max_concurrency,
        timeout_s=endpoint.timeout_s,
        stopped_reason=endpoint.stopped_reason,
    )

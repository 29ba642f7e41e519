"""Models as operators see them, and the edits of their cutoffs."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, datetime

from sqlalchemy import func, select, update

from app.db.kernel.session import Session
from app.db.tables import CutoffEdit, Endpoint, Model, Organisation, Run, Setter, Submission, User
from app.domain.consensus.vendors import normalize_vendor
from app.domain.cube.facts import CutoffBasis
from app.domain.cutoffs import Cutoff, cutoff_of
from app.domain.reasons import Reason


@dataclass(frozen=True, slots=True)
class ListedModel:
    """A model with public runs; `cutoff_on` is the day that exposure is decided by, `size_b` billions of parameters."""

    id: int
    slug: str
    name: str
    organisation: str
    demo: bool
    open_weights: bool | None
    size_b: float | None
    released_on: date | None
    cutoff_on: date
    cutoff_basis: CutoffBasis
    runs: int


def listed_model(model: Model, runs: int) -> ListedModel:
    """Return a model as lists show it, with the number of its public runs."""
    cutoff, basis = cutoff_of(model.cutoff_on, model.released_on, model.created_at)
    return ListedModel(
        id=model.id,
        slug=model.slug,
        name=model.name,
        organisation=model.organisation_name,
        demo=model.demo,
        open_weights=model.open_weights,
        size_b=model.size_b,
        released_on=model.released_on,
        cutoff_on=cutoff,
        cutoff_basis=basis,
        runs=runs,
    )


def all_models(session: Session) -> list[ListedModel]:
    """Return every model, public or not, by slug."""
    rows = session.execute(
        select(Model, func.count(Run.id))
        .outerjoin(Run, (Run.model_id == Model.id) & Run.public)
        .group_by(Model.id)
        .order_by(Model.slug)
    )
    return [listed_model(model, runs) for model, runs in rows]


def count_of(session: Session, organisation_id: int) -> int:
    """Return the number of an organisation's models, and block new ones until the transaction ends."""
    session.get_one(Organisation, organisation_id, with_for_update={"key_share": True})
    return session.scalar(select(func.count()).where(Model.organisation_id == organisation_id)) or 0


def sealed_secrets(session: Session) -> list[tuple[int, bytes]]:
    """Return (id, ciphertext) of every endpoint that has a secret."""
    rows = session.execute(select(Endpoint.id, Endpoint.secret_encrypted).order_by(Endpoint.id))
    return [(number, bytes(sealed)) for number, sealed in rows if sealed is not None]


def forget_secrets(session: Session, endpoint_ids: Collection[int], reason: Reason, now: datetime) -> None:
    """Delete the secrets of these endpoints and stop them."""
    session.execute(
        update(Endpoint)
        .where(Endpoint.id.in_(endpoint_ids))
        .values(secret_encrypted=None, stopped_at=now, stopped_reason=reason)
    )


def of_runs(session: Session, run_ids: Collection[int]) -> list[tuple[Run, Model]]:
    """Return these runs with their models, oldest first."""
    if not run_ids:
        return []
    query = select(Run, Model).join(Model, Model.id == Run.model_id).where(Run.id.in_(run_ids)).order_by(Run.id)
    return [(run, model) for run, model in session.execute(query)]


def base_slugs(session: Session, models: Collection[Model]) -> dict[int, str]:
    """Return model id -> slug of the model that it was tuned from."""
    ids = {model.id: model.tuned_from_id for model in models if model.tuned_from_id is not None}
    rows = session.execute(select(Model.id, Model.slug).where(Model.id.in_(ids.values())))
    slugs = {row.id: row.slug for row in rows}
    return {model: slugs[base] for model, base in ids.items()}


def by_slug(session: Session, slug: str) -> Model | None:
    """Return the model with that slug."""
    return session.scalar(select(Model).where(Model.slug == slug))


def is_own_model(session: Session, model: Model, email: str) -> bool:
    """Return whether a user's organisation registered a model or has the same name as its organisation."""
    homes = (
        select(Organisation.id, Organisation.name, Organisation.slug)
        .join(User, User.organisation_id == Organisation.id)
        .where(User.email == email)
    )
    home = session.execute(homes).first()
    if home is None:
        return False
    owner = None if model.organisation_id is None else session.get(Organisation, model.organisation_id)
    names = {model.organisation_name, *(() if owner is None else (owner.name, owner.slug))}
    spelt = {normalize_vendor(name) for name in names} - {""}
    return model.organisation_id == home.id or not spelt.isdisjoint(
        {normalize_vendor(home.name), normalize_vendor(home.slug)}
    )


def organisation_on_boards(session: Session, email: str) -> str | None:
    """Return the name of a user's organisation if it has a part in the boards.

    It has a part if it submitted a public run, even one under embargo, if a model that it registered or that has its
    name has a public run, or if a setter has its name.
    """
    homes = select(Organisation).join(User, User.organisation_id == Organisation.id)
    home = session.scalar(homes.where(User.email == email))
    if home is None:
        return None
    ordered = select(Submission.id).where(Submission.organisation_id == home.id, Submission.visibility == "public")
    public_models = select(Model.organisation_id, Model.organisation_name).join(Run, Run.model_id == Model.id)
    names = {normalize_vendor(home.name), normalize_vendor(home.slug)}
    setters = ((None, vendor) for vendor in session.scalars(select(Setter.vendor).distinct()))
    has_part = session.scalar(select(ordered.exists())) or any(
        owner == home.id or normalize_vendor(name) in names
        for owner, name in (*session.execute(public_models.where(Run.public).distinct()), *setters)
    )
    return home.name if has_part else None


def lock_model(session: Session, slug: str) -> Model | None:
    """Return the model with that slug, locked, so that two edits are made in turn."""
    query = select(Model).where(Model.slug == slug).with_for_update()
    return session.scalar(query.execution_options(populate_existing=True))


def add_cutoff_edit(
    session: Session, model_id: int, old: Cutoff, new: Cutoff, evidence: str | None, actor: str, now: datetime
) -> None:
    """Record a change of a model's cutoff."""
    session.add(
        CutoffEdit(
            model_id=model_id, old_on=old.on, old_basis=old.basis, new_on=new.on, new_basis=new.basis,
            evidence=evidence, actor=actor, at=now,
        )
    )  # fmt: skip

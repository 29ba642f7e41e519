"""Names of models and organisations, to compare new ones with, and models that hold a slug without any use."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import and_, exists, func, or_, select

from app.db.kernel.session import Session
from app.db.tables import Endpoint, Model, Organisation, Run, Submission


@dataclass(frozen=True, slots=True)
class ModelName:
    """A model's name, and whether a public run shows it."""

    name: str
    is_public: bool


@dataclass(frozen=True, slots=True)
class OrganisationName:
    """A slug or name of an organisation; one that only files name is not registered."""

    name: str
    is_registered: bool


def names_of_others(session: Session, organisation: Organisation) -> list[ModelName]:
    """Return the names of other organisations' models, whether registered or named by a file.

    A lock keeps other registrations waiting until the transaction ends, so that two similar names cannot arrive at
    once.
    """
    session.execute(select(func.pg_advisory_xact_lock(func.hashtext("model_names"))))
    of_others = or_(
        Model.organisation_id != organisation.id,
        and_(
            Model.organisation_id.is_(None),
            Model.organisation_name != "",
            func.lower(Model.organisation_name).not_in((organisation.slug, organisation.name.lower())),
        ),
    )
    is_public = exists().where(Run.model_id == Model.id, Run.public)
    return [ModelName(row.name, row.is_public) for row in session.execute(
        select(Model.name, is_public.label("is_public")).where(of_others)
    )]  # fmt: skip


def names_of_organisations(session: Session, slug: str) -> list[OrganisationName]:
    """Return the slugs and names of all organisations but that of a slug, and of vendors that only files name.

    A lock keeps other registrations of organisations waiting until the transaction ends.
    """
    session.execute(select(func.pg_advisory_xact_lock(func.hashtext("organisation_names"))))
    rows = session.execute(select(Organisation.slug, Organisation.name).where(Organisation.slug != slug)).all()
    registered = dict.fromkeys(name for row in rows for name in (row.slug, row.name))
    of_files = session.scalars(select(Model.organisation_name).where(Model.organisation_name != "").distinct())
    return [
        *(OrganisationName(name, is_registered=True) for name in registered),
        *(OrganisationName(name, is_registered=False) for name in of_files if name not in registered),
    ]


def lock_unused_model(session: Session, slug: str, before: datetime) -> Model | None:
    """Lock and return the vendor's model of a slug if it is from before an instant and was never ordered or run."""
    ordered = exists().where(Submission.endpoint_id == Endpoint.id, Endpoint.model_id == Model.id)
    return session.scalar(
        select(Model)
        .where(
            Model.slug == slug,
            Model.organisation_id.is_not(None),
            Model.created_at < before,
            ~ordered,
            ~exists().where(Run.model_id == Model.id),
        )
        .with_for_update()
    )

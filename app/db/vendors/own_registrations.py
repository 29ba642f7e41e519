"""Models and endpoints of one vendor: listed, and whether anything was ordered or sent."""

from typing import NamedTuple

from sqlalchemy import delete, exists, select, update

from app.db.kernel.session import Session
from app.db.tables import CutoffEdit, Declaration, Endpoint, Model, PriceRow, ProtocolRow, Run, Submission


class NamedEndpoint(NamedTuple):
    """An endpoint with the slug of its model."""

    endpoint: Endpoint
    model: str


def list_models(
    session: Session, organisation_id: int, before: int | None, limit: int, *, withdrawn: bool | None
) -> list[Model]:
    """Return an organisation's models with ids below `before`, newest first."""
    query = select(Model).where(Model.organisation_id == organisation_id)
    if before is not None:
        query = query.where(Model.id < before)
    if withdrawn is not None:
        query = query.where(Model.withdrawn_at.is_not(None) if withdrawn else Model.withdrawn_at.is_(None))
    return list(session.scalars(query.order_by(Model.id.desc()).limit(limit)))


def lock_own_model(session: Session, organisation_id: int, slug: str) -> Model | None:
    """Return a model of this organisation as it is now, locked."""
    return session.scalar(
        select(Model)
        .where(Model.slug == slug, Model.organisation_id == organisation_id)
        .with_for_update()
        .execution_options(populate_existing=True)
    )


def list_endpoints(
    session: Session,
    organisation_id: int,
    before: int | None,
    limit: int,
    *,
    model: str | None = None,
    stopped: bool | None = None,
) -> list[NamedEndpoint]:
    """Return an organisation's endpoints with ids below `before`, newest first."""
    query = select(Endpoint, Model.slug).join(Model, Model.id == Endpoint.model_id)
    query = query.where(Model.organisation_id == organisation_id)
    if before is not None:
        query = query.where(Endpoint.id < before)
    if model is not None:
        query = query.where(Model.slug == model)
    if stopped is not None:
        query = query.where(Endpoint.stopped_at.is_not(None) if stopped else Endpoint.stopped_at.is_(None))
    return [NamedEndpoint(*row) for row in session.execute(query.order_by(Endpoint.id.desc()).limit(limit))]


def has_sent(session: Session, model_id: int) -> bool:
    """Return whether a prompt was sent for any run of a model."""
    return session.scalar(select(exists().where(Run.model_id == model_id, Run.sent_at.is_not(None)))) is True


def has_orders(session: Session, model_id: int) -> bool:
    """Return whether anything was ordered of a model, or a run of it was started."""
    ordered = select(Submission.id).join(Endpoint, Endpoint.id == Submission.endpoint_id)
    run = select(Run.id).where(Run.model_id == model_id)
    return session.scalar(select(ordered.where(Endpoint.model_id == model_id).exists() | run.exists())) is True


def delete_model(session: Session, model: Model) -> None:
    """Delete a model of which nothing was ordered, with its endpoints, declarations and cutoff edits."""
    endpoints = select(Endpoint.id).where(Endpoint.model_id == model.id)
    session.execute(delete(PriceRow).where(PriceRow.endpoint_id.in_(endpoints)))
    session.execute(delete(Endpoint).where(Endpoint.model_id == model.id))
    for table in (Declaration, CutoffEdit):
        session.execute(delete(table).where(table.model_id == model.id))
    session.execute(update(Model).where(Model.tuned_from_id == model.id).values(tuned_from_id=None))
    session.delete(model)
    session.flush()


def runs_of_model(session: Session, model_id: int) -> list[tuple[Run, str]]:
    """Return the runs of a model with the slugs of their protocols, locked, oldest first."""
    rows = session.execute(
        select(Run, ProtocolRow.slug)
        .join(ProtocolRow, ProtocolRow.id == Run.protocol_id)
        .where(Run.model_id == model_id)
        .order_by(Run.id)
        .with_for_update(of=Run)
    )
    return [(run, slug) for run, slug in rows]


def lock_orders_of_model(session: Session, model_id: int) -> list[Submission]:
    """Return the submissions of a model, locked, oldest first."""
    return list(
        session.scalars(
            select(Submission)
            .join(Endpoint, Endpoint.id == Submission.endpoint_id)
            .where(Endpoint.model_id == model_id)
            .order_by(Submission.id)
            .with_for_update(of=Submission)
            .execution_options(populate_existing=True)
        )
    )

"""Registered endpoints, with their prices and first answers."""

from datetime import datetime

from sqlalchemy import select, update

from app.db.kernel.session import Session
from app.db.tables import Endpoint, Model, PriceRow
from app.domain.asking.money import PriceChange, Prices


def lock_endpoint(session: Session, model_id: int, backend: str, remote_name: str) -> Endpoint | None:
    """Return the endpoint of (model, backend, remote name), locked with its model.

    No submission for it can be registered meanwhile.
    """
    session.get_one(Model, model_id, with_for_update=True)  # serialises two first registrations
    return session.scalar(
        select(Endpoint)
        .where(Endpoint.model_id == model_id, Endpoint.backend == backend, Endpoint.remote_name == remote_name)
        .with_for_update()
        .execution_options(populate_existing=True)
    )


def of_model(session: Session, model_id: int) -> list[Endpoint]:
    """Return every endpoint of a model, oldest first."""
    return list(session.scalars(select(Endpoint).where(Endpoint.model_id == model_id).order_by(Endpoint.id)))


def has_answered(session: Session, endpoint_id: int) -> bool:
    """Return whether a model has ever answered there, be it a canary: until then the address may be corrected."""
    return session.scalar(select(Endpoint.answering_since).where(Endpoint.id == endpoint_id)) is not None


def note_answering(session: Session, endpoint_id: int, since: datetime) -> bool:
    """Record that an endpoint answers, so that what it is sent from `since` on counts; return False if it is known."""
    first = (
        update(Endpoint)
        .where(Endpoint.id == endpoint_id, Endpoint.answering_since.is_(None))
        .values(answering_since=since)
        .returning(Endpoint.id)
    )
    return session.scalar(first) is not None


def prices(session: Session, endpoint_id: int) -> list[PriceChange]:
    """Return the prices of an endpoint, oldest first."""
    columns = (PriceRow.since, PriceRow.input, PriceRow.output, PriceRow.cached)
    rows = session.execute(select(*columns).where(PriceRow.endpoint_id == endpoint_id).order_by(PriceRow.since))
    return [PriceChange(since, Prices(*prices)) for since, *prices in rows]


def record_prices(session: Session, endpoint: Endpoint, now: datetime) -> None:
    """Record an endpoint's prices if they have changed."""
    history = prices(session, endpoint.id)
    new = Prices(endpoint.price_input, endpoint.price_output, endpoint.price_cached)
    before = history[-1] if history else PriceChange(now, Prices(None, None))
    if new != before.prices and (not history or before.since < now):
        session.add(PriceRow(endpoint_id=endpoint.id, since=now, input=new.input, cached=new.cached, output=new.output))
        session.flush()

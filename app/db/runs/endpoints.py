"""Registered endpoints, with their prices, samples and submissions."""

from datetime import datetime

from sqlalchemy import select

from app.db.kernel.session import Session
from app.db.tables import Endpoint, Model, PriceRow, Run, Sample, Submission
from app.domain.asking.money import PriceChange, Prices
from app.domain.states import ENDED_SUBMISSIONS


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


def has_open_submission(session: Session, endpoint_id: int) -> bool:
    """Return whether this endpoint has an open submission."""
    of_endpoint = select(Submission.id).where(
        Submission.endpoint_id == endpoint_id, Submission.state.not_in(ENDED_SUBMISSIONS)
    )
    return session.scalar(of_endpoint.limit(1)) is not None


def has_samples(session: Session, endpoint_id: int) -> bool:
    """Return whether a run at this endpoint has any sample."""
    of_endpoint = select(Sample.id).join(Run, Run.id == Sample.run_id).where(Run.endpoint_id == endpoint_id)
    return session.scalar(of_endpoint.limit(1)) is not None


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

"""Own models, endpoints and usage of an organisation, as its console lists them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal

from sqlalchemy import func, select

from app.db.kernel.session import Session
from app.db.tables import Endpoint, Model, Run, Sample


@dataclass(frozen=True, slots=True)
class UsageRow:
    """Usage of an endpoint in a month, by the answers that came in it; `month` is its first day (UTC)."""

    endpoint_id: int
    model: str
    remote_name: str
    month: date
    requests: int
    answers: int
    tokens_input: int
    tokens_output: int
    cost_usd: Decimal | None
    unpriced: int


def models_of(session: Session, organisation_id: int) -> Sequence[Model]:
    """Return an organisation's models by name."""
    return session.scalars(select(Model).where(Model.organisation_id == organisation_id).order_by(Model.name)).all()


def endpoints_of(session: Session, organisation_id: int, model_id: int | None = None) -> list[tuple[Endpoint, str]]:
    """Return an organisation's endpoints that have an address, with the slugs of their models."""
    query = (
        select(Endpoint, Model.slug)
        .join(Model, Model.id == Endpoint.model_id)
        .where(Model.organisation_id == organisation_id, Endpoint.weights.is_(None))
        .order_by(Model.slug, Endpoint.id)
    )
    if model_id is not None:
        query = query.where(Model.id == model_id)
    return [(row[0], row[1]) for row in session.execute(query)]


def usage_by_month(session: Session, organisation_id: int, since: datetime) -> list[UsageRow]:
    """Return the usage of an organisation's endpoints since an instant, the last month first."""
    month = func.date_trunc("month", Sample.answered_at, "UTC")
    output = func.coalesce(Sample.tokens_answer, 0) + func.coalesce(Sample.tokens_reasoning, 0)
    rows = session.execute(
        select(
            Endpoint.id, Model.slug, Endpoint.remote_name, month.label("month"), func.sum(Sample.requests),
            func.count(), func.coalesce(func.sum(Sample.tokens_input), 0), func.coalesce(func.sum(output), 0),
            func.sum(Sample.cost_usd), func.count() - func.count(Sample.cost_usd),
        )
        .join(Run, Run.id == Sample.run_id)
        .join(Endpoint, Endpoint.id == Run.endpoint_id)
        .join(Model, Model.id == Endpoint.model_id)
        .where(Model.organisation_id == organisation_id, Sample.answered_at >= since)
        .group_by(Endpoint.id, Model.slug, Endpoint.remote_name, "month")
        .order_by(month.desc(), Model.slug, Endpoint.id)
    )  # fmt: skip
    return [
        UsageRow(number, model, name, at.date(), int(requests), answers, int(read), int(written), cost, unpriced)
        for number, model, name, at, requests, answers, read, written, cost, unpriced in rows
    ]

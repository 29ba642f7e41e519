"""Endpoints whose weights GPU workers serve, and the ways in which they were served."""

from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import func, select
from sqlalchemy.dialects.postgresql import insert

from app.db.kernel.session import Session
from app.db.runs.consensus.asking_order import statement_values
from app.db.runs.due_work import ask_conditions
from app.db.tables import Endpoint, Run, Sample, Serving
from app.domain.asking.weights import ServingSetup
from app.domain.states import SampleState


class LocalEndpoint(NamedTuple):
    """A local endpoint with samples due, and the number of workers that ask it now."""

    endpoint: Endpoint
    servers: int


def due_endpoints(session: Session, now: datetime) -> list[LocalEndpoint]:
    """Return the local endpoints with samples due, oldest first."""
    due = select(Run.endpoint_id).join(Sample, Sample.run_id == Run.id).where(*ask_conditions()).distinct()
    servers = (
        select(Run.endpoint_id, func.count(Sample.lease_token.distinct()).label("servers"))
        .join(Sample, Sample.run_id == Run.id)
        .where(Sample.state == SampleState.INFERRING, Sample.lease_until > now)
        .group_by(Run.endpoint_id)
        .subquery()
    )
    rows = session.execute(
        select(Endpoint, func.coalesce(servers.c.servers, 0))
        .outerjoin(servers, servers.c.endpoint_id == Endpoint.id)
        .where(Endpoint.weights.is_not(None), Endpoint.stopped_at.is_(None), Endpoint.id.in_(due))
        .order_by(Endpoint.id),
        statement_values(session, now),
    )
    return [LocalEndpoint(*row) for row in rows]


def endpoint(session: Session, endpoint_id: int) -> Endpoint | None:
    """Return a local endpoint, unless it is stopped."""
    query = select(Endpoint).where(
        Endpoint.id == endpoint_id, Endpoint.weights.is_not(None), Endpoint.stopped_at.is_(None)
    )
    return session.scalar(query)


def of_model(session: Session, model_id: int, backend: str, remote_name: str) -> Endpoint | None:
    """Return the endpoint with that natural key, locked."""
    query = select(Endpoint).where(
        Endpoint.model_id == model_id, Endpoint.backend == backend, Endpoint.remote_name == remote_name
    )
    return session.scalar(query.with_for_update())


def has_answers(session: Session, endpoint_id: int) -> bool:
    """Return whether any answer came from an endpoint."""
    runs = select(Run.id).where(Run.endpoint_id == endpoint_id)
    asked = select(Sample.id).where(Sample.run_id.in_(runs), Sample.answered_at.is_not(None))
    return session.scalar(select(asked.exists())) is True


def record_serving(session: Session, run_ids: set[int], served: ServingSetup, now: datetime) -> None:
    """Record how weights are served to these runs, unless that is stored already."""
    rows: list[dict[str, Any]] = [
        {"run_id": run_id, "fingerprint": served.fingerprint, "body": served.body(), "first_at": now}
        for run_id in sorted(run_ids)
    ]
    if rows:
        session.execute(insert(Serving).values(rows).on_conflict_do_nothing())


def servings(session: Session, run_ids: set[int]) -> dict[int, list[tuple[datetime, dict[str, Any]]]]:
    """Return the ways in which weights were served to runs, oldest first."""
    by_run: dict[int, list[tuple[datetime, dict[str, Any]]]] = {}
    for row in session.scalars(select(Serving).where(Serving.run_id.in_(run_ids)).order_by(Serving.id)):
        by_run.setdefault(row.run_id, []).append((row.first_at, row.body))
    return by_run

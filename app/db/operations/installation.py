"""Facts about an installation as a whole: its last backup, its endpoints, its ranked models, a site's clock."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import func, select

from app.db.kernel.session import Session
from app.db.tables import AuditEntry, Capture, Endpoint, Model, Run, Setter, Source, VerdictRow
from app.domain.states import RunOrigin, RunState


class EndpointLine(NamedTuple):
    """An endpoint of ours that is asked for a run or as a setter.

    `silent_slices` counts the slices in a row without an answer. `lease_until` is set while a worker asks it.
    """

    model: str
    base_url: str
    stopped_reason: str | None
    silent_slices: int
    served_at: datetime | None
    lease_until: datetime | None


class DatedResponse(NamedTuple):
    """The newest stored response of a site with the header `Date`, and when it was fetched."""

    source: str
    headers: Mapping[str, Any]
    fetched_at: datetime


def last_action(session: Session, action: str) -> datetime | None:
    """Return when an operator's action was last recorded in the audit log."""
    return session.scalar(select(func.max(AuditEntry.at)).where(AuditEntry.action == action))


def asked_endpoints(session: Session) -> list[EndpointLine]:
    """Return the endpoints of active runs, setters' included.

    The bundled ones, files of recorded answers, weights of our own and vendors' endpoints are left out.
    """
    rows = session.execute(
        select(
            Model.slug, Endpoint.base_url, Endpoint.stopped_reason, Endpoint.silent_slices, Endpoint.served_at,
            Endpoint.lease_until,
        )
        .join(Model, Model.id == Endpoint.model_id)
        .join(Run, Run.endpoint_id == Endpoint.id)
        .where(Run.state == RunState.ACTIVE, ~Endpoint.trusted, Model.organisation_id.is_(None))
        .where(Endpoint.base_url.regexp_match("^https?://"))
        .group_by(Model.slug, Endpoint.id)
        .order_by(Model.slug, Endpoint.id)
    )  # fmt: skip
    return [EndpointLine(*row) for row in rows]


def ranked_models(session: Session) -> list[str]:
    """Return the models, other than the demo's, with an active public run of our own, by slug."""
    setters = select(Setter.run_id)
    query = (
        select(Model.slug)
        .join(Run, Run.model_id == Model.id)
        .where(Run.state == RunState.ACTIVE, Run.origin == RunOrigin.OWN, Run.public, ~Model.demo)
        .where(Run.id.not_in(setters))
        .distinct()
        .order_by(Model.slug)
    )
    return list(session.scalars(query))


def demo_setters(session: Session) -> set[str]:
    """Return the names of the bundled setters, which make tests of the demo alone."""
    run_models = select(Setter.name).join(Run, Run.id == Setter.run_id).join(Model, Model.id == Run.model_id)
    return set(session.scalars(run_models.where(Model.demo)))


def last_limit_mode(session: Session) -> str | None:
    """Return what limited the memory of the program that was judged last: cgroup or rlimit."""
    return session.scalar(select(VerdictRow.limit_mode).order_by(VerdictRow.id.desc()).limit(1))


def newest_dated_response(session: Session) -> DatedResponse | None:
    """Return the newest response of a real site that says when it was sent."""
    row = session.execute(
        select(Source.slug, Capture.headers, Capture.fetched_at)
        .join(Source, Source.id == Capture.source_id)
        .where(Capture.headers.has_key("date"), ~Source.demo)
        .order_by(Capture.id.desc())
        .limit(1)
    ).first()
    return None if row is None else DatedResponse(*row)

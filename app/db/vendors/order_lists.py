"""Lists of vendors' submissions with the names that go with them, and their places in the queue."""

from collections.abc import Collection
from typing import NamedTuple

from sqlalchemy import ColumnElement, func, select

from app.db.kernel.session import Session
from app.db.tables import Endpoint, Model, ProtocolRow, Sample, Submission
from app.domain.states import SampleState, SubmissionState


class NamedSubmission(NamedTuple):
    """A submission with the names of its protocol, its model and its endpoint."""

    submission: Submission
    protocol: str
    model: str
    endpoint: Endpoint


class OrderFilter(NamedTuple):
    """Restrictions of a list of submissions; None for no restriction."""

    before: int | None = None
    state: SubmissionState | None = None
    model: str | None = None
    protocol: str | None = None
    group: str | None = None


def list_named(session: Session, organisation_id: int, where: OrderFilter, limit: int) -> list[NamedSubmission]:
    """Return submissions of an organisation, newest first, at most `limit`."""
    conditions: list[ColumnElement[bool]] = [Submission.organisation_id == organisation_id]
    if where.before is not None:
        conditions.append(Submission.id < where.before)
    if where.state is not None:
        conditions.append(Submission.state == where.state)
    if where.model is not None:
        conditions.append(Model.slug == where.model)
    if where.protocol is not None:
        conditions.append(ProtocolRow.slug == where.protocol)
    if where.group is not None:
        conditions.append(Submission.group_id == where.group)
    return _named(session, conditions, limit)


def names_of(session: Session, submission_ids: Collection[int]) -> list[NamedSubmission]:
    """Return these submissions with their names, newest first."""
    return _named(session, [Submission.id.in_(submission_ids)], len(submission_ids))


def _named(session: Session, conditions: list[ColumnElement[bool]], limit: int) -> list[NamedSubmission]:
    query = (
        select(Submission, ProtocolRow.slug, Model.slug, Endpoint)
        .join(ProtocolRow, ProtocolRow.id == Submission.protocol_id)
        .join(Endpoint, Endpoint.id == Submission.endpoint_id)
        .join(Model, Model.id == Endpoint.model_id)
        .where(*conditions)
        .order_by(Submission.id.desc())
        .limit(limit)
    )
    return [NamedSubmission(*row) for row in session.execute(query)]


class QueuePlace(NamedTuple):
    """Place of a submission: `orders` and `samples` are those asked before it at its endpoint."""

    orders: int
    samples: int


# States in which a submission is asked, or will be as soon as it is looked at.
_ASKED_STATES = (
    SubmissionState.VALIDATING,
    SubmissionState.QUEUED,
    SubmissionState.PREFLIGHT,
    SubmissionState.GENERATING,
)


def queue_places(session: Session, endpoint_ids: Collection[int]) -> dict[int, QueuePlace]:
    """Return the place of each submission that is asked at these endpoints: the older ones there, and their samples.

    Samples of one endpoint are asked oldest run first, so a later submission waits for those of earlier ones.
    """
    waiting = (
        select(Sample.run_id, func.count().label("samples"))
        .join(Submission, Submission.run_id == Sample.run_id)
        .where(Submission.endpoint_id.in_(endpoint_ids), Submission.state.in_(_ASKED_STATES))
        .where(Sample.state.in_((SampleState.PENDING, SampleState.INFERRING)))
        .group_by(Sample.run_id)
        .subquery()
    )
    rows = session.execute(
        select(Submission.id, Submission.endpoint_id, func.coalesce(waiting.c.samples, 0))
        .outerjoin(waiting, waiting.c.run_id == Submission.run_id)
        .where(Submission.endpoint_id.in_(endpoint_ids), Submission.state.in_(_ASKED_STATES))
        .order_by(Submission.id)
    )
    places: dict[int, QueuePlace] = {}
    before: dict[int, QueuePlace] = {}
    for submission, endpoint, samples in rows:
        places[submission] = earlier = before.get(endpoint, QueuePlace(0, 0))
        before[endpoint] = QueuePlace(earlier.orders + 1, earlier.samples + samples)
    return places

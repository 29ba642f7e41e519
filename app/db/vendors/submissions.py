"""Submissions and the progress of their runs."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import func, or_, select, update

from app.db.kernel.session import Session
from app.db.runs.due_work import is_text_in_use
from app.db.runs.runs import is_practice
from app.db.tables import Endpoint, Model, Organisation, ProtocolRow, Run, Sample, Submission
from app.db.vendors import webhooks
from app.domain.states import ENDED_SUBMISSIONS, SUBMISSION_MOVES, RunState, SampleState, SubmissionState, check_move
from app.domain.vendors.webhooks import submission_event


def own_model(session: Session, organisation_id: int, slug: str) -> Model | None:
    """Return a model of this organisation."""
    return session.scalar(select(Model).where(Model.slug == slug, Model.organisation_id == organisation_id))


def own_endpoint(session: Session, organisation_id: int, endpoint: int | str) -> Endpoint | None:
    """Return an endpoint of a model of this organisation, by its number or its opaque id."""
    is_named = Endpoint.id == endpoint if isinstance(endpoint, int) else Endpoint.public_id == endpoint
    return session.scalar(
        select(Endpoint)
        .join(Model, Model.id == Endpoint.model_id)
        .where(is_named, Model.organisation_id == organisation_id)
    )


def own_submission(session: Session, organisation_id: int, public_id: str) -> Submission | None:
    """Return a submission of this organisation."""
    return session.scalar(
        select(Submission).where(Submission.public_id == public_id, Submission.organisation_id == organisation_id)
    )


def lock_own_submission(session: Session, organisation_id: int, public_id: str) -> Submission | None:
    """Return a submission of this organisation as it is now, locked against concurrent state changes."""
    return session.scalar(
        select(Submission)
        .where(Submission.public_id == public_id, Submission.organisation_id == organisation_id)
        .with_for_update()
        .execution_options(populate_existing=True)
    )


def count_open(session: Session, organisation_id: int) -> int:
    """Return the number of an organisation's open submissions, and block new ones until the transaction ends."""
    session.get_one(Organisation, organisation_id, with_for_update={"key_share": True})
    open_ones = (Submission.organisation_id == organisation_id, Submission.state.not_in(ENDED_SUBMISSIONS))
    return session.scalar(select(func.count()).where(*open_ones)) or 0


def count_practice(session: Session, organisation_id: int, since: datetime) -> int:
    """Return the number of an organisation's practice orders placed since, and block new orders until the end."""
    session.get_one(Organisation, organisation_id, with_for_update={"key_share": True})
    rules = (Submission.organisation_id == organisation_id, Submission.created_at > since, is_practice())
    orders = select(Submission.id).join(ProtocolRow, ProtocolRow.id == Submission.protocol_id).where(*rules)
    return session.scalar(select(func.count()).select_from(orders.subquery())) or 0


# States that the service itself advances; in all others a submission waits for a person or has ended.
_ACTIVE = (
    SubmissionState.VALIDATING,
    SubmissionState.QUEUED,
    SubmissionState.PREFLIGHT,
    SubmissionState.GENERATING,
    SubmissionState.JUDGING,
    SubmissionState.EMBARGOED,
    SubmissionState.PAUSED,
    SubmissionState.STALLED,
)


def lock_unfinished(session: Session) -> list[Submission]:
    """Return all submissions under way, oldest first and locked; those locked by another transaction are skipped."""
    return list(
        session.scalars(
            select(Submission)
            .where(Submission.state.in_(_ACTIVE))
            .order_by(Submission.id)
            .with_for_update(skip_locked=True)
        )
    )


def lock_unpublished(session: Session, now: datetime) -> list[Submission]:
    """Return public submissions that ended with an answer but unpublished, once their embargo is over."""
    return list(
        session.scalars(
            select(Submission)
            .join(Run, Run.id == Submission.run_id)
            .where(
                Submission.state.in_((SubmissionState.CANCELLED, SubmissionState.FAILED)),
                Submission.visibility == "public",
                or_(Submission.embargo_until.is_(None), Submission.embargo_until <= now),
                ~Run.public,
                Run.state != RunState.RETIRED,
                Run.bound_at.is_not(None),
                Run.voided_at.is_(None),
            )
            .order_by(Submission.id)
            .with_for_update(of=Run, skip_locked=True)
        )
    )


def lock_past_windows(session: Session, now: datetime) -> list[Submission]:
    """Return published submissions whose window is past and whose run still asks, locked."""
    return list(
        session.scalars(
            select(Submission)
            .join(Run, Run.id == Submission.run_id)
            .where(
                Submission.state == SubmissionState.PUBLISHED, ~Submission.continuous, Submission.window_end <= now,
                Run.state == RunState.ACTIVE,
            )
            .order_by(Submission.id)
            .with_for_update(of=Submission, skip_locked=True)
        )
    )  # fmt: skip


def move(session: Session, submission: Submission, new: SubmissionState, now: datetime, **values: object) -> None:
    """Change a submission's state by compare-and-set, and record the event. Raises Conflict on a forbidden move."""
    old = SubmissionState(submission.state)
    check_move(SUBMISSION_MOVES, old, new)
    session.execute(
        update(Submission)
        .where(Submission.id == submission.id, Submission.state == old)
        .values(state=new, state_since=now, **values)
    )
    session.refresh(submission)
    kind = submission_event(new)
    if kind is not None:
        data = {"object": "submission", "id": submission.public_id, "state": new, "owner": submission.owner}
        key = f"{submission.public_id}:{new}:{now.isoformat()}"
        webhooks.record_event(session, submission.organisation_id, kind, key, data, now)


@dataclass(frozen=True, slots=True)
class SampleProgress:
    """Samples of a run by state."""

    total: int
    waiting: int  # not answered yet
    judging: int
    graded: int
    unanswered: int  # sent to the judge without an answer, because their endpoint gave none
    failed_vendor: int
    failed_ours: int


def progress(session: Session, run_id: int) -> SampleProgress:
    """Return a run's progress with the texts in use; answers to other texts are not counted."""
    return progress_by_run(session, [run_id])[run_id]


def progress_by_run(session: Session, run_ids: Collection[int]) -> dict[int, SampleProgress]:
    """Return the progress of each of these runs, as `progress` does, with one query for all."""
    rows = session.execute(
        select(Sample.run_id, Sample.state, Sample.error_owner, Sample.unanswered, func.count())
        .where(Sample.run_id.in_(run_ids), is_text_in_use())
        .group_by(Sample.run_id, Sample.state, Sample.error_owner, Sample.unanswered)
    )
    by_run: dict[int, list[_SampleCount]] = {run_id: [] for run_id in run_ids}
    for run_id, state, error_owner, unanswered, samples in rows:
        by_run[run_id].append(_SampleCount(state, error_owner, unanswered, samples))
    return {run_id: _sum_counts(counts) for run_id, counts in by_run.items()}


class _SampleCount(NamedTuple):
    state: str
    error_owner: str | None
    unanswered: bool
    samples: int


def _sum_counts(rows: Sequence[_SampleCount]) -> SampleProgress:
    def count(*states: SampleState, owner: str | None = None) -> int:
        return sum(row.samples for row in rows if row.state in states and (owner is None or row.error_owner == owner))

    return SampleProgress(
        total=sum(row.samples for row in rows),
        waiting=count(SampleState.PENDING, SampleState.INFERRING),
        judging=count(SampleState.ANSWERED, SampleState.GRADING),
        graded=count(SampleState.GRADED),
        unanswered=sum(row.samples for row in rows if row.unanswered),
        failed_vendor=count(SampleState.GAVE_UP, owner="vendor"),
        failed_ours=count(SampleState.STUCK) + count(SampleState.GAVE_UP, owner="us"),
    )

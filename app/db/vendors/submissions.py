"""Submissions and the progress of their runs."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, or_, select, update

from app.db.kernel.session import Session
from app.db.runs.due_work import is_text_in_use
from app.db.runs.runs import is_practice
from app.db.tables import Endpoint, Model, Organisation, ProtocolRow, Run, Sample, Submission
from app.db.vendors import webhooks
from app.domain.states import ENDED_SUBMISSIONS, SUBMISSION_MOVES, RunState, SampleState, SubmissionState, check_move
from app.domain.webhooks import submission_event


def own_model(session: Session, organisation_id: int, slug: str) -> Model | None:
    """Return a model of this organisation."""
    return session.scalar(select(Model).where(Model.slug == slug, Model.organisation_id == organisation_id))


def own_endpoint(session: Session, organisation_id: int, endpoint_id: int) -> Endpoint | None:
    """Return an endpoint of a model of this organisation."""
    return session.scalar(
        select(Endpoint)
        .join(Model, Model.id == Endpoint.model_id)
        .where(Endpoint.id == endpoint_id, Model.organisation_id == organisation_id)
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


def of_organisation(session: Session, organisation_id: int, before: int | None, limit: int) -> list[Submission]:
    """Return submissions of an organisation with ids below `before`, newest first."""
    query = select(Submission).where(Submission.organisation_id == organisation_id)
    if before is not None:
        query = query.where(Submission.id < before)
    return list(session.scalars(query.order_by(Submission.id.desc()).limit(limit)))


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


def protocol_of(session: Session, submission: Submission) -> str:
    """Return the slug of a submission's protocol."""
    return session.get_one(ProtocolRow, submission.protocol_id).slug


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
    rows = session.execute(
        select(Sample.state, Sample.error_owner, Sample.unanswered, func.count())
        .where(Sample.run_id == run_id, is_text_in_use())
        .group_by(Sample.state, Sample.error_owner, Sample.unanswered)
    ).all()

    def count(*states: SampleState, owner: str | None = None) -> int:
        return sum(
            n
            for state, error_owner, _unanswered, n in rows
            if state in states and (owner is None or error_owner == owner)
        )

    return SampleProgress(
        total=sum(row[3] for row in rows),
        waiting=count(SampleState.PENDING, SampleState.INFERRING),
        judging=count(SampleState.ANSWERED, SampleState.GRADING),
        graded=count(SampleState.GRADED),
        unanswered=sum(row[3] for row in rows if row.unanswered),
        failed_vendor=count(SampleState.GAVE_UP, owner="vendor"),
        failed_ours=count(SampleState.STUCK) + count(SampleState.GAVE_UP, owner="us"),
    )

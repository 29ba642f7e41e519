"""Submissions: orders and how far their run has come."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import exists, func, or_, select, update

from app.db.kernel.session import Session
from app.db.runs.wanted import of_text_in_use
from app.db.tables import Endpoint, Model, Organisation, ProtocolRow, Run, Sample, Submission
from app.domain.states import ENDED_ORDERS, SUBMISSION_MOVES, RunState, SampleState, SubmissionState, check_move


def own_model(session: Session, organisation_id: int, slug: str) -> Model | None:
    """A model of this organisation."""
    return session.scalar(select(Model).where(Model.slug == slug, Model.organisation_id == organisation_id))


def own_endpoint(session: Session, organisation_id: int, endpoint_id: int) -> Endpoint | None:
    """An endpoint of a model of this organisation."""
    return session.scalar(
        select(Endpoint)
        .join(Model, Model.id == Endpoint.model_id)
        .where(Endpoint.id == endpoint_id, Model.organisation_id == organisation_id)
    )


def own_submission(session: Session, organisation_id: int, public_id: str) -> Submission | None:
    """A submission of this organisation."""
    return session.scalar(
        select(Submission).where(Submission.public_id == public_id, Submission.organisation_id == organisation_id)
    )


def own_locked(session: Session, organisation_id: int, public_id: str) -> Submission | None:
    """The same as it is now, locked: what moves it on waits, or has moved it on before."""
    return session.scalar(
        select(Submission)
        .where(Submission.public_id == public_id, Submission.organisation_id == organisation_id)
        .with_for_update()
        .execution_options(populate_existing=True)
    )


def of_organisation(session: Session, organisation_id: int, before: int | None, limit: int) -> list[Submission]:
    """Submissions of an organisation, newest first, older than the row `before`."""
    query = select(Submission).where(Submission.organisation_id == organisation_id)
    if before is not None:
        query = query.where(Submission.id < before)
    return list(session.scalars(query.order_by(Submission.id.desc()).limit(limit)))


def count_open(session: Session, organisation_id: int) -> int:
    """How many orders of an organisation have not ended. It orders no other until the transaction ends."""
    session.get_one(Organisation, organisation_id, with_for_update={"key_share": True})
    open_ones = (Submission.organisation_id == organisation_id, Submission.state.not_in(ENDED_ORDERS))
    return session.scalar(select(func.count()).where(*open_ones)) or 0


def protocol_of(session: Session, submission: Submission) -> str:
    """The slug of the protocol that a submission was ordered under."""
    return session.get_one(ProtocolRow, submission.protocol_id).slug


# What the service itself moves on; the rest waits for a person or has ended.
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


def unfinished(session: Session) -> list[Submission]:
    """All submissions under way, oldest first, locked; those another transaction holds are skipped."""
    return list(
        session.scalars(
            select(Submission)
            .where(Submission.state.in_(_ACTIVE))
            .order_by(Submission.id)
            .with_for_update(skip_locked=True)
        )
    )


def left_unpublished(session: Session, now: datetime) -> list[Submission]:
    """Public orders that ended with an answer before they were published; those under an embargo come when it is
    over."""
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
                Run.sent_at.is_not(None),
                exists().where(Sample.run_id == Run.id, Sample.answered_at.is_not(None)),
                Run.voided_at.is_(None),
            )
            .order_by(Submission.id)
            .with_for_update(of=Run, skip_locked=True)
        )
    )


def move(session: Session, submission: Submission, new: SubmissionState, now: datetime, **values: object) -> None:
    """Change a submission's state by compare-and-set. Raises Conflict on a forbidden move."""
    old = SubmissionState(submission.state)
    check_move(SUBMISSION_MOVES, old, new)
    session.execute(
        update(Submission)
        .where(Submission.id == submission.id, Submission.state == old)
        .values(state=new, state_since=now, **values)
    )
    session.refresh(submission)


@dataclass(frozen=True, slots=True)
class Progress:
    """Samples of a run by where they are."""

    total: int
    waiting: int  # not answered yet
    judging: int
    graded: int
    unanswered: int  # given to the judge without an answer, for their endpoint gave none
    failed_vendor: int
    failed_ours: int


def progress(session: Session, run_id: int) -> Progress:
    """How far a run has come with the texts in use; answers to others are not waited for."""
    rows = session.execute(
        select(Sample.state, Sample.error_owner, Sample.unanswered, func.count())
        .where(Sample.run_id == run_id, of_text_in_use())
        .group_by(Sample.state, Sample.error_owner, Sample.unanswered)
    ).all()

    def count(*states: SampleState, owner: str | None = None) -> int:
        return sum(n for state, who, _unanswered, n in rows if state in states and (owner is None or who == owner))

    return Progress(
        total=sum(row[3] for row in rows),
        waiting=count(SampleState.PENDING, SampleState.INFERRING),
        judging=count(SampleState.ANSWERED, SampleState.GRADING),
        graded=count(SampleState.GRADED),
        unanswered=sum(row[3] for row in rows if row.unanswered),
        failed_vendor=count(SampleState.GAVE_UP, owner="vendor"),
        failed_ours=count(SampleState.STUCK) + count(SampleState.GAVE_UP, owner="us"),
    )

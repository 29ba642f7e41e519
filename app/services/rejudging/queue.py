"""What the judge does next: a fresh answer, else a kept one that is to be judged again; and where its word goes."""

from collections.abc import Collection
from datetime import datetime, timedelta

from app.db.kernel.session import Session
from app.db.rejudging import proposals
from app.domain.judging.turns import Turn
from app.domain.judging.verdicts import GradeResult
from app.services.rejudging import rejudge
from app.services.rejudging.rejudge import predict_all
from app.services.runs import grade, plan
from app.services.runs.grade import GradingJob

__all__ = ["claim", "left", "predict_all", "record"]


def claim(
    session: Session, now: datetime, duration: timedelta, languages: Collection[str], turn: Turn = Turn.PLANNED
) -> GradingJob | None:
    """Lease the next answer in one of the languages, or None: nobody waits for what is judged again.

    Of fresh answers that is the one whose turn it is.
    """
    fresh = grade.claim(session, now, duration, languages, turn)
    return fresh or rejudge.claim(session, now, duration, languages)


def left(session: Session, now: datetime) -> int:
    """How many answers wait to be judged or are being judged, fresh ones and kept ones: who waits for one waits for
    those before it."""
    return plan.due(session, now).judging + proposals.waiting(session)


def record(session: Session, job: GradingJob, result: GradeResult, now: datetime) -> bool:
    """Write a verdict where it belongs; False when the lease no longer holds."""
    write = grade.record if job.rejudging_id is None else rejudge.record
    return write(session, job, result, now)

"""Queue of the judge: fresh answers first, then stored ones to be judged again; and where their verdicts go."""

from collections.abc import Collection
from datetime import datetime, timedelta

from app.db.kernel.session import Session
from app.db.rejudging import proposals
from app.domain.judging.grading_order import GradingOrder
from app.domain.judging.verdicts import GradeResult
from app.services.rejudging import rejudge
from app.services.rejudging.rejudge import predict_all
from app.services.runs import grade, plan
from app.services.runs.grade import GradingJob

__all__ = ["claim", "count_waiting", "predict_all", "record"]


def claim(
    session: Session,
    now: datetime,
    duration: timedelta,
    languages: Collection[str],
    turn: GradingOrder = GradingOrder.PLANNED,
) -> GradingJob | None:
    """Lease the next answer in one of the languages, or None; a fresh answer goes before one that is judged again.

    `turn` chooses among fresh answers.
    """
    fresh = grade.claim(session, now, duration, languages, turn)
    return fresh or rejudge.claim(session, now, duration, languages)


def count_waiting(session: Session, now: datetime) -> int:
    """Return the number of answers that wait to be judged or are being judged, fresh and rejudged ones.

    Both count, because an answer waits for all those before it.
    """
    return plan.find_due_work(session, now).judging + proposals.count_waiting(session)


def record(session: Session, job: GradingJob, result: GradeResult, now: datetime) -> bool:
    """Store a verdict where it belongs; False when the lease no longer holds."""
    write = grade.record if job.rejudging_id is None else rejudge.record
    return write(session, job, result, now)

"""Requests of a submission's run: those under way, and when the last one was answered."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, select

from app.db.kernel.session import Session
from app.db.runs.due_work import is_text_in_use
from app.db.tables import Sample
from app.domain.states import SampleState


@dataclass(frozen=True, slots=True)
class AskingProgress:
    """Samples of a run, those under way and since when, and the time of its last answer."""

    samples: int
    under_way: int
    first_at: datetime | None
    answered_at: datetime | None


def asking_progress(session: Session, run_id: int) -> AskingProgress:
    """Return what a run's endpoint is asked now, of the texts in use."""
    under_way = Sample.state == SampleState.INFERRING
    row = session.execute(
        select(
            func.count(), func.count().filter(under_way), func.min(Sample.first_tried_at).filter(under_way),
            func.max(Sample.answered_at),
        ).where(Sample.run_id == run_id, is_text_in_use())
    ).one()  # fmt: skip
    return AskingProgress(*row)

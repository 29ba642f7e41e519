"""Why answers of a run are missing: the failure that most of its unanswered samples met."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from sqlalchemy import func, select, update

from app.db.kernel.session import Session
from app.db.runs.wanted import of_text_in_use
from app.db.tables import Sample
from app.domain.asking.completions import Noted
from app.domain.states import SampleState

UNANSWERED = (SampleState.PENDING, SampleState.INFERRING, SampleState.GAVE_UP, SampleState.STUCK)


@dataclass(frozen=True, slots=True)
class Trouble:
    """A failure in the words of whoever failed, whose it is, and how many samples it met last."""

    reason: str
    owner: str
    samples: int


def commonest(session: Session, run_ids: Collection[int]) -> dict[int, Trouble]:
    """By run; a run without failures among its unanswered samples has no entry."""
    number = func.count()
    rows = session.execute(
        select(Sample.run_id, Sample.error, Sample.error_owner, number)
        .where(Sample.run_id.in_(run_ids), Sample.state.in_(UNANSWERED), Sample.error.is_not(None), of_text_in_use())
        .group_by(Sample.run_id, Sample.error, Sample.error_owner)
        .order_by(number, Sample.error)
    )
    return {row[0]: Trouble(str(row[1]), row[2] or "us", row[3]) for row in rows}


def note(session: Session, token: str, notes: Iterable[Noted]) -> None:
    """Keep with samples that are still being asked what they met last."""
    for each in notes:
        session.execute(
            update(Sample)
            .where(Sample.id == each.sample_id, Sample.lease_token == token, Sample.state == SampleState.INFERRING)
            .values(error=each.reason.replace("\0", "")[:2000], error_owner=each.owner)
            .execution_options(synchronize_session=False)
        )

"""Readers' reports about problems."""

from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import func, select

from app.db.kernel.session import Session
from app.db.tables import Dispute, DisputeState, Problem, Source


class DisputeLine(NamedTuple):
    """A report with the problem that it is about."""

    source: str
    external_id: str
    dispute: Dispute


def add(session: Session, problem_id: int, body: str, now: datetime) -> int:
    """Add a report and return its id."""
    dispute = Dispute(problem_id=problem_id, at=now, body=body)
    session.add(dispute)
    session.flush()
    return dispute.id


def lock_dispute(session: Session, number: int) -> Dispute | None:
    """Return a report, locked for its answer."""
    return session.scalar(select(Dispute).where(Dispute.id == number).with_for_update())


def of_problem(session: Session, problem_id: int, limit: int = 50) -> list[Dispute]:
    """Return the reports about a problem, newest first."""
    chosen = select(Dispute).where(Dispute.problem_id == problem_id)
    return list(session.scalars(chosen.order_by(Dispute.id.desc()).limit(limit)))


def open_lines(session: Session, limit: int = 100) -> list[DisputeLine]:
    """Return the reports that wait for an answer, oldest first."""
    rows = session.execute(
        select(Source.slug, Problem.external_id, Dispute)
        .join(Problem, Problem.id == Dispute.problem_id)
        .join(Source, Source.id == Problem.source_id)
        .where(Dispute.state == DisputeState.OPEN)
        .order_by(Dispute.id)
        .limit(limit)
    )
    return [DisputeLine(*row) for row in rows]


def open_count(session: Session, problem_id: int) -> int:
    """Return how many reports about a problem wait for an answer."""
    chosen = select(func.count()).where(Dispute.problem_id == problem_id, Dispute.state == DisputeState.OPEN)
    return session.scalar(chosen) or 0


def count_since(session: Session, now: datetime) -> int:
    """Return the number of reports in the 24 hours before `now`."""
    return session.scalar(select(func.count()).where(Dispute.at > now - timedelta(days=1))) or 0

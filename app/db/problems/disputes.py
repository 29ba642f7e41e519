"""Readers' reports about problems."""

from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import func, select

from app.db.kernel.session import Session
from app.db.tables import Dispute, DisputeState, DisputeSubject, Model, Problem, Run, Sample, Source
from app.domain.states import SampleState


class DisputeLine(NamedTuple):
    """A report with what it is about: a problem by its source and id, or the slug of a model."""

    source: str | None
    external_id: str | None
    model: str | None
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
        select(Source.slug, Problem.external_id, Model.slug, Dispute)
        .outerjoin(Problem, Problem.id == Dispute.problem_id)
        .outerjoin(Source, Source.id == Problem.source_id)
        .outerjoin(Model, Model.id == Dispute.model_id)
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
    """Return the number of readers' reports in the 24 hours before `now`."""
    recent = (Dispute.at > now - timedelta(days=1), Dispute.subject == DisputeSubject.PROBLEM)
    return session.scalar(select(func.count()).where(*recent)) or 0


def of_organisation(
    session: Session, organisation_id: int, before: int | None, limit: int
) -> list[tuple[Dispute, str]]:
    """Return an organisation's disputes with ids below `before`, newest first, with the slugs of their models."""
    query = select(Dispute, Model.slug).join(Model, Model.id == Dispute.model_id)
    query = query.where(Dispute.organisation_id == organisation_id)
    if before is not None:
        query = query.where(Dispute.id < before)
    return [(row[0], row[1]) for row in session.execute(query.order_by(Dispute.id.desc()).limit(limit))]


def own_dispute(session: Session, organisation_id: int, public_id: str) -> tuple[Dispute, str] | None:
    """Return a dispute of this organisation, with the slug of its model."""
    row = session.execute(
        select(Dispute, Model.slug)
        .join(Model, Model.id == Dispute.model_id)
        .where(Dispute.public_id == public_id, Dispute.organisation_id == organisation_id)
    ).first()
    return None if row is None else (row[0], row[1])


def count_open_of(session: Session, organisation_id: int) -> int:
    """Return how many disputes of an organisation wait for an answer."""
    chosen = (Dispute.organisation_id == organisation_id, Dispute.state == DisputeState.OPEN)
    return session.scalar(select(func.count()).where(*chosen)) or 0


def model_of_own_sample(session: Session, organisation_id: int, sample_id: int) -> Model | None:
    """Return the model of a sample of this organisation's that has a verdict."""
    return session.scalar(
        select(Model)
        .join(Run, Run.model_id == Model.id)
        .join(Sample, Sample.run_id == Run.id)
        .where(Sample.id == sample_id, Model.organisation_id == organisation_id, Sample.state == SampleState.GRADED)
    )

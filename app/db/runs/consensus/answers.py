"""Setters' answers one by one, for maintainers."""

from typing import NamedTuple

from sqlalchemy import Select, select

from app.db.kernel.session import Session
from app.db.tables import ConsensusRow, Problem, ProblemVersion, ProtocolRow, Run, Sample, Setter, Source


class SetterSample(NamedTuple):
    """A setter's sample with its setter, its problem and text, and the consensus that it belongs to."""

    sample: Sample
    setter: Setter
    protocol: ProtocolRow
    problem: Problem
    source: Source
    version: ProblemVersion
    consensus: ConsensusRow | None


def find_sample(session: Session, sample_id: int) -> SetterSample | None:
    """Return the setter sample with that id; None if it is not a setter's."""
    row = session.execute(_rows().where(Sample.id == sample_id)).first()
    return None if row is None else SetterSample(*row)


def newest(session: Session, limit: int) -> list[SetterSample]:
    """Return the setter samples that were answered last."""
    rows = _rows().where(Sample.answered_at.is_not(None)).order_by(Sample.answered_at.desc(), Sample.id.desc())
    return [SetterSample(*row) for row in session.execute(rows.limit(limit))]


def of_text(session: Session, version_id: int) -> list[SetterSample]:
    """Return every answered setter sample about a text, newest first."""
    rows = _rows().where(Sample.problem_version_id == version_id, Sample.answered_at.is_not(None))
    return [SetterSample(*row) for row in session.execute(rows.order_by(Sample.ordinal.desc(), Sample.id.desc()))]


def _rows() -> Select[Sample, Setter, ProtocolRow, Problem, Source, ProblemVersion, ConsensusRow]:
    return (
        select(Sample, Setter, ProtocolRow, Problem, Source, ProblemVersion, ConsensusRow)
        .join(Setter, Setter.run_id == Sample.run_id)
        .join(Run, Run.id == Sample.run_id)
        .join(ProtocolRow, ProtocolRow.id == Run.protocol_id)
        .join(Problem, Problem.id == Sample.problem_id)
        .join(Source, Source.id == Problem.source_id)
        .join(ProblemVersion, ProblemVersion.id == Sample.problem_version_id)
        .outerjoin(ConsensusRow, ConsensusRow.problem_version_id == Sample.problem_version_id)
    )

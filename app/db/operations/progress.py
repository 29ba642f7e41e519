"""Progress of a run: its names, and the speed of recent answers and verdicts."""

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import func, select

from app.db.kernel.session import Session
from app.db.runs.wanted import of_text_in_use
from app.db.tables import Endpoint, Model, ProtocolRow, Run, Sample, Submission, VerdictRow


class RunLine(NamedTuple):
    """A run with its model, protocol and endpoint; an imported one has no endpoint."""

    run: Run
    model: str
    protocol: str
    endpoint: Endpoint | None


def run(session: Session, run_id: int) -> RunLine | None:
    """Return the run with that id, as it is now."""
    query = (
        select(Run, Model.slug, ProtocolRow.slug, Endpoint)
        .join(Model, Model.id == Run.model_id)
        .join(ProtocolRow, ProtocolRow.id == Run.protocol_id)
        .outerjoin(Endpoint, Endpoint.id == Run.endpoint_id)
        .where(Run.id == run_id)
    )
    row = session.execute(query, execution_options={"populate_existing": True}).first()
    return None if row is None else RunLine(*row)


def is_ordered_by(session: Session, run_id: int, organisation_id: int) -> bool:
    """Return whether this organisation submitted the run, or its model belongs to it."""
    order = select(Submission.id).where(Submission.run_id == run_id, Submission.organisation_id == organisation_id)
    own = (
        select(Run.id)
        .join(Model, Model.id == Run.model_id)
        .where(Run.id == run_id, Model.organisation_id == organisation_id)
    )
    return session.scalar(order.limit(1)) is not None or session.scalar(own) is not None


class Lately(NamedTuple):
    """Number of recent events, and the time of the first."""

    number: int
    first: datetime | None


def answers(session: Session, run_id: int, since: datetime) -> Lately:
    """Return the answers of a run to texts in use since `since`."""
    query = select(func.count(), func.min(Sample.answered_at)).where(
        Sample.run_id == run_id, Sample.answered_at > since, of_text_in_use()
    )
    return Lately(*session.execute(query).one())


def verdicts(session: Session, run_id: int, since: datetime) -> Lately:
    """Return the verdicts on answers of a run since `since`."""
    query = (
        select(func.count(), func.min(VerdictRow.judged_at))
        .join(Sample, Sample.id == VerdictRow.sample_id)
        .where(Sample.run_id == run_id, VerdictRow.judged_at > since)
    )
    return Lately(*session.execute(query).one())

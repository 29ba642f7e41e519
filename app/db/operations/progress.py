"""Progress of a run: its names, and the speed of recent answers and verdicts."""

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import func, select

from app.db.kernel.session import Session
from app.db.runs.due_work import is_text_in_use
from app.db.tables import Endpoint, Model, ProtocolRow, Run, Sample, Submission, VerdictRow


class NamedRun(NamedTuple):
    """A run with its model, protocol and endpoint; an imported one has no endpoint."""

    run: Run
    model: str
    protocol: str
    endpoint: Endpoint | None


def find_run(session: Session, run_id: int) -> NamedRun | None:
    """Return the run with that id, as it is now."""
    query = (
        select(Run, Model.slug, ProtocolRow.slug, Endpoint)
        .join(Model, Model.id == Run.model_id)
        .join(ProtocolRow, ProtocolRow.id == Run.protocol_id)
        .outerjoin(Endpoint, Endpoint.id == Run.endpoint_id)
        .where(Run.id == run_id)
    )
    row = session.execute(query, execution_options={"populate_existing": True}).first()
    return None if row is None else NamedRun(*row)


def is_run_of_organisation(session: Session, run_id: int, organisation_id: int) -> bool:
    """Return whether this organisation submitted the run, or its model belongs to it."""
    order = select(Submission.id).where(Submission.run_id == run_id, Submission.organisation_id == organisation_id)
    own = (
        select(Run.id)
        .join(Model, Model.id == Run.model_id)
        .where(Run.id == run_id, Model.organisation_id == organisation_id)
    )
    return session.scalar(order.limit(1)) is not None or session.scalar(own) is not None


class RecentCount(NamedTuple):
    """Number of recent events, and the time of the first."""

    number: int
    first: datetime | None


def recent_answers(session: Session, run_id: int, since: datetime) -> RecentCount:
    """Return the answers of a run to texts in use since `since`."""
    query = select(func.count(), func.min(Sample.answered_at)).where(
        Sample.run_id == run_id, Sample.answered_at > since, is_text_in_use()
    )
    return RecentCount(*session.execute(query).one())


def recent_verdicts(session: Session, run_id: int, since: datetime) -> RecentCount:
    """Return the verdicts on answers of a run since `since`."""
    query = (
        select(func.count(), func.min(VerdictRow.judged_at))
        .join(Sample, Sample.id == VerdictRow.sample_id)
        .where(Sample.run_id == run_id, VerdictRow.judged_at > since)
    )
    return RecentCount(*session.execute(query).one())

"""How runs go: what they are, and how fast answers and verdicts came lately."""

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import func, select

from app.db.kernel.session import Session
from app.db.runs.wanted import of_text_in_use
from app.db.tables import Endpoint, Model, ProtocolRow, Run, Sample, Submission, VerdictRow


class RunLine(NamedTuple):
    """A run, with its model and its protocol; an imported one has no endpoint."""

    run: Run
    model: str
    protocol: str
    endpoint: Endpoint | None


def run(session: Session, run_id: int) -> RunLine | None:
    """The run of that number, as it is now."""
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
    """Whether an order of this organisation made the run, or it is of one of its models."""
    order = select(Submission.id).where(Submission.run_id == run_id, Submission.organisation_id == organisation_id)
    own = (
        select(Run.id)
        .join(Model, Model.id == Run.model_id)
        .where(Run.id == run_id, Model.organisation_id == organisation_id)
    )
    return session.scalar(order.limit(1)) is not None or session.scalar(own) is not None


class Lately(NamedTuple):
    """How many came since a moment, and when the first of them did."""

    number: int
    first: datetime | None


def answers(session: Session, run_id: int, since: datetime) -> Lately:
    """The answers of a run to texts in use."""
    query = select(func.count(), func.min(Sample.answered_at)).where(
        Sample.run_id == run_id, Sample.answered_at > since, of_text_in_use()
    )
    return Lately(*session.execute(query).one())


def verdicts(session: Session, run_id: int, since: datetime) -> Lately:
    """The verdicts on answers of a run."""
    query = (
        select(func.count(), func.min(VerdictRow.judged_at))
        .join(Sample, Sample.id == VerdictRow.sample_id)
        .where(Sample.run_id == run_id, VerdictRow.judged_at > since)
    )
    return Lately(*session.execute(query).one())

"""Samples that wait to be asked, remotely or of local weights, and those that our own network failed."""

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import func, select

from app.db.kernel.session import Session
from app.db.runs.consensus.asking_order import statement_values
from app.db.runs.due_work import ask_conditions, is_text_in_use
from app.db.tables import Endpoint, Run, Sample
from app.db.tables.base import has_code
from app.domain.asking.retry_policy import OUR_NETWORK
from app.domain.states import RunState, SampleState


class DueSampleCounts(NamedTuple):
    """Number of samples due at remote endpoints (`elsewhere`) and at local weights (`here`)."""

    elsewhere: int
    here: int


def count_due_samples(session: Session, now: datetime) -> DueSampleCounts:
    """Return the number of samples due now at endpoints that are not stopped."""
    here = Endpoint.weights.is_not(None)
    rows = session.execute(
        select(here, func.count(Sample.id))
        .join(Run, Run.id == Sample.run_id)
        .join(Endpoint, Endpoint.id == Run.endpoint_id)
        .where(*ask_conditions(), Endpoint.stopped_at.is_(None))
        .group_by(here),
        statement_values(session, now),
    )
    counts: dict[bool, int] = {bool(local): number for local, number in rows}
    return DueSampleCounts(counts.get(False, 0), counts.get(True, 0))


def failed_by_our_network(session: Session) -> int:
    """Return how many samples wait because the control host failed together with their endpoint."""
    query = (
        select(func.count())
        .select_from(Sample)
        .join(Run, Run.id == Sample.run_id)
        .where(
            Run.state == RunState.ACTIVE, Sample.state == SampleState.PENDING, is_text_in_use(),
            has_code(Sample.error, OUR_NETWORK),
        )
    )  # fmt: skip
    return session.scalar(query) or 0

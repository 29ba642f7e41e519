"""Samples that wait to be asked, remotely or of local weights, and those that our own network failed."""

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import func, select

from app.db.kernel.session import Session
from app.db.runs.setting.order import given
from app.db.runs.wanted import of_text_in_use, to_ask
from app.db.tables import Endpoint, Run, Sample
from app.domain.asking.patience import OUR_NETWORK
from app.domain.states import RunState, SampleState


class Unasked(NamedTuple):
    """Number of samples due at remote endpoints (`elsewhere`) and at local weights (`here`)."""

    elsewhere: int
    here: int


def unasked(session: Session, now: datetime) -> Unasked:
    """Return the number of samples due now at endpoints that are not stopped."""
    here = Endpoint.weights.is_not(None)
    rows = session.execute(
        select(here, func.count(Sample.id))
        .join(Run, Run.id == Sample.run_id)
        .join(Endpoint, Endpoint.id == Run.endpoint_id)
        .where(*to_ask(), Endpoint.stopped_at.is_(None))
        .group_by(here),
        given(session, now),
    )
    counts: dict[bool, int] = {bool(local): number for local, number in rows}
    return Unasked(counts.get(False, 0), counts.get(True, 0))


def failed_by_our_network(session: Session) -> int:
    """Return how many samples wait because the control host failed together with their endpoint."""
    query = (
        select(func.count())
        .select_from(Sample)
        .join(Run, Run.id == Sample.run_id)
        .where(
            Run.state == RunState.ACTIVE, Sample.state == SampleState.PENDING, of_text_in_use(),
            Sample.error.startswith(OUR_NETWORK, autoescape=True),
        )
    )  # fmt: skip
    return session.scalar(query) or 0

"""What waits to be asked, at endpoints elsewhere and at weights of our own, and what our own network failed."""

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
    """How many samples are due at endpoints elsewhere, and how many at weights of our own."""

    elsewhere: int
    here: int


def unasked(session: Session, now: datetime) -> Unasked:
    """Samples that are to be asked now of endpoints that are not stopped."""
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
    """Samples that wait because the control host did not answer when their endpoint failed."""
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

"""Time in which nobody was there to ask is ours: patience with endpoints is not used up by it."""

from datetime import datetime, timedelta

import pytest
from pipeline.flow import NOW, VAULT, standing
from sqlalchemy import select, update
from support.batches import batch, problem

from app.db.kernel.session import Session
from app.db.operations import heartbeats
from app.db.tables import Sample
from app.domain.asking.patience import PATIENCE
from app.domain.states import SampleState
from app.services.runs import imports, plan

MINUTE = timedelta(minutes=1)
TRIED = NOW - PATIENCE.span - MINUTE


def failed_lately(session: Session) -> None:
    """A sample that its endpoint has failed as often as makes a failure its own, once patience ends."""
    imports.store_batch(session, batch(problem(0)), NOW)
    standing(session, "alpha")
    session.execute(update(Sample).values(first_tried_at=TRIED, own_failures=PATIENCE.least))


def swept(session: Session, first: datetime, last: datetime) -> None:
    """The clock's sweeps from one moment to another, a minute apart."""
    for number in range(int((last - first) / MINUTE) + 1):
        heartbeats.tick(session, "sweep", first + number * MINUTE, last)


def outcome(session: Session, *, paused: bool = False) -> tuple[str, int, datetime | None]:
    plan.sweep(session, NOW, VAULT, paused=paused)
    session.expire_all()
    sample = session.scalars(select(Sample)).one()
    return sample.state, sample.own_failures, sample.first_tried_at


def test_patience_ends_where_everybody_was_there(session: Session) -> None:
    failed_lately(session)
    swept(session, TRIED - 10 * MINUTE, NOW)
    heartbeats.beat(session, "infer@here/0", "infer", NOW)
    heartbeats.beat(session, "infer@gone/0", "infer", NOW - timedelta(days=1))
    assert outcome(session)[0] == SampleState.GAVE_UP


@pytest.mark.parametrize("away", [11 * MINUTE, timedelta(hours=6), timedelta(days=10)])
def test_a_machine_that_was_off_or_asleep_begins_anew(session: Session, away: timedelta) -> None:
    failed_lately(session)
    session.execute(update(Sample).values(first_tried_at=NOW - away - PATIENCE.span + MINUTE))
    swept(session, NOW - away - PATIENCE.span, NOW - away)
    swept(session, NOW, NOW)
    assert outcome(session) == (SampleState.PENDING, 0, None)
    session.execute(update(Sample).values(first_tried_at=NOW, own_failures=1))
    swept(session, NOW, NOW + MINUTE)
    assert outcome(session) == (SampleState.PENDING, 1, NOW), "what was tried since counts"


def test_so_does_one_without_a_worker_that_asks_or_without_room(session: Session) -> None:
    failed_lately(session)
    swept(session, TRIED - 10 * MINUTE, NOW)
    assert outcome(session, paused=True) == (SampleState.PENDING, 0, None)
    session.execute(update(Sample).values(first_tried_at=TRIED, own_failures=PATIENCE.least))
    heartbeats.beat(session, "infer@gone/0", "infer", NOW - timedelta(days=1))
    assert outcome(session) == (SampleState.PENDING, 0, None)

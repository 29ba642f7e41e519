"""Time in which nobody was there to ask is ours: patience with endpoints is not used up by it."""

from datetime import datetime, timedelta
from pathlib import Path

import pytest
from pipeline.flow import NOW, VAULT, standing
from sqlalchemy import select, update
from support.batches import batch, problem

from app.config import Settings
from app.db.kernel.session import Session
from app.db.operations import heartbeats
from app.db.tables import Endpoint, Sample
from app.domain.asking.retry_policy import RETRY_POLICY
from app.domain.states import SampleState
from app.services.runs import imports, plan
from workers import tasks
from workers.context import leave, make_context, use

MINUTE = timedelta(minutes=1)
APART = 5 * MINUTE
TRIED = NOW - RETRY_POLICY.span - MINUTE


def failed_lately(session: Session) -> None:
    """A sample that its endpoint has failed as often as makes a failure its own, once patience ends."""
    imports.store_batch(session, batch(problem(0)), NOW)
    standing(session, "alpha")
    session.execute(update(Sample).values(first_tried_at=TRIED, own_failures=RETRY_POLICY.min_failures))


def swept(session: Session, first: datetime, last: datetime) -> None:
    """The clock's sweeps from one moment to another, as far apart as a busy clock's."""
    for number in range(int((last - first) / APART) + 1):
        heartbeats.take_tick(session, "sweep", first + number * APART, last)


def outcome(session: Session, *, paused: bool = False) -> tuple[str, int, datetime | None]:
    plan.sweep(session, NOW, VAULT, paused=paused)
    session.expire_all()
    sample = session.scalars(select(Sample)).one()
    return sample.state, sample.own_failures, sample.first_tried_at


def test_patience_ends_where_everybody_was_there(session: Session) -> None:
    failed_lately(session)
    swept(session, TRIED - 10 * MINUTE, NOW)
    heartbeats.record_heartbeat(session, "infer@here/0", "infer", NOW)
    heartbeats.record_heartbeat(session, "infer@gone/0", "infer", NOW - timedelta(days=1))
    assert outcome(session)[0] == SampleState.GAVE_UP


@pytest.mark.parametrize("away", [11 * MINUTE, timedelta(hours=6), timedelta(days=10)])
def test_a_machine_that_was_off_or_asleep_begins_anew(session: Session, away: timedelta) -> None:
    failed_lately(session)
    session.execute(update(Sample).values(first_tried_at=NOW - away - RETRY_POLICY.span + MINUTE))
    swept(session, NOW - away - RETRY_POLICY.span, NOW - away)
    swept(session, NOW, NOW)
    assert outcome(session) == (SampleState.PENDING, 0, None)
    session.execute(update(Sample).values(first_tried_at=NOW, own_failures=1))
    swept(session, NOW + MINUTE, NOW + MINUTE)
    assert outcome(session) == (SampleState.PENDING, 1, NOW), "what was tried since counts"


def test_so_does_one_without_a_worker_that_asks_or_without_room(session: Session) -> None:
    failed_lately(session)
    swept(session, TRIED - 10 * MINUTE, NOW)
    assert outcome(session, paused=True) == (SampleState.PENDING, 0, None)
    session.execute(update(Sample).values(first_tried_at=TRIED, own_failures=RETRY_POLICY.min_failures))
    heartbeats.record_heartbeat(session, "infer@gone/0", "infer", NOW - timedelta(days=1))
    assert outcome(session) == (SampleState.PENDING, 0, None)


@pytest.mark.parametrize("ahead", [timedelta(days=10), timedelta(hours=2)])
def test_what_was_taken_or_put_off_while_the_time_was_ahead_is_due_again(session: Session, ahead: timedelta) -> None:
    """A worker died with its rows when the time was ten days ahead, and an endpoint rests; hours are nothing odd."""
    imports.store_batch(session, batch(problem(0), problem(1)), NOW)
    standing(session, "alpha")
    taken, put_off = session.scalars(select(Sample.id).order_by(Sample.id))
    lease = {"lease_token": "dead", "lease_until": NOW + ahead}
    session.execute(update(Sample).where(Sample.id == taken).values(state=SampleState.INFERRING, **lease))
    session.execute(update(Sample).where(Sample.id == put_off).values(not_before=NOW + ahead))
    session.execute(update(Endpoint).values(lease_until=NOW + ahead))
    plan.sweep(session, NOW, VAULT)
    due = plan.sweep(session, NOW + timedelta(seconds=15), VAULT)
    session.expire_all()
    states = [session.get_one(Sample, sample).state for sample in (taken, put_off)]
    if ahead > timedelta(days=1):
        assert (states, len(due.endpoints)) == ([SampleState.PENDING] * 2, 1)
        assert session.get_one(Sample, put_off).not_before is None
    else:
        assert (states, len(due.endpoints)) == ([SampleState.INFERRING, SampleState.PENDING], 0)
        assert session.get_one(Sample, put_off).not_before == NOW + ahead


def test_what_died_with_its_worker_is_put_back_whatever_else_fails(settings: Settings, tmp_path: Path) -> None:
    """Here words of a worker of another version, which cannot be read."""
    ctx = use(make_context(settings.model_copy(update={"secret_key_file": tmp_path / "nothing"})))
    with ctx.sessions.begin() as session:
        imports.store_batch(session, batch(problem(0)), NOW)
        standing(session, "alpha")
        died = {"lease_token": "dead", "lease_until": NOW}
        session.execute(update(Sample).values(state=SampleState.INFERRING, **died))
        heartbeats.record_heartbeat(session, "infer@old/0", "infer", NOW, {"closed": {}})
    with pytest.raises(KeyError):
        tasks.sweep()
    with ctx.sessions() as session:
        assert set(session.scalars(select(Sample.state))) == {SampleState.PENDING}
    leave()

"""A worker that is busy for long is heard of all the same, but not for ever."""

import threading
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from factories import World
from sqlalchemy import select, update
from support.waiting import until

from app.db.kernel.leases import LeaseKind, new_lease
from app.db.operations import heartbeats
from app.db.tables import Heartbeat, Sample
from app.domain.states import SampleState
from app.services.operations import alerts
from app.services.runs import judge_state
from workers import upkeep
from workers.context import Context, now
from workers.lease_renewal import hold_lease, worker_name

LEASE = new_lease(datetime(2026, 1, 1, tzinfo=UTC), timedelta(minutes=5))


def test_a_busy_judge_is_no_silent_one(ctx: Context) -> None:
    with hold_lease(ctx, LEASE, "grade"):
        pass
    long_ago = now() - 2 * judge_state.SILENT_AFTER
    with ctx.sessions() as session:
        [worker] = judge_state.workers(session, now())
        assert not worker.silent
    with ctx.sessions.begin() as session:
        name = session.scalars(select(Heartbeat.worker)).one()
        assert name == worker_name("grade")
        session.execute(update(Heartbeat).values(at=long_ago))
    with hold_lease(ctx, LEASE, "grade"):  # so soon after, nothing is written
        pass
    with ctx.sessions() as session:
        assert session.scalars(select(Heartbeat.at)).one() == long_ago


def test_who_waits_for_ever_loses_its_rows_and_is_missed(ctx: Context) -> None:
    """As a grader does that wants the host alone while somebody stopped another in the middle of a program."""
    lease = new_lease(now(), timedelta(minutes=5), LeaseKind.SAMPLES)
    with ctx.sessions.begin() as session:
        world = World(session)
        state = SampleState.GRADING
        sample = world.answer(
            world.run("orion"), world.problem("a"), None, state=state, lease_token=lease.token, lease_until=lease.until
        ).id
    settings = ctx.settings.model_copy(update={"lease_s": 0.06})

    def leased_until() -> datetime:
        with ctx.sessions() as session:
            found = session.scalars(select(Sample.lease_until).where(Sample.id == sample)).one()
        assert found is not None
        return found

    with hold_lease(replace(ctx, settings=settings), lease, "grade", longest_s=3.0):
        until(lambda: leased_until() < lease.until, "a renewal")
        until(lambda: leased_until() + timedelta(seconds=1) < now(), "the last renewal to run out")


def test_when_the_work_is_done_its_lease_is_not_renewed_any_more(ctx: Context) -> None:
    def renewing() -> bool:
        return any(thread.name == "lease" for thread in threading.enumerate())

    with hold_lease(ctx, new_lease(now(), timedelta(minutes=5), LeaseKind.SAMPLES), "grade"):
        assert renewing()
    until(lambda: not renewing(), "the renewals to end")


def test_that_nobody_is_there_is_not_forgotten(ctx: Context) -> None:
    """Judges have been dead for days, while the others work: the alarm does not end by itself."""
    moment = now()
    days = timedelta(days=3)
    told = {
        ("grade", "grade@gone/0"): moment - days, ("grade", "grade@before/0"): moment - 2 * days,
        ("ingest", "ingest@before/0"): moment - days, ("gpu.gone.0", "gpu.gone.0@gone/0"): moment - days,
    }  # fmt: skip
    with ctx.sessions.begin() as session:
        for (queue, worker), at in told.items():
            heartbeats.record_heartbeat(
                session, worker, queue, at, {"grading": "ready"} if queue == "grade" else {"state": "idle"}
            )
        heartbeats.raise_alarm(session, "an old one", moment)
    upkeep.beat("ingest")
    with ctx.sessions.begin() as session:
        assert heartbeats.clear_alarm(session) == "an old one"
        assert set(session.scalars(select(Heartbeat.worker))) == {"grade@gone/0", worker_name("ingest")}
        assert "grading:silent" in alerts.find_causes(session, moment)

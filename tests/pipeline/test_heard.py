"""A worker that is busy for long is heard of all the same."""

from datetime import UTC, datetime, timedelta

from sqlalchemy import select, update

from app.db.kernel.leases import new_lease
from app.db.tables import Heartbeat
from app.services.runs import judge_state
from workers.context import Context, now
from workers.keeping import keep, worker_name

LEASE = new_lease(datetime(2026, 1, 1, tzinfo=UTC), timedelta(minutes=5))


def test_a_busy_judge_is_no_silent_one(ctx: Context) -> None:
    with keep(ctx, LEASE, "grade"):
        pass
    long_ago = now() - 2 * judge_state.SILENT_AFTER
    with ctx.sessions() as session:
        [worker] = judge_state.workers(session, now())
        assert not worker.silent
    with ctx.sessions.begin() as session:
        name = session.scalars(select(Heartbeat.worker)).one()
        assert name == worker_name("grade")
        session.execute(update(Heartbeat).values(at=long_ago))
    with keep(ctx, LEASE, "grade"):  # so soon after, nothing is written
        pass
    with ctx.sessions() as session:
        assert session.scalars(select(Heartbeat.at)).one() == long_ago

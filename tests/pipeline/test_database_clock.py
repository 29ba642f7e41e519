"""The database's clock decides; a worker whose machine has another time says so and does nothing."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest
from sqlalchemy import select
from support.rules import ROOT
from support.waiting import until

from app.db.kernel.instant import database_time
from app.db.kernel.session import make_engine, make_sessionmaker
from app.db.tables import Heartbeat
from app.domain.errors import ClockSkew
from app.services.runs.judge_state import workers
from workers import tasks, upkeep
from workers.clock import Clock
from workers.context import Context, now
from workers.database_clock import DatabaseClock

TWO_HOURS_S = 7200.0
NEAR_S = 30.0  # of a busy machine
# A worker on a machine whose time is set so far ahead.
AHEAD = f"import sys, time; own = time.time; time.time = lambda: own() + {TWO_HOURS_S}; from workers.serve import main; sys.exit(main(['grade']))"  # noqa: E501  # a program


def true_time(ctx: Context) -> datetime:
    """The database's."""
    return ctx.commit(database_time)


def off_s(ctx: Context, clock: Callable[[], datetime]) -> float:
    return (clock() - true_time(ctx)).total_seconds()


def clock_off_by(ctx: Context, seconds: float) -> DatabaseClock:
    stopped = true_time(ctx).timestamp()
    return DatabaseClock(ctx.sessions, lambda: stopped + seconds)


@pytest.mark.parametrize("seconds", [-TWO_HOURS_S, -60.0, 0.0, 60.0, TWO_HOURS_S])
def test_it_tells_the_databases_time_whatever_the_machines_is(ctx: Context, seconds: float) -> None:
    clock = clock_off_by(ctx, seconds)
    assert abs(off_s(ctx, clock) - seconds) < NEAR_S, "before it was read, the machine's"
    clock.read()
    assert abs(off_s(ctx, clock)) < NEAR_S
    if seconds == 0:
        assert clock.error is None
        return
    assert clock.error is not None
    assert ("ahead of" if seconds > 0 else "behind") in clock.error


def test_a_machine_that_stood_still_while_it_asked_has_no_wrong_clock(ctx: Context) -> None:
    """Its clock went on for two minutes between the question and the answer."""
    times = iter((true_time(ctx).timestamp() - 60, true_time(ctx).timestamp() + 60))
    assert DatabaseClock(ctx.sessions, lambda: next(times)).read_error() is None


def test_a_database_that_is_down_changes_nothing(ctx: Context) -> None:
    gone = make_engine("postgresql+psycopg://tidemark@/x?host=/nowhere")
    host_s = true_time(ctx).timestamp() + TWO_HOURS_S
    clock = DatabaseClock(make_sessionmaker(gone), lambda: host_s)
    assert clock.read_error() is None
    assert clock().timestamp() == host_s


@pytest.mark.parametrize("seconds", [-TWO_HOURS_S, TWO_HOURS_S])
def test_a_worker_with_a_wrong_clock_says_so_and_does_nothing(ctx: Context, seconds: float) -> None:
    ctx.clock = clock_off_by(ctx, seconds)
    for task in (tasks.grade_answers, tasks.plan_runs, tasks.aggregate):
        with pytest.raises(ClockSkew, match="the clock of this machine"):
            task()
    tasks.sweep()
    upkeep.beat("infer")
    assert abs(off_s(ctx, now)) < NEAR_S, "and what it writes has the database's time"
    [worker] = ctx.commit(workers, true_time(ctx))
    assert worker.hindrance is not None
    assert not worker.silent
    ctx.clock = clock_off_by(ctx, 0)
    upkeep.beat("infer")
    tasks.aggregate()
    assert [each.hindrance for each in ctx.commit(workers, true_time(ctx))] == [None]


def test_a_clock_on_such_a_machine_leaves_the_lock_to_another(ctx: Context) -> None:
    host_s = true_time(ctx).timestamp() - TWO_HOURS_S
    clock = Clock(ctx.settings, ctx.wake, host_time=lambda: host_s)
    clock.done.set()
    assert clock.run() == 0, "it waited, and was stopped"


def test_a_worker_that_begins_there_waits_and_is_heard_of(ctx: Context, tmp_path: Path) -> None:
    """Celery drops wake-ups that are too old by the machine's clock: it would never run the task that tells of it."""
    settings = ctx.settings
    environment = {
        **os.environ, "TIDEMARK_STATE": str(tmp_path), "PYTHONPATH": str(ROOT),
        "TIDEMARK_DATABASE_URL": settings.database_url, "TIDEMARK_REDIS_URL": settings.redis_url,
        "TIDEMARK_SANDBOX_ROOT": str(settings.sandbox_root),
    }  # fmt: skip

    def heard() -> list[str]:
        with ctx.sessions() as session:
            return list(session.scalars(select(Heartbeat.detail["hindrance"].astext)))

    with (tmp_path / "log").open("wb") as log:
        worker = subprocess.Popen([sys.executable, "-c", AHEAD], env=environment, cwd=ROOT, stdout=log, stderr=log)
        try:
            until(heard, "its word")
            assert json.loads(heard()[0])["code"] == "clock_ahead"
            worker.terminate()
            assert worker.wait(60) == 0
        finally:
            worker.kill()
            worker.wait()

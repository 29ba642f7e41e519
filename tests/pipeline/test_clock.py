"""The clock: one of many ticks, each moment once, and one that lost its lock ends, to be started again."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from functools import partial

import pytest
from redis import Redis
from sqlalchemy import Engine, text
from support.forked import forked
from support.waiting import until

from app.config import ROOT, Settings
from app.db.kernel.session import make_engine
from app.domain.sources.kinds import DEMO_SITE
from app.source_settings import SourceSettings
from scrapers.site import all_sites
from workers.broker import Waker, make_app
from workers.clock import Clock, jobs, main, tick_of
from workers.context import make_context
from workers.sites import Sites

HOLDERS = (
    "SELECT pid FROM pg_locks JOIN pg_database d ON d.oid = database "
    "WHERE locktype = 'advisory' AND granted AND d.datname = current_database()"
)


@pytest.fixture
def engine(settings: Settings) -> Iterator[Engine]:
    made = make_engine(settings.database_url)
    yield made
    made.dispose()


def holders(engine: Engine) -> list[int]:
    with engine.connect() as connection:
        return list(connection.scalars(text(HOLDERS)))


def ticks(engine: Engine, job: str) -> int:
    with engine.connect() as connection:
        return int(connection.scalar(text("SELECT count(*) FROM clock_ticks WHERE job = :job"), {"job": job}) or 0)


def terminate(engine: Engine, pid: int) -> None:
    with engine.connect() as connection:
        connection.execute(text("SELECT pg_terminate_backend(:pid)"), {"pid": pid})


def names(settings: Settings) -> dict[str, str]:
    return {"TIDEMARK_DATABASE_URL": settings.database_url, "TIDEMARK_REDIS_URL": settings.redis_url,
            "TIDEMARK_STATE": str(settings.state_dir), "TIDEMARK_SWEEP_S": "1"}  # fmt: skip


@contextmanager
def clock_process(settings: Settings) -> Iterator["subprocess.Popen[bytes]"]:
    told = {**os.environ, **names(settings)}
    with subprocess.Popen([sys.executable, "-m", "workers.clock"], cwd=ROOT, env=told) as process:
        try:
            yield process
        finally:
            if process.poll() is None:
                process.terminate()
                process.wait(60)


def clock(settings: Settings) -> int:
    """What a copy of this process does."""
    os.environ.update(names(settings))
    return main()


def test_a_clock_that_lost_its_lock_exits_and_another_takes_over(settings: Settings, engine: Engine) -> None:
    with ExitStack() as stack:
        first = stack.enter_context(clock_process(settings))
        until(lambda: ticks(engine, "sweep"))
        [pid] = holders(engine)
        second = stack.enter_context(forked(partial(clock, settings)))
        terminate(engine, pid)
        assert first.wait(60) == 1
        until(lambda: holders(engine) not in ([], [pid]))
        assert not second.is_over()
        before = ticks(engine, "sweep")
        until(lambda: ticks(engine, "sweep") > before)
        second.tell(signal.SIGTERM)
        assert second.ended() == 0, "told to stop, it ends well"
        until(lambda: holders(engine) == [])


def running(settings: Settings, stack: ExitStack) -> Clock:
    """A clock in a thread of this process, stopped at the end."""
    clock = Clock(settings, Waker(make_app(settings.redis_url)))
    thread = threading.Thread(target=clock.run, daemon=True)
    thread.start()
    stack.callback(thread.join, 20)
    stack.callback(clock.done.set)
    return clock


def test_one_of_two_ticks_and_each_moment_once(settings: Settings, engine: Engine) -> None:
    quick = settings.model_copy(update={"sweep_s": 1.0})
    with Redis.from_url(settings.plain_redis_url()) as broker, ExitStack() as stack:
        running(quick, stack)
        until(lambda: len(holders(engine)) == 1)
        running(quick, stack)
        until(lambda: ticks(engine, "sweep") >= 3)
        assert len(holders(engine)) == 1, "the other one waits"
    with Redis.from_url(settings.plain_redis_url()) as broker:
        sent = [message for message in broker.lrange("ingest", 0, -1) if b"tidemark.sweep" in message]
        assert len(sent) == ticks(engine, "sweep")
        assert ticks(engine, "seed") == ticks(engine, "canary") == 1
        assert {queue: broker.llen(queue) for queue in ("grade", "infer")} == {"grade": 4, "infer": 2}
    for _again in range(2):  # a clock started anew within the same moment finds it taken
        with ExitStack() as stack:
            running(quick, stack)
            swept = ticks(engine, "sweep")
            until(lambda: ticks(engine, "sweep") > swept)  # noqa: B023  # it is called here and now
    assert ticks(engine, "canary") == 1


def test_a_time_that_was_set_back_stops_nothing(settings: Settings, engine: Engine) -> None:
    """Ten days ahead, and back again: what was to come next, and every moment until then, would be ten days off."""
    took = "INSERT INTO clock_ticks SELECT job, scheduled_at + interval '10 days' FROM clock_ticks"
    offsets = [0.0]

    def sent(queue: str, task: str) -> int:
        with Redis.from_url(settings.plain_redis_url()) as broker:
            return sum(f"tidemark.{task}".encode() in message for message in broker.lrange(queue, 0, -1))

    clock = Clock(settings, Waker(make_app(settings.redis_url)), booted_at=lambda: offsets[-1])
    thread = threading.Thread(target=clock.run, daemon=True)
    thread.start()
    try:
        until(lambda: all(ticks(engine, job) for job in ("canary", "plan", "beat:grade")))
        with engine.begin() as connection:
            connection.execute(text(took))
        offsets.append(-864_000.0)
        until(lambda: (sent("grade", "canary"), sent("ingest", "plan")) == (2, 2), seconds=30)
    finally:
        clock.done.set()
        thread.join(20)
    assert ticks(engine, "canary") == 1, "moments that were taken ahead are given back"


def test_a_broker_that_is_down_costs_no_daily_job_its_day(settings: Settings, engine: Engine) -> None:
    """The moment is taken, and its wake-up goes on being sent until the broker takes it."""

    class Recovering(Waker):
        """A broker that comes back after the first try."""

        def __init__(self) -> None:
            super().__init__(make_app(settings.redis_url))
            self.tried: list[str] = []

        def __call__(
            self,
            task: str,
            *args: int | str,
            queue: str | None = None,
            after_s: float | None = None,
            urgent: bool = False,
        ) -> bool:
            self.tried.append(task)
            again = self.tried.count(task) > 1
            return again and super().__call__(task, *args, queue=queue, after_s=after_s, urgent=urgent)

    wake = Recovering()
    clock = Clock(settings, wake)
    thread = threading.Thread(target=clock.run, daemon=True)
    thread.start()
    try:
        until(lambda: wake.tried.count("canary") == 2)
    finally:
        clock.done.set()
        thread.join(20)
    assert ticks(engine, "canary") == 1
    with Redis.from_url(settings.plain_redis_url()) as broker:
        assert any(b"tidemark.canary" in message for message in broker.lrange("grade", 0, -1))


def test_no_site_is_visited_before_its_owner_may_write_to_somebody(settings: Settings) -> None:
    def rounds(**changes: object) -> list[str]:
        given = settings.model_copy(update=changes)
        scheduled = any(job.task == "schedule" for job in jobs(given))
        assert scheduled is bool(given.contact or given.shows_live_contests())
        ctx = make_context(given)
        names = [each.source for each in ctx.part(Sites).polling_intervals()]
        ctx.close()
        return names

    assert rounds() == []
    planned = [name for name, site in all_sites().items() if site.plan is not None and name != DEMO_SITE]
    assert rounds(contact="operator@example.test") == planned
    started = datetime(2026, 11, 1, 9, tzinfo=UTC)
    assert rounds(demo_started_at=started) == [DEMO_SITE], "the bundled site has no owner to be told"
    assert rounds(demo_started_at=started, demo=False) == []
    assert sorted(rounds(contact="operator@example.test", demo_started_at=started)) == sorted([*planned, DEMO_SITE])
    off = {"atcoder": SourceSettings(enabled=False)}
    assert rounds(contact="operator@example.test", sources=off) == [each for each in planned if each != "atcoder"]
    names = [job.name for job in jobs(settings)]
    assert len(names) == len(set(names)), "one name, one job"
    assert "seed" not in [job.name for job in jobs(settings.model_copy(update={"demo": False}))]


def test_a_moment_is_the_same_for_every_clock() -> None:
    instant = datetime(2026, 11, 1, 9, 17, 44, 5, tzinfo=UTC)
    assert tick_of(instant, 300) == datetime(2026, 11, 1, 9, 15, tzinfo=UTC)
    assert tick_of(instant, 86_400) == datetime(2026, 11, 1, tzinfo=UTC)
    assert tick_of(instant, 0.2) == datetime(2026, 11, 1, 9, 17, 44, tzinfo=UTC)

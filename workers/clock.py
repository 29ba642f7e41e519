"""The clock: one process of the fleet wakes the others at their times; it does nothing else.

Run as `python -m workers.clock`. A PostgreSQL advisory lock on a connection of its own decides which process is the
clock. The lock is lost silently when PostgreSQL restarts, so it is checked before every tick; a clock that lost it
exits, and its supervisor starts another.

When the machine's time is set, or the machine slept, every job runs anew, because its next time may be days off. On a
machine whose time is not the database's it releases the lock, so that a clock elsewhere ticks.
"""

import signal
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from apscheduler.schedulers.background import BackgroundScheduler
from structlog import get_logger

from app.config import Settings
from app.db.kernel.clock_lock import ClockLock
from app.db.kernel.session import make_engine, make_sessionmaker
from app.db.operations import heartbeats
from app.log import configure_logging
from app.memory import freeze_memory
from workers.broker import UNBLOCKED_TASKS, Waker, make_app
from workers.database_clock import DatabaseClock

log = get_logger(__name__)

LOCK_RETRY_S = 5.0
WAKE_RETRY_S = 5.0
# The interval of checking whether the clock was set, and the jump that counts as that: NTP moves it in smaller steps.
TIME_CHECK_S = 2.0
TIME_JUMP_S = 10.0


@dataclass(frozen=True, slots=True)
class Job:
    """A repeated wake-up: a task, its arguments, and the seconds between two wake-ups."""

    task: str
    every_s: float
    args: tuple[str, ...] = ()
    queue: str | None = None

    @property
    def name(self) -> str:
        """The job's name in the log of ticks."""
        return ":".join((self.task, *self.args))


def jobs(settings: Settings) -> list[Job]:
    """Return all scheduled jobs."""
    return [
        *([Job("seed", 600)] if settings.demo else []),
        Job("sweep", settings.sweep_s),
        Job("plan", 300),
        Job("self_test", 600),
        Job("canary", 86_400),
        Job("audit", 86_400),
        Job("agree", 86_400),
        Job("report", 60),  # each report has its own interval
        Job("tidy", 86_400),
        Job("freeze", 86_400),  # daily, so that a board that was new or unchanged does not wait for a week
        Job("watch", 60),
        Job("notify", 60),
        *(Job("beat", 60, (queue,), queue) for queue in ("ingest", "infer", "grade")),
        # No other site is visited by schedule before the operator has named a contact for its owner.
        *([Job("schedule", settings.schedule_s)] if settings.contact or settings.shows_live_contests() else []),
    ]


def tick_of(instant: datetime, every_s: float) -> datetime:
    """Return the scheduled moment that an instant belongs to, the same for every clock of the fleet."""
    step = max(1, int(every_s))
    seconds = int(instant.timestamp()) // step * step
    return datetime.fromtimestamp(seconds, UTC)


def _time_of_boot() -> float:
    """Return this machine's boot time by its present clock: constant until that clock is set."""
    return time.time() - time.monotonic()


class Clock:
    """A clock that wakes workers while it holds the lock; `done` is set when it must exit."""

    def __init__(
        self,
        settings: Settings,
        wake: Waker,
        booted_at: Callable[[], float] = _time_of_boot,
        host_time: Callable[[], float] = time.time,
    ) -> None:
        """Make a clock; `booted_at` and `host_time` return seconds since 1970 by this machine's clock."""
        self._engine = make_engine(settings.database_url, pool_size=2)
        self._lock = ClockLock(self._engine)
        self._sessions = make_sessionmaker(self._engine)
        self._database_clock = DatabaseClock(self._sessions, host_time)
        self._settings = settings
        self._wake = wake
        self._booted_at = booted_at
        self.done = threading.Event()
        self.lost = False

    def run(self) -> int:
        """Wait for the lock, then tick until stopped (return 0) or until the lock is lost (return 1)."""
        try:
            while (error := self._database_clock.read_error()) is not None or not self._lock.acquire():
                if error is not None:
                    log.error("clock.wrong_time", reason=error)
                if self.done.wait(LOCK_RETRY_S):
                    return 0
            self._tick_until_done()
            return 1 if self.lost else 0
        finally:
            self._lock.close()
            self._engine.dispose()

    def _tick_until_done(self) -> None:
        log.info("clock.started")
        scheduler = BackgroundScheduler(timezone=UTC)
        first = datetime.now(UTC)
        for number, job in enumerate(jobs(self._settings)):
            scheduler.add_job(
                self._ticker(job),
                "interval",
                seconds=job.every_s,
                # All start now, 0.1 s apart: a fresh installation should not wait for the first round.
                next_run_time=first + timedelta(milliseconds=100 * number),
                coalesce=True,
                max_instances=1,
                misfire_grace_time=60,
            )
        scheduler.start()
        booted = self._booted_at()
        while not self.done.wait(TIME_CHECK_S):
            before, booted = booted, self._booted_at()
            if abs(booted - before) > TIME_JUMP_S:
                log.warning("clock.time_was_set", seconds=round(booted - before))
                for scheduled in scheduler.get_jobs():
                    scheduled.modify(next_run_time=datetime.now(UTC))
        scheduler.shutdown(wait=False)

    def _ticker(self, job: Job) -> Callable[[], None]:
        def tick() -> None:
            if self.done.is_set():
                return
            self._database_clock.read()
            if not self._lock.is_held() or self._database_clock.error is not None:
                log.error("clock.lock_lost", reason=self._database_clock.error)
                self.lost = True
                self.done.set()
                return
            # A full disk must not cost a daily job its day: its moment is claimed only when there is room.
            while job.task not in UNBLOCKED_TASKS and self._settings.shortage() is not None:
                if self.done.wait(WAKE_RETRY_S):
                    return
            moment = tick_of(datetime.now(UTC), job.every_s)
            following = moment + timedelta(seconds=job.every_s)
            with self._sessions.begin() as session:
                fresh = heartbeats.take_tick(session, job.name, moment, following)
            # A broker that is down must not cost a daily job its day.
            while fresh and not self._wake(job.task, *job.args, queue=job.queue):
                if self.done.wait(WAKE_RETRY_S):
                    return

        return tick


def main() -> int:
    """Run the clock until told to stop."""
    settings = Settings()
    configure_logging(settings)
    freeze_memory()
    clock = Clock(settings, Waker(make_app(settings.redis_url)))
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: clock.done.set())
    return clock.run()


if __name__ == "__main__":
    sys.exit(main())

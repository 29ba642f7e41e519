"""A task's context: the database, the broker and the clock of one process, made before its first use."""

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cached_property, partial, wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from celery import current_task
from redis import Redis
from redis.exceptions import RedisError
from structlog import get_logger
from structlog.contextvars import bound_contextvars

from app.config import Settings
from app.db.kernel.session import Session, SessionMaker, make_engine, make_sessionmaker
from app.db.operations import heartbeats
from app.domain.errors import ClockSkew, DiskFull
from app.services.boards.cubes import CubeStore
from app.services.runs.endpoint_secrets import Vault
from workers import broker
from workers.broker import QUEUES, UNBLOCKED_TASKS, Waker, make_app
from workers.database_clock import DatabaseClock

log = get_logger(__name__)

# A task ends its turn after this long, so that proofs and answers share the graders.
TURN_S = 30.0
WAKE_OFTEN_S = 0.2
WAKE_SELDOM_S = 10.0
P = ParamSpec("P")
T = TypeVar("T")


def _this_instant() -> datetime:
    return datetime.now(UTC)


def now() -> datetime:
    """Return the instant by the clock of this process's context, aware."""
    ctx = _PROCESS.context
    return _this_instant() if ctx is None else ctx.clock()


@dataclass
class Context:
    """Settings, database, broker and clock of one process, and the parts that tasks keep between calls."""

    settings: Settings
    sessions: SessionMaker
    wake: Waker
    clock: Callable[[], datetime] = _this_instant
    parts: dict[Callable[["Context"], Any], Any] = field(default_factory=dict)
    _making: threading.RLock = field(default_factory=threading.RLock, repr=False)
    _woken: dict[str, float] = field(default_factory=dict)

    def part(self, make: Callable[["Context"], T]) -> T:
        """Return what `make` returns for this context, made once a process, at its first use."""
        with self._making:
            if make not in self.parts:
                self.parts[make] = make(self)
            part: T = self.parts[make]
        return part

    def close(self) -> None:
        """Close the parts, and this process's connections to the database."""
        for part in self.parts.values():
            if hasattr(part, "close"):
                part.close()
        self.sessions.kw["bind"].dispose()

    def hindrance(self) -> DiskFull | ClockSkew | None:
        """Return why this machine must not work now: a full disk, or a clock that is not the database's."""
        shortage = self.settings.shortage()
        if shortage is not None:
            return DiskFull(shortage)
        if not isinstance(self.clock, DatabaseClock):
            return None
        self.clock.read()
        return None if self.clock.error is None else ClockSkew(self.clock.error)

    @property
    def lease(self) -> timedelta:
        """The duration of a lease before it must be renewed."""
        return timedelta(seconds=self.settings.lease_s)

    @cached_property
    def vault(self) -> Vault:
        """The vault that opens endpoint secrets."""
        return Vault(self.settings.key_or_none(), holds=self.settings.holds_key())

    @cached_property
    def redis(self) -> "Redis":
        """The broker's database, for paces."""
        return Redis.from_url(self.settings.plain_redis_url())

    @cached_property
    def cubes(self) -> CubeStore:
        """The cubes of this host, for boards that are frozen or predicted."""
        return CubeStore(self.settings.state_dir / "cubes")

    def commit(self, step: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run one service step in one transaction."""
        with self.sessions.begin() as session:
            return step(session, *args, **kwargs)

    def wake_often(self, task: str, every_s: float = WAKE_OFTEN_S) -> None:
        """Wake a task's workers, at most every `every_s` seconds: the task's loop takes all rows there are."""
        moment = time.monotonic()
        if moment - self._woken.get(task, -every_s) >= every_s:
            self._woken[task] = moment
            self.wake(task)

    def wake_seldom(self, task: str) -> None:
        """Wake a task's workers now, or `WAKE_SELDOM_S` after the last wake-up by any process.

        Calls in between lead to a single wake-up.
        """
        pace_ms = int(1000 * WAKE_SELDOM_S)
        try:
            if self.redis.set(f"woken:{task}", 1, nx=True, px=pace_ms):
                self.wake(task)
                return
            rest_ms = max(1, self.redis.pttl(f"woken:{task}"))
            if self.redis.set(f"wakes:{task}", 1, nx=True, px=rest_ms):
                self.redis.pexpire(f"woken:{task}", rest_ms + pace_ms)
                self.wake(task, after_s=rest_ms / 1000)
        except (RedisError, OSError) as down:  # the clock wakes it too
            log.warning("broker.unreachable", task=task, error=str(down))

    def wake_up_to(self, task: str, wanted: int, queue: str | None = None) -> None:
        """Send wake-ups of a task until as many wait in its queue as there is work."""
        queue = QUEUES[task] if queue is None else queue
        try:
            if not self.redis.set(f"waking:{queue}", 1, nx=True, px=5000):
                return  # another worker is sending them
            for _ in range(wanted - int(self.redis.llen(queue))):
                if not self.wake(task, queue=queue):
                    break
            self.redis.delete(f"waking:{queue}")
        except (RedisError, OSError) as down:  # the sweep wakes again
            log.warning("broker.unreachable", task=task, error=str(down))

    def wake_next_turn(self, name: str, *args: int, unless: bool) -> None:
        """Wake the next turn of a task, unless its work is done."""
        if not unless:
            self.wake(name, *args)


@dataclass
class _ProcessContext:
    context: Context | None = None


_PROCESS = _ProcessContext()


def context() -> Context:
    """Return the context of this process, made from the environment unless `use` gave one."""
    if _PROCESS.context is None:
        _PROCESS.context = make_context(Settings())
    return _PROCESS.context


def task(name: str) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Name a function as a task that begins only on a machine with room and the right time.

    Raises DiskFull or ClockSkew with the reason, except for the tasks in `UNBLOCKED_TASKS`. Nothing is lost: due work
    stays due, and wakes again. The result of a run that the clock requested is recorded, so that a job that always
    fails is noticed; a body that returns False did nothing, and neither success nor failure is recorded.
    """

    def named(body: Callable[P, T]) -> Callable[P, T]:
        @wraps(body)
        def begun(*args: P.args, **kwargs: P.kwargs) -> T:
            with bound_contextvars(task=name, task_id=current_task.request.id if current_task else None):
                hindrance = context().hindrance()
                if hindrance is not None and name not in UNBLOCKED_TASKS:
                    raise hindrance
                return _run_recorded(name, partial(body, *args, **kwargs))

        return broker.task(name)(begun)

    return named


def _run_recorded(job: str, body: Callable[[], T]) -> T:
    ctx, began = context(), now()
    is_awaited = ctx.commit(heartbeats.begin, job, began)
    try:
        result = body()
    except Exception as failure:
        if is_awaited:
            with suppress(Exception):  # the database may be what failed
                ctx.commit(heartbeats.fail, job, began, f"{type(failure).__name__}: {failure}")
        raise
    if is_awaited and result is not False:
        ctx.commit(heartbeats.record_success, job, began, now())
    return result


def start_turn() -> Callable[[], bool]:
    """Return a function that tells whether a task may go on: for `TURN_S` seconds from now."""
    end = time.monotonic() + TURN_S
    return lambda: time.monotonic() < end


def use(ctx: Context) -> Context:
    """Let the tasks of this process run over a given context: for commands that do the work themselves."""
    leave()
    _PROCESS.context = ctx
    return ctx


def leave() -> None:
    """Close the context of this process, if it has one; the next use makes a new one."""
    if _PROCESS.context is not None:
        _PROCESS.context.close()
    _PROCESS.context = None


def make_context(settings: Settings) -> Context:
    """Return a context over given settings; commands that run without workers make their own."""
    sessions = make_sessionmaker(make_engine(settings.database_url))
    return Context(settings, sessions, Waker(make_app(settings.redis_url)), DatabaseClock(sessions))

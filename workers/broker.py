"""The Celery application and the one way to wake a worker: by the task's name.

A message is only a wake-up. It may be lost (the sweep wakes again) or come twice (claims make the second a no-op), so
nothing waits for it and it contains nothing but ids.
"""

from collections.abc import Callable
from functools import cache
from typing import ParamSpec, TypeVar

from celery import Celery, shared_task, signals
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError
from structlog import get_logger

from app.config import Settings
from app.domain.errors import ClockSkew, DiskFull
from app.log import configure_logging

log = get_logger(__name__)

P = ParamSpec("P")
T = TypeVar("T")

QUEUES = {
    "schedule": "ingest",
    "visit": "ingest",
    "scrape": "ingest",
    "backfill": "ingest",
    "facts": "ingest",
    "count": "ingest",
    "replay": "ingest",
    "watch": "ingest",
    "audit": "ingest",
    "freeze": "ingest",
    "tidy": "ingest",
    "report": "ingest",
    "plan": "ingest",
    "tally": "ingest",
    "aggregate": "ingest",
    "sweep": "ingest",
    "seed": "ingest",
    "infer": "infer",
    "notify": "infer",  # only its workers open secrets
    "probe": "infer",
    "serve": "gpu",
    "grade": "grade",
    "prove": "grade",
    "set": "grade",
    "derive": "grade",
    "self_test": "grade",
    "canary": "grade",
    "agree": "grade",
}


# Tasks that the broker hands out after all others of their queue, the highest number last. Wake-ups for answers and
# proofs queue by the hundred, each for half a minute of work; making a suite takes minutes. What a fresh problem waits
# for is sent as urgent, one suite at a time.
PRIORITIES = {"set": 9, "grade": 3, "prove": 3}


# No task runs longer than this: slices and batches end by themselves well before.
HARD_LIMIT_S = 900


# Tasks that claim nothing and store next to nothing: they also run on a full disk.
UNBLOCKED_TASKS = frozenset({"sweep", "watch", "beat", "self_test"})


def task(name: str) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Name a function as a task; called directly it simply runs.

    A full disk and a wrong clock are expected: they are logged, and not as failures.
    """
    expected = (DiskFull, ClockSkew)
    decorator: Callable[[Callable[P, T]], Callable[P, T]] = shared_task(name=f"tidemark.{name}", throws=expected)
    return decorator


def make_app(redis_url: str) -> Celery:
    """Return a Celery application over one broker; workers and edges make their own."""
    app = Celery("tidemark", broker=redis_url, include=["workers.tasks", "workers.upkeep"])
    app.conf.update(
        task_default_queue="ingest",
        task_routes={f"tidemark.{name}": {"queue": queue} for name, queue in QUEUES.items()},
        task_acks_late=True,
        task_reject_on_worker_lost=False,  # the sweep hands the rows out again; a poison task must not loop
        task_ignore_result=True,
        task_serializer="json",
        accept_content=["json"],
        task_time_limit=HARD_LIMIT_S,
        worker_prefetch_multiplier=1,
        worker_soft_shutdown_timeout=10,
        worker_cancel_long_running_tasks_on_connection_loss=True,
        worker_hijack_root_logger=False,
        worker_send_task_events=False,
        broker_connection_retry_on_startup=True,
        broker_connection_max_retries=None,
        broker_transport_options={
            "visibility_timeout": 3 * HARD_LIMIT_S,
            "unacked_restore_interval": 5,
            "unacked_restore_throttle": 1,
            "socket_keepalive": True,
            "health_check_interval": 30,
            "retry_on_timeout": True,
            # A wake-up that cannot be sent at once is given up: the sweep sends another.
            "socket_connect_timeout": 2,
            "max_retries": 1,
            "interval_start": 0.0,
            "interval_step": 0.1,
        },
        enable_utc=True,
    )
    return app


class Waker:
    """A sender of wake-ups; a broker that is down is logged, not raised: the sweep will wake again."""

    def __init__(self, app: Celery) -> None:
        self._app = app

    def __call__(
        self,
        task: str,
        *args: int | str,
        queue: str | None = None,
        after_s: float | None = None,
        urgent: bool = False,
    ) -> bool:
        """Wake the workers of `task`, now or later; return False if the broker could not be reached.

        An `urgent` wake-up is handed out before the others of its queue.
        """
        try:
            self._app.send_task(
                f"tidemark.{task}",
                args=args,
                queue=queue,
                countdown=after_s,
                retry=False,
                expires=HARD_LIMIT_S,
                priority=0 if urgent else PRIORITIES.get(task, 0),
            )
        except (OperationalError, RedisError, OSError) as down:
            log.warning("broker.unreachable", task=task, error=str(down))
            return False
        return True


@cache
def worker_app() -> Celery:
    """Return the application that Celery's own command line asks for, over the environment's settings."""
    settings = Settings()
    configure_logging(settings)
    signals.setup_logging.connect(lambda **_: None, weak=False)  # the logs are set up already
    return make_app(settings.redis_url)


def __getattr__(name: str) -> Celery:
    # Celery reads its application as an attribute; making it on access keeps imports free of settings.
    if name == "app":
        return worker_app()
    raise AttributeError(name)

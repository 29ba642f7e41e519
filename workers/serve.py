"""A worker: `python -m workers.serve QUEUE` does the tasks of one queue until told to stop.

Celery's own command line would do, but brings a shell of its own into every worker's memory. Run it with
REMAP_SIGTERM=SIGQUIT, so that TERM hands unfinished tasks back instead of waiting for them.
"""

import contextlib
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Sequence
from typing import Any

from celery.exceptions import WorkerShutdown
from celery.signals import task_postrun, worker_before_create_process, worker_process_init, worker_ready
from structlog import get_logger

from app.config import settings_for_state
from app.db.kernel.errors import DatabaseDown
from app.db.kernel.session import sessions_on
from app.db.operations import heartbeats
from app.domain.errors import TidemarkError
from app.memory import settle, trim
from workers.broker import QUEUES, worker_app
from workers.context import context, leave
from workers.database_clock import READ_EVERY_S, DatabaseClock
from workers.devices import Own
from workers.keeping import worker_name
from workers.turns import SLOTS
from workers.watchdog import Consumer, Watchdog

log = get_logger(__name__)

# Inference mostly waits, and an ingest task may walk a slow site for an hour: threads, so that neither keeps
# the others of its queue waiting. Grading is work, and untrusted: a process each.
THREADS = {"infer": SLOTS, "ingest": 6}
# A grading process is replaced now and then, so that what it leaks is not for ever.
TASKS_A_PROCESS = 200
_STOPS = (signal.SIGTERM, signal.SIGQUIT, signal.SIGINT)
_AGAIN_S = 2.0
CLOCK_RETRY_S = 10.0


def serve(queue: str) -> int:
    """Work until stopped; returns the exit code."""
    if not await_right_clock(queue):
        return 0
    if queue == "gpu":
        return serve_device()
    threads = THREADS.get(queue)
    for moment in (worker_ready, worker_before_create_process, worker_process_init):
        moment.connect(_settle)
    task_postrun.connect(_trim)
    worker_ready.connect(_watch)
    worker = worker_app().Worker(
        hostname=f"{queue}@{socket.gethostname()}",
        queues=[queue],
        pool="prefork" if threads is None else "threads",
        # One process waits, the others come with work and go after half a minute without.
        autoscale=[settings_for_state().grade_processes, 1] if threads is None else None,
        concurrency=threads,
        max_tasks_per_child=TASKS_A_PROCESS if threads is None else None,
        without_gossip=True,
        without_mingle=True,
        without_heartbeat=True,
        optimization="fair",
        quiet=True,
    )
    try:
        worker.start()
    finally:
        leave()  # what threads still work on is given back
    return int(worker.exitcode or 0)


def await_right_clock(queue: str) -> bool:
    """Wait until this machine's clock is the database's, and say meanwhile why nothing is done; whether it came.

    Celery drops wake-ups that are too old by the machine's own clock, so a worker with a wrong one would never run the
    task that tells of it.
    """
    stopped = threading.Event()
    before = {number: signal.signal(number, lambda *_: stopped.set()) for number in _STOPS}
    settings = context().settings
    try:
        with sessions_on(settings.database_url) as sessions:
            clock = DatabaseClock(sessions)
            while (error := clock.read_error()) is not None and not stopped.wait(CLOCK_RETRY_S):
                log.error("worker.wrong_clock", queue=queue, reason=error)
                with contextlib.suppress(*DatabaseDown), sessions.begin() as session:
                    heartbeats.beat(session, worker_name(queue), queue, clock(), hindrance=error)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    return not stopped.is_set()


def serve_device() -> int:
    """Be a GPU worker until stopped: one process, one task at a time, one server, which ends with it.

    Told to stop, it drops its slice at once: what was not answered is handed back.
    """
    own = context().part(Own)
    own.say()
    worker_ready.connect(_drop_when_told)
    worker = worker_app().Worker(
        hostname=f"{own.queue}@{socket.gethostname()}",
        queues=[own.queue, "gpu"],
        pool="solo",
        without_gossip=True,
        without_mingle=True,
        without_heartbeat=True,
        quiet=True,
    )
    try:
        worker.start()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        for number in _STOPS:
            signal.signal(number, signal.SIG_IGN)  # it is stopping
        leave()
    return int(worker.exitcode or 0)


def _drop_when_told(**_: object) -> None:
    def drop(*_: Any) -> None:
        # Python swallows what is raised while it collects garbage: then it is said again.
        signal.setitimer(signal.ITIMER_REAL, _AGAIN_S)
        raise WorkerShutdown(0)

    for number in (*_STOPS, signal.SIGALRM):
        signal.signal(number, drop)


def _watch(sender: Consumer, **_: object) -> None:
    Watchdog(sender).start()
    threading.Thread(target=_stop_on_wrong_clock, daemon=True, name="clock").start()


def _stop_on_wrong_clock() -> None:
    """Stop this worker in order once its machine's clock is wrong: the next one waits until it is right."""
    with sessions_on(context().settings.database_url) as sessions:
        clock = DatabaseClock(sessions)
        while (error := clock.read_error()) is None:
            time.sleep(READ_EVERY_S)
    log.error("worker.wrong_clock", reason=error)
    os.kill(os.getpid(), signal.SIGTERM)


def _settle(**_: object) -> None:
    settle()


def _trim(**_: object) -> None:
    trim()


def main(arguments: Sequence[str]) -> int:
    """Serve the queue that is named."""
    queues = sorted(set(QUEUES.values()))
    if len(arguments) != 1 or arguments[0] not in queues:
        sys.stderr.write(f"usage: python -m workers.serve {{{'|'.join(queues)}}}\n")
        return 2
    try:
        return serve(arguments[0])
    except TidemarkError as wrong:
        sys.stderr.write(f"{wrong}\n")
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

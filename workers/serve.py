"""A worker: `python -m workers.serve QUEUE` does the tasks of one queue until told to stop.

Celery's own command line would do, but loads a shell into every worker's memory. Run it with REMAP_SIGTERM=SIGQUIT, so
that TERM hands unfinished tasks back instead of waiting for them.
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
from app.memory import freeze_memory, trim
from workers.broker import QUEUES, worker_app
from workers.context import context, leave
from workers.database_clock import READ_EVERY_S, DatabaseClock
from workers.devices import WorkerDevice
from workers.lease_renewal import worker_name
from workers.slots import SLOTS
from workers.watchdog import Consumer, Watchdog

log = get_logger(__name__)

# Inference mostly waits, and an ingest task may crawl a slow site for an hour: threads, so that neither delays the
# other tasks of its queue. Grading takes CPU time and runs untrusted code: processes.
THREADS = {"infer": SLOTS, "ingest": 6}
# A grading process is replaced after this many tasks, so that leaks do not accumulate.
TASKS_PER_PROCESS = 200
_STOP_SIGNALS = (signal.SIGTERM, signal.SIGQUIT, signal.SIGINT)
_REPEAT_S = 2.0
CLOCK_RETRY_S = 10.0


def serve(queue: str) -> int:
    """Work until stopped; return the exit code."""
    if not await_right_clock(queue):
        return 0
    if queue == "gpu":
        return serve_device()
    threads = THREADS.get(queue)
    for moment in (worker_ready, worker_before_create_process, worker_process_init):
        moment.connect(_freeze_memory)
    task_postrun.connect(_trim_memory)
    worker_ready.connect(_start_watchers)
    worker = worker_app().Worker(
        hostname=f"{queue}@{socket.gethostname()}",
        queues=[queue],
        pool="prefork" if threads is None else "threads",
        # One process stays, the others start with work and end after half a minute without it.
        autoscale=[settings_for_state().grade_processes, 1] if threads is None else None,
        concurrency=threads,
        max_tasks_per_child=TASKS_PER_PROCESS if threads is None else None,
        without_gossip=True,
        without_mingle=True,
        without_heartbeat=True,
        optimization="fair",
        quiet=True,
    )
    try:
        worker.start()
    finally:
        leave()  # releases the leases of running threads
    return int(worker.exitcode or 0)


def await_right_clock(queue: str) -> bool:
    """Wait until this machine's clock agrees with the database's, reporting the reason; return whether it did.

    Celery drops wake-ups that are too old by the machine's own clock, so a worker with a wrong clock would never run
    the task that reports it.
    """
    stopped = threading.Event()
    before = {number: signal.signal(number, lambda *_: stopped.set()) for number in _STOP_SIGNALS}
    settings = context().settings
    try:
        with sessions_on(settings.database_url) as sessions:
            clock = DatabaseClock(sessions)
            while (error := clock.read_error()) is not None and not stopped.wait(CLOCK_RETRY_S):
                log.error("worker.wrong_clock", queue=queue, reason=error)
                with contextlib.suppress(*DatabaseDown), sessions.begin() as session:
                    heartbeats.record_heartbeat(session, worker_name(queue), queue, clock(), hindrance=error)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    return not stopped.is_set()


def serve_device() -> int:
    """Run a GPU worker until stopped: one process, one task at a time, one server, which ends with it.

    Told to stop, it drops its slice at once: unanswered samples are handed back.
    """
    worker_device = context().part(WorkerDevice)
    worker_device.write_report()
    worker_ready.connect(_drop_when_told)
    worker = worker_app().Worker(
        hostname=f"{worker_device.queue}@{socket.gethostname()}",
        queues=[worker_device.queue, "gpu"],
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
        for number in _STOP_SIGNALS:
            signal.signal(number, signal.SIG_IGN)  # already stopping
        leave()
    return int(worker.exitcode or 0)


def _drop_when_told(**_: object) -> None:
    def drop(*_: Any) -> None:
        # Python swallows exceptions raised during garbage collection, so the signal is repeated.
        signal.setitimer(signal.ITIMER_REAL, _REPEAT_S)
        raise WorkerShutdown(0)

    for number in (*_STOP_SIGNALS, signal.SIGALRM):
        signal.signal(number, drop)


def _start_watchers(sender: Consumer, **_: object) -> None:
    Watchdog(sender).start()
    threading.Thread(target=_stop_on_wrong_clock, daemon=True, name="clock").start()


def _stop_on_wrong_clock() -> None:
    """Stop this worker cleanly once its machine's clock is wrong: the next one waits until it is right."""
    with sessions_on(context().settings.database_url) as sessions:
        clock = DatabaseClock(sessions)
        while (error := clock.read_error()) is None:
            time.sleep(READ_EVERY_S)
    log.error("worker.wrong_clock", reason=error)
    os.kill(os.getpid(), signal.SIGTERM)


def _freeze_memory(**_: object) -> None:
    freeze_memory()


def _trim_memory(**_: object) -> None:
    trim()


def main(arguments: Sequence[str]) -> int:
    """Serve the named queue."""
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

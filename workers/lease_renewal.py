"""Lease renewal: a busy worker renews its leases and writes heartbeats, and releases its leases if told to stop."""

import socket
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import copy_context
from typing import Any

from billiard.process import current_process
from structlog import get_logger

from app.db.kernel import leases
from app.db.operations import heartbeats
from workers.context import Context

log = get_logger(__name__)

HEARTBEAT_EVERY_S = 30.0
# No leased work takes this long: work that hangs, for example on a stopped process, must be noticed.
MAX_LEASED_WORK_S = 7200.0


def worker_name(queue: str) -> str:
    """Return this process's name among all workers."""
    return f"{queue}@{socket.gethostname()}/{getattr(current_process(), 'index', 0)}"


def write_heartbeat(ctx: Context, queue: str, detail: Mapping[str, Any] | None = None) -> None:
    """Record that this worker works, or why its machine must not; without a detail the last one stays."""
    hindrance = ctx.hindrance()
    reason = None if hindrance is None else hindrance.args[0]
    ctx.commit(heartbeats.record_heartbeat, worker_name(queue), queue, ctx.clock(), detail, hindrance=reason)


@contextmanager
def hold_lease(ctx: Context, lease: leases.Lease, queue: str, longest_s: float = MAX_LEASED_WORK_S) -> Iterator[None]:
    """Renew a lease in the background while the block runs, and write heartbeats.

    After `longest_s` both end: others take the rows, and a worker that hangs shows as missing. A process that is told
    to stop within the block releases the rows.
    """
    end, presence, held_leases = threading.Event(), ctx.part(_BusyHeartbeat), ctx.part(_HeldLeases)
    presence.beat(queue)
    until = time.monotonic() + longest_s

    def renew() -> None:
        while not end.wait(ctx.settings.lease_s / 3):
            if time.monotonic() > until:
                log.error("lease.given_up", queue=queue, seconds=longest_s)
                return
            try:
                ctx.commit(leases.renew, lease, ctx.clock() + ctx.lease)
                presence.beat(queue)
            except Exception as error:  # the next round tries again; a lost lease only means doing the work twice
                log.warning("lease.renewal_failed", error=str(error))

    thread = threading.Thread(target=copy_context().run, args=(renew,), daemon=True, name="lease")
    thread.start()
    held_leases.add(lease)
    try:
        yield
    except SystemExit:
        held_leases.release(lease)
        raise
    finally:
        end.set()
        held_leases.discard(lease)


class _HeldLeases:
    """The leases under which this process works; those that are left when it stops are released."""

    def __init__(self, ctx: Context) -> None:
        self._ctx = ctx
        self._leases: dict[str, leases.Lease] = {}
        self._lock = threading.Lock()

    def add(self, lease: leases.Lease) -> None:
        with self._lock:
            self._leases[lease.token] = lease

    def discard(self, lease: leases.Lease) -> None:
        with self._lock:
            self._leases.pop(lease.token, None)

    def release(self, lease: leases.Lease) -> None:
        """Let others take the rows at once."""
        try:
            self._ctx.commit(leases.release, lease, self._ctx.clock())
        except Exception as error:  # without a database they come back when the lease runs out
            log.warning("lease.release_failed", error=str(error))
        self._ctx.wake("sweep")

    def close(self) -> None:
        """Release the leases of threads that end with this process."""
        with self._lock:
            left = list(self._leases.values())
        for lease in left:
            self.release(lease)


class _BusyHeartbeat:
    """The heartbeat of a busy worker, whose own `beat` tasks wait behind its work."""

    def __init__(self, ctx: Context) -> None:
        self._ctx = ctx
        self._beat_at = -HEARTBEAT_EVERY_S

    def beat(self, queue: str) -> None:
        """Write a heartbeat, at most every `HEARTBEAT_EVERY_S` seconds."""
        moment = time.monotonic()
        if moment - self._beat_at >= HEARTBEAT_EVERY_S:
            self._beat_at = moment
            write_heartbeat(self._ctx, queue)

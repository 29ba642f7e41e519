"""While a worker works: its leases are renewed, and it is heard of."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import copy_context

from billiard.process import current_process
from structlog import get_logger

from app.db.kernel import leases
from app.db.operations import heartbeats
from workers.context import Context

log = get_logger(__name__)

HEARD_EVERY_S = 30.0
# Nothing that is leased takes this long: what waits for ever, as for a process that somebody stopped, must look so.
LONGEST_S = 7200.0


def worker_name(queue: str) -> str:
    """This process among all workers."""
    return f"{queue}@{socket.gethostname()}/{getattr(current_process(), 'index', 0)}"


@contextmanager
def keep(ctx: Context, lease: leases.Lease, queue: str, longest_s: float = LONGEST_S) -> Iterator[None]:
    """Renew a lease in the background for as long as the block runs; the worker is heard of all the time. After
    `longest_s` both end: others take the rows, and a worker that does not come back is missed."""
    end, presence = threading.Event(), ctx.part(_Presence)
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
            except Exception as error:  # the next turn tries again; a lost lease only means doing it twice
                log.warning("lease.renewal_failed", error=str(error))

    thread = threading.Thread(target=copy_context().run, args=(renew,), daemon=True, name="lease")
    thread.start()
    try:
        yield
    finally:
        end.set()


class _Presence:
    """The beats of a busy worker: those that the clock wakes wait behind its work."""

    def __init__(self, ctx: Context) -> None:
        self._ctx = ctx
        self._beat_at = -HEARD_EVERY_S

    def beat(self, queue: str) -> None:
        """Beat, at most every `HEARD_EVERY_S`."""
        moment = time.monotonic()
        if moment - self._beat_at >= HEARD_EVERY_S:
            self._beat_at = moment
            self._ctx.commit(heartbeats.beat, worker_name(queue), queue, self._ctx.clock())

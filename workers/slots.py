"""Slots of a worker for slices: which slice yields its thread when endpoints wait for one."""

import threading
import time
from collections.abc import Callable

from structlog import get_logger

from app.services.runs import inference
from workers.context import Context

log = get_logger(__name__)

# Slices of one worker at a time: threads, since a slice mostly waits.
SLOTS = 32

_QUERY_EVERY_S = 3.0  # between two queries for waiting endpoints
_CROWDED_AFTER_S = 5.0  # an endpoint that waits longer than this does so because all threads are busy
_SILENT_S = 15.0  # without an answer, before a slice yields
_TURN_S = 30.0  # of a slice that is being answered, while others wait
_SILENT_ANSWERS = 3.0  # times a typical answer's seconds: until then a slow endpoint is not silent
_MAX_DETACHED = 256  # slices of one worker without a slot: each is two threads, and its calls' responses


class WaitingEndpoints:
    """The endpoints that wait for a thread; one query serves all slices of a process."""

    def __init__(self, ctx: Context, seconds: Callable[[], float] = time.monotonic, slots: int = SLOTS) -> None:
        self._ctx, self._lock, self._seconds, self._slots = ctx, threading.Lock(), seconds, slots
        self._queried_at, self._since, self._crowded = -_QUERY_EVERY_S, dict[int, float](), False

    def have_waited(self) -> bool:
        """Return whether an endpoint that may be served has waited for some seconds."""
        with self._lock:
            moment = self._seconds()
            if moment - self._queried_at >= _QUERY_EVERY_S:
                self._queried_at = moment
                waiting = self._ctx.commit(inference.waiting_endpoints, self._ctx.clock(), self._ctx.vault, self._slots)
                if waiting:  # an endpoint that has only just become due waits for a wake-up, not for a thread
                    self._ctx.wake_up_to("infer", len(waiting))
                self._since = {endpoint: self._since.get(endpoint, moment) for endpoint in waiting}
                self._crowded = any(moment - since >= _CROWDED_AFTER_S for since in self._since.values())
            return self._crowded


class SlotClaim:
    """One slice's claim to its thread; it may send for `slice_s`."""

    def __init__(self, slice_s: float, seconds: Callable[[], float] = time.monotonic) -> None:
        self._seconds, self._began, self._slice_s = seconds, seconds(), slice_s

    def should_yield(self, silent_s: float, typical_s: float, *, crowded: bool) -> bool:
        """Return whether this slice sends nothing more and gives its thread back: calls under way go on detached.

        While others wait, an unanswered slice yields soon, and an answered one at the end of its turn.
        """
        taken_s = self._seconds() - self._began
        if not crowded:
            return taken_s >= self._slice_s
        return taken_s >= _TURN_S or self.is_silent(silent_s, typical_s)

    def is_silent(self, silent_s: float, typical_s: float) -> bool:
        """Return whether nothing was answered for longer than answers of this endpoint take."""
        return silent_s >= max(_SILENT_S, _SILENT_ANSWERS * typical_s)


class DetachedSlices:
    """Slices of this process that hold no slot any more, and wait for the calls under way."""

    def __init__(self, _ctx: Context) -> None:
        self._lock, self._over = threading.Lock(), threading.Event()
        self._running = set[threading.Thread]()

    @property
    def over(self) -> bool:
        """True if the process ends, so that the slices are dropped."""
        return self._over.is_set()

    def run(self, work: Callable[[Callable[[], bool]], None]) -> None:
        """Do some work in a new thread until it ends, or steps aside; raise what it raised until then.

        The work gets a function to step aside, which returns whether there was room.
        """
        freed, raised = threading.Event(), list[BaseException]()

        def step_aside() -> bool:
            with self._lock:
                if len(self._running) >= _MAX_DETACHED:
                    return False
                self._running.add(threading.current_thread())
            freed.set()
            return True

        def run_slice() -> None:
            try:
                work(step_aside)
            except BaseException as error:
                if freed.is_set():
                    log.exception("slice.failed_aside")
                raised.append(error)
            finally:
                with self._lock:
                    self._running.discard(threading.current_thread())
                freed.set()

        threading.Thread(target=run_slice, name="slice", daemon=True).start()
        freed.wait()
        if raised:
            raise raised[0]

    def close(self) -> None:
        """Drop the slices, and wait until they have handed back their samples."""
        self._over.set()
        with self._lock:
            running = list(self._running)
        for thread in running:
            thread.join()

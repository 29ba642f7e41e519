"""Who makes way when endpoints wait that no thread of a worker is free for."""

import threading
import time
from collections.abc import Callable

from structlog import get_logger

from app.services.runs import infer
from workers.context import Context

log = get_logger(__name__)

# Slices of one worker at a time: threads, since a slice mostly waits.
SLOTS = 32

_LOOK_S = 3.0  # between two looks at who waits
_WAITED_S = 5.0  # who waits for longer than this does so because all are busy
_SILENT_S = 15.0  # without an answer, before a slice makes way
_TURN_S = 30.0  # of a slice that is being answered, while others wait
_TYPICAL = 3.0  # times what an answer takes: so long a slow endpoint is not called silent
_MOST_ASIDE = 256  # slices of one worker that hold no slot: each is two threads, and what its calls have read


class Crowd:
    """Whether endpoints wait for a thread; one look at the database for all slices of a process."""

    def __init__(self, ctx: Context, seconds: Callable[[], float] = time.monotonic, slots: int = SLOTS) -> None:
        self._ctx, self._lock, self._seconds, self._slots = ctx, threading.Lock(), seconds, slots
        self._looked_at, self._since, self._crowded = -_LOOK_S, dict[int, float](), False

    def waits(self) -> bool:
        """Whether somebody who may be served has waited for some seconds."""
        with self._lock:
            moment = self._seconds()
            if moment - self._looked_at >= _LOOK_S:
                self._looked_at = moment
                waiting = self._ctx.commit(infer.waiting, self._ctx.clock(), self._ctx.vault, self._slots)
                if waiting:  # who has only just become due is not waiting for a thread, but for a wake-up
                    self._ctx.wake_up_to("infer", len(waiting))
                self._since = {endpoint: self._since.get(endpoint, moment) for endpoint in waiting}
                self._crowded = any(moment - since >= _WAITED_S for since in self._since.values())
            return self._crowded


class Held:
    """One slice's claim to its thread; it may send for `slice_s`."""

    def __init__(self, slice_s: float, seconds: Callable[[], float] = time.monotonic) -> None:
        self._seconds, self._began, self._slice_s = seconds, seconds(), slice_s

    def makes_way(self, silent_s: float, typical_s: float, *, crowded: bool) -> bool:
        """Whether this slice sends nothing more and gives its thread back: what is under way goes on aside.

        Where others wait, one that nothing answers does so soon, and one that is answered at the end of its turn.
        """
        taken_s = self._seconds() - self._began
        if not crowded:
            return taken_s >= self._slice_s
        return taken_s >= _TURN_S or self.is_silent(silent_s, typical_s)

    def is_silent(self, silent_s: float, typical_s: float) -> bool:
        """Whether nothing was answered for longer than answers of this endpoint take."""
        return silent_s >= max(_SILENT_S, _TYPICAL * typical_s)


class Aside:
    """Slices of this process that hold no slot any more, and wait for what is under way."""

    def __init__(self, _ctx: Context) -> None:
        self._lock, self._over = threading.Lock(), threading.Event()
        self._going = set[threading.Thread]()

    @property
    def over(self) -> bool:
        """Whether the process ends: whatever goes on is dropped."""
        return self._over.is_set()

    def run(self, work: Callable[[Callable[[], bool]], None]) -> None:
        """Do some work in a thread of its own until it is over, or goes on aside; raises what it raised until then.

        The work is given what it calls to step aside, which says whether there was room for it there.
        """
        freed, raised = threading.Event(), list[BaseException]()

        def step_aside() -> bool:
            with self._lock:
                if len(self._going) >= _MOST_ASIDE:
                    return False
                self._going.add(threading.current_thread())
            freed.set()
            return True

        def done() -> None:
            try:
                work(step_aside)
            except BaseException as error:
                if freed.is_set():
                    log.exception("slice.failed_aside")
                raised.append(error)
            finally:
                with self._lock:
                    self._going.discard(threading.current_thread())
                freed.set()

        threading.Thread(target=done, name="slice", daemon=True).start()
        freed.wait()
        if raised:
            raise raised[0]

    def close(self) -> None:
        """Drop what goes on, and wait until it has handed back its samples."""
        self._over.set()
        with self._lock:
            going = list(self._going)
        for thread in going:
            thread.join()

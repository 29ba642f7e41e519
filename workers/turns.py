"""Who makes way when endpoints wait that no thread of a worker is free for."""

import threading
import time
from collections.abc import Callable
from enum import Enum, auto

from app.services.runs import infer
from workers.context import Context

# Slices of one worker at a time: threads, since a slice mostly waits.
SLOTS = 32

_LOOK_S = 3.0  # between two looks at who waits
_WAITED_S = 5.0  # who waits for longer than this does so because all are busy
_SILENT_S = 15.0  # without an answer, before a slice makes way; doubled with every slice that brought none
_LONGEST_SILENT_S = 480.0
_TURN_S = 30.0  # of a slice that is being answered, while others wait
_TYPICAL = 3.0  # times what an answer takes: so long a slow endpoint is not called silent


class Crowd:
    """Whether endpoints wait for a thread; one look at the database for all slices of a process."""

    def __init__(self, ctx: Context, seconds: Callable[[], float] = time.monotonic) -> None:
        self._ctx, self._lock, self._seconds = ctx, threading.Lock(), seconds
        self._looked_at, self._since, self._crowded = -_LOOK_S, dict[int, float](), False

    def waits(self) -> bool:
        """Whether somebody who may be served has waited for some seconds."""
        with self._lock:
            moment = self._seconds()
            if moment - self._looked_at >= _LOOK_S:
                self._looked_at = moment
                waiting = self._ctx.commit(infer.waiting, self._ctx.clock(), self._ctx.vault, SLOTS)
                if waiting:  # who has only just become due is not waiting for a thread, but for a wake-up
                    self._ctx.wake_up_to("infer", len(waiting))
                self._since = {endpoint: self._since.get(endpoint, moment) for endpoint in waiting}
                self._crowded = any(moment - since >= _WAITED_S for since in self._since.values())
            return self._crowded


class Way(Enum):
    """How a slice makes way: not at all, with what is under way finished, or at once."""

    NONE = auto()
    DRAIN = auto()
    END = auto()


class Held:
    """One slice's claim to its thread; `silent` slices before it brought no answer."""

    def __init__(self, silent: int, seconds: Callable[[], float] = time.monotonic) -> None:
        self._seconds, self._began = seconds, seconds()
        self._patience_s = min(_LONGEST_SILENT_S, _SILENT_S * 2 ** min(silent, 10))

    def makes_way(self, silent_s: float, typical_s: float, *, crowded: bool) -> Way:
        """What this slice does: one that nothing answers ends at once, one that is answered ends its turn."""
        if not crowded:
            return Way.NONE
        if silent_s >= max(self._patience_s, _TYPICAL * typical_s):
            return Way.END
        return Way.DRAIN if self._seconds() - self._began >= _TURN_S else Way.NONE

"""The database's time, by which all hosts work, and the error of this host's own clock."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from structlog import get_logger

from app.db.kernel.errors import DatabaseDown
from app.db.kernel.instant import database_time
from app.db.kernel.session import SessionMaker
from app.domain.reasons import Reason

log = get_logger(__name__)

MAX_ERROR_S = 5.0
READ_EVERY_S = 30.0


def _elapsed_s() -> float:
    """Return elapsed seconds that no setting of the clock changes, the machine's sleep included."""
    return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))


@dataclass(frozen=True, slots=True)
class _ClockReading:
    """The database's time at a moment of `_elapsed_s`, and the least seconds that the host's clock is ahead of it."""

    at: datetime
    elapsed_s: float
    ahead_s: float


class DatabaseClock:
    """The database's time, read from time to time, and counted on by this machine in between.

    Before the first reading it is the host's own time.
    """

    def __init__(self, sessions: SessionMaker, host_time: Callable[[], float] = time.time) -> None:
        """Make a clock; `host_time` returns the host's own time in seconds since 1970."""
        self._sessions, self._host_time = sessions, host_time
        self._reading: _ClockReading | None = None
        self._lock = threading.Lock()

    def __call__(self) -> datetime:
        """Return the instant, aware, without a query."""
        reading = self._reading
        if reading is None:
            return datetime.fromtimestamp(self._host_time(), UTC)
        return reading.at + timedelta(seconds=_elapsed_s() - reading.elapsed_s)

    def read(self, max_age_s: float = READ_EVERY_S) -> None:
        """Read the database's time unless the last reading is younger than `max_age_s`; a failure changes nothing."""
        with self._lock:
            last = self._reading
            if last is not None and _elapsed_s() - last.elapsed_s < max_age_s:
                return
            try:
                with self._sessions() as session:
                    session.connection()  # connect before the time is taken
                    before, host_before_s = _elapsed_s(), self._host_time()
                    at = database_time(session)
                    host_after_s, after = self._host_time(), _elapsed_s()
            except DatabaseDown as down:
                log.warning("clock.not_read", error=str(down).partition("\n")[0])
                return
            # The answer belongs to some moment in between: a machine that paused meanwhile does not have a wrong clock.
            least_s, most_s = host_before_s - at.timestamp(), host_after_s - at.timestamp()
            self._reading = _ClockReading(at, (before + after) / 2, max(least_s, min(most_s, 0.0)))

    def read_error(self) -> str | None:
        """Read the database's time and return `error`."""
        self.read(max_age_s=0)
        return self.error

    @property
    def error(self) -> str | None:
        """The reason why this host must not work, its clock being off by more than `MAX_ERROR_S`; None if it is not."""
        ahead_s = 0.0 if self._reading is None else self._reading.ahead_s
        if abs(ahead_s) <= MAX_ERROR_S:
            return None
        code = "clock_ahead" if ahead_s > 0 else "clock_behind"
        return Reason(code, {"n": round(abs(ahead_s)), "most": round(MAX_ERROR_S)})

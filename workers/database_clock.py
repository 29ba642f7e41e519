"""The database's time, by which all hosts work, and how far this host's own clock is from it."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from structlog import get_logger

from app.db.kernel.errors import DatabaseDown
from app.db.kernel.instant import database_time
from app.db.kernel.session import SessionMaker

log = get_logger(__name__)

MAX_ERROR_S = 5.0
READ_EVERY_S = 30.0


def _elapsed_s() -> float:
    """Seconds that no setting of the clock changes, those of a machine's sleep included."""
    return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))


@dataclass(frozen=True, slots=True)
class _Reading:
    """The database's time at a moment of `_elapsed_s`, and the seconds that the host's clock was surely ahead of it."""

    at: datetime
    elapsed_s: float
    ahead_s: float


class DatabaseClock:
    """Tells the database's time: read now and then, and counted on by this machine in between.

    Until it was read once, it tells the host's own time.
    """

    def __init__(self, sessions: SessionMaker, host_time: Callable[[], float] = time.time) -> None:
        """`host_time` tells the host's own time in seconds since 1970."""
        self._sessions, self._host_time = sessions, host_time
        self._reading: _Reading | None = None
        self._lock = threading.Lock()

    def __call__(self) -> datetime:
        """Return the instant, aware. It asks nobody."""
        reading = self._reading
        if reading is None:
            return datetime.fromtimestamp(self._host_time(), UTC)
        return reading.at + timedelta(seconds=_elapsed_s() - reading.elapsed_s)

    def read(self, max_age_s: float = READ_EVERY_S) -> None:
        """Ask the database, unless that was done within `max_age_s`; one that does not answer changes nothing."""
        with self._lock:
            known = self._reading
            if known is not None and _elapsed_s() - known.elapsed_s < max_age_s:
                return
            try:
                with self._sessions() as session:
                    session.connection()  # made before the time is taken
                    before, host_before_s = _elapsed_s(), self._host_time()
                    at = database_time(session)
                    host_after_s, after = self._host_time(), _elapsed_s()
            except DatabaseDown as down:
                log.warning("clock.not_read", error=str(down).partition("\n")[0])
                return
            # The answer is of some moment in between: a machine that stood still meanwhile has no wrong clock for it.
            least_s, most_s = host_before_s - at.timestamp(), host_after_s - at.timestamp()
            self._reading = _Reading(at, (before + after) / 2, max(least_s, min(most_s, 0.0)))

    def read_error(self) -> str | None:
        """Return what `error` is now."""
        self.read(max_age_s=0)
        return self.error

    @property
    def error(self) -> str | None:
        """Why this host must not work: its own clock is off by more than `MAX_ERROR_S`; None if it is not."""
        ahead_s = 0.0 if self._reading is None else self._reading.ahead_s
        if abs(ahead_s) <= MAX_ERROR_S:
            return None
        where = "ahead of" if ahead_s > 0 else "behind"
        return (
            f"the clock of this machine is {abs(ahead_s):.0f} s {where} the database's; "
            f"work goes on when it is within {MAX_ERROR_S:.0f} s"
        )

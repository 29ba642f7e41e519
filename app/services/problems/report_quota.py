"""Daily report quota of one visitor."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date

from app.domain.errors import RateLimited

_MAX_PER_DAY, _MAX_PER_PROBLEM = 8, 2


class ReportQuota:
    """Reports of each visitor today, remembered by this process until tomorrow and stored nowhere."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._day: date | None = None
        self._taken: list[tuple[str, str]] = []

    @contextmanager
    def take(self, visitor: str | None, problem: str, day: date) -> Iterator[None]:
        """Count one report against the visitor's quota, unless the block fails; a visitor of None has no quota.

        Raises RateLimited.
        """
        if visitor is None:
            yield
            return
        with self._lock:
            if day != self._day:
                self._day, self._taken = day, []
            reports, report = self._taken, (visitor, problem)
            if reports.count(report) >= _MAX_PER_PROBLEM or sum(who == visitor for who, _ in reports) >= _MAX_PER_DAY:
                raise RateLimited("you have reached today's limit of reports; please try again tomorrow")
            reports.append(report)
        try:
            yield
        except BaseException:
            with self._lock:
                reports.remove(report)
            raise

"""Daily quotas of visitors for what they may write without signing in."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date

from app.domain.errors import RateLimited


@dataclass(slots=True)
class VisitorQuota:
    """Writes of each visitor today, remembered by this process until tomorrow and stored nowhere.

    A visitor may write `per_day` times, `per_subject` times about one subject, and all visitors together `in_all`
    times; None is no limit. `what` names it in the refusal.
    """

    what: str
    per_day: int
    per_subject: int
    in_all: int | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _day: date | None = None
    _taken: list[tuple[str | None, str]] = field(default_factory=list)

    @contextmanager
    def take(self, visitor: str | None, subject: str, day: date) -> Iterator[None]:
        """Count one write against the visitor's quota, unless the block fails; a visitor of None has no own quota.

        Raises RateLimited.
        """
        with self._lock:
            if day != self._day:
                self._day, self._taken = day, []
            taken, entry = self._taken, (visitor, subject)
            own = visitor is not None and (
                taken.count(entry) >= self.per_subject or sum(who == visitor for who, _ in taken) >= self.per_day
            )
            if own or (self.in_all is not None and len(taken) >= self.in_all):
                raise RateLimited(f"today's limit of {self.what} is reached; please try again tomorrow")
            taken.append(entry)
        try:
            yield
        except BaseException:
            with self._lock:
                taken.remove(entry)
            raise


def report_quota() -> VisitorQuota:
    """Return a new quota of reports about problems."""
    return VisitorQuota("reports", per_day=8, per_subject=2)


def snapshot_quota() -> VisitorQuota:
    """Return a new quota of boards that visitors freeze to cite them."""
    return VisitorQuota("boards frozen by visitors", per_day=4, per_subject=4, in_all=200)

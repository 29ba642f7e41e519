"""What each visitor may take of the reports that all may write on a day."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date

from app.domain.errors import RateLimited

_A_DAY, _ON_ONE = 8, 2


class Shares:
    """Who reported what today, as this process remembers it until tomorrow; it is written down nowhere."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._day: date | None = None
        self._taken: list[tuple[str, str]] = []

    @contextmanager
    def one(self, visitor: str | None, problem: str, day: date) -> Iterator[None]:
        """Take part of a visitor's share for what the block does, unless it fails; who is nobody has no limit here.

        Raises RateLimited.
        """
        if visitor is None:
            yield
            return
        with self._lock:
            if day != self._day:
                self._day, self._taken = day, []
            taken, report = self._taken, (visitor, problem)
            if taken.count(report) >= _ON_ONE or sum(who == visitor for who, _ in taken) >= _A_DAY:
                raise RateLimited("you have reported much today; please try again tomorrow")
            taken.append(report)
        try:
            yield
        except BaseException:
            with self._lock:
                taken.remove(report)
            raise

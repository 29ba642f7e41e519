"""Control requests: another host is asked, so that our own network's failures are not taken for an endpoint's."""

import threading
import time
from collections.abc import Callable, Sequence

import httpx

from app.domain.asking.completions import Outcome
from app.domain.asking.patience import judged_by_control, needs_control

_TIMEOUT_S = 10.0
_KEEP_S = 10.0  # an answer, for all slices of a process


class Control:
    """An operator's own choice of a host; without an address nobody is asked."""

    def __init__(self, url: str | None, seconds: Callable[[], float] = time.monotonic) -> None:
        self._url, self._seconds = url, seconds
        self._lock = threading.Lock()
        self._asked_at, self._reached = -_KEEP_S, True

    def reached(self) -> bool | None:
        """Whether the host answered lately, whatever it said; None where there is none. Takes ten seconds at most."""
        if self._url is None:
            return None
        with self._lock:
            if self._seconds() - self._asked_at >= _KEEP_S:
                self._reached = _answers(self._url)
                self._asked_at = self._seconds()
            return self._reached


def _answers(url: str) -> bool:
    try:
        httpx.head(url, timeout=_TIMEOUT_S, follow_redirects=False)
    except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError):
        return False
    return True


class Controlled:
    """One slice: from the first control request in it that failed on, its failures are our network's."""

    def __init__(self, reached: Callable[[], bool | None]) -> None:
        self._ask, self._failed = reached, False

    def judged(self, outcomes: Sequence[Outcome]) -> list[Outcome]:
        """These outcomes, with whose their failures are shown to be."""
        reached = False if self._failed else self._ask() if needs_control(outcomes) else None
        self._failed |= reached is False
        return list(judged_by_control(outcomes, reached))

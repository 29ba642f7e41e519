"""Control requests to another host, so that our own network's failures are not taken for an endpoint's."""

import threading
import time
from collections.abc import Callable, Sequence

import httpx

from app.domain.asking.completions import SampleOutcome
from app.domain.asking.retry_policy import attribute_failures, needs_control

_TIMEOUT_S = 10.0
_KEEP_S = 10.0  # an answer, for all slices of a process


class ControlHost:
    """A host of the operator's choice; without an address nothing is asked."""

    def __init__(self, url: str | None, seconds: Callable[[], float] = time.monotonic) -> None:
        self._url, self._seconds = url, seconds
        self._lock = threading.Lock()
        self._asked_at, self._reached = -_KEEP_S, True

    def is_reachable(self) -> bool | None:
        """Return whether the host answered lately, whatever it said; None without a host. Takes up to ten seconds."""
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


class FailureAttribution:
    """The failures of one slice: after the first failed control request, they are our network's."""

    def __init__(self, reached: Callable[[], bool | None]) -> None:
        self._ask, self._failed = reached, False

    def attribute(self, outcomes: Sequence[SampleOutcome]) -> list[SampleOutcome]:
        """Return these outcomes, each failure with its owner as far as that is shown."""
        reached = False if self._failed else self._ask() if needs_control(outcomes) else None
        self._failed |= reached is False
        return list(attribute_failures(outcomes, reached))

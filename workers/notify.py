"""Outgoing notifications with a timeout: a JSON message to an operator's webhook, and a heartbeat to a monitor."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import httpx

_TIMEOUT_S = 10.0
# The clock wakes once a minute, not to the second; an earlier call is the same wake-up twice.
BEAT_EVERY_S = 55.0


def post(url: str, message: Mapping[str, Any]) -> str | None:
    """Send a message; return None if it was accepted, else the reason. Redirects are not followed."""
    return _failure(lambda: httpx.post(url, json=dict(message), timeout=_TIMEOUT_S, follow_redirects=False))


def _failure(send: Callable[[], httpx.Response]) -> str | None:
    try:
        answer = send()
    except (httpx.InvalidURL, ValueError) as failure:  # their messages repeat the address, which may be a secret
        return f"{type(failure).__name__}: the address or the message cannot be read"
    except (httpx.HTTPError, OSError) as failure:
        return f"{type(failure).__name__}: {failure}"[:300]
    return None if answer.is_success else f"it answered {answer.status_code}"


@dataclass
class MonitorHeartbeat:
    """Heartbeats to an outside monitor, which raises the alarm when they stop: a dead machine cannot report itself."""

    clock: Callable[[], float] = time.monotonic
    _asked_at: float | None = None
    _failed: bool = False

    def send(self, url: str) -> str | None:
        """Request the monitor's address, at most once a minute; return the first failure in a row, else None."""
        moment = self.clock()
        if self._asked_at is not None and moment - self._asked_at < BEAT_EVERY_S:
            return None
        self._asked_at = moment
        failure = _failure(lambda: httpx.get(url, timeout=_TIMEOUT_S, follow_redirects=False))
        before, self._failed = self._failed, failure is not None
        return None if before else failure

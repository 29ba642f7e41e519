"""Waiting with a time limit."""

import time
from collections.abc import Callable

from app.domain.errors import Unavailable

CHECK_EVERY_S = 0.25


def throttle_check(check: Callable[[], None]) -> Callable[[], None]:
    """Return a check that runs at once, then at most every quarter of a second: it asks another process."""
    checked_at = -CHECK_EVERY_S

    def throttled() -> None:
        nonlocal checked_at
        if (now := time.monotonic()) - checked_at >= CHECK_EVERY_S:
            checked_at = now
            check()

    return throttled


def wait_for(ready: Callable[[], bool], timeout_s: float, check: Callable[[], None], failure: str) -> None:
    """Return once `ready`; `check` may raise earlier. Raises Unavailable(failure) after `timeout_s` seconds."""
    deadline = time.monotonic() + timeout_s
    while not ready():
        check()
        if time.monotonic() > deadline:
            raise Unavailable(f"{failure} after {timeout_s:.0f} s")
        time.sleep(0.02)

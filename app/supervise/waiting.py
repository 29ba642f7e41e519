"""Waiting with an end."""

import time
from collections.abc import Callable

from app.domain.errors import Unavailable

LOOK_S = 0.25


def now_and_then(check: Callable[[], None]) -> Callable[[], None]:
    """A check that is made at once, and then no more often than every quarter of a second: it asks another process."""
    looked = -LOOK_S

    def look() -> None:
        nonlocal looked
        if (moment := time.monotonic()) - looked >= LOOK_S:
            looked = moment
            check()

    return look


def wait_for(ready: Callable[[], bool], timeout_s: float, check: Callable[[], None], failure: str) -> None:
    """Return once `ready`; `check` may raise earlier. Raises Unavailable(failure) after `timeout_s` seconds."""
    deadline = time.monotonic() + timeout_s
    while not ready():
        check()
        if time.monotonic() > deadline:
            raise Unavailable(f"{failure} after {timeout_s:.0f} s")
        time.sleep(0.02)

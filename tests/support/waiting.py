"""Waiting for what another thread or process does."""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

# Where a test is expected to fail, its waits for what will not come are cut short.
_SHARE = float(os.environ.get("TIDEMARK_TEST_PATIENCE", "1"))
Value = TypeVar("Value")


def patience(seconds: float) -> float:
    """How long to wait for what should have happened long before, on a busy machine too."""
    return seconds * _SHARE


def until(condition: Callable[[], Value], what: str = "what was waited for", seconds: float = 180.0) -> Value:
    """The first true value of `condition`, which ends the wait at once; the patience is for a busy machine.

    Looking takes a tenth of the time at most: what is waited for needs the processor too.
    """
    end = time.monotonic() + patience(seconds)
    while True:
        began = time.thread_time()
        value = condition()
        if value:
            return value
        assert time.monotonic() < end, f"{what} did not happen within {seconds:.0f} s"
        time.sleep(max(0.05, 9 * (time.thread_time() - began)))


@contextmanager
def at_least(seconds: float) -> Iterator[Callable[[], float]]:
    """A block that takes at least so long, as a pace must; how long is told afterwards. A busy machine only adds."""
    began = time.monotonic()
    took = 0.0
    yield lambda: took
    took = time.monotonic() - began
    assert took >= seconds, f"{took:.2f} s"

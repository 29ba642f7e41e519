"""A loop whose time is its own: it jumps to the next timer when nothing is left to do, so that an hour takes seconds.

Sockets are real. What was sent to one of this machine is there at once; a moment of real time is allowed for it before
each jump. Nothing in the loop may wait for another thread.
"""

import asyncio
import selectors
from collections.abc import Coroutine, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

T = TypeVar("T")

BEGINS = datetime(2026, 11, 1, 9, tzinfo=UTC)
_MOMENT_S = 0.001


class _Jumping(selectors.BaseSelector):
    """A selector that never waits: it tells its loop how far time has gone."""

    def __init__(self) -> None:
        self._real = selectors.DefaultSelector()
        self.elapsed_s = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = self._real.select(0)
        if ready or (timeout is not None and timeout <= 0):
            return ready
        ready = self._real.select(_MOMENT_S)
        if not ready:
            assert timeout is not None, "nothing will ever happen again"
            self.elapsed_s += timeout
        return ready

    def register(self, fileobj: Any, events: int, data: Any = None) -> selectors.SelectorKey:
        return self._real.register(fileobj, events, data)

    def unregister(self, fileobj: Any) -> selectors.SelectorKey:
        return self._real.unregister(fileobj)

    def modify(self, fileobj: Any, events: int, data: Any = None) -> selectors.SelectorKey:
        return self._real.modify(fileobj, events, data)

    def get_map(self) -> Mapping[Any, selectors.SelectorKey]:
        return self._real.get_map()

    def close(self) -> None:
        self._real.close()


class VirtualLoop(asyncio.SelectorEventLoop):
    """Begins at second 0."""

    def __init__(self) -> None:
        self._jumping = _Jumping()
        super().__init__(self._jumping)

    def time(self) -> float:
        return self._jumping.elapsed_s


def now() -> datetime:
    """The date by the running loop's time."""
    return BEGINS + timedelta(seconds=asyncio.get_running_loop().time())


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run to the end in a loop of its own."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(work)

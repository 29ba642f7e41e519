"""A fair semaphore for ranking boards: threads that rank at once slow one another down."""

import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

# A board is hundreds of short array operations, each of which releases and takes the interpreter's lock: two at once
# use no second core and both end later than one after the other. Other cores run processes of their own.
RANKING_SLOTS = 1


class FairSemaphore:
    """A number of slots, granted in order of arrival.

    `threading.Semaphore` is not fair: the thread that has just left takes the slot again before a waiting one wakes up.
    """

    def __init__(self, seats: int) -> None:
        self._free = seats
        self._line: deque[threading.Event] = deque()
        self._lock = threading.Lock()

    @property
    def waiting(self) -> int:
        """Number of waiting threads."""
        return len(self._line)

    @contextmanager
    def slot(self) -> Iterator[None]:
        """Hold a slot while the block runs."""
        call = self._join()
        if call is not None:
            call.wait()
        try:
            yield
        finally:
            self._leave()

    def _join(self) -> threading.Event | None:
        with self._lock:
            if self._free:
                self._free -= 1
                return None
            call = threading.Event()
            self._line.append(call)
            return call

    def _leave(self) -> None:
        with self._lock:
            if self._line:
                self._line.popleft().set()
            else:
                self._free += 1

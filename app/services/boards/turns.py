"""Turns at a board: threads that rank at once make one another slow, so the others wait in line."""

import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

# A board is hundreds of short array operations, each of which hands the interpreter's lock back and wants it again:
# two at once keep no second core busy and end later, both of them, than one after the other. Other cores have processes
# of their own.
SEATS = 1


class Turns:
    """A number of seats, given in the order in which they were asked for.

    A semaphore is no line: whoever has just left takes the seat again before those who wait have woken up.
    """

    def __init__(self, seats: int) -> None:
        self._free = seats
        self._line: deque[threading.Event] = deque()
        self._lock = threading.Lock()

    @property
    def waiting(self) -> int:
        """How many stand in line."""
        return len(self._line)

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Hold a seat for as long as the block runs."""
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

"""Who judges beside whom on this host: what the clock may have cut for want of a CPU is run again, alone.

Every trial has the hall with others; one that wants it alone waits at the gate until they have left, and keeps the
gate meanwhile, so that nobody new comes in. Both are locks of the kernel, which end with whoever held them.
"""

import contextlib
import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Self, TypeVar

from workers.grading.outcome import beyond, held_to, in_doubt
from workers.grading.sandbox.protocol import Bounds, Run
from workers.grading.slowness import Slowness

T = TypeVar("T")
Alone = Callable[[], AbstractContextManager[None]]


@dataclass(frozen=True, slots=True)
class Host:
    """This host as a trial finds it: how slow it is now, and how to have it alone."""

    slowness: Slowness = Slowness()
    alone: Alone = contextlib.nullcontext

    def tried(
        self, attempt: Callable[[], T], in_doubt: Callable[[T], bool], afresh: Callable[[], None] = lambda: None
    ) -> tuple[T, ...]:
        """What comes of an attempt, and, where that is in doubt, of another one alone, which `afresh` makes ready."""
        first = attempt()
        if not in_doubt(first):
            return (first,)
        with self.alone():
            afresh()
            return first, attempt()

    def ran(self, attempt: Callable[[Bounds], Run], bounds: Bounds, afresh: Callable[[], None] = lambda: None) -> Run:
        """How an attempt ran that may use `bounds`; the last one, where the machine may have made the first late."""
        runs = self.tried(lambda: attempt(beyond(bounds)), lambda run: in_doubt(run, bounds.cpu_ms), afresh)
        return held_to(runs[-1], bounds)


class Turn:
    """A place among the trials of this host, from `beside` on."""

    def __init__(self, gate: int, hall: int) -> None:
        self._gate, self._hall = gate, hall
        self._is_alone = False

    @classmethod
    @contextlib.contextmanager
    def beside(cls, folder: Path) -> Iterator[Self]:
        """Judge beside others, once nobody is alone."""
        with _opened(folder / "gate.lock") as gate, _opened(folder / "hall.lock") as hall:
            fcntl.flock(gate, fcntl.LOCK_EX)
            fcntl.flock(hall, fcntl.LOCK_SH)
            fcntl.flock(gate, fcntl.LOCK_UN)
            yield cls(gate, hall)

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        """Within this, no other trial runs on this host; so it is within another one of the same turn."""
        if self._is_alone:
            yield
            return
        fcntl.flock(self._hall, fcntl.LOCK_UN)  # first: another who waits at the gate would wait for this one
        fcntl.flock(self._gate, fcntl.LOCK_EX)
        try:
            fcntl.flock(self._hall, fcntl.LOCK_EX)
            self._is_alone = True
            yield
        finally:
            self._is_alone = False
            fcntl.flock(self._hall, fcntl.LOCK_SH)
            fcntl.flock(self._gate, fcntl.LOCK_UN)


@contextlib.contextmanager
def alone(folder: Path) -> Iterator[None]:
    """The same for work that is no trial."""
    with Turn.beside(folder) as turn, turn.alone():
        yield


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[int]:
    lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        yield lock
    finally:
        os.close(lock)

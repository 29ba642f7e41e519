"""The lock by which programs are judged side by side on this host, or alone after a run that lacked a CPU.

Two file locks make it a fair readers-writer lock. Every judging holds the hall lock shared. One that needs the host
alone takes the gate lock, which keeps others from starting, and waits for the exclusive hall lock. The kernel releases
both when a process ends.
"""

import contextlib
import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Self, TypeVar

from workers.grading.sandbox.protocol import ProgramRun, SandboxBounds
from workers.grading.slowness import Slowness
from workers.grading.starvation import apply_cpu_limit, is_borderline, widen_cpu_limit

T = TypeVar("T")
Exclusive = Callable[[], AbstractContextManager[None]]


@dataclass(frozen=True, slots=True)
class Host:
    """This host during one judging: its slowness now, and the context in which no other program is judged on it."""

    slowness: Slowness = Slowness()
    exclusive: Exclusive = contextlib.nullcontext

    def try_with_retry(
        self, attempt: Callable[[], T], in_doubt: Callable[[T], bool], afresh: Callable[[], None] = lambda: None
    ) -> tuple[T, ...]:
        """Return the result of an attempt and, if it is `in_doubt`, of a second one alone, which `afresh` prepares."""
        first = attempt()
        if not in_doubt(first):
            return (first,)
        with self.exclusive():
            afresh()
            return first, attempt()

    def run_with_retry(
        self,
        attempt: Callable[[SandboxBounds], ProgramRun],
        bounds: SandboxBounds,
        afresh: Callable[[], None] = lambda: None,
    ) -> ProgramRun:
        """Run an attempt within `bounds`, and again alone if the load may have made it late; return the last run."""
        runs = self.try_with_retry(
            lambda: attempt(widen_cpu_limit(bounds)), lambda run: is_borderline(run, bounds.cpu_ms), afresh
        )
        return apply_cpu_limit(runs[-1], bounds)


class HostLock:
    """The lock of one judging on this host, shared from `beside` on."""

    def __init__(self, gate: int, hall: int) -> None:
        self._gate, self._hall = gate, hall
        self._is_alone = False

    @classmethod
    @contextlib.contextmanager
    def acquire_shared(cls, folder: Path) -> Iterator[Self]:
        """Take the lock shared, once no other process has it exclusively."""
        with _opened(folder / "gate.lock") as gate, _opened(folder / "hall.lock") as hall:
            fcntl.flock(gate, fcntl.LOCK_EX)
            fcntl.flock(hall, fcntl.LOCK_SH)
            fcntl.flock(gate, fcntl.LOCK_UN)
            yield cls(gate, hall)

    @contextlib.contextmanager
    def exclusive(self) -> Iterator[None]:
        """Take the lock exclusively: no other program is judged on this host meanwhile. It may be nested."""
        if self._is_alone:
            yield
            return
        fcntl.flock(self._hall, fcntl.LOCK_UN)  # first: the holder of the gate may be waiting for this lock
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
def exclusive_host(folder: Path) -> Iterator[None]:
    """Hold the host exclusively for work that judges no program."""
    with HostLock.acquire_shared(folder) as turn, turn.exclusive():
        yield


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[int]:
    lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        yield lock
    finally:
        os.close(lock)

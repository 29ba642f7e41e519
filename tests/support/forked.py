"""A copy of this process that does some work and ends: to import anew what it needs takes longer than most work."""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from support.waiting import until

_FAILED = 70


@dataclass(frozen=True)
class Forked:
    """The copy; it stays to be asked how it ended."""

    pid: int

    def tell(self, number: signal.Signals) -> None:
        """Send it a signal."""
        os.kill(self.pid, number)

    def is_over(self) -> bool:
        """Whether it has ended."""
        return os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None

    def ended(self) -> int:
        """Wait for its end: its exit code, or the number of the signal that ended it, below zero."""
        until(self.is_over, "the end of a copy of this process")
        found = os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOWAIT)
        assert found is not None
        return found.si_status if found.si_code == os.CLD_EXITED else -found.si_status


@contextmanager
def forked(work: Callable[[], int]) -> Iterator[Forked]:
    """A copy that does this and exits with what it returns; it is gone at the end of the block."""
    child = os.fork()
    if child == 0:
        code = _FAILED
        try:
            code = work()
        finally:
            os._exit(code)  # nothing of what this process opened is closed by its copy
    try:
        yield Forked(child)
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)

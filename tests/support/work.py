"""Bounds on work, for tests that mean "this grows with its input and not with its square"."""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

# What is meant takes a fraction of a second, what is feared minutes: a busy machine turns neither into the other.
_CPU_S = 30.0


@contextmanager
def little_work() -> Iterator[Callable[[], float]]:
    """A block that takes this thread little processor time, whatever others take; how much is told afterwards."""
    began = time.thread_time()
    spent = 0.0
    yield lambda: spent
    spent = time.thread_time() - began
    assert spent < _CPU_S, f"{spent:.1f} s of processor time: the work grows faster than its input"


def work(do: Callable[[], object]) -> float:
    """The processor seconds that this thread takes for it: the least of three times, whatever others do meanwhile."""
    return min(_once(do) for _ in range(3))


def at_most(seconds: float, do: Callable[[], object]) -> bool:
    """Whether it takes this thread so little processor time once in three times, whatever others do meanwhile."""
    return any(_once(do) <= seconds for _ in range(3))


def burn(seconds: float) -> None:
    """Work until this process has taken so much processor time."""
    while time.process_time() < seconds:
        pass


@contextmanager
def others_time() -> Iterator[Callable[[float], float]]:
    """A block in which other work may have the CPUs; afterwards it is told, for the processor seconds that the block's
    own work took, which part of the machine others had: the kernel counts them."""
    busy, began = _busy_s(), time.monotonic()
    part = 0.0, 1.0
    yield lambda own_s: (part[0] - own_s) / part[1]
    part = _busy_s() - busy, (time.monotonic() - began) * (os.cpu_count() or 1)


def _busy_s() -> float:
    """Seconds that all CPUs were not idle, since the machine's start; what its host took from it, too."""
    user, nice, system, _idle, _waits, *interrupts = Path("/proc/stat").read_text().split("\n")[0].split()[1:9]
    return sum(map(int, (user, nice, system, *interrupts))) / os.sysconf("SC_CLK_TCK")


def _once(do: Callable[[], object]) -> float:
    began = time.thread_time()
    do()
    return time.thread_time() - began

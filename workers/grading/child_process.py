"""Work on a program's data in a child process, so that hostile data cannot make the worker large or slow.

The work is our own code, such as the comparison of values, which is quick if the program is honest. A fork of the
worker does it under the kernel's limits, and returns one line of text.
"""

import contextlib
import ctypes
import os
import resource
import select
import signal
import time
from collections.abc import Callable
from pathlib import Path

from app.domain.reasons import Reason
from workers.grading.host_lock import Host
from workers.grading.sandbox.protocol import MAX_WALL_STRETCH, ProgramRun, SandboxBounds
from workers.grading.starvation import MachineBusy, busy_reason, starved_by_others

_MAX_ANSWER_BYTES = 1 << 16  # which a pipe holds without a reader
_WALL_PER_CPU = 10  # the wall limit as a multiple of the CPU limit
_POLL_S = 0.1
_PR_SET_PDEATHSIG = 1


def run_in_child(
    work: Callable[[], str], host: Host, *, cpu_s: float = 1.0, memory_mb: int = 512, patience: float = MAX_WALL_STRETCH
) -> str | None:
    """Return the result of `work`, cut to 64 KiB; None if it raises, hangs, or exceeds its CPU time or memory.

    The CPU limit follows the host's slowness. The clock stands still while the work waits for a CPU, for at most
    `patience` times the wall limit. Raises Busy if other work had the CPUs, in a second try alone too.
    """
    answer = None

    def attempt(until: SandboxBounds) -> ProgramRun:
        nonlocal answer
        answer, run = _once(work, until, patience)
        return run

    cpu_ms = round(cpu_s * 1e3)
    bounds = SandboxBounds(
        cpu_ms=cpu_ms, wall_ms=_WALL_PER_CPU * cpu_ms, memory_mb=memory_mb, output_bytes=_MAX_ANSWER_BYTES
    )
    run = host.run_with_retry(attempt, bounds.scale(host.slowness.of_ours))
    if starved_by_others(run):
        raise MachineBusy(Reason("comparing_waits", cause=busy_reason(run)))
    return None if run.cpu_cut else answer


def _once(work: Callable[[], str], bounds: SandboxBounds, patience: float) -> tuple[str | None, ProgramRun]:
    ours, theirs = os.pipe()
    prctl, worker = ctypes.CDLL(None).prctl, os.getpid()
    pid = os.fork()
    if pid == 0:
        with contextlib.suppress(BaseException):
            # It shares the worker's locks: if it outlived the worker, every other judge of this host would wait.
            prctl(_PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)
            if os.getppid() != worker:
                os._exit(0)
            os.close(ours)
            _limit(bounds)
            os.write(theirs, b"=" + work().encode(errors="replace")[: bounds.output_bytes - 1])
        os._exit(0)
    os.close(theirs)
    try:
        answer, run = _receive_answer(ours, pid, bounds, patience)
    finally:
        os.close(ours)
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    return (answer[1:].decode(errors="replace") if answer else None), run


def _limit(bounds: SandboxBounds) -> None:
    mapped = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()
    space = mapped + (bounds.memory_mb << 20)
    resource.setrlimit(resource.RLIMIT_AS, (space, space))
    seconds = bounds.cpu_ms // 1000 * 2 + 1  # a rough second limit: the parent ends the work much sooner
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _receive_answer(pipe: int, pid: int, bounds: SandboxBounds, patience: float) -> tuple[bytes, ProgramRun]:
    """Read all that comes until the child ends or takes too long; return it with the child's run."""
    cpu_s, wall_s = bounds.cpu_ms / 1e3, bounds.wall_ms / 1e3
    data, ended, started = b"", False, time.monotonic()
    while True:
        ran, waited = _times(pid, time.monotonic() - started)
        elapsed = time.monotonic() - started
        left = min(wall_s + waited, wall_s * patience) - elapsed
        cut, starved, lost_ms = left <= 0 and not ended, elapsed < wall_s + waited, waited * 1e3
        if ended or cut or ran > cpu_s:
            run = ProgramRun(
                0, ran * 1e3, elapsed * 1e3, 0, lost_ms, lost_ms,
                wall_cut=cut and not starved, starved_cut=cut and starved,
            )  # fmt: skip
            return data if ended and ran <= cpu_s else b"", run
        if select.select([pipe], [], [], min(left, _POLL_S))[0]:
            piece = os.read(pipe, _MAX_ANSWER_BYTES)
            ended = not piece
            data += piece


def _times(pid: int, elapsed: float) -> tuple[float, float]:
    """Return the seconds that a process has run, and has waited for a CPU.

    The kernel counts a wait when it ends, so a wait of a ready process that still goes on is added.
    """
    try:
        ran, waited = (int(word) / 1e9 for word in Path(f"/proc/{pid}/schedstat").read_text().split()[:2])
        is_ready = Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(") ")[2].startswith("R")
    except (OSError, ValueError):
        return 0.0, 0.0
    return ran, max(waited, elapsed - ran) if is_ready else waited

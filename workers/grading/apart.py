"""One answer worked out in a process of its own: what a program returned must not make the worker large or late.

The work is ours, on data of a program's: comparing is quick where the program is honest. A copy of the worker does it
under the kernel's limits, and all that comes back is a line of text.
"""

import contextlib
import os
import resource
import select
import signal
import time
from collections.abc import Callable
from pathlib import Path

from app.domain.errors import JudgeError

_MOST = 1 << 16  # bytes of an answer, which a pipe holds without a reader


def apart(
    work: Callable[[], str],
    *,
    slowness: float = 1.0,
    cpu_s: float = 1.0,
    memory_mb: int = 512,
    patience_s: float = 60.0,
) -> str | None:
    """What `work` returns, cut to 64 KiB; None when it raises, or takes more CPU time or memory than it may.

    The CPU time is multiplied by `slowness`.

    Raises JudgeError when it is not done after `patience_s`, which the machine's other work must be the reason of.
    """
    ours, theirs = os.pipe()
    pid = os.fork()
    if pid == 0:
        with contextlib.suppress(BaseException):
            os.close(ours)
            _limit(cpu_s * slowness, memory_mb)
            os.write(theirs, b"=" + work().encode(errors="replace")[: _MOST - 1])
        os._exit(0)
    os.close(theirs)
    try:
        answer = _heard(ours, time.monotonic() + patience_s)
    finally:
        os.close(ours)
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    return answer[1:].decode(errors="replace") if answer else None


def _limit(cpu_s: float, memory_mb: int) -> None:
    mapped = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()
    space = mapped + (memory_mb << 20)
    resource.setrlimit(resource.RLIMIT_AS, (space, space))
    signal.signal(signal.SIGPROF, signal.SIG_DFL)  # not RLIMIT_CPU, which knows whole seconds only
    signal.setitimer(signal.ITIMER_PROF, cpu_s)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _heard(pipe: int, deadline: float) -> bytes:
    """All that comes until the other side ends. Raises JudgeError where it has not at the deadline."""
    data = b""
    while select.select([pipe], [], [], max(0.0, deadline - time.monotonic()))[0]:
        piece = os.read(pipe, _MOST)
        if not piece:
            return data
        data += piece
    raise JudgeError("the machine was busy: what a program returned could not be compared in time")

"""Forked processes of one that has imported everything: they share its memory and its listening sockets."""

import ctypes
import os
import signal
import sys
import traceback
from collections.abc import Callable, Iterator
from typing import Final

from structlog import get_logger

log = get_logger(__name__)

# On other systems imported libraries may not work in a fork.
IS_SAFE: Final = sys.platform == "linux"
# The wait before an ended process is replaced, so that one that cannot start does not keep us busy.
RESTART_AFTER_S = 1.0
_STOP_SIGNALS = (signal.SIGTERM, signal.SIGINT)
_PR_SET_PDEATHSIG = 1
_PR_SET_NAME = 15


def belong_to_parent(name: str) -> None:
    """Have the kernel send TERM to this process when its parent dies, and name the process; Linux only."""
    libc = ctypes.CDLL(None)
    libc.prctl(_PR_SET_PDEATHSIG, int(signal.SIGTERM), 0, 0, 0)
    libc.prctl(_PR_SET_NAME, name.encode()[:15], 0, 0, 0)


def run_processes(count: int, name: str, work: Callable[[int], None]) -> None:
    """Run `count` processes that each do `work(number)`, until TERM or INT; return when they have ended.

    A process that ends by itself is logged and replaced. Call it only while nothing is open that forks cannot share: no
    connection, thread or event loop. The caller's own signals stay blocked afterwards.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, (*_STOP_SIGNALS, signal.SIGCHLD))

    def fork(number: int) -> int:
        parent, pid = os.getpid(), os.fork()
        if not pid:
            _run_child(parent, f"{name}-{number}", before, lambda: work(number))
        return pid

    children = {fork(number): number for number in range(count)}
    while signal.sigwait((*_STOP_SIGNALS, signal.SIGCHLD)) == signal.SIGCHLD:
        ended = list(_reap(children))
        for number, code in ended:
            log.error("process.ended", name=f"{name}-{number}", code=code)
        if ended and signal.sigtimedwait(_STOP_SIGNALS, RESTART_AFTER_S) is not None:
            break
        children |= {fork(number): number for number, _code in ended}
    for pid in children:
        os.kill(pid, signal.SIGTERM)  # also after INT, which a terminal sends to all: the children ignore it
    for pid in children:
        os.waitpid(pid, 0)


def _reap(children: dict[int, int]) -> Iterator[tuple[int, int]]:
    """Remove the children that have ended, and yield their numbers and exit codes."""
    for pid in list(children):
        if (status := os.waitpid(pid, os.WNOHANG)) != (0, 0):
            yield children.pop(pid), os.waitstatus_to_exitcode(status[1])


def _run_child(parent: int, name: str, mask: set[int | signal.Signals], work: Callable[[], None]) -> None:
    """Do the work, then exit this process."""
    code = 1
    try:
        belong_to_parent(name)
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides when to stop
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        if os.getppid() == parent:  # else the parent died before prctl was called
            work()
        code = 0
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else 1
    except BaseException:  # as an interpreter reports what ends it
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)

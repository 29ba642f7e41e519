"""Processes forked from one that has imported everything: they share its memory and what it listens on."""

import ctypes
import os
import signal
import sys
import traceback
from collections.abc import Callable, Iterator
from typing import Final

from structlog import get_logger

log = get_logger(__name__)

# Elsewhere what was imported may not work in a fork.
SAFE: Final = sys.platform == "linux"
# A process that ends by itself is followed by another after this time: one that cannot start must not be all we do.
AGAIN_S = 1.0
_TOLD = (signal.SIGTERM, signal.SIGINT)
_PR_SET_PDEATHSIG = 1
_PR_SET_NAME = 15


def belong_to_parent(name: str) -> None:
    """Have the kernel send TERM to this process when its parent dies, and show it under a name; Linux only."""
    libc = ctypes.CDLL(None)
    libc.prctl(_PR_SET_PDEATHSIG, int(signal.SIGTERM), 0, 0, 0)
    libc.prctl(_PR_SET_NAME, name.encode()[:15], 0, 0, 0)


def keep(count: int, name: str, work: Callable[[int], None]) -> None:
    """Keep `count` processes that each do `work(number)`, until TERM or INT; returns when they have ended.

    One that ends by itself is logged and replaced. To be called where nothing is open that cannot be shared: no
    connection, thread or event loop. The caller's own signals stay blocked afterwards.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, (*_TOLD, signal.SIGCHLD))

    def fork(number: int) -> int:
        parent, pid = os.getpid(), os.fork()
        if not pid:
            _be_child(parent, f"{name}-{number}", before, lambda: work(number))
        return pid

    children = {fork(number): number for number in range(count)}
    while signal.sigwait((*_TOLD, signal.SIGCHLD)) == signal.SIGCHLD:
        ended = list(_ended(children))
        for number, code in ended:
            log.error("process.ended", name=f"{name}-{number}", code=code)
        if ended and signal.sigtimedwait(_TOLD, AGAIN_S) is not None:
            break
        children |= {fork(number): number for number, _code in ended}
    for pid in children:
        os.kill(pid, signal.SIGTERM)  # also after INT: a terminal sends that to all, and a second one is no grace
    for pid in children:
        os.waitpid(pid, 0)


def _ended(children: dict[int, int]) -> Iterator[tuple[int, int]]:
    """The numbers and exit codes of those that have ended, which are taken out."""
    for pid in list(children):
        if (status := os.waitpid(pid, os.WNOHANG)) != (0, 0):
            yield children.pop(pid), os.waitstatus_to_exitcode(status[1])


def _be_child(parent: int, name: str, mask: set[int | signal.Signals], work: Callable[[], None]) -> None:
    """Work, and end with this process."""
    code = 1
    try:
        belong_to_parent(name)
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent says when it is over
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        if os.getppid() == parent:  # else it died before the kernel was told
            work()
        code = 0
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else 1
    except BaseException:  # like an interpreter's own last words
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)

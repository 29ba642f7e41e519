"""State of this machine that hostile programs must not change: files, processes, memory, disk."""

import contextlib
import errno
import os
import socket
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from app.domain.errors import InvalidInput

_MAX_CHECKS, _BETWEEN_S = 6, 0.5
_MAX_PORT_WAIT_S = 75.0  # TIME_WAIT lasts 60 s
_PAGE = os.sysconf("SC_PAGE_SIZE")
_TEMPORARY = (tempfile.gettempdir(), "/var/tmp", "/dev/shm")  # noqa: S108  # only looked at


# --- files ------------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def temporary_files(files: Mapping[Path, tuple[str, int]]) -> Iterator[Callable[[], bool]]:
    """Make files (content, mode) with their folders; yield a check that none has changed; remove them at the end.

    A file that was there before is restored. Raises InvalidInput if one cannot be made.
    """
    with contextlib.ExitStack() as stack:
        try:
            for path, (content, mode) in files.items():
                _make(path, content, mode, stack)
            before = {path: _state(path) for path in files}
        except OSError as error:
            raise InvalidInput(f"cannot set up the host: {error}") from error
        yield lambda: all(_state(path) == state for path, state in before.items())


def _make(path: Path, content: str, mode: int, stack: contextlib.ExitStack) -> None:
    for folder in reversed(path.parents):
        if not folder.exists():
            folder.mkdir(mode=0o755)
            stack.callback(_quietly, folder.rmdir)
    if path.exists():
        old, old_mode = path.read_bytes(), path.stat().st_mode
        stack.callback(path.chmod, old_mode)
        stack.callback(path.write_bytes, old)
    else:
        stack.callback(_quietly, path.unlink)
    path.write_text(content)
    path.chmod(mode)


def _quietly(action: Callable[[], object]) -> None:
    with contextlib.suppress(OSError):
        action()


def _state(path: Path) -> tuple[bytes, int, int] | None:
    try:
        facts = path.lstat()
        return path.read_bytes(), facts.st_mode, facts.st_nlink
    except OSError:
        return None


@contextlib.contextmanager
def listen_on(address: str) -> Iterator[None]:
    """Listen on "HOST:PORT", or on an abstract socket given as "... unix socket NAME".

    Raises InvalidInput if the address stays taken for longer than the kernel keeps a closed connection's port.
    """
    if "unix" in address:
        listener = socket.socket(socket.AF_UNIX)
        target: str | tuple[str, int] = "\0" + address.split()[-1]
    else:
        host, _, port = address.rpartition(":")
        listener = socket.socket()
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        target = (host, int(port))
    with listener:
        _bind(listener, target, address)
        yield


def _bind(listener: socket.socket, target: str | tuple[str, int], address: str) -> None:
    # A connection of this machine may have got this port for its own end, and keeps it for a while.
    deadline = time.monotonic() + _MAX_PORT_WAIT_S
    while True:
        try:
            listener.bind(target)
            return listener.listen()
        except OSError as error:
            if error.errno != errno.EADDRINUSE or time.monotonic() > deadline:
                raise InvalidInput(f"cannot listen on {address}: {error}") from error
        time.sleep(_BETWEEN_S)


# --- processes --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _HostProcess:
    name: str
    parent: int
    started: str
    nested: bool  # in a pid namespace below ours


class StrayProcesses:
    """A search for processes that outlived their sandbox, except those of other judges."""

    def __init__(self) -> None:
        self._before = {(pid, process.started) for pid, process in _processes().items()}

    def find(self) -> tuple[str, ...]:
        """Return new sandboxed processes whose sandbox has this process or none as its owner, as "pid name".

        The search is repeated: another judge's sandbox has no owner while it ends, which takes time on a busy machine.
        """
        strays = self._ownerless()
        for _ in range(_MAX_CHECKS):
            if not strays:
                break
            time.sleep(_BETWEEN_S)
            again = self._ownerless()
            strays = {pid: stray for pid, stray in strays.items() if again.get(pid) == stray}
        return tuple(f"{pid} {stray.name}" for pid, stray in strays.items())

    def _ownerless(self) -> dict[int, "_HostProcess"]:
        now = _processes()
        owners = {os.getpid(), *_ancestors(os.getpid(), now)}
        return {
            pid: process
            for pid, process in now.items()
            if (pid, process.started) not in self._before and process.nested and _owner(pid, now) in owners
        }


def _owner(pid: int, processes: Mapping[int, _HostProcess]) -> int:
    """Return the process that started a process's sandbox: its first ancestor outside that is not bubblewrap."""
    while pid in processes and (processes[pid].nested or processes[pid].name == "bwrap"):
        pid = processes[pid].parent
    return pid


def _ancestors(pid: int, processes: Mapping[int, _HostProcess]) -> Iterator[int]:
    while pid in processes:
        pid = processes[pid].parent
        yield pid


def _processes() -> dict[int, _HostProcess]:
    processes = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with contextlib.suppress(OSError, KeyError, IndexError, ValueError):  # it has just ended
                processes[int(folder.name)] = _read_process(folder)
    return processes


def _read_process(folder: Path) -> _HostProcess:
    status = dict(line.split(":", 1) for line in (folder / "status").read_text().splitlines() if ":" in line)
    started = (folder / "stat").read_text().rpartition(")")[2].split()[19]
    nested = len(status.get("NSpid", "").split()) > 1
    return _HostProcess(status["Name"].strip(), int(status["PPid"]), started, nested)


# --- memory and disk --------------------------------------------------------------------------------------------------


def resident_bytes() -> int:
    """Return the bytes of memory that this process holds now."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * _PAGE


def reset_peak() -> None:
    """Reset the kernel's record of this process's highest memory use."""
    with contextlib.suppress(OSError):  # if the kernel cannot, the peak since the start is compared
        Path("/proc/self/clear_refs").write_text("5")


def peak_bytes_since_reset() -> int:
    """Return the most bytes of memory that this process held since the reset."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM"))


def free_disk_space() -> tuple[int, int]:
    """Return the free (bytes, inodes) of all file systems that hold temporary files."""
    facts = {os.stat(path).st_dev: os.statvfs(path) for path in _TEMPORARY if os.path.isdir(path)}  # noqa: PTH112, PTH116
    return sum(fact.f_bavail * fact.f_frsize for fact in facts.values()), sum(fact.f_favail for fact in facts.values())

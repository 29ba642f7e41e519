"""Memory and process limits by cgroup v2, if a subtree is delegated to the service.

    <own group>/service      this process and its siblings: a group with controllers holds no processes itself
    <own group>/judge-...    one group for each sandbox, removed with it

The kernel then counts every page and process of a sandbox in any uid or namespace, and reports when it ended a process
because memory was short.
"""

import contextlib
import errno
import itertools
import os
import time
from collections.abc import Sequence
from pathlib import Path

from app.domain.errors import SandboxUnavailable
from workers.grading.sandbox.protocol import SandboxBounds

CONTROLLERS = ("memory", "pids")
_MOUNTS = (Path("/sys/fs/cgroup"), Path("/sys/fs/cgroup/unified"))
_MARKS = ("trusted.delegate", "user.delegate")  # attributes that systemd sets on a group that it delegates
_LEAF = "service"
_REMOVAL_S = 5.0
# A sandbox needs these besides the program: bubblewrap, launcher or zygote, init.
_OWN_MB, _OWN_PROCESSES = 48, 8
_numbers = itertools.count()


class SandboxCgroup:
    """The cgroup of one sandbox."""

    def __init__(self, path: Path, controllers: Sequence[str]) -> None:
        self._path, self._controllers = path, controllers
        self._ended = 0

    def admit(self, *pids: int) -> None:
        """Put processes, and all that they will start, under the limits. Raises SandboxUnavailable."""
        for pid in pids:
            self._write("cgroup.procs", str(pid))

    def limit(self, bounds: SandboxBounds) -> None:
        """Set the limits of the next test, whose files count as memory. Raises SandboxUnavailable."""
        if "memory" in self._controllers:
            self._write("memory.max", str((bounds.memory_mb + bounds.disk_mb + _OWN_MB) << 20))
            with contextlib.suppress(SandboxUnavailable):  # no such file on a kernel without swap accounting
                self._write("memory.swap.max", "0")
            self._ended = self._killed()
        if "pids" in self._controllers:
            self._write("pids.max", str(bounds.processes + _OWN_PROCESSES))

    def ran_out_of_memory(self) -> bool:
        """Return whether the kernel has ended a process for lack of memory since the limits were set."""
        return "memory" in self._controllers and self._killed() > self._ended

    def remove(self) -> None:
        """End all that is left in the group and remove it. Raises SandboxUnavailable if it cannot be removed."""
        with contextlib.suppress(OSError):  # older kernels have no such file; the end of the namespace kills them there
            (self._path / "cgroup.kill").write_text("1")
        deadline = time.monotonic() + _REMOVAL_S
        while True:
            try:
                self._path.rmdir()
            except FileNotFoundError:
                return
            except OSError as busy:
                if busy.errno != errno.EBUSY or time.monotonic() > deadline:
                    raise SandboxUnavailable(f"a judged program's group stays: {busy}") from busy
                time.sleep(0.002)
            else:
                return

    def _killed(self) -> int:
        try:
            events = dict(line.split() for line in (self._path / "memory.events").read_text().splitlines())
        except OSError as gone:
            raise SandboxUnavailable(f"a judged program's group cannot be read: {gone}") from gone
        return int(events.get("oom_kill", 0))

    def _write(self, name: str, value: str) -> None:
        try:
            (self._path / name).write_text(value)
        except OSError as refused:
            raise SandboxUnavailable(f"a judged program's group takes no {name}: {refused}") from refused


class CgroupSubtree:
    """A delegated subtree with the controllers the judge needs."""

    def __init__(self, root: Path, controllers: Sequence[str]) -> None:
        self._root, self._controllers = root, tuple(controllers)

    @classmethod
    def of_this_process(cls, controllers: Sequence[str] = CONTROLLERS) -> "CgroupSubtree":
        """Return the subtree of this process's group. Raises SandboxUnavailable that names what is missing."""
        lines = Path("/proc/self/cgroup").read_text().splitlines()
        place = next((line[3:] for line in lines if line.startswith("0::")), None)
        # A worker that was forked after its parent moved finds itself in the leaf.
        own = "" if place is None else place.removesuffix(f"/{_LEAF}").lstrip("/")
        roots = [mount / own for mount in _MOUNTS if (mount / own / "cgroup.controllers").is_file()]
        if place is None or not roots:
            raise SandboxUnavailable("there is no cgroup v2 here")
        offered = (roots[0] / "cgroup.controllers").read_text().split()
        missing = [name for name in controllers if name not in offered]
        if missing:
            raise SandboxUnavailable(f"no delegated cgroup v2 with {' and '.join(missing)}")
        if own and not _is_delegated(roots[0]):
            raise SandboxUnavailable("this process's cgroup was not delegated to it")
        subtree = cls(roots[0], controllers)
        try:
            subtree._prepare()
        except OSError as refused:
            raise SandboxUnavailable(f"cgroup v2 is there and not delegated: {refused}") from refused
        return subtree

    def _prepare(self) -> None:
        if (self._root / "cgroup.type").exists():  # not the machine's root, which may hold processes
            leaf = self._root / _LEAF
            leaf.mkdir(exist_ok=True)
            for pid in (self._root / "cgroup.procs").read_text().split():
                with contextlib.suppress(ProcessLookupError):
                    (leaf / "cgroup.procs").write_text(pid)
        (self._root / "cgroup.subtree_control").write_text(" ".join(f"+{name}" for name in self._controllers))

    def create_group(self) -> SandboxCgroup:
        """Make a group for one sandbox, which the caller removes. Raises SandboxUnavailable."""
        path = self._root / f"judge-{os.getpid()}-{next(_numbers)}"
        try:
            path.mkdir()
        except OSError as refused:
            raise SandboxUnavailable(f"cannot make a group for a judged program: {refused}") from refused
        return SandboxCgroup(path, self._controllers)


def _is_delegated(group: Path) -> bool:
    """Return whether the manager of groups delegated this one, so that its processes may be moved."""
    for mark in _MARKS:
        with contextlib.suppress(OSError):
            if os.getxattr(group, mark).rstrip(b"\0\n") == b"1":
                return True
    return False

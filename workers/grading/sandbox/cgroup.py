"""Memory and process limits by cgroup v2, where a subtree was delegated to the service.

    <own group>/service      this process and its siblings: a group with controllers holds no processes itself
    <own group>/judge-...    one group a sandbox, gone with it

The kernel then counts every page and process of a sandbox, whatever uid or namespace it hides in, and says when it
ended something for want of memory.
"""

import contextlib
import errno
import itertools
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from app.domain.errors import SandboxUnavailable

_MOUNTS = (Path("/sys/fs/cgroup"), Path("/sys/fs/cgroup/unified"))
CONTROLLERS = ("memory", "pids", "cpu")
_REMOVAL_S = 5.0
_numbers = itertools.count()


class Group:
    """The group of one sandbox."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def admit(self, *pids: int) -> None:
        """Put processes, and all they will start, under the limits."""
        for pid in pids:
            (self._path / "cgroup.procs").write_text(str(pid))

    def out_of_memory(self) -> int:
        """How often the kernel has ended a process of this group for want of memory."""
        events = dict(line.split() for line in (self._path / "memory.events").read_text().splitlines())
        return int(events.get("oom_kill", 0))

    def remove(self) -> None:
        """End whatever is left, and the group with it. Raises SandboxUnavailable when it stays."""
        with contextlib.suppress(OSError):  # older kernels have no such file; then the namespace's end does it
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


class Subtree:
    """A delegated subtree with the controllers the judge needs."""

    def __init__(self, root: Path) -> None:
        self._root = root

    @classmethod
    def own(cls, controllers: Sequence[str] = CONTROLLERS) -> "Subtree":
        """The subtree of this process's own group. Raises SandboxUnavailable with what it lacks."""
        lines = Path("/proc/self/cgroup").read_text().splitlines()
        place = next((line[3:] for line in lines if line.startswith("0::")), None)
        if place is None:
            raise SandboxUnavailable("there is no cgroup v2 here")
        # A worker that was forked after its parent moved finds itself in the leaf.
        own = place.removesuffix("/service").lstrip("/")
        roots = [mount / own for mount in _MOUNTS if (mount / own / "cgroup.controllers").is_file()]
        if not roots:
            raise SandboxUnavailable("there is no cgroup v2 here")
        offered = (roots[0] / "cgroup.controllers").read_text().split()
        missing = [name for name in controllers if name not in offered]
        if missing:
            raise SandboxUnavailable(
                f"no delegated cgroup v2 with {' and '.join(missing)}: only rlimits can be had here"
            )
        subtree = cls(roots[0])
        try:
            subtree._prepare(controllers)
        except OSError as refused:
            raise SandboxUnavailable(f"cgroup v2 is there and not delegated: {refused}") from refused
        return subtree

    def _prepare(self, controllers: Sequence[str]) -> None:
        if (self._root / "cgroup.type").exists():  # not the machine's root, which may hold processes
            leaf = self._root / "service"
            leaf.mkdir(exist_ok=True)
            for pid in (self._root / "cgroup.procs").read_text().split():
                with contextlib.suppress(ProcessLookupError):
                    (leaf / "cgroup.procs").write_text(pid)
        (self._root / "cgroup.subtree_control").write_text(" ".join(f"+{name}" for name in controllers))

    @contextlib.contextmanager
    def group(self, limits: Mapping[str, str]) -> Iterator[Group]:
        """A group with these limits (file -> value) for as long as the block runs."""
        path = self._root / f"judge-{os.getpid()}-{next(_numbers)}"
        try:
            path.mkdir()
            for name, value in limits.items():
                (path / name).write_text(value)
        except OSError as refused:
            raise SandboxUnavailable(f"cannot make a group for a judged program: {refused}") from refused
        group = Group(path)
        try:
            yield group
        finally:
            group.remove()


def limits(memory_bytes: int, processes: int) -> dict[str, str]:
    """Memory without swap, and processes: the limits of one sandbox."""
    return {"memory.max": str(memory_bytes), "memory.swap.max": "0", "pids.max": str(processes)}

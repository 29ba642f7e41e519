"""The number of CPU cores that this process may use: fewer than the machine has in a container or under `taskset`."""

import contextlib
import os
import re
from collections.abc import Iterator
from pathlib import Path

# A path in mountinfo spells spaces, tabs, newlines and backslashes as three octal digits.
_ESCAPE = re.compile(r"\\([0-7]{3})")


def usable_cores(root: Path = Path("/")) -> int:
    """Return the number of whole cores that this process may keep busy, at least 1.

    It is the smallest of three: the CPUs that the scheduler may put it on, and the quotas of cgroup v2 and v1, of its
    own group and of each group above. A quota is rounded down: with one process too many, all would be throttled while
    they measure time. `root` is the folder that contains `proc` and the cgroup mounts.
    """
    return max(1, min(_scheduled_cores(), *(int(quota) for quota in _quotas(root))))


def _scheduled_cores() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # macOS has no such call
        return os.cpu_count() or 1


def _quotas(root: Path) -> Iterator[float]:
    yield float(os.cpu_count() or 1)
    for own, top in _groups(root):
        folder = own
        while True:
            with contextlib.suppress(OSError, ValueError, ZeroDivisionError):  # no such file, or no limit
                yield _quota(folder)
            if folder == top:
                break
            folder = folder.parent


def _quota(group: Path) -> float:
    """Return the cores that a group's quota allows. Raises OSError or ValueError if there is none."""
    if (group / "cpu.max").exists():
        most, period = (group / "cpu.max").read_text().split()  # "max 100000" without a quota
        return int(most) / int(period)
    most, period = ((group / f"cpu.cfs_{name}_us").read_text() for name in ("quota", "period"))
    if int(most) <= 0:
        raise ValueError("there is no quota")
    return int(most) / int(period)


def _groups(root: Path) -> Iterator[tuple[Path, Path]]:
    """Yield the folders of this process's groups that may hold a quota, each with the topmost one visible here."""
    try:
        lines = (root / "proc/self/cgroup").read_text().splitlines()
        mounts = (root / "proc/self/mountinfo").read_text().splitlines()
    except OSError:  # no Linux
        return
    paths = [line.split(":", 2)[1:] for line in lines if line.count(":") >= 2]
    for mount in mounts:
        before, _, after = mount.partition(" - ")
        shown, point = (_ESCAPE.sub(_character, word) for word in before.split()[3:5])
        kind, _source, options = after.split(maxsplit=2)
        for controllers, path in paths:
            is_v2 = kind == "cgroup2" and not controllers
            is_v1 = kind == "cgroup" and "cpu" in controllers.split(",") and "cpu" in options.split(",")
            if is_v2 or is_v1:
                top = root / point.lstrip("/")
                yield top / _below(path, shown), top


def _below(path: str, shown: str) -> str:
    """Return a group's path below the mounted one; without its own namespace a container sees the host's path."""
    inner = path.removeprefix(shown.rstrip("/")) if f"{path}/".startswith(f"{shown.rstrip('/')}/") else ""
    return "" if ".." in inner.split("/") else inner.lstrip("/")


def _character(escape: re.Match[str]) -> str:
    return chr(int(escape[1], 8))

"""The command line of bubblewrap: what a sandbox may see, and under which uid it runs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from workers.grading.sandbox.cgroup import CgroupSubtree

_OWN = Path(__file__).resolve().parents[3]  # our code, and with it the league's expected outputs
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "HOME": "/tmp", "LANG": "C.UTF-8", "MALLOC_ARENA_MAX": "1"}  # noqa: S108


@dataclass(frozen=True, slots=True)
class Sandbox:
    """The settings of a sandbox: the bubblewrap program, what the sandbox may read, and its uid."""

    bwrap: str
    tools: Path  # zygote, guest, launcher, filter
    uid: int | None = None  # a reserved uid when the service is root; None keeps the service's own
    environment: Mapping[str, str] = field(default_factory=dict)
    proc: bool = True
    groups: CgroupSubtree | None = None  # the kernel counts memory and processes there; None: rlimits do
    own_code: Path = _OWN  # hidden if it lies where programs may read


def bwrap_arguments(
    sandbox: Sandbox, mounts: Mapping[Path, str], info_fd: int, begin_fd: int, command: Sequence[str]
) -> list[str]:
    """Return the command line. Bubblewrap writes its first process's pid to `info_fd`; that waits for `begin_fd`."""
    arguments = [*_unprivileged(sandbox.uid), sandbox.bwrap, "--unshare-user", "--unshare-ipc", "--unshare-pid"]
    arguments += ["--unshare-net", "--unshare-uts"]
    arguments += ["--unshare-cgroup-try", "--uid", "1000", "--gid", "1000", "--hostname", "judge"]
    arguments += ["--die-with-parent", "--new-session", "--as-pid-1"]
    # The launcher makes namespaces and mounts with this one capability; each test drops it before the program starts.
    arguments += ["--cap-drop", "ALL", "--cap-add", "CAP_SYS_ADMIN"]
    arguments += ["--ro-bind", "/usr", "/usr"]
    for name in ("bin", "sbin", "lib", "lib32", "lib64", "libx32"):
        path = Path("/", name)
        if path.is_symlink():
            arguments += ["--symlink", str(path.readlink()), str(path)]
        elif path.is_dir():
            arguments += ["--ro-bind", str(path), str(path)]
    arguments += ["--dir", "/tmp", "--symlink", "/tmp", "/dev/shm"]  # noqa: S108  # both are the test's own tmpfs
    # Not /dev/zero: mapped, it is shared memory that no count of a process shows.
    for name in ("null", "full", "random", "urandom"):
        arguments += ["--dev-bind", f"/dev/{name}", f"/dev/{name}"]
    for name, number in (("fd", ""), ("stdin", "/0"), ("stdout", "/1"), ("stderr", "/2")):
        arguments += ["--symlink", f"/proc/self/fd{number}", f"/dev/{name}"]
    if sandbox.proc:
        arguments += ["--proc", "/proc"]
    if sandbox.own_code.is_relative_to("/usr"):
        arguments += ["--tmpfs", str(sandbox.own_code)]
    arguments += ["--ro-bind", str(sandbox.tools), "/judge"]
    for source, target in mounts.items():
        arguments += ["--ro-bind", str(source), target]
    arguments += ["--remount-ro", "/", "--chdir", "/", "--info-fd", str(info_fd), "--block-fd", str(begin_fd)]
    return [*arguments, "--", *command]


def _unprivileged(uid: int | None) -> tuple[str, ...]:
    """Return the command that drops root before bubblewrap starts; without it the payload keeps the kernel's uid 0.

    `Popen(user=...)` would copy the whole process for every sandbox, which takes tens of milliseconds.
    """
    return () if uid is None else ("setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups", "--")

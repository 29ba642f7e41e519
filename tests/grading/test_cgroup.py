"""Groups on the real kernel. Where memory cannot be delegated, what can be stands for it: the mechanism is one."""

import contextlib
import os
import subprocess
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.domain.errors import SandboxUnavailable
from workers.grading.sandbox.cgroup import CONTROLLERS, Subtree, limits

ROOT = Path(__file__).resolve().parents[2]
HIERARCHIES = (Path("/sys/fs/cgroup"), Path("/sys/fs/cgroup/unified"))

# Started in a group of its own: makes it a subtree, puts a sleeper and its child under limits, ends them.
PROGRAM = """
import os, subprocess, sys, time
from pathlib import Path
from workers.grading.sandbox.cgroup import Subtree
names, limits = sys.argv[1].split(","), dict([sys.argv[2].split("=")] if sys.argv[2] else [])
print(sys.stdin.readline().strip(), flush=True)
subtree = Subtree.own(names)
again = Subtree.own(names)
with again.group(limits) as group:
    child = subprocess.Popen(["sh", "-c", "read line; sleep 60 & sleep 60"], stdin=subprocess.PIPE)
    group.admit(child.pid)
    child.stdin.write(b"go\\n"); child.stdin.flush()
    time.sleep(0.3)
    path = group._path
    print(len((path / "cgroup.procs").read_text().split()), *((path / name).read_text().strip() for name in limits))
child.wait()
print(path.exists(), child.returncode, Path("/proc/self/cgroup").read_text().split("0::")[1].strip().rpartition("/")[2])
"""


def hierarchy() -> tuple[Path, list[str]]:
    """Where groups can be made, and the controllers that can be had there."""
    for mount in HIERARCHIES:
        with contextlib.suppress(OSError):
            return mount, (mount / "cgroup.controllers").read_text().split()
    pytest.skip("no cgroup v2 here")


@pytest.fixture
def delegated() -> Iterator[tuple[Path, str]]:
    """A group of this test with one controller that may be handed on."""
    mount, controllers = hierarchy()
    name = next((each for each in ("memory", "pids", "hugetlb") if each in controllers), None)
    if name is None or os.geteuid() != 0:
        pytest.skip(f"nothing can be delegated here: {controllers}")
    group = mount / f"tidemark-test-{uuid.uuid4().hex[:8]}"
    try:
        (mount / "cgroup.subtree_control").write_text(f"+{name}")
        group.mkdir()
    except OSError as refused:
        pytest.skip(f"groups cannot be made here: {refused}")
    yield group, name
    for path in (group / "service", group):
        with contextlib.suppress(FileNotFoundError):
            path.rmdir()


def test_a_sandbox_group_holds_limits_and_ends_with_all_it_holds(delegated: tuple[Path, str]) -> None:
    group, name = delegated
    limit = {"memory": "memory.max=67108864", "pids": "pids.max=9", "hugetlb": ""}[name]
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM, name, limit],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=ROOT,
    ) as process:  # fmt: skip
        (group / "cgroup.procs").write_text(str(process.pid))
        said, _ = process.communicate("begin\n", timeout=60)
    assert process.returncode == 0, said
    begun, held, after = said.splitlines()
    assert begun == "begin"
    assert held.split() == ["3", *([limit.partition("=")[2]] if limit else [])]
    assert after == "False -9 service"


def test_what_cannot_be_delegated_is_named() -> None:
    with pytest.raises(SandboxUnavailable, match=r"cgroup v2"):
        Subtree.own(["no_such_controller"])


def test_the_limits_of_a_sandbox() -> None:
    assert CONTROLLERS == ("memory", "pids", "cpu")
    assert limits(1 << 20, 80) == {"memory.max": "1048576", "memory.swap.max": "0", "pids.max": "80"}

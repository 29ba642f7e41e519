"""Groups on the real kernel. Where memory cannot be delegated, what can be stands for it: the mechanism is one."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import uuid
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest
from grading.judging import sums

from app.domain.errors import JudgeError, SandboxUnavailable
from app.domain.judging.verdicts import LimitMode, Verdict
from workers.grading.judge import Judge, JudgeSettings
from workers.grading.run_verdict import decide, program_limits
from workers.grading.runner import zygote_command
from workers.grading.sandbox.bubblewrap import Sandbox
from workers.grading.sandbox.cgroup import CgroupSubtree
from workers.grading.sandbox.protocol import SandboxBounds
from workers.grading.sandbox.root import Tools
from workers.grading.sandbox.session import Session
from workers.grading.toolchains import known_languages

pytestmark = pytest.mark.sandbox

ROOT = Path(__file__).resolve().parents[2]
HIERARCHIES = (Path("/sys/fs/cgroup"), Path("/sys/fs/cgroup/unified"))
BOUNDS = SandboxBounds(cpu_ms=5000, wall_ms=10_000, memory_mb=64, output_bytes=1 << 16)

# Started in a group of its own: makes it a subtree, runs a sandbox in a group of that, and ends it.
PROGRAM = """
import json, os, sys
from pathlib import Path
from workers.grading.sandbox.bubblewrap import Sandbox
from workers.grading.sandbox.cgroup import CgroupSubtree
from workers.grading.sandbox.protocol import SandboxBounds
from workers.grading.sandbox.session import Session
from workers.grading.runner import zygote_command
given = json.loads(sys.stdin.readline())
CgroupSubtree.of_this_process([given["controller"]])
subtree = CgroupSubtree.of_this_process([given["controller"]])  # as a second worker finds it
said = []
def hear(piece):
    said.append(piece)
    [group] = Path(given["group"]).glob("judge-*")
    limits = {file.name: file.read_text() for file in group.glob("*.max")}
    said.append((len((group / "cgroup.procs").read_text().split()), limits))
sandbox = Sandbox("bwrap", Path(given["tools"]), given["uid"], groups=subtree)
with Session(sandbox, zygote_command("/usr/bin/python3")) as session:
    program = b"import time\\nprint(open('/proc/self/cgroup').read(), flush=True)\\ntime.sleep(2)"
    run = session.run(SandboxBounds(5000, 10000, 64, 1 << 16), hear, program=program)
text, (processes, limits) = said[0].decode(), said[1]
print(json.dumps({
    "status": run.status, "within": "judge-" in text, "processes": processes, "limits": limits,
    "left": [path.name for path in Path(given["group"]).glob("judge-*")],
    "mine": Path("/proc/self/cgroup").read_text().split("0::")[1].strip().rpartition("/")[2],
}))
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


def in_group(group: Path, told: str) -> subprocess.CompletedProcess[str]:
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=ROOT,
    ) as process:  # fmt: skip
        (group / "cgroup.procs").write_text(str(process.pid))
        said, _ = process.communicate(told, timeout=300)
    return subprocess.CompletedProcess([], process.returncode, said)


def test_a_sandbox_lives_in_a_group_of_its_own(
    tools: Tools, settings: JudgeSettings, delegated: tuple[Path, str]
) -> None:
    group, name = delegated
    given = {"controller": name, "group": str(group), "tools": str(tools.path), "uid": settings.first_uid + 1}
    refused = in_group(group, json.dumps(given) + "\n")
    assert "not delegated" in refused.stdout
    os.setxattr(group, "trusted.delegate", b"1")
    done = in_group(group, json.dumps(given) + "\n")
    assert done.returncode == 0, done.stdout
    found = json.loads(done.stdout)
    assert (found["status"], found["within"], found["left"], found["mine"]) == (0, True, [], "service")
    assert found["processes"] >= 3  # bubblewrap, the zygote, and the test's own
    if name == "memory":
        assert int(found["limits"]["memory.max"]) > 64 << 20


def test_what_cannot_be_delegated_is_named() -> None:
    with pytest.raises(SandboxUnavailable, match=r"cgroup v2"):
        CgroupSubtree.of_this_process(["no_such_controller"])


def test_groups_can_be_required(settings: JudgeSettings) -> None:
    try:
        CgroupSubtree.of_this_process()
    except SandboxUnavailable:
        with pytest.raises(SandboxUnavailable, match="only rlimits can be had here"):
            Judge(replace(settings, require_cgroup=True)).self_test()
    else:
        judge = Judge(replace(settings, require_cgroup=True))
        judge.self_test()
        result = judge.grade(sums(), "a, b = map(int, input().split())\nprint(a + b)", "python")
        assert (result.verdict, result.limit_mode) == (Verdict.ACCEPTED, LimitMode.CGROUP)


class Groups:
    """Groups of a kernel that says if it ended something for want of memory."""

    def __init__(self) -> None:
        self.short = False
        self.admitted: tuple[int, ...] = ()
        self.limits: list[SandboxBounds] = []
        self.removed = False

    def create_group(self) -> "Groups":
        return self

    def admit(self, *pids: int) -> None:
        self.admitted = pids

    def limit(self, bounds: SandboxBounds) -> None:
        self.limits.append(bounds)

    def ran_out_of_memory(self) -> bool:
        return self.short

    def remove(self) -> None:
        self.removed = True


@pytest.fixture
def groups() -> Groups:
    return Groups()


@pytest.fixture
def session(tools: Tools, settings: JudgeSettings, groups: Groups) -> Iterator[Session]:
    uid = settings.first_uid + 2 if os.geteuid() == 0 else None
    sandbox = Sandbox(settings.bwrap, tools.path, uid, groups=cast("CgroupSubtree", groups))
    with Session(sandbox, zygote_command(settings.python)) as made:
        yield made


def test_a_test_is_limited_before_it_runs_and_its_group_goes_with_it(session: Session, groups: Groups) -> None:
    run = session.run(BOUNDS, lambda _: None, program=b"print(1)")
    assert (run.status, run.memory_cut) == (0, False)
    assert groups.limits == [BOUNDS]
    assert groups.admitted[1] == session.pid
    session.close()
    assert groups.removed


def test_what_the_kernel_ended_for_want_of_memory_is_a_memory_limit(session: Session, groups: Groups) -> None:
    """Whatever else the program did: a child of it may have been what was ended."""
    groups.short = True
    run = session.run(BOUNDS, lambda _: None, program=b"print(1)")
    allowed = program_limits(sums().limits, known_languages()["python"], 1.0)
    assert decide(run, True, allowed) is Verdict.MEMORY_LIMIT


@pytest.mark.parametrize("short", [True, False])
def test_a_launcher_that_was_ended_is_a_memory_limit_only_when_the_kernel_says_so(
    session: Session, groups: Groups, short: bool
) -> None:
    groups.short = short
    endless = b"print(1, flush=True)\nwhile True: pass"

    def end(_: bytes) -> None:
        os.kill(session.pid, signal.SIGKILL)

    if short:
        run = session.run(BOUNDS, end, program=endless)
        assert run.memory_cut
        assert run.wall_ms < 5000
        assert not session.alive
    else:
        with pytest.raises(JudgeError, match="ended in the middle"):
            session.run(BOUNDS, end, program=endless)

"""Without a sandbox that passed its self-test nothing is graded."""

import os
import shutil
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from grading.judging import SUM, sums

from app.domain.errors import SandboxUnavailable
from app.domain.judging.verdicts import LimitMode, Verdict
from workers.grading.judge import Judge, JudgeSettings
from workers.grading.sandbox.bubblewrap import Sandbox
from workers.grading.sandbox.built_folder import BuiltFolder, ensure_root
from workers.grading.sandbox.root import publish_tools
from workers.grading.sandbox.session import Session

pytestmark = pytest.mark.sandbox

CANARIES = {
    "host file unreadable",
    "loopback unreachable",
    "pid isolation",
    "seccomp active",
    "no mark outlives a test",
    "descriptors closed",
    "outer uid not 0",
    "no host sysctl opens for writing",
    "memory limit active",
    "pipes count as memory",
    "process limit active",
    "expected output not reachable",
    "kill on close",
}


def test_every_canary_holds_here(judge: Judge) -> None:
    canaries = judge.self_test()
    assert {canary.name for canary in canaries} == CANARIES
    assert all(canary.ok for canary in canaries)
    assert judge.limit_mode is LimitMode.RLIMIT


def test_nothing_is_graded_before_the_self_test(settings: JudgeSettings) -> None:
    with pytest.raises(SandboxUnavailable, match="self-test"):
        Judge(settings).grade(sums(), SUM, "python")


def test_without_bubblewrap_there_is_no_judge(settings: JudgeSettings) -> None:
    judge = Judge(replace(settings, bwrap="/nowhere/bwrap"))
    with pytest.raises(SandboxUnavailable, match="/nowhere/bwrap"):
        judge.self_test()
    with pytest.raises(SandboxUnavailable):
        judge.grade(sums(), SUM, "python")


def test_bubblewrap_that_disappears_stops_the_grading(settings: JudgeSettings, open_folder: Path) -> None:
    copy = open_folder / "bwrap"
    shutil.copy(shutil.which("bwrap") or "", copy)
    judge = Judge(replace(settings, bwrap=str(copy)))
    judge.self_test()
    assert judge.grade(sums(), SUM, "python").verdict is Verdict.ACCEPTED
    copy.unlink()
    with pytest.raises(SandboxUnavailable):
        judge.grade(sums(), SUM, "python")
    shutil.copy(shutil.which("bwrap") or "", copy)
    with pytest.raises(SandboxUnavailable, match="self-test"):
        judge.grade(sums(), SUM, "python")


@pytest.mark.parametrize(
    ("missing", "canary"),
    [
        ("--unshare-net", "loopback unreachable"),
        ("--unshare-pid", "kill on close"),
    ],
)
def test_a_sandbox_with_a_hole_is_none(settings: JudgeSettings, open_folder: Path, missing: str, canary: str) -> None:
    """Bubblewrap that leaves one wall out is found out by its canary, or does not start at all."""
    leaky = open_folder / f"leaky{missing}"
    drop = f'for a do shift; [ "$a" = {missing} ] || set -- "$@" "$a"; done'
    leaky.write_text(f'#!/bin/sh\n{drop}\nexec {shutil.which("bwrap")} "$@"\n')
    leaky.chmod(0o755)
    with pytest.raises(SandboxUnavailable) as raised:
        Judge(replace(settings, bwrap=str(leaky))).self_test()
    assert canary in str(raised.value) or "did not start" in str(raised.value) or "failed at" in str(raised.value)


def test_a_filter_that_allows_everything_is_found_out(settings: JudgeSettings, open_folder: Path) -> None:
    root = open_folder / "leaky-filter"
    judge = Judge(replace(settings, sandbox_root=root, compiler="/nowhere/gcc", slowness=1.0))
    publish_tools(root, settings.python, None, settings.scratch)
    for path in root.glob("tools-*/seccomp.bpf"):
        path.write_bytes(bytes.fromhex("06000000" + "0000ff7f"))
        BuiltFolder(root, path.parent.name, print).record_state()  # as if it had been made so
    with pytest.raises(SandboxUnavailable, match="seccomp active"):
        judge.self_test()


def test_a_sandbox_that_does_not_count_pipes_is_found_out(settings: JudgeSettings, open_folder: Path) -> None:
    root = open_folder / "blind-to-pipes"
    judge = Judge(replace(settings, sandbox_root=root, compiler="/nowhere/gcc", slowness=1.0))
    publish_tools(root, settings.python, None, settings.scratch)
    for path in root.glob("tools-*/task_usage.py"):
        path.write_text(path.read_text() + "\n\ndef kib_in_pipes(pids, *, exactly):\n    return 0\n")
        BuiltFolder(root, path.parent.name, print).record_state()  # as if it had been made so
    with pytest.raises(SandboxUnavailable, match=r"\(zygote: \d+ MiB in pipes did not count"):
        judge.self_test()


def test_a_root_that_cannot_be_made_is_no_sandbox(settings: JudgeSettings) -> None:
    with pytest.raises(SandboxUnavailable, match="cannot be made"):
        Judge(replace(settings, sandbox_root=Path("/proc/nowhere"))).self_test()


def test_a_service_that_needs_cgroups_says_so(settings: JudgeSettings) -> None:
    with pytest.raises(SandboxUnavailable, match="cgroup"):
        Judge(replace(settings, require_cgroup=True)).self_test()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can start bubblewrap as root")
def test_a_sandbox_under_the_kernels_root_is_refused(settings: JudgeSettings, open_folder: Path) -> None:
    root = open_folder / "slots-of-its-own"  # the one that is asked for is what others take first, and for ever anew
    alone = replace(settings, sandbox_root=root, compiler="/nowhere/gcc", slowness=1.0)
    with pytest.raises(SandboxUnavailable, match="outer uid"):
        Judge(replace(alone, first_uid=0, slots=1)).self_test()


def test_without_a_c_compiler_python_is_still_judged(settings: JudgeSettings, open_folder: Path) -> None:
    judge = Judge(replace(settings, sandbox_root=open_folder / "no-compiler", compiler="/nowhere/gcc", slowness=1.0))
    judge.self_test()
    assert judge.find("cpp") is None
    assert "launcher" in judge.refused_languages()["cpp"]
    assert judge.find("python") is not None
    assert set(judge.languages()) == {"python"}
    assert judge.grade(sums(), SUM, "python").verdict is Verdict.ACCEPTED
    assert judge.grade(sums(), "int main() {}", "cpp").verdict is Verdict.JUDGE_ERROR


@pytest.mark.slow
def test_python_does_not_wait_for_the_headers_of_another_language(settings: JudgeSettings, open_folder: Path) -> None:
    judge = Judge(replace(settings, sandbox_root=open_folder / "headers"))
    judge.self_test()
    assert judge.find("python")
    finder = threading.Thread(target=judge.find, args=("cpp",))
    finder.start()
    assert judge.grade(sums(), SUM, "python").verdict is Verdict.ACCEPTED
    assert finder.is_alive(), "its headers take longer than a program of three tests"
    finder.join(120)
    assert "cpp" in judge.languages()


def test_a_sandbox_root_of_somebody_else_is_refused(open_folder: Path) -> None:
    target = open_folder / "target"
    target.mkdir()
    link = open_folder / "link"
    link.symlink_to(target)
    with pytest.raises(SandboxUnavailable, match="belongs"):
        ensure_root(link)


def test_a_sandbox_that_cannot_start_says_why(settings: JudgeSettings, judge: Judge) -> None:
    assert judge.find("python")
    uid = 64001 if os.geteuid() == 0 else None
    with pytest.raises(SandboxUnavailable, match="nowhere"):
        Session(Sandbox("bwrap", settings.sandbox_root / "nowhere", uid), ["/usr/bin/python3"])


@pytest.mark.skipif(os.geteuid() != 0, reason="becomes an ordinary user")
# To precompile the headers of C++ takes ten seconds of a core.
@pytest.mark.parametrize("compiled", ["c", pytest.param("cpp", marks=pytest.mark.slow)])
def test_an_ordinary_user_can_judge(open_folder: Path, compiled: str) -> None:
    folder = open_folder / f"ordinary-{compiled}"
    folder.mkdir()
    os.chown(folder, 65534, 65534)
    code = (
        "import sys\nfrom pathlib import Path\nfrom grading.judging import SUM, sums\n"
        "from workers.grading.judge import Judge, JudgeSettings\n"
        f"folder = Path({str(folder)!r})\n"
        f"judge = Judge(JudgeSettings(folder / 'root', folder / 'scratch', slowness=1.0))\n"
        f"judge.self_test()\nassert judge.find('python') and judge.find({compiled!r}), judge.refused()\n"
        "print(judge.grade(sums(), SUM, 'python').verdict)\n"
    )
    trees = [Path(__file__).parents[1], Path(__file__).parents[2]]
    if not all(parent.stat().st_mode & 0o005 == 0o005 for path in trees for parent in (path, *path.parents)):
        pytest.skip("the checkout is closed to other users")
    said = subprocess.run(
        ["/usr/bin/python3", "-c", code],
        user=65534, group=65534, extra_groups=[], cwd="/", capture_output=True, text=True, timeout=300,
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": os.pathsep.join(map(str, trees)), "PYTHONDONTWRITEBYTECODE": "1"},
    )  # fmt: skip
    assert (said.stdout.strip(), said.returncode) == ("accepted", 0), said.stderr
    assert sys.version_info >= (3, 11)

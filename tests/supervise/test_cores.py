"""How many cores a process may use: by the scheduler's set and by the quotas of its groups, never by the machine's."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from support.rules import ROOT

from app.config import Settings
from app.cores import usable_cores

V2 = "30 24 0:26 {shown} /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate"
HYBRID = "31 24 0:27 {shown} /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw"
V1 = "32 24 0:28 {shown} /sys/fs/cgroup/cpu,cpuacct rw shared:10 - cgroup cgroup rw,cpu,cpuacct"


@pytest.fixture(autouse=True)
def _large_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 64)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _pid: set(range(64)), raising=False)


def machine(root: Path, own: str, mounts: str, files: dict[str, str]) -> Path:
    """A folder that shows what a Linux would of its groups."""
    (root / "proc/self").mkdir(parents=True)
    (root / "proc/self/cgroup").write_text(f"{own}\n")
    (root / "proc/self/mountinfo").write_text(f"22 1 8:1 / / rw - ext4 /dev/vda rw\n{mounts}\n")
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(f"{text}\n")
    return root


def v2(*files: tuple[str, str]) -> dict[str, str]:
    return {f"sys/fs/cgroup{group}/cpu.max": text for group, text in files}


@pytest.mark.parametrize(
    ("own", "mounts", "files", "cores"),
    [
        ("0::/", V2.format(shown="/"), v2(("", "200000 100000")), 2),
        ("0::/", V2.format(shown="/"), v2(("", "max 100000")), 64),
        ("0::/", V2.format(shown="/"), {}, 64),
        ("0::/kube/pod/c", V2.format(shown="/"), v2(("/kube/pod/c", "max 100000"), ("/kube/pod", "300000 100000")), 3),
        ("0::/kube/pod/c", V2.format(shown="/"), v2(("/kube/pod/c", "800000 100000"), ("/kube", "500000 100000")), 5),
        ("0::/a", V2.format(shown="/"), v2(("/a", "250000 100000")), 2),
        ("0::/a", V2.format(shown="/"), v2(("/a", "50000 100000")), 1),
        ("0::/a", V2.format(shown="/"), v2(("/a", "9900000 100000")), 64),
        # Without a namespace of its own a container sees the host's path, and its own group where all are mounted.
        ("0::/docker/abc", V2.format(shown="/docker/abc"), v2(("", "400000 100000")), 4),
        ("0::/docker/abc/in", V2.format(shown="/docker/abc"), v2(("/in", "300000 100000"), ("", "max 1000")), 3),
        ("0::/../../other", V2.format(shown="/"), v2(("", "200000 100000")), 2),
        ("0::/a b", V2.format(shown="/"), v2(("/a b", "200000 100000")), 2),
        ("0::/x/y", V2.format(shown=r"/x\040z"), v2(("", "200000 100000")), 2),
        ("0::/a", V2.format(shown="/"), v2(("/a", "nonsense")), 64),
        (
            "4:cpu,cpuacct:/docker/abc\n0::/", V1.format(shown="/") + "\n" + HYBRID.format(shown="/"),
            {
                "sys/fs/cgroup/cpu,cpuacct/docker/abc/cpu.cfs_quota_us": "-1",
                "sys/fs/cgroup/cpu,cpuacct/docker/abc/cpu.cfs_period_us": "100000",
                "sys/fs/cgroup/cpu,cpuacct/docker/cpu.cfs_quota_us": "600000",
                "sys/fs/cgroup/cpu,cpuacct/docker/cpu.cfs_period_us": "100000",
            },
            6,
        ),
        (
            "4:cpu,cpuacct:/docker/abc", V1.format(shown="/docker/abc"),
            {
                "sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us": "150000",
                "sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us": "50000",
            },
            3,
        ),
        # The quota of another controller's hierarchy is none of ours.
        ("5:cpuset:/a", V1.format(shown="/"), {"sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_quota_us": "100000"}, 64),
    ],
)  # fmt: skip
def test_quotas_of_all_groups_above_count(
    tmp_path: Path, own: str, mounts: str, files: dict[str, str], cores: int
) -> None:
    assert usable_cores(machine(tmp_path, own, mounts, files)) == cores


def test_the_schedulers_set_counts_beside_a_quota(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _pid: {3, 5, 7}, raising=False)
    limited = machine(tmp_path, "0::/", V2.format(shown="/"), v2(("", "500000 100000")))
    assert usable_cores(limited) == 3
    monkeypatch.delattr(os, "sched_getaffinity")
    assert usable_cores(limited) == 5
    assert usable_cores(tmp_path / "no Linux") == 64
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert usable_cores(tmp_path / "no Linux") == 1


def test_what_a_process_is_confined_to_decides_the_settings(tmp_path: Path) -> None:
    one = "import os; os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})"
    words = "from app.config import Settings; s = Settings(_env_file=None); print(s.grade_processes, s.web_processes)"
    command = [sys.executable, "-c", f"{one}; {words}"]
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "TIDEMARK_STATE": str(tmp_path)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == "1 1\n"


def test_a_number_of_judges_that_was_set_is_taken(tmp_path: Path) -> None:
    assert Settings(_env_file=None, state_dir=tmp_path, grade_processes=3).grade_processes == 3


def test_nothing_else_asks_how_many_cores_there_are() -> None:
    sources = (path for room in ("app", "perf", "scrapers", "web", "workers") for path in (ROOT / room).rglob("*.py"))
    asks = {
        path.relative_to(ROOT).as_posix() for path in sources if re.search(r"cpu_count|getaffinity", path.read_text())
    }
    # The judge's init counts the CPUs that tasks may be on at once, where no group is seen; the other one sets them.
    assert asks == {"app/cores.py", "workers/grading/sandbox/zygote.py", "perf/judge.py"}

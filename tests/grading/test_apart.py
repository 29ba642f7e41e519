"""Work in a process of its own: its answer, or nothing, and nothing left behind."""

import contextlib
import fcntl
import os
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from support.waiting import until
from support.work import burn

from workers.grading.child_process import run_in_child
from workers.grading.host_lock import Host, HostLock
from workers.grading.slowness import Slowness
from workers.grading.starvation import MachineBusy

HERE = Host()


def test_an_answer_comes_back() -> None:
    assert run_in_child(lambda: "right", HERE) == "right"
    assert run_in_child(lambda: "", HERE) == ""
    assert run_in_child(lambda: "x" * 100_000, HERE) == "x" * 65_535
    assert run_in_child(lambda: "\udcff", HERE) == "?"


@pytest.mark.parametrize(
    "work",
    [
        lambda: str(1 / 0),
        lambda: str(len(bytearray(200 << 20))),
        lambda: str(len([0] * (25 << 20))),
        lambda: exit(),
    ],
    ids=["raises", "one large piece", "a large list", "exits"],
)
def test_work_that_fails_or_is_too_much_gives_nothing(work: object) -> None:
    assert run_in_child(work, HERE, cpu_s=0.3, memory_mb=128) is None  # type: ignore[arg-type]


def test_work_that_takes_for_ever_gives_nothing() -> None:
    assert run_in_child(lambda: str(pow(3, 10**9)), HERE, cpu_s=0.05) is None


def test_it_has_more_time_on_a_slower_host() -> None:
    def spins() -> str:
        burn(0.1)
        return "done"

    assert run_in_child(spins, Host(Slowness(3.0)), cpu_s=0.08) == "done"
    assert run_in_child(spins, HERE, cpu_s=0.08) is None, "it came to its end, and too late"


def test_the_kernel_ends_it_should_its_worker_be_gone() -> None:
    kinds = resource.RLIMIT_CPU, resource.RLIMIT_CORE
    assert run_in_child(lambda: str([resource.getrlimit(kind) for kind in kinds]), HERE, cpu_s=2) == "[(7, 7), (0, 0)]"


def test_what_it_changes_stays_with_it() -> None:
    kept: list[int] = []
    children = Path(f"/proc/self/task/{threading.get_native_id()}/children")
    before = len(list(Path("/proc/self/fd").iterdir())), children.read_text()
    assert run_in_child(lambda: kept.append(1) or "done", HERE) == "done"  # type: ignore[func-returns-value]
    assert kept == []
    assert (len(list(Path("/proc/self/fd").iterdir())), children.read_text()) == before


def test_one_that_hangs_is_ended_and_gives_nothing() -> None:
    assert run_in_child(lambda: time.sleep(6000) or "late", HERE, cpu_s=0.03) is None  # type: ignore[func-returns-value]


def test_one_whose_worker_is_killed_lets_go_of_the_hosts_lock(tmp_path: Path) -> None:
    ours, theirs = os.pipe()
    worker = os.fork()
    if not worker:
        with HostLock.acquire_shared(tmp_path) as turn, turn.exclusive():
            run_in_child(lambda: str((os.write(theirs, b"."), threading.Event().wait(100))), HERE, cpu_s=60)
        os._exit(1)
    assert os.read(ours, 1) == b"."
    os.kill(worker, signal.SIGKILL)
    os.waitpid(worker, 0)
    with (tmp_path / "gate.lock").open() as gate:
        until(lambda: not fails(lambda: fcntl.flock(gate, fcntl.LOCK_EX | fcntl.LOCK_NB)), "the lock")
    os.close(ours)
    os.close(theirs)


def fails(work: Callable[[], object]) -> bool:
    try:
        work()
    except BlockingIOError:
        return True
    return False


def yields() -> str:
    """Work that leaves one CPU to whatever else wants that one."""
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    os.nice(19)
    burn(0.016)
    return "done"


SPINS = "import os\nos.sched_setaffinity(0, {min(os.sched_getaffinity(0))})\nprint(flush=True)\nwhile True: pass"


def test_one_that_gets_no_cpu_is_done_again_alone_and_then_says_nothing_of_the_program() -> None:
    calm: list[bool] = []

    @contextlib.contextmanager
    def alone() -> Iterator[None]:
        calm.append(True)
        yield

    with spinning():
        with pytest.raises(MachineBusy, match="busy"):
            run_in_child(yields, HERE, cpu_s=0.02, patience=1)
        # On a machine that others load, what is done alone may get no CPU either, or too little of it to count fairly:
        # then it is tried from the beginning.
        said = None
        for _ in range(20):
            calm.clear()
            with contextlib.suppress(MachineBusy):
                said = run_in_child(lambda: "done" if calm else yields(), Host(exclusive=alone), cpu_s=0.02, patience=1)
            if said:
                break
    assert (said, calm) == ("done", [True])


@contextlib.contextmanager
def spinning() -> Iterator[None]:
    """A process that wants one CPU all the time."""
    with subprocess.Popen([sys.executable, "-S", "-c", SPINS], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        try:
            yield
        finally:
            process.kill()

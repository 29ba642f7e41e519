"""What is read of processes in /proc: here of this one and of its own children."""

import mmap
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from support.rules import ROOT
from support.waiting import until

from workers.grading.sandbox import task_usage
from workers.grading.sandbox.task_usage import TaskTimes

HERE = f"/proc/{os.getpid()}"
SIZE = 8 << 20
KIB = SIZE >> 10


@contextmanager
def child(code: str) -> Iterator[str]:
    """Where the kernel shows a child that has said a word."""
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == b"ready\n"
            yield f"/proc/{process.pid}"
        finally:
            process.kill()


def test_shared_memory_counts_as_what_is_a_processs_own() -> None:
    for flags in (mmap.MAP_SHARED, mmap.MAP_PRIVATE):
        with mmap.mmap(-1, SIZE, flags | mmap.MAP_ANONYMOUS) as memory:
            before = task_usage.resident_kib(HERE), task_usage.resident_kib(HERE, fairly=True)
            memory.write(b"x" * SIZE)
            after = task_usage.resident_kib(HERE), task_usage.resident_kib(HERE, fairly=True)
        assert all(now - then > KIB * 3 / 4 for now, then in zip(after, before, strict=True)), flags
    assert task_usage.resident_kib("/proc/0") == task_usage.resident_kib("/proc/0", fairly=True) == 0


def test_what_all_hold_is_beyond_each_ones_share_and_never_less_than_nothing() -> None:
    most = 1 << 50
    alone = task_usage.kib_of_all(most, exactly=False, fairly=False)
    assert alone >= 0
    assert task_usage.kib_of_all(0, exactly=False, fairly=False) - alone > task_usage.resident_kib(HERE) / 2
    assert task_usage.memory_above(most, 0) == 0


def test_pipes_are_counted_once_and_files_are_none() -> None:
    ends = [os.pipe() for _ in range(3)]
    try:
        found = {(facts.st_dev, facts.st_ino) for ends_of in ends for facts in map(os.fstat, ends_of)}
        assert len(found) == 3
        assert found <= task_usage.pipes_of(HERE)
        with Path(__file__).open("rb") as file:
            facts = os.fstat(file.fileno())
            assert (facts.st_dev, facts.st_ino) not in task_usage.pipes_of(HERE)
        exact = task_usage.kib_in_pipes([HERE, HERE], exactly=True)
        assert exact == len(task_usage.pipes_of(HERE)) * task_usage.KIB_OF_A_PIPE
        most = task_usage.max_descriptors(HERE)
        assert most >= len(list(Path("/proc/self/fd").iterdir()))
        assert task_usage.kib_in_pipes([HERE, HERE], exactly=False) == 2 * most * task_usage.KIB_OF_A_PIPE
    finally:
        for end in (end for both in ends for end in both):
            os.close(end)


def test_who_has_ended_and_is_not_waited_for_holds_nothing() -> None:
    assert task_usage.memory_place(str(os.getpid())) == HERE
    with child("print('ready', flush=True)") as place:
        until(lambda: not task_usage.has_memory(place), "its end")
        assert task_usage.memory_place(place.rpartition("/")[2]) == ""
    assert task_usage.memory_place("0") == ""


def test_a_socket_may_hold_what_the_kernel_says() -> None:
    most = int(Path("/proc/sys/net/core/wmem_default").read_text())
    used = int(Path("/proc/self/net/sockstat").read_text().split("\n")[0].split()[-1])
    assert most == task_usage.BYTES_OF_A_SOCKET
    assert task_usage.kib_in_sockets() == pytest.approx(used * most / 1024, rel=0.5, abs=50 * most / 1024)


def test_a_process_that_runs_has_a_cpu_and_one_that_sleeps_has_none() -> None:
    assert task_usage.last_cpu(f"{HERE}/task/{os.getpid()}") >= 0
    with child("import time; print('ready', flush=True); time.sleep(60)") as place:
        until(lambda: task_usage.last_cpu(place) == -1, "its sleep")
        assert task_usage.rate_of(f"{place}/task/{place.rpartition('/')[2]}", 0.0) == 0.0
    assert task_usage.last_cpu("/proc/0") == -1


# A few times: it may lose its CPU between two files. In a process of its own: what the kernel counts of one that runs
# for minutes may be off by some.
LOOKS = """
import os, threading
from workers.grading.sandbox import task_usage

def look():
    place = f"/proc/{os.getpid()}/task/{threading.get_native_id()}"
    print(max(task_usage.rate_of(place, 0.0) for _ in range(50)), flush=True)

thread = threading.Thread(target=look)
thread.start()
thread.join()
look()
"""


def test_of_a_process_its_first_task_alone_is_a_new_process() -> None:
    done = subprocess.run([sys.executable, "-c", LOOKS], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["0.0", "1.0"]


def test_all_tasks_but_those_of_init_are_seen() -> None:
    times = task_usage.read_times()
    assert times[f"{HERE}/task/{os.getpid()}"][0] > 0
    assert not any(place.startswith("/proc/1/") for place in times)


@pytest.mark.parametrize("chosen", [False, True])
def test_a_look_at_new_processes_that_run_is_followed_by_others_soon(chosen: bool) -> None:
    """But where the program may have chosen its moment."""
    tasks = TaskTimes(0.0, 2)
    moment = tasks.look(chosen=chosen)
    assert tasks.dense_until == (0.0 if chosen else moment + task_usage.DENSE_S)

"""A verdict does not depend on what else the machine does: programs are judged beside spinning processes."""

# ruff: noqa: E501  # programs

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass, replace
from multiprocessing import get_context

import pytest
from grading.judging import is_late
from support.missing import missing

from app.domain.judging.verdicts import GradeResult, Verdict
from app.domain.problems import Form, Interactor, Limits, ProblemSpec, Test
from workers.grading.judge import Judge
from workers.grading.toolchains import known_languages

pytestmark = [pytest.mark.sandbox, pytest.mark.timeout(600)]
CORES = os.cpu_count() or 1
SPINS = "import os\nprint(flush=True)\nwhile os.getppid() == {parent}:\n    for _ in range(10**6): pass\n"  # no longer than the tests
ROOMY = Limits(time_ms=20_000, memory_mb=1024)

SPIN = "def spin(n):\n    total = 0\n    for k in range(n): total += k * k % 7\n    return total\n"
PYTHON = SPIN + "print(spin({size}) >= 0)"
PYTHON_THREADS = (
    SPIN
    + "import threading\nthreads = [threading.Thread(target=spin, args=({size} // 3,)) for _ in range(3)]\n"
    + "for thread in threads: thread.start()\nfor thread in threads: thread.join()\nprint(True)"
)
SHELL = "import subprocess, sys\ncode = 'total = 0\\nfor k in range({size}): total += k * k % 7'\nsubprocess.run(['/bin/sh', '-c', f\"{{sys.executable}} -c '{{code}}'; true\"], check=True)\nprint(True)"
CPP = '#include <bits/stdc++.h>\nint main() {{ volatile unsigned sum = 0; for (unsigned k = 0; k < {size}000u; k++) sum += k * k % 7; puts("True"); }}'
CPP_THREADS = '#include <bits/stdc++.h>\nvoid spin() {{ volatile unsigned sum = 0; for (unsigned k = 0; k < {size}000u / 3; k++) sum += k * k % 7; }}\nint main() {{ std::thread a(spin), b(spin), c(spin); a.join(); b.join(); c.join(); puts("True"); }}'
CPP_20 = '#include <bits/stdc++.h>\n#include <ranges>\nint main() {{ volatile unsigned sum = 0; for (unsigned k : std::views::iota(0u, {size}000u)) sum += k * k % 7; std::vector<int> v{{3, 1, 2}}; std::ranges::sort(v); puts("True"); }}'
# No thread writes what another does: two cores would take more CPU time for that than one that others use too.
JAVA = 'public class Main {{ public static void main(String[] a) throws Exception {{ int[] sums = new int[3]; Thread[] t = new Thread[3]; for (int i = 0; i < 3; i++) {{ int at = i; t[i] = new Thread(() -> {{ int sum = 0; for (int k = 0; k < {size}000 / 3; k++) sum += k * k % 7; sums[at] = sum; }}); t[i].start(); }} for (Thread one : t) one.join(); System.out.println("True"); }} }}'
GO = 'package main\nimport "fmt"\nfunc spin(out chan int) {{ sum := 0; for k := 0; k < {size}000 / 3; k++ {{ sum += k * k % 7 }}; out <- sum }}\nfunc main() {{ out := make(chan int); for i := 0; i < 3; i++ {{ go spin(out) }}; for i := 0; i < 3; i++ {{ <-out }}; fmt.Println("True") }}'
ECHO = "import sys\nfor n in range({turns}):\n    if sys.stdin.readline() != f'{n}\\n': sys.exit(1)\n    print(n, flush=True)\nsys.exit(0)"
TALKS = "for n in range({turns}):\n    print(n, flush=True)\n    assert input() == str(n)\n"


@dataclass(frozen=True)
class Program:
    """A right program, and the problem that it solves."""

    language: str
    code: str
    problem: ProblemSpec
    turns: int = 0

    def within(self, limit_ms: float) -> ProblemSpec:
        """The problem with another limit."""
        return replace(self.problem, limits=replace(ROOMY, time_ms=max(1, round(limit_ms))))


def plain(language: str, code: str, size: int) -> Program:
    return Program(language, code.format(size=size), ProblemSpec("load", Form.STDIN, (Test("", "True\n"),), ROOMY))


def talking(turns: int) -> Program:
    interactor = Interactor(ECHO.replace("{turns}", str(turns)))
    problem = ProblemSpec("talk", Form.INTERACTIVE, (Test("", ""),), ROOMY, interactor=interactor)
    return Program("python", TALKS.replace("{turns}", str(turns)), problem, turns)


def forty(times: int) -> list[Program]:
    """Right programs of every kind, which take so many times their least."""
    kinds = [("python", PYTHON, 8), ("python", PYTHON_THREADS, 5), ("python", SHELL, 3), ("cpp", CPP, 6),
             ("cpp", CPP_THREADS, 4), ("cpp", CPP_20, 3), ("java", JAVA, 3), ("go", GO, 3)]  # fmt: skip
    least = {"cpp": 60_000, "java": 60_000, "go": 150_000, "python": 1_500_000}
    return [
        plain(language, code, times * least[language] * (4 + number) // 4)
        for language, code, count in kinds
        for number in range(count)
    ] + [talking(5000) for _ in range(5)]


FEW = [plain("python", PYTHON_THREADS, 1_500_000), plain("cpp", CPP, 100_000), talking(100)]
TURN_MS = 0.04
SLEEPS = "import time\ntime.sleep(100)"


@contextlib.contextmanager
def spinning(processes: int) -> Iterator[None]:
    """So many processes that want a CPU all the time."""
    # Each in a session of its own: else some kernels give all of them together no more than the judged program.
    spin = [sys.executable, "-S", "-c", SPINS.format(parent=os.getpid())]
    started = [subprocess.Popen(spin, start_new_session=True, stdout=subprocess.PIPE) for _ in range(processes)]
    try:
        for process in started:
            assert process.stdout is not None
            process.stdout.readline()
        yield
    finally:
        for process in started:
            process.kill()
        for process in started:
            process.communicate()


@contextlib.contextmanager
def on_one_core() -> Iterator[None]:
    """A load that takes no more than one core of the tests beside it."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def cpu_alone(judge: Judge, program: Program) -> float:
    """CPU milliseconds of a program beside nothing; it is right."""
    if judge.find(program.language) is None:
        missing(program.language, judge.refused_languages()[program.language])
    result = judge.grade(program.problem, program.code, program.language)
    assert result.verdict is Verdict.ACCEPTED, result
    assert result.slowness is not None
    return result.cpu_ms / result.slowness / known_languages()[program.language].time_factor


def judged(judge: Judge, program: Program, cpu_ms: float, share: float) -> GradeResult:
    """The verdict with a limit of which the program needs so much.

    On a busy machine each turn of a conversation takes a switch with cold caches: what takes 10 to 15 us else took 45
    to 60 us there.
    """
    needs_ms = cpu_ms + (TURN_MS * program.turns if share < 1 else 0)
    return judge.grade(program.within(needs_ms / share), program.code, program.language)


# They take a tenth of a second by their own clock, or less, whatever the machine's speed.
BUSY_ENOUGH = {
    "threads": Program(
        "python",
        "import threading, time\ndef work():\n    while time.process_time() < 0.1: pass\nall = [threading.Thread(target=work) for _ in range(3)]\nfor one in all: one.start()\nfor one in all: one.join()\nprint(True)",
        FEW[0].problem,
    ),
    "C++20": Program(
        "cpp",
        '#include <bits/stdc++.h>\nint main() { for (int k : std::views::iota(0)) if (k % 1000 == 0 && clock() > CLOCKS_PER_SEC / 10) break; puts("True"); }',
        FEW[0].problem,
    ),
    "interactive": talking(700),
}


@pytest.mark.slow
def test_right_programs_are_accepted_on_a_busy_machine(judge: Judge) -> None:
    """Each waits longer than its wall limit: one core has fifteen times the work that it can do."""
    for program in BUSY_ENOUGH.values():
        assert judge.grade(program.problem, program.code, program.language).verdict is Verdict.ACCEPTED, "in peace"
    with on_one_core(), spinning(14), ThreadPoolExecutor(len(BUSY_ENOUGH)) as together:
        tries = [together.submit(judge.grade, one.within(240), one.code, one.language) for one in BUSY_ENOUGH.values()]
        results = [each.result() for each in tries]
    assert [result.verdict for result in results] == [Verdict.ACCEPTED] * 3, results


@pytest.mark.slow
def test_what_a_right_program_waited_for_a_cpu_is_all_that_a_busy_machine_adds(judge: Judge) -> None:
    programs = [plain("python", PYTHON, 1_500_000), plain("cpp", CPP, 60_000), plain("cpp", CPP_THREADS, 60_000)]
    with on_one_core(), spinning(30):
        runs = [judge.grade(one.problem, one.code, one.language).tests[0] for one in programs]
    assert min(run.waited_ms for run in runs) > 500, runs
    assert sum(run.wall_ms - run.waited_ms - run.cpu_ms for run in runs) < 200, runs


@pytest.mark.slow
def test_who_sleeps_is_late_on_a_busy_machine_too(judge: Judge) -> None:
    with spinning(8 * CORES):
        assert judged(judge, replace(FEW[0], code=SLEEPS), 600, 1.0).verdict is Verdict.TIME_LIMIT


CROWD = """#include <bits/stdc++.h>
void spin() { for (volatile unsigned k = 0; k < SPINSu; k++); }
int main() { std::vector<std::thread> all; for (int n = 0; n < 40; n++) all.emplace_back(spin); for (auto &one : all) one.join(); SLEEP; }
"""


@pytest.mark.parametrize("spins", [20_000_000, pytest.param(60_000_000, marks=pytest.mark.slow)])
def test_a_program_whose_threads_crowd_one_another_cannot_choose_not_to_be_counted(judge: Judge, spins: int) -> None:
    code = CROWD.replace("SPINS", str(spins)).replace("SLEEP", "sleep(100)")
    problem = replace(FEW[0].problem, limits=replace(ROOMY, time_ms=1500))
    assert is_late(judge, problem, code, "cpp")


def test_nor_can_it_where_the_judge_may_use_one_core_of_several(judge: Judge) -> None:
    """What its threads wait for is the one core that they share, and the others are nobody's that they could have."""
    code = CROWD.replace("SPINS", "20000000").replace("SLEEP", "sleep(100)")
    problem = replace(FEW[0].problem, limits=replace(ROOMY, time_ms=1500))
    with on_one_core():
        assert is_late(judge, problem, code, "cpp")


BURSTS = """#include <bits/stdc++.h>
#include <time.h>
long now(clockid_t clock) { timespec t; clock_gettime(clock, &t); return t.tv_sec * 1000000000L + t.tv_nsec; }
void crowd() {
    for (;;) {
        long next = (now(CLOCK_MONOTONIC) / 25000000 + 1) * 25000000;
        timespec until{next / 1000000000, next % 1000000000};
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, 0);
        long since = now(CLOCK_THREAD_CPUTIME_ID);
        while (now(CLOCK_THREAD_CPUTIME_ID) - since < 10000) {}
    }
}
int main() { std::vector<std::thread> all; for (int n = 0; n < 60; n++) all.emplace_back(crowd); for (auto &one : all) one.join(); }
"""


def test_sixty_threads_that_wake_together_and_sleep_are_late_and_no_fault_of_the_machine(judge: Judge) -> None:
    problem = replace(FEW[0].problem, limits=replace(ROOMY, time_ms=200))
    assert is_late(judge, problem, BURSTS, "cpp")


BESIDE = 12  # programs judged at once, as by so many workers: a load too, and a round ends in minutes
AT_MOST_S = 1500


class Here:
    """What a process judges with: it comes by the fork."""

    judge: Judge


def _judge_with(judge: Judge) -> None:
    Here.judge = judge
    os.setsid()  # as a service of its own: some kernels give a session no more than one process
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # with the tests it ends


def _judged(program: Program, cpu_ms: float, share: float) -> GradeResult:
    return judged(Here.judge, program, cpu_ms, share)


def all_judged(judge: Judge, tries: list[tuple[Program, float, float]]) -> list[GradeResult]:
    """The verdicts on programs of so much CPU time with shares of their limits, by processes beside one another."""
    workers = ProcessPoolExecutor(BESIDE, get_context("fork"), _judge_with, (judge,))
    try:
        return list(workers.map(_judged, *zip(*tries, strict=True)))
    finally:
        workers.shutdown(cancel_futures=True)


UNDER_LOAD = pytest.mark.parametrize(
    "processes", [8 * CORES, 200], ids=["eight processes a core", "two hundred processes"]
)


def all_alone(judge: Judge, programs: list[Program]) -> list[tuple[Program, float]]:
    return [(program, cpu_alone(judge, program)) for program in programs]


@pytest.mark.slow
@pytest.mark.timeout(AT_MOST_S)
@UNDER_LOAD
@pytest.mark.parametrize("number", range(1, 11))
def test_forty_right_programs_in_each_of_ten_rounds(judge: Judge, processes: int, number: int) -> None:
    programs = all_alone(judge, forty(1))
    assert len(programs) == 40
    within = [(program, cpu_ms, 0.6) for program, cpu_ms in reversed(programs)]  # what takes longest first
    with spinning(processes):
        results = all_judged(judge, within)
    verdicts = [result.verdict for result in results]
    assert verdicts.count(Verdict.ACCEPTED) >= 39, [result for result in results if result.verdict != "accepted"]
    assert set(verdicts) <= {Verdict.ACCEPTED, Verdict.JUDGE_ERROR}
    for one, verdict in zip(within, verdicts, strict=True):
        if verdict is not Verdict.ACCEPTED:
            assert judged(judge, *one).verdict is Verdict.ACCEPTED, "once the load has ended"


@pytest.mark.slow
@pytest.mark.timeout(AT_MOST_S)
@UNDER_LOAD
def test_ten_programs_near_their_limit(judge: Judge, processes: int) -> None:
    # Of a tenth of a second the cold caches of a busy machine take a tenth: nearer to the limit goes what takes longer.
    programs = all_alone(judge, forty(3)[::4])
    assert len(programs) == 10
    with spinning(processes):
        near = all_judged(judge, [(program, cpu_ms, 0.9) for program, cpu_ms in programs])
    assert {result.verdict for result in near} <= {Verdict.ACCEPTED, Verdict.JUDGE_ERROR}, near


@pytest.mark.slow
@pytest.mark.timeout(AT_MOST_S)
@UNDER_LOAD
def test_forty_slow_programs_and_ten_that_sleep(judge: Judge, processes: int) -> None:
    programs = all_alone(judge, forty(1))
    asleep = replace(FEW[0], code=SLEEPS)
    with spinning(processes):
        slow = all_judged(judge, [(program, cpu_ms, 2.0) for program, cpu_ms in programs])
        sleeping = all_judged(judge, [(asleep, 300.0 + 50 * n, 1.0) for n in range(10)])
    assert (len(slow), len(sleeping)) == (40, 10)
    assert {result.verdict for result in slow + sleeping} == {Verdict.TIME_LIMIT}, slow + sleeping


@pytest.mark.parametrize("language", ["python", "cpp"])
def test_what_the_service_ignores_programs_do_not(judge: Judge, language: str) -> None:
    """A service that was started by nohup, or in the background by a script, ignores some signals."""
    code = {
        "python": "import signal\nprint([signal.getsignal(n) for n in (1, 3)] == [signal.SIG_DFL] * 2)",
        "cpp": '#include <bits/stdc++.h>\n#include <csignal>\nint main() { puts(signal(1, SIG_DFL) == SIG_DFL && signal(3, SIG_DFL) == SIG_DFL ? "True" : ""); }',
    }
    before = {number: signal.signal(number, signal.SIG_IGN) for number in (signal.SIGHUP, signal.SIGQUIT)}
    try:
        assert judge.grade(FEW[0].problem, code[language], language).verdict is Verdict.ACCEPTED
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


GARBAGE = """class P { static void Main() {
    for (int i = 0; i < 3000; i++) if (new byte[1 << 20].Length == 0) return;
    foreach (var line in System.IO.File.ReadLines("/proc/self/status"))
        if (line.StartsWith("VmPeak")) System.Console.WriteLine(int.Parse(line.Split()[line.Split().Length - 2]) >> 10 < 400);
} }"""


@pytest.mark.slow
def test_garbage_is_collected_in_time_on_a_busy_machine(judge: Judge) -> None:
    """A collector in threads of its own fell behind: 550 to 1190 MB were mapped where a quiet machine maps 180."""
    if judge.find("csharp") is None:
        missing("csharp", judge.refused_languages()["csharp"])
    program = Program("csharp", GARBAGE, FEW[0].problem)
    with on_one_core(), spinning(10):
        result = judge.grade(program.problem, program.code, program.language)
    assert result.verdict is Verdict.ACCEPTED, result

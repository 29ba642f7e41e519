"""What the clock cut is done again, alone: programs, compiling, checkers, interactors, by what runs are told to be."""

import contextlib
import json
import math
import signal
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from app.domain.judging.verdicts import Verdict
from app.domain.problems import CheckerKind, Limits, Test
from app.domain.unittests.assertions import DirectTest
from workers.grading.answering_judge import _run_helper
from workers.grading.checker_programs import CheckerProgram, Helper, helper_files
from workers.grading.compile_cache import CompileCache
from workers.grading.graders import HelperFailed, JudgedTest
from workers.grading.host_lock import Host, HostLock, exclusive_host
from workers.grading.interactive_grader import InteractiveGrader, _Dialogue, _DialogueSide, _StdinQueue
from workers.grading.judged_program import run_tests
from workers.grading.run_verdict import ProgramLimits, decide, program_limits
from workers.grading.sandbox.protocol import ProgramRun
from workers.grading.settings import COMPILER_BOUNDS, HelperLimits
from workers.grading.slowness import Slowness
from workers.grading.starvation import MachineBusy
from workers.grading.testing.package_tests import _run_fault
from workers.grading.toolchains import Toolchain, known_languages
from workers.grading.unittests import UnittestGrader

PYTHON, C = known_languages()["python"], known_languages()["c"]
FINE = ProgramRun(status=0, cpu_ms=100, wall_ms=120, peak_kb=1 << 10)
CUT = replace(FINE, status=int(signal.SIGKILL), wall_ms=9000, wall_cut=True)
SLEPT = CUT
WAITED = replace(CUT, starved_ms=8000)  # by its own tasks' crowding, as far as is known
ROBBED = replace(WAITED, starved_by_others_ms=8000)
ENDLESS = replace(
    ROBBED, wall_ms=200_000, starved_ms=199_000, starved_by_others_ms=199_000, wall_cut=False, starved_cut=True
)
JUST_LATE, LATER = replace(FINE, cpu_ms=11_400), replace(FINE, cpu_ms=11_600)  # of 10 s of CPU
WORK = Test("", "")


@dataclass
class Told:
    """Stands in for whatever runs something in a sandbox: gives these runs, and knows which came while it was alone."""

    runs: list[ProgramRun]
    said: bytes = b""
    is_alone: bool = False
    seen: list[bool] = field(default_factory=list)
    sink: Callable[[bytes], None] = lambda _: None
    cpu_ms: float = math.inf  # what ends a run

    def next(self) -> ProgramRun:
        self.seen.append(self.is_alone)
        run = self.runs.pop(0)
        if run.cpu_ms > self.cpu_ms:
            run = replace(run, status=int(signal.SIGKILL), cpu_ms=self.cpu_ms, cpu_cut=True)
        if run.status == 0:
            self.sink(self.said)
        return run

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        self.is_alone = True
        yield
        self.is_alone = False

    @property
    def host(self) -> Host:
        return Host(Slowness(), self.alone)

    # A session, a runner and its pump.
    def __enter__(self) -> "Told":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def run(self, bounds: Any = None, sink: Any = None, **_: object) -> ProgramRun:
        self.sink, self.cpu_ms = sink or self.sink, bounds.cpu_ms if bounds else self.cpu_ms
        return self.next()

    def start(self, bounds: Any = None, *_: object, **__: object) -> "Told":
        self.cpu_ms = bounds.cpu_ms if bounds else self.cpu_ms
        return self

    def renew(self) -> None:
        pass


# --- programs -----------------------------------------------------------------------------------------------------

ALLOWED = program_limits(Limits(time_ms=1000, memory_mb=64), PYTHON, 1.0, slowness=2.0)  # 2000 ms of CPU, 4000 of time
OVER = replace(FINE, cpu_ms=2100)
AC, TLE, IE, RTE = Verdict.ACCEPTED, Verdict.TIME_LIMIT, Verdict.JUDGE_ERROR, Verdict.RUNTIME_ERROR


@dataclass
class Decides:
    """A referee of runs that it is told; whatever ends well is right."""

    told: Told
    limits: ProgramLimits = ALLOWED

    def judge(self, runner: Any, test: Test) -> JudgedTest:
        run = self.told.next()
        return JudgedTest(decide(run, True, self.limits), run)


PROGRAMS: Mapping[str, tuple[list[ProgramRun], Verdict, float]] = {
    "within the scaled limit": ([replace(FINE, cpu_ms=2000)], AC, 2000),
    "over it, and then not": ([OVER, replace(FINE, cpu_ms=1900)], AC, 1900),
    "15 % over it, twice: the faster counts": ([replace(OVER, cpu_ms=2300), OVER], TLE, 2100),
    "over it, and slower alone: the faster counts": ([OVER, replace(OVER, cpu_ms=2250)], TLE, 2100),
    "more than 15 % over it": ([replace(FINE, cpu_ms=2301)], TLE, 2301),
    "cut by the CPU limit": ([replace(CUT, wall_cut=False, cpu_cut=True, cpu_ms=3000)], TLE, 3000),
    "slept": ([SLEPT], TLE, 100),
    "slept, while others took a little": ([replace(SLEPT, starved_ms=2000, starved_by_others_ms=2000)], TLE, 100),
    "robbed, and right when alone": ([ROBBED, FINE], AC, 100),
    "robbed, and failed when alone": ([ROBBED, replace(FINE, status=1 << 8)], RTE, 100),
    "robbed, and slept when alone": ([ROBBED, SLEPT], TLE, 100),
    "robbed alone too": ([ROBBED, ROBBED], IE, 100),
    "crowded itself, alone too": ([WAITED, WAITED], TLE, 100),
    "robbed, and crowded itself when alone": ([ROBBED, WAITED], TLE, 100),
    "robbed, and too slow when alone": ([ROBBED, replace(FINE, cpu_ms=2400)], TLE, 2400),
    "a little over it, and robbed when alone": ([OVER, ROBBED], IE, 100),
    "kept waiting beyond patience, and right when alone": ([ENDLESS, FINE], AC, 100),
    "kept waiting beyond patience, alone too": ([ENDLESS, ENDLESS], IE, 100),
    "waited beyond patience by crowding itself": ([replace(ENDLESS, starved_by_others_ms=0)] * 2, TLE, 100),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_that_the_machine_may_have_made_late_runs_again_alone(name: str) -> None:
    runs, verdict, cpu_ms = PROGRAMS[name]
    told = Told(list(runs))
    runner: Any = told
    trial = run_tests(runner, (WORK,), Decides(told), ALLOWED, told.host, all_tests=False)
    assert (trial.verdict, [outcome.cpu_ms for outcome in trial.outcomes]) == (verdict, [cpu_ms]), trial
    assert told.seen == [False, True][: len(runs)]
    assert told.runs == []
    assert ("the machine was busy" in trial.message) == (verdict is IE)


# --- what else runs in sandboxes ----------------------------------------------------------------------------------


def compiles(told: Told, folder: Path) -> str:
    """ "yes", or why not."""
    toolchain = Toolchain(C, "1", ("true",), (), ("/judge/main",), None, ())
    told.said = b"program"
    start: Any = lambda: told  # noqa: E731
    made = CompileCache(folder, COMPILER_BOUNDS).get(toolchain, b"source", start, told.host)
    return "yes" if made.path is not None else made.message


HELPER = Helper("checker", "", CheckerKind.TESTLIB, "c", "")


def checks(told: Told, folder: Path) -> str:
    runner: Any = told
    checker = CheckerProgram(HELPER, runner, HelperLimits(), told.host)
    with helper_files(WORK) as files:
        try:
            return "yes" if checker.check_output(files).right else "no"
        except HelperFailed as failed:
            return str(failed)


class Dialogues(InteractiveGrader):
    """Of a program that ended well, with an interactor whose runs are told."""

    told: Told
    program: ProgramRun

    def _talk(self, runner: Any, test: Test) -> _Dialogue:
        pump: Any = None
        program, interactor = (
            _DialogueSide(pump, _StdinQueue(), self.program),
            _DialogueSide(pump, _StdinQueue(), self.told.next()),
        )
        dialogue = _Dialogue(program, interactor, 4000, 1000, lambda _: None)
        dialogue.first = program
        return dialogue


def talks(told: Told, folder: Path, program: ProgramRun = FINE) -> str:
    runner: Any = told
    room, helper = HelperLimits(afterwards_ms=0), replace(HELPER, role="interactor")
    referee = Dialogues(helper, runner, ALLOWED, room, told.host, proven=True)
    referee.told, referee.program = told, program
    judged = referee.judge(runner, WORK)
    return "yes" if judged.verdict is AC else judged.note


def makes(told: Told, folder: Path) -> str:
    """A generator of a package."""
    runner: Any = told
    run, _ = _run_helper(runner, HelperLimits().bounds, told.host, (), b"")
    return _run_fault(run) or "yes"


KINDS = {"compiling": compiles, "a checker": checks, "an interactor": talks, "a generator": makes}
LATE = {
    "compiling": "took longer than 10 s",
    "a checker": "broke its limits",
    "an interactor": "broke its limits",
    "a generator": "it took too long",
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("runs", "late"),
    [
        ([FINE], False),
        ([SLEPT], True),
        ([ROBBED, FINE], False),
        ([WAITED, FINE], False),
        ([ENDLESS, FINE], False),
        ([ROBBED, SLEPT], True),
        ([WAITED, WAITED], True),
        ([JUST_LATE, FINE], False),
        ([JUST_LATE, JUST_LATE], True),
        ([JUST_LATE, SLEPT], True),
        ([LATER], True),
    ],
)
def test_what_judges_is_not_late_for_what_others_took(
    kind: str, runs: list[ProgramRun], late: bool, tmp_path: Path
) -> None:
    told = Told(list(runs))
    answer = KINDS[kind](told, tmp_path)
    assert (LATE[kind] in answer) if late else (answer == "yes")
    assert told.seen == [False, True][: len(runs)]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("runs", [[ROBBED, ROBBED], [WAITED, ENDLESS]])
def test_what_was_cut_alone_too_says_nothing_where_others_had_the_cpus(
    kind: str, runs: list[ProgramRun], tmp_path: Path
) -> None:
    told = Told(list(runs))
    with pytest.raises(MachineBusy, match="the machine was busy: "):
        KINDS[kind](told, tmp_path)
    assert told.seen == [False, True]


def test_what_the_program_took_while_its_interactor_waited_was_no_others(tmp_path: Path) -> None:
    half = replace(WAITED, starved_by_others_ms=4000)
    with pytest.raises(MachineBusy):
        talks(Told([half, half]), tmp_path)
    assert LATE["an interactor"] in talks(Told([half, half]), tmp_path, replace(FINE, cpu_ms=1900, wall_ms=2000))


def test_what_the_interactor_took_is_no_time_of_the_programs(tmp_path: Path) -> None:
    waits = replace(FINE, wall_ms=ALLOWED.wall_ms + 3000)
    assert talks(Told([replace(FINE, cpu_ms=4000)]), tmp_path, waits) == "yes"
    assert talks(Told([replace(FINE, cpu_ms=1000)]), tmp_path, waits) != "yes"


def test_one_who_is_alone_may_ask_for_it_again(tmp_path: Path) -> None:
    """A program that runs again alone may have a checker that is cut."""
    with HostLock.acquire_shared(tmp_path) as turn:
        host = Host(exclusive=turn.exclusive)
        assert host.try_with_retry(lambda: len(host.try_with_retry(lambda: 1, bool)), bool) == (2, 2)
    with exclusive_host(tmp_path):
        pass


# --- tests beside a program that passes whatever is expected ----------------------------------------------------------


@dataclass
class Passes(Told):
    """A program whose tests pass where its run ends well: the report is as the judge wants it."""

    def run(self, bounds: Any = None, sink: Any = None, **how: Any) -> ProgramRun:
        report = {"tampered": [], "unready": [], "bad": 0, "skipped": 0, "tests": 1, "assertions": 9, "own": 0}
        self.said = b"V" + json.dumps(report | {"word": json.loads(how["call"])["word"]}).encode() + b"\n"
        return super().run(bounds, sink)


DOUBTED = "import unittest\nclass T(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(f(1), 2)\n"


def beside(*runs: ProgramRun, proving: bool = False) -> tuple[JudgedTest, list[bool]]:
    told: Any = Passes(list(runs))
    referee = UnittestGrader(None, b"", ALLOWED, lambda: contextlib.nullcontext(told), told.host, proving=proving)
    return referee.judge(told, Test((DirectTest("T.test_a", "", 1), DOUBTED, False), None)), told.seen


def test_a_cheat_that_the_clock_cut_in_the_test_with_another_value_is_found_alone() -> None:
    assert beside(FINE, FINE)[0].verdict is Verdict.WRONG_ANSWER
    assert beside(FINE, replace(FINE, status=1 << 8))[0].verdict is AC
    assert beside(FINE, SLEPT)[0].verdict is AC
    judged, alone_in = beside(FINE, ROBBED, FINE)
    assert (judged.verdict, alone_in) == (Verdict.WRONG_ANSWER, [False, False, True])
    spared, _ = beside(FINE, ROBBED, FINE, proving=True)
    assert (spared.verdict, spared.spared) == (AC, (0,)), "a reference passes there too, and so may others"
    with pytest.raises(MachineBusy):
        beside(FINE, ROBBED, ROBBED)

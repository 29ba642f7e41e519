"""Limits follow the speed of the host, within bounds."""

import fcntl
import json
from dataclasses import replace
from pathlib import Path

import pytest
from grading.judging import Passed

from app.domain.errors import SandboxUnavailable
from app.domain.judging.verdicts import Verdict
from app.domain.problems import Checker, CheckerKind, Form, Limits, ProblemSpec, Test
from workers.grading.judge import Judge, JudgeSettings
from workers.grading.sandbox.root import Tools
from workers.grading.settings import HelperRoom
from workers.grading.slowness import Slowness, slowness_now
from workers.grading.toolchains import known_languages

LANGUAGES = known_languages()
SPIN = "import time\nwhile time.process_time() < {}: pass\nprint(1)"


def test_python_goes_by_the_interpreter_and_the_rest_by_compiled_code() -> None:
    now = Slowness(interpreted=1.5, compiled=1.2)
    assert {name: now.of(LANGUAGES[name]) for name in ("python", "cpp", "pypy", "java")} == {
        "python": 1.5, "cpp": 1.2, "pypy": 1.2, "java": 1.2,
    }  # fmt: skip
    assert Slowness(0.2, 0.2).of(LANGUAGES["cpp"]) == 0.7


@pytest.mark.parametrize("slow", ["cached", "scattered"])
def test_of_the_two_workloads_the_larger_multiple_counts(
    slow: str, tools: Tools, settings: JudgeSettings, tmp_path: Path
) -> None:
    """A program that takes a tenth of a second where it is told to be slow, and next to none otherwise."""
    spins = f"import sys, time\nwhile sys.argv[1] == {slow!r} and time.process_time() < 0.1: pass\n"
    (tmp_path / "workload.py").write_text(spins)
    made = replace(tools, path=tmp_path, launcher=False)
    found = slowness_now(tmp_path, made, settings.python).interpreted
    assert 0.1 / 0.07 < found < 0.1 / 0.04 * 3


def test_it_is_measured_once_for_the_host_until_it_is_old(
    tools: Tools, settings: JudgeSettings, tmp_path: Path
) -> None:
    tools, kept = replace(tools, digest="one"), tmp_path / "slowness-one.json"

    def now() -> Slowness:
        return slowness_now(tmp_path, replace(tools, launcher=False), "/bin/true")  # which takes no time

    found = slowness_now(tmp_path, tools, settings.python)
    assert 0.1 < found.interpreted < 30
    assert 0.1 < found.compiled < 30
    assert now() == found
    _, at, *_ = json.loads(kept.read_text())
    somebodys = Slowness(77.0, 88.0)
    kept.write_text(f'["one", {at - 250}, 77.0, 88.0]')
    assert now() == somebodys, "another process has measured"
    for what in (
        f'["one", {at - 300}, 77.0, 88.0]',
        f'["one", {at + 3600}, 77.0, 88.0]',  # of before the machine started anew
        f'["two", {at}, 77.0, 88.0]',  # another workload
        "", "[]", "null", '["one", "now", 77.0, 88.0]',
    ):  # fmt: skip
        kept.write_text(what)
        assert now() != somebodys, what


def test_nobody_waits_for_another_version_or_for_who_measures(
    tools: Tools, settings: JudgeSettings, tmp_path: Path
) -> None:
    """On a busy machine it takes long to measure, and all that judge there would wait for it."""
    (tmp_path / "workload.py").touch()  # which takes next to no time, but more than /bin/true
    one, other = (replace(tools, path=tmp_path, digest=digest, launcher=False) for digest in ("one", "other"))
    found = slowness_now(tmp_path, one, settings.python)
    slowness_now(tmp_path, other, settings.python)
    assert slowness_now(tmp_path, one, "/bin/true") == found, "another version has measured for itself"
    kept = tmp_path / "slowness-one.json"
    _, at, *_ = json.loads(kept.read_text())
    with (tmp_path / "slowness.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        kept.write_text(f'["one", {at - 500}, 77.0, 88.0]')
        assert slowness_now(tmp_path, one, "/bin/true") == Slowness(77.0, 88.0), "somebody measures now"
    assert slowness_now(tmp_path, one, "/bin/true") != Slowness(77.0, 88.0), "and if not, it is done here"


@pytest.mark.sandbox
def test_limits_are_multiplied_and_the_factor_is_told(settings: JudgeSettings, judge: Judge) -> None:
    """A host that is twice as slow has twice the time, and no more."""
    problem = ProblemSpec("spin", Form.STDIN, (Test("", "1"),), Limits(time_ms=80))
    room = HelperRoom(replace(HelperRoom().bounds, cpu_ms=80))
    judge = Passed(replace(settings, slowness=2.0, helpers=room), judge)
    for seconds, verdict in ((0.12, Verdict.ACCEPTED), (0.2, Verdict.TIME_LIMIT)):
        spin = SPIN.format(seconds)
        result = judge.grade(problem, spin, "python")
        assert (result.verdict, result.slowness) == (verdict, 2.0), result
        checked = replace(problem, checker=Checker(CheckerKind.TESTLIB, program=spin))
        result = judge.grade(checked, "print(1)", "python")
        assert (result.verdict is Verdict.ACCEPTED) == (verdict is Verdict.ACCEPTED), result


@pytest.mark.sandbox
def test_a_host_that_is_too_slow_judges_nothing_and_says_why(settings: JudgeSettings) -> None:
    judge = Judge(replace(settings, slowness=3.1))
    with pytest.raises(SandboxUnavailable, match=r"3\.1 times as slow"):
        judge.self_test()
    with pytest.raises(SandboxUnavailable):
        judge.grade(ProblemSpec("spin", Form.STDIN, (Test("", "1"),)), "print(1)", "python")

"""Limits follow the speed of the host, within bounds."""

import fcntl
import json
from dataclasses import replace
from pathlib import Path

import pytest
from grading.judging import Passed

from app.domain.judging.verdicts import Verdict
from app.domain.problems import Checker, CheckerKind, Form, Limits, ProblemSpec, Test
from workers.grading.judge import Judge, JudgeSettings
from workers.grading.sandbox.root import Tools
from workers.grading.settings import HelperLimits
from workers.grading.slowness import HostSpeed, Slowness, slowness_now
from workers.grading.toolchains import known_languages

LANGUAGES = known_languages()
SPIN = "import time\nwhile time.process_time() < {}: pass\nprint(1)"


def test_python_goes_by_the_interpreter_and_the_rest_by_compiled_code() -> None:
    now = Slowness(interpreted=1.5, compiled=1.2)
    assert {name: now.of(LANGUAGES[name]) for name in ("python", "cpp", "pypy", "java")} == {
        "python": 1.5, "cpp": 1.2, "pypy": 1.2, "java": 1.2,
    }  # fmt: skip
    assert Slowness(0.2, 0.2).of(LANGUAGES["cpp"]) == 0.7
    assert Slowness(12.0, 12.0).of(LANGUAGES["cpp"]) == Slowness(12.0, 12.0).of(LANGUAGES["python"]) == 10.0


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


def write(folder: Path, slowness: Slowness, *, age_s: float, jump: float = 1.0, cpu_s: float = 0.5) -> Path:
    """Leave what another process has measured with the tools `one`."""
    path = folder / "slowness-one.json"
    at = machine_s(folder) - age_s
    path.write_text(json.dumps(["one", at, slowness.interpreted, slowness.compiled, slowness.is_over, jump, cpu_s]))
    return path


def machine_s(folder: Path) -> float:
    """The machine's own clock, as a measurement that is made now is dated."""
    (folder / "now").mkdir(exist_ok=True)
    (folder / "now" / "slowness-now.json").unlink(missing_ok=True)
    slowness_now(folder / "now", Tools(folder, "now", launcher=False, packages=()), "/bin/true")
    return float(json.loads((folder / "now" / "slowness-now.json").read_text())[1])


@pytest.fixture
def quick(tools: Tools, tmp_path: Path) -> Tools:
    """Tools whose workload, with /bin/true for an interpreter, takes next to no time."""
    return replace(tools, path=tmp_path, digest="one", launcher=False)


@pytest.mark.parametrize(
    ("slowness", "jump", "cpu_s", "life_s"),
    [
        pytest.param(Slowness(1.9, 1.2), 1.2, 0.5, 300, id="steady"),
        pytest.param(Slowness(1.2, 2.1), 1.0, 0.3, 5, id="above 2"),
        pytest.param(Slowness(1.0, 1.0), 1.25, 0.3, 5, id="25 % from the one before"),
        pytest.param(Slowness(3.0, 1.0), 1.0, 1.5, 15, id="a tenth of one core"),
        pytest.param(Slowness(9.0, 9.0), 1.0, 5.0, 30, id="at most half a minute"),
    ],
)
def test_a_measurement_that_may_be_of_a_passing_load_holds_for_seconds(
    quick: Tools, tmp_path: Path, slowness: Slowness, jump: float, cpu_s: float, life_s: float
) -> None:
    write(tmp_path, slowness, age_s=life_s - 1, jump=jump, cpu_s=cpu_s)
    assert slowness_now(tmp_path, quick, "/bin/true") == slowness
    assert slowness_now(tmp_path, quick, "/bin/true", max_age_s=life_s - 2) != slowness, "a younger one is asked for"
    write(tmp_path, slowness, age_s=life_s + 1, jump=jump, cpu_s=cpu_s)
    assert slowness_now(tmp_path, quick, "/bin/true") != slowness


def test_the_first_measurement_is_confirmed_soon_and_the_second_holds(quick: Tools, tmp_path: Path) -> None:
    """The first one is of a machine on which everything starts."""
    for jump in (1.25, 1.0):
        found = slowness_now(tmp_path, quick, "/bin/true")
        path = tmp_path / "slowness-one.json"
        facts = json.loads(path.read_text())
        assert facts[5] == jump
        path.write_text(json.dumps([facts[0], facts[1] - 6, *facts[2:]]))
        assert found.of_ours == 0.7


def test_a_measurement_under_load_does_not_outlive_the_load(
    tools: Tools, settings: JudgeSettings, tmp_path: Path
) -> None:
    """The workload takes four times as long while there is a load, and then no more."""
    made = replace(tools, path=tmp_path, digest="one", launcher=False)
    spins = "import time\nwhile time.process_time() < {}: pass\n"
    write(tmp_path, Slowness(), age_s=301)
    (tmp_path / "workload.py").write_text(spins.format(0.3))
    loaded = slowness_now(tmp_path, made, settings.python)
    assert loaded.interpreted > 4
    (tmp_path / "workload.py").write_text(spins.format(0.04))
    _, at, *_, cpu_s = json.loads((tmp_path / "slowness-one.json").read_text())
    assert at > machine_s(tmp_path) - 60
    write(tmp_path, loaded, age_s=10 * cpu_s + 1, jump=4.0, cpu_s=cpu_s)
    assert slowness_now(tmp_path, made, settings.python).interpreted < loaded.interpreted / 1.25


def test_what_is_no_measurement_of_these_tools_is_made_again(
    tools: Tools, settings: JudgeSettings, tmp_path: Path
) -> None:
    tools = replace(tools, digest="one")
    found = slowness_now(tmp_path, tools, settings.python)
    assert 0.1 < found.interpreted < 30
    assert 0.1 < found.compiled < 30
    quick = replace(tools, launcher=False)
    assert slowness_now(tmp_path, quick, "/bin/true") == found
    somebodys = Slowness(7.0, 8.0)
    path = write(tmp_path, somebodys, age_s=1)
    assert slowness_now(tmp_path, quick, "/bin/true") == somebodys, "another process has measured"
    at = machine_s(tmp_path)
    for what in (
        f'["one", {at + 3600}, 7.0, 8.0, false, 1.0, 0.5]',  # of before the machine started anew
        f'["two", {at}, 7.0, 8.0, false, 1.0, 0.5]',  # another workload
        f'["one", {at}, 7.0, 8.0]',  # as it was written by an earlier version
        "", "[]", "null", '["one", "now", 7.0, 8.0, false, 1.0, 0.5]',
    ):  # fmt: skip
        path.write_text(what)
        assert slowness_now(tmp_path, quick, "/bin/true") != somebodys, what


def test_nobody_waits_for_another_version_or_for_who_measures(
    tools: Tools, settings: JudgeSettings, tmp_path: Path
) -> None:
    """On a busy machine it takes long to measure, and all that judge there would wait for it."""
    (tmp_path / "workload.py").touch()  # which takes next to no time, but more than /bin/true
    one, other = (replace(tools, path=tmp_path, digest=digest, launcher=False) for digest in ("one", "other"))
    found = slowness_now(tmp_path, one, settings.python)
    slowness_now(tmp_path, other, settings.python)
    assert slowness_now(tmp_path, one, "/bin/true") == found, "another version has measured for itself"
    somebodys = Slowness(7.0, 8.0)
    with (tmp_path / "slowness.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        write(tmp_path, somebodys, age_s=500)
        assert slowness_now(tmp_path, one, "/bin/true") == somebodys, "somebody measures now"
    assert slowness_now(tmp_path, one, "/bin/true") != somebodys, "and if not, it is done here"


def test_a_host_beyond_ten_is_warned_of_until_it_is_well_below(
    tools: Tools, settings: JudgeSettings, tmp_path: Path
) -> None:
    """Else the warning would come and go with each measurement."""
    made = replace(tools, path=tmp_path, digest="one", launcher=False)
    for before, seconds, is_over in ((False, 0.48, False), (False, 0.7, True), (True, 0.48, True), (True, 0.35, False)):
        (tmp_path / "workload.py").write_text(f"import time\nwhile time.process_time() < {seconds}: pass\n")
        write(tmp_path, Slowness(9.0, 9.0, before), age_s=301)
        found = slowness_now(tmp_path, made, settings.python)
        assert (found.is_over, found.warning is not None) == (is_over, is_over), (seconds, found)


@pytest.mark.sandbox
@pytest.mark.parametrize(
    ("then", "burns_s", "verdict"),
    [
        pytest.param(2.0, 0.0, Verdict.TIME_LIMIT, id="the load has gone"),
        pytest.param(0.7, 0.4, Verdict.ACCEPTED, id="a load has come"),
    ],
)
def test_a_verdict_near_the_limit_goes_by_the_speed_of_its_own_moment(
    settings: JudgeSettings, judge: Judge, tools: Tools, tmp_path: Path, then: float, burns_s: float, verdict: Verdict
) -> None:
    """The interpreter of the workload takes no time, or a lot; a program of 0.2 s has a limit of 0.15."""
    interpreter = tmp_path / "interpreter"
    burn = f"#!{settings.python} -IS\nimport time\nwhile time.process_time() < {burns_s}: pass\n"
    interpreter.write_text(burn if burns_s else "#!/bin/true\n")
    interpreter.chmod(0o755)
    path = write(tmp_path, Slowness(then, then), age_s=60)
    facts = json.loads(path.read_text())
    kept = tmp_path / f"slowness-{tools.digest[:16]}.json"
    kept.write_text(json.dumps([tools.digest, *facts[1:]]))
    judge = Passed(settings, judge)
    judge.speed = HostSpeed(tmp_path, str(interpreter), None)
    problem = ProblemSpec("spin", Form.STDIN, (Test("", "1"),), Limits(time_ms=150))
    light = judge.grade(problem, "print(1)", "python")
    assert (light.verdict, light.slowness) == (Verdict.ACCEPTED, then), "far from its limit: nothing is measured"
    result = judge.grade(problem, SPIN.format(0.2), "python")
    assert result.verdict is verdict, result
    assert result.slowness == judge.speed.last.of(LANGUAGES["python"]) != then


@pytest.mark.sandbox
def test_limits_are_multiplied_and_the_factor_is_told(settings: JudgeSettings, judge: Judge) -> None:
    """A host that is twice as slow has twice the time, and no more."""
    problem = ProblemSpec("spin", Form.STDIN, (Test("", "1"),), Limits(time_ms=80))
    room = HelperLimits(replace(HelperLimits().bounds, cpu_ms=80))
    judge = Passed(replace(settings, slowness=2.0, helpers=room), judge)
    for seconds, verdict in ((0.12, Verdict.ACCEPTED), (0.2, Verdict.TIME_LIMIT)):
        spin = SPIN.format(seconds)
        result = judge.grade(problem, spin, "python")
        assert (result.verdict, result.slowness) == (verdict, 2.0), result
        checked = replace(problem, checker=Checker(CheckerKind.TESTLIB, program=spin))
        result = judge.grade(checked, "print(1)", "python")
        assert (result.verdict is Verdict.ACCEPTED) == (verdict is Verdict.ACCEPTED), result


@pytest.mark.sandbox
def test_a_host_slower_than_ten_judges_by_ten_and_says_so(settings: JudgeSettings, judge: Judge) -> None:
    slow = Passed(replace(settings, slowness=12.0), judge)
    problem = ProblemSpec("spin", Form.STDIN, (Test("", "1"),), Limits(time_ms=10))
    result = slow.grade(problem, SPIN.format(0.03), "python")
    assert (result.verdict, result.slowness) == (Verdict.ACCEPTED, 10.0)
    assert slow.speed.last.warning is not None
    assert "12.0 times as slow" in slow.speed.last.warning
    assert Passed(replace(settings, slowness=10.0), judge).speed.last.warning is None

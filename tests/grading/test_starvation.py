"""Starvation: which runs are judged again because other work may have made them late."""

from dataclasses import replace

import pytest

from app.domain.judging.verdicts import Verdict
from app.domain.problems import Limits
from workers.grading.languages import Language
from workers.grading.run_verdict import decide, explain, program_limits
from workers.grading.sandbox.protocol import ProgramRun
from workers.grading.starvation import is_borderline, needs_retry, starved_by_others

LANGUAGE = Language("made-up", "x", (), "", time_factor=2.0, memory_base_mb=10)
ALLOWED = program_limits(Limits(time_ms=500, memory_mb=90, output_kb=8), LANGUAGE, time_factor=1.0)
FINE = ProgramRun(status=0, cpu_ms=100, wall_ms=120, peak_kb=1 << 10)


@pytest.mark.parametrize(
    ("run", "again"),
    [
        (replace(FINE, cpu_ms=1140), True),
        (replace(FINE, cpu_ms=900, wall_ms=2500), True),
        (replace(FINE, cpu_ms=1000, wall_ms=2500), True),
        (replace(FINE, cpu_ms=1160), False),
        (replace(FINE, cpu_ms=1500, cpu_cut=True), False),
        (replace(FINE, cpu_ms=10, wall_ms=2000, wall_cut=True), False),
        (replace(FINE, cpu_ms=10, wall_ms=2100, starved_ms=100, wall_cut=True), False),  # it slept
        (replace(FINE, cpu_ms=300, wall_ms=3000, starved_ms=1000, wall_cut=True), True),
    ],
)
def test_time_limit_that_the_load_may_have_caused_is_judged_again(run: ProgramRun, again: bool) -> None:
    assert needs_retry(run, Verdict.TIME_LIMIT, ALLOWED.cpu_ms) is again
    assert not needs_retry(run, Verdict.RUNTIME_ERROR, ALLOWED.cpu_ms)


@pytest.mark.parametrize(
    ("run", "again"),
    [
        (replace(FINE, cpu_ms=1000), False),
        (replace(FINE, cpu_ms=1001), True),
        (replace(FINE, cpu_ms=1150), True),
        (replace(FINE, cpu_ms=1151), False),
        (replace(FINE, cpu_ms=1100, wall_ms=4000, wall_cut=True), False),
        (replace(FINE, wall_ms=4000, starved_ms=999, wall_cut=True), False),
        (replace(FINE, wall_ms=4000, starved_ms=1000, wall_cut=True), True),
        (replace(FINE, wall_ms=4000, starved_ms=1000), False),
        (replace(FINE, wall_ms=4000, starved_cut=True), True),
    ],
)
def test_run_that_just_missed_its_limit_or_waited_for_a_cpu_is_borderline(run: ProgramRun, again: bool) -> None:
    assert is_borderline(run, ALLOWED.cpu_ms) is again


def test_program_that_others_starved_gets_a_judge_error() -> None:
    run = replace(FINE, cpu_ms=300, wall_ms=60_000, starved_ms=59_500, starved_by_others_ms=59_500, starved_cut=True)
    verdict = decide(run, True, ALLOWED)
    assert verdict is Verdict.JUDGE_ERROR
    assert needs_retry(run, verdict, ALLOWED.cpu_ms)
    assert "59500 ms without a CPU" in explain(run, verdict, ALLOWED)


def test_program_that_starves_itself_is_judged_again_and_late() -> None:
    crowded = replace(FINE, cpu_ms=300, wall_ms=60_000, starved_ms=59_500, starved_by_others_ms=100)
    for run in (replace(crowded, wall_cut=True), replace(crowded, starved_cut=True)):
        verdict = decide(run, True, ALLOWED)
        assert verdict is Verdict.TIME_LIMIT
        assert needs_retry(run, verdict, ALLOWED.cpu_ms)
        assert not starved_by_others(run)
        assert starved_by_others(replace(run, starved_by_others_ms=30_000))
    assert not starved_by_others(replace(crowded, starved_by_others_ms=30_000)), "it came to its own end"

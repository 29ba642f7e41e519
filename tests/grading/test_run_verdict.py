"""From a run to a verdict: which one stands when several apply, and how it is explained."""

import signal
from dataclasses import replace

import pytest

from app.domain.judging.verdicts import Verdict
from app.domain.problems import Limits
from workers.grading.languages import Language
from workers.grading.run_verdict import decide, explain, mark_oversized, printable, program_limits
from workers.grading.sandbox.guest import OUT_OF_MEMORY, SYNTAX_ERROR
from workers.grading.sandbox.protocol import ProgramRun

LANGUAGE = Language("made-up", "x", (), "", time_factor=2.0, memory_base_mb=10)
ALLOWED = program_limits(Limits(time_ms=500, memory_mb=90, output_kb=8), LANGUAGE, time_factor=1.0)
FINE = ProgramRun(status=0, cpu_ms=100, wall_ms=120, peak_kb=1 << 10)
FAILED, SEGV, ABRT = 1 << 8, int(signal.SIGSEGV), int(signal.SIGABRT)


def test_limits_follow_problem_language_and_caller() -> None:
    assert (ALLOWED.cpu_ms, ALLOWED.wall_ms, ALLOWED.memory_kb) == (1000, 2000, 100 << 10)
    assert (ALLOWED.bounds.cpu_ms, ALLOWED.bounds.wall_ms) == (1500, 2000)
    assert (ALLOWED.bounds.memory_mb, ALLOWED.bounds.output_bytes) == (100, 8 << 10)
    assert program_limits(Limits(time_ms=100), LANGUAGE, 1.0).wall_ms == 1200
    assert program_limits(Limits(time_ms=500), LANGUAGE, 3.0).cpu_ms == 3000


@pytest.mark.parametrize(
    ("run", "right", "verdict"),
    [
        (FINE, True, Verdict.ACCEPTED),
        (FINE, False, Verdict.WRONG_ANSWER),
        (replace(FINE, status=FAILED), True, Verdict.RUNTIME_ERROR),
        (replace(FINE, status=FAILED), False, Verdict.RUNTIME_ERROR),
        (replace(FINE, status=SEGV), True, Verdict.RUNTIME_ERROR),
        (replace(FINE, status=FAILED, cpu_ms=1001), False, Verdict.TIME_LIMIT),
        (replace(FINE, cpu_ms=1000), True, Verdict.ACCEPTED),
        (replace(FINE, cpu_ms=1001), True, Verdict.TIME_LIMIT),
        (replace(FINE, wall_ms=2000), True, Verdict.ACCEPTED),
        (replace(FINE, wall_ms=2001), True, Verdict.TIME_LIMIT),
        (replace(FINE, wall_ms=3000, starved_ms=1500), True, Verdict.ACCEPTED),
        (replace(FINE, status=9, cpu_cut=True), True, Verdict.TIME_LIMIT),
        (replace(FINE, status=9, wall_cut=True), True, Verdict.TIME_LIMIT),
        (replace(FINE, status=9, memory_cut=True, cpu_ms=5000), True, Verdict.MEMORY_LIMIT),
        (replace(FINE, peak_kb=100 << 10), True, Verdict.ACCEPTED),
        (replace(FINE, peak_kb=(100 << 10) + 1), True, Verdict.MEMORY_LIMIT),
        (replace(FINE, peak_kb=96 << 10), True, Verdict.ACCEPTED),
        (replace(FINE, status=SEGV, peak_kb=95 << 10), True, Verdict.MEMORY_LIMIT),
        (replace(FINE, status=SEGV, peak_kb=(95 << 10) - 1), True, Verdict.RUNTIME_ERROR),
        (replace(FINE, status=OUT_OF_MEMORY << 8), True, Verdict.MEMORY_LIMIT),
        (replace(FINE, output_cut=True, memory_cut=True, status=9), True, Verdict.OUTPUT_LIMIT),
        (replace(FINE, status=SYNTAX_ERROR << 8), False, Verdict.COMPILE_ERROR),
    ],
)
def test_the_verdict_on_a_run(run: ProgramRun, right: bool, verdict: Verdict) -> None:
    assert decide(run, right, ALLOWED) is verdict
    assert bool(explain(run, verdict, ALLOWED)) is (verdict not in (Verdict.ACCEPTED, Verdict.COMPILE_ERROR))


@pytest.mark.parametrize(
    ("share", "run", "verdict"),
    [
        (0.5, replace(FINE, status=ABRT, peak_kb=50 << 10), Verdict.MEMORY_LIMIT),
        (0.5, replace(FINE, status=ABRT, peak_kb=49 << 10), Verdict.RUNTIME_ERROR),
        (0.5, replace(FINE, status=SEGV, peak_kb=60 << 10), Verdict.RUNTIME_ERROR),
        (0.5, replace(FINE, status=FAILED, peak_kb=60 << 10), Verdict.RUNTIME_ERROR),
        (0.5, replace(FINE, peak_kb=60 << 10), Verdict.ACCEPTED),
        (0.0, replace(FINE, status=ABRT, peak_kb=1), Verdict.MEMORY_LIMIT),
        (None, replace(FINE, status=ABRT, peak_kb=60 << 10), Verdict.RUNTIME_ERROR),
    ],
)
def test_a_runtime_that_aborts_when_full_is_short_of_memory(
    share: float | None, run: ProgramRun, verdict: Verdict
) -> None:
    allowed = program_limits(Limits(time_ms=500, memory_mb=90), replace(LANGUAGE, abort_share=share), time_factor=1.0)
    assert decide(run, True, allowed) is verdict


@pytest.mark.parametrize(
    ("status", "mapped_mb", "short"),
    [
        (SEGV, 700, True),
        (int(signal.SIGKILL), 700, True),
        (127 << 8, 600, True),
        (SEGV, 500, False),
        (SEGV, 0, False),
        (FAILED, 700, False),
        (0, 700, False),
    ],
)
def test_a_program_that_could_not_be_mapped_is_short_of_memory(status: int, mapped_mb: int, short: bool) -> None:
    run = mark_oversized(replace(FINE, status=status), ALLOWED.bounds, mapped_mb << 10)
    assert run.memory_cut is short
    assert run.status == status


def test_what_a_program_wrote_is_shown_cut_and_printable() -> None:
    run = replace(FINE, status=SEGV, stderr=b"x" * 5000 + b"\x1b[31m\xff end")
    message = explain(run, Verdict.RUNTIME_ERROR, ALLOWED)
    assert message.startswith("SIGSEGV\n")
    assert message.endswith("?[31m� end")
    assert explain(replace(FINE, status=35), Verdict.RUNTIME_ERROR, ALLOWED) == "signal 35"  # which has no name
    assert len(message) < 500


def test_nothing_printed_turns_hides_or_colours_text() -> None:
    assert printable(b"a\tb\n\x1b[2J\x07\x08\r\x7f c") == "a\tb\n?[2J" + "?" * 4 + " c"
    assert printable("é漢\x9b\u202e\u200b\u2066\ufeff\U000e0041\U0001f600".encode()) == "é漢??????\U0001f600"
    assert printable(b"\xff\xfe") == "\ufffd\ufffd"
    assert printable(b"\n ") == ""

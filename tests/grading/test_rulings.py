"""What a helper's end says of an answer: each exit code, each limit, and nothing where it had no CPU."""

import signal
from dataclasses import replace

import pytest

from app.domain.problems import CheckerKind
from workers.grading.checker_programs import Helper, read_verdict
from workers.grading.graders import HelperFailed
from workers.grading.sandbox.protocol import ProgramRun
from workers.grading.starvation import MachineBusy

TESTLIB = Helper("checker", "", CheckerKind.TESTLIB, "cpp", "")
KATTIS = replace(TESTLIB, protocol=CheckerKind.KATTIS)
ENDED = ProgramRun(status=0, cpu_ms=10, wall_ms=20, peak_kb=1 << 10)
WRONG = (1, 2, 4, 8)


def exits(code: int, words: str = "") -> ProgramRun:
    return replace(ENDED, status=code << 8, stderr=words.encode())


def test_an_exit_code_is_one_verdict_or_none() -> None:
    for code in range(256):
        of_testlib = True if code in (0, *range(200, 256)) else False if code in WRONG or 16 <= code < 200 else None
        of_kattis = {42: True, 43: False}.get(code)
        for helper, expected in ((TESTLIB, of_testlib), (KATTIS, of_kattis)):
            if expected is None:
                with pytest.raises(HelperFailed, match=f"0 scores|exit code {code}"):
                    read_verdict(helper, exits(code))
            else:
                assert read_verdict(helper, exits(code)).right is expected, code


@pytest.mark.parametrize(
    ("words", "right"),
    [
        ("points 1", True), ("points 1.0 all", True), ("points 0.999", False), ("points 0", False),
        ("points 1.01", None), ("points 1\npoints 1", None), ("", None), ("points 1x", None), ("all points 1", None),
    ],
)  # fmt: skip
def test_points_are_one_score_from_0_to_1(words: str, right: bool | None) -> None:
    if right is None:
        with pytest.raises(HelperFailed, match="score"):
            read_verdict(TESTLIB, exits(7, words))
    else:
        assert read_verdict(TESTLIB, exits(7, words)).right is right


def test_a_script_that_was_short_of_memory_says_so_and_a_signal_is_named() -> None:
    for helper in (TESTLIB, KATTIS):
        with pytest.raises(HelperFailed, match="memory is short"):
            read_verdict(replace(helper, language="python"), exits(5))
        with pytest.raises(HelperFailed, match="SIGSEGV"):
            read_verdict(helper, replace(ENDED, status=int(signal.SIGSEGV)))


@pytest.mark.parametrize("cut", ["cpu_cut", "wall_cut", "memory_cut", "output_cut"])
def test_what_broke_a_limit_decided_nothing_whatever_its_code(cut: str) -> None:
    for code in (0, 1, 42, 43):
        with pytest.raises(HelperFailed, match="broke its limits"):
            read_verdict(KATTIS if code > 1 else TESTLIB, replace(exits(code), **{cut: True}))  # type: ignore[arg-type]


def test_who_had_no_cpu_is_no_failure_and_who_worked_all_the_time_it_had_is() -> None:
    cut = replace(ENDED, status=int(signal.SIGKILL), wall_ms=8000, wall_cut=True)
    waited = replace(cut, starved_ms=4000, starved_by_others_ms=4000)
    for run in (replace(waited, cpu_ms=1999), replace(waited, cpu_ms=3000, wall_cut=False, starved_cut=True)):
        with pytest.raises(MachineBusy, match="the checker: the machine was busy"):
            read_verdict(TESTLIB, run)
    for run in (replace(waited, cpu_ms=2000), replace(waited, starved_by_others_ms=1999), cut):
        with pytest.raises(HelperFailed, match="broke its limits"):
            read_verdict(TESTLIB, run)
    assert read_verdict(TESTLIB, replace(ENDED, starved_ms=19, starved_by_others_ms=19)).right, "it ended by itself"

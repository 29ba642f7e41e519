"""Work in a process of its own: its answer, or nothing, and nothing left behind."""

import time
from pathlib import Path

import pytest

from app.domain.errors import JudgeError
from workers.grading.apart import apart


def test_an_answer_comes_back() -> None:
    assert apart(lambda: "right") == "right"
    assert apart(lambda: "") == ""
    assert apart(lambda: "x" * 100_000) == "x" * 65_535
    assert apart(lambda: "\udcff") == "?"


@pytest.mark.parametrize(
    "work",
    [
        lambda: str(1 / 0),
        lambda: str(len(bytearray(1 << 30))),
        lambda: str(len([0] * (1 << 27))),
        lambda: str(pow(3, 10**9)),
        lambda: exit(),
    ],
    ids=["raises", "one large piece", "a large list", "takes for ever", "exits"],
)
def test_work_that_fails_or_is_too_much_gives_nothing(work: object) -> None:
    assert apart(work, cpu_s=1, memory_mb=128) is None  # type: ignore[arg-type]


def test_it_has_more_time_on_a_slower_host() -> None:
    def spins() -> str:
        while time.process_time() < 0.3:
            pass
        return "done"

    assert apart(spins, cpu_s=0.15, slowness=3.0) == "done"
    assert apart(spins, cpu_s=0.15) is None


def test_what_it_changes_stays_with_it() -> None:
    kept: list[int] = []
    before = len(list(Path("/proc/self/fd").iterdir()))
    assert apart(lambda: kept.append(1) or "done") == "done"  # type: ignore[func-returns-value]
    assert kept == []
    assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_one_that_gets_no_cpu_is_ended_and_says_nothing_of_the_program() -> None:
    with pytest.raises(JudgeError, match="busy"):
        apart(lambda: time.sleep(6000) or "late", patience_s=0.5)  # type: ignore[func-returns-value]

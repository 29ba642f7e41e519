"""A contest day without a hand: from a contest's end to the board, by `up` with its own workers and clock."""

from pathlib import Path

import pytest
from support.saturday import Ranked, SetBy, Task, saturday
from support.setters import FROM_ZERO, KADANE, PROBLEM, TITLE, answers, fenced, row
from support.waiting import patience

pytestmark = [pytest.mark.sandbox, pytest.mark.timeout(900)]
MINUTE_S = 60.0
STEPS = ["ended", "visited", "statement", "answers", "setting", "proof", "publication", "judged", "board"]
BEST = Task(
    TITLE, "Given $N$ numbers, print the greatest sum of neighbours.",
    [(str(test.input), str(test.expected)) for test in PROBLEM.tests], KADANE, FROM_ZERO, time_ms=400,
)  # fmt: skip


def test_one_problem_comes_to_the_board_by_itself(tmp_path: Path) -> None:
    """In a minute where two cores are free. Others may use the machine too: but for programs that run, nothing waits."""
    wrong = {"solution_2": fenced(FROM_ZERO)}
    setters = [SetBy(f"of-{vendor}", vendor, [row(each) for each in answers(vendor, **wrong)]) for vendor in ("a", "b")]
    models = [Ranked("tern", "a"), Ranked("gull", "Gull", frozenset({TITLE}))]
    with saturday(tmp_path, [BEST], setters, models) as day:
        day.house.wait("the board", patience(5 * MINUTE_S), lambda: day.shows(2, 1), every_s=1.0)
        took, way = day.seconds(), day.way()
        assert {row["model"]: row["score"] for row in day.board()} == {"tern": 100.0, "gull": 0.0}
    print(f"{took:.0f} s: {way}")
    assert list(way) == STEPS
    assert way["answers"] < way["setting"], "who is ranked is asked first"
    assert took - (way["proof"] - way["answers"]) < patience(MINUTE_S / 2)

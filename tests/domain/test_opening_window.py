"""A board opens on the newest window in which it says something: ten contests, and half of its rows clean."""

from collections.abc import Sequence
from datetime import date, timedelta

import numpy as np
import pytest
from support.board_worlds import FIRST, problem, run

from app.domain.boards.board import BoardQuery
from app.domain.boards.entrants import choose_entrants
from app.domain.boards.lineup import Lineup
from app.domain.boards.opening_window import RowExposures, first_telling_window, opening_window, preset_windows
from app.domain.boards.selection import Selection
from app.domain.cube.cube import Cube
from app.domain.cube.facts import Cell, RunFact
from app.domain.windows import FIRST_DAY, Window

DAY = FIRST.toordinal()
LATE, EVERY = Window(FIRST + timedelta(days=10)), Window()
CHOICES = (LATE, EVERY)


def opened(
    cutoffs: Sequence[int],
    sent: Sequence[tuple[int, int]] = (),
    unjudged: Sequence[tuple[int, int]] = (),
    days: int = 20,
) -> Window | None:
    """The window of a board with a contest on each of some days; cutoffs, days sent and days not judged by row."""
    judged, told = np.ones((days, len(cutoffs)), dtype=bool), np.zeros((days, len(cutoffs)), dtype=bool)
    for day, row in sent:
        told[day, row] = True
    for day, row in unjudged:
        judged[day, row] = False
    ordinals = np.arange(DAY, DAY + days)
    rows = RowExposures(ordinals, np.array([DAY + day for day in cutoffs], dtype=np.int64), judged, told)
    return first_telling_window(rows, ordinals, np.arange(days), CHOICES)


@pytest.mark.parametrize(
    ("window", "expected"),
    [
        (opened([9, 9]), LATE),
        (opened([9, 10]), LATE),
        (opened([10, 10, 9]), None),
        (opened([-1, -1, 10]), LATE),
        (opened([-1, -1], days=19), EVERY),
        (opened([-1, -1], days=9), None),
        (opened([0, 0], days=19), None),
        (opened([9, 9], sent=[(12, 0)]), LATE),
        (opened([9, 9], sent=[(12, 0), (19, 1)]), None),
        (opened([-1, -1], sent=[(9, 0), (9, 1)]), LATE),
        (opened([9, 20], unjudged=[(day, 0) for day in range(10, 20)]), None),
        (opened([]), None),
    ],
)
def test_it_is_the_first_with_ten_contests_and_half_of_the_rows_clean(
    window: Window | None, expected: Window | None
) -> None:
    assert window == expected


def test_a_cutoff_between_the_windows_start_and_its_first_problem_hides_nothing() -> None:
    days = np.arange(DAY, DAY + 20, 2)
    rows = RowExposures(days, np.array([DAY - 1]), np.ones((10, 1), dtype=bool), np.zeros((10, 1), dtype=bool))
    early = Window(FIRST - timedelta(days=30))
    assert first_telling_window(rows, days, np.arange(10), [early]) == early


def board(runs: list[RunFact], contests: int) -> Window | None:
    """The window that a board opens on, with one problem a day; each problem is a contest unless there are fewer."""
    problems = [problem(number + 1, day=number, cluster=f"c{min(number, contests - 1)}") for number in range(20)]
    cells = [Cell(one.id, each.id, 1, 1) for one in runs for each in problems]
    cube, lineup = Cube.build(problems, runs, cells, 1), Lineup.of(runs)
    selection = Selection.of(cube.axes, BoardQuery())
    everyone, _hidden = choose_entrants(cube, selection, lineup, BoardQuery(), {}, {})
    return opening_window(cube, selection, everyone, CHOICES)


def test_a_board_counts_contests_not_problems() -> None:
    clean = [run(1, cutoff=FIRST - timedelta(days=1))]
    assert board(clean, 20) == LATE
    assert board(clean, 19) == EVERY, "the newest two problems are of one contest"
    assert board(clean, 9) is None


def test_a_board_without_problems_opens_nowhere() -> None:
    cube, lineup = Cube.build([], [], [], 1), Lineup.of([])
    selection = Selection.of(cube.axes, BoardQuery())
    everyone, _hidden = choose_entrants(cube, selection, lineup, BoardQuery(), {}, {})
    assert opening_window(cube, selection, everyone, CHOICES) is None


def test_presets_count_back_from_today_or_from_the_newest_problem_of_a_board_that_ended() -> None:
    today = date(2026, 11, 20)
    live = preset_windows(today, today)
    assert [(name, window.start, end) for name, (window, end) in live.items()] == [
        ("3m", date(2026, 8, 21), None), ("6m", date(2026, 5, 21), None), ("12m", date(2025, 11, 20), None),
        ("all", None, None),
    ]  # fmt: skip
    assert preset_windows(today, None) == live
    ended = preset_windows(today, newest := date(2026, 8, 20))
    assert ended["3m"] == (Window(date(2026, 5, 21)), newest)
    assert ended["6m"] == live["6m"]
    assert preset_windows(FIRST_DAY, FIRST_DAY)["3m"] == (Window(FIRST_DAY), None)
    assert all(window.end is None for window, _end in ended.values())

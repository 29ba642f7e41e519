"""The longest window in which half of the rows are clean, against every window there is."""

from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.board_worlds import FIRST as START
from support.board_worlds import problem, run

from app.domain.boards import opening_window
from app.domain.boards.board import BoardQuery
from app.domain.boards.opening_window import RowExposures
from app.domain.boards.ranking import rank_board
from app.domain.cube.cube import Cube
from app.domain.cube.facts import Cell, RunFact, StartedBy
from app.domain.windows import Window

FIRST, DAYS = date(2026, 1, 1).toordinal(), 14


class Record(NamedTuple):
    """A row: days are ordinals."""

    cutoff: int
    sent: set[int]
    judged: set[int]


def record(cutoff: int, sent: Iterable[int] = (), judged: Iterable[int] = range(DAYS)) -> Record:
    """A row, its days counted from the first problem's."""
    return Record(FIRST + cutoff, {FIRST + day for day in sent}, {FIRST + day for day in judged})


def longest(rows: Sequence[Record], asked: Window, first: int, last: int) -> Window | None:
    """As the module finds it, every day from `first` to `last` having a problem."""
    days = range(first, last + 1)
    judged, sent = (
        np.array([[day in getattr(row, name) for row in rows] for day in days], dtype=bool).reshape(
            len(days), len(rows)
        )
        for name in ("judged", "sent")
    )
    cutoffs = np.array([row.cutoff for row in rows], dtype=np.int64)
    found = opening_window.longest_clean_window(RowExposures(np.array(days), cutoffs, judged, sent), asked)
    for name, flags in (("judged", judged), ("sent", sent)):
        if len(rows) and (flags == flags[:, :1]).all():  # alike: one column says it for all
            alike = RowExposures(np.array(days), cutoffs, judged, sent)._replace(**{name: flags[:, :1]})
            assert opening_window.longest_clean_window(alike, asked) == found
    return found


def is_clean(row: Record, start: int, end: int) -> bool:
    days = range(start, end)
    return row.cutoff < start and not row.sent & set(days) and bool(row.judged & set(days))


def brute(rows: Sequence[Record], first: int, last: int) -> tuple[int, int] | None:
    """The longest window of all, of two the later."""
    found = [
        (end - start, start, end)
        for start in range(first, last + 1)
        for end in range(start + 1, last + 2)
        if rows and 2 * sum(is_clean(row, start, end) for row in rows) >= len(rows)
    ]
    return max(found)[1:] if found else None


days = st.integers(0, DAYS - 1)
rows = st.lists(
    st.builds(record, st.integers(-2, DAYS), st.sets(days, max_size=4), st.sets(days, max_size=DAYS)), max_size=7
)


@given(rows, days, days)
def test_it_is_the_longest_of_all(records: list[Record], one: int, other: int) -> None:
    first, last = FIRST + min(one, other), FIRST + max(one, other)
    asked = Window(date.fromordinal(first), date.fromordinal(last + 1))
    expected, found = brute(records, first, last), longest(records, asked, first, last)
    if expected is None or found is None:
        assert (found, expected) == (None, None)
        return
    assert found.start is not None
    assert found.end is not None
    assert (found.start.toordinal(), found.end.toordinal()) == expected


@given(rows)
def test_what_it_leaves_alone_stays_open(records: list[Record]) -> None:
    last = FIRST + DAYS - 1
    closed = longest(records, Window(date.fromordinal(FIRST), date.fromordinal(last + 1)), FIRST, last)
    opened = longest(records, Window(), FIRST, last)
    if closed is None or opened is None:
        assert closed is opened
        return
    assert opened.start == (None if closed.start == date.fromordinal(FIRST) else closed.start)
    assert opened.end == (None if closed.end == date.fromordinal(last + 1) else closed.end)


@pytest.mark.parametrize(
    ("records", "start", "end"),
    [
        ([record(3), record(5), record(9)], 6, None),
        ([record(3), record(5), record(9), record(10)], 6, None),
        ([record(-1, sent=[2]), record(20)], 3, None),
        ([record(-1, sent=[12]), record(20)], None, 12),
        ([record(-1, sent=[7]), record(20)], None, 7),
        ([record(-1, sent=[6]), record(20)], 7, None),
        ([record(2, judged=[4]), record(3, judged=[])], 3, None),
    ],
)  # fmt: skip
def test_half_is_enough(records: list[Record], start: int | None, end: int | None) -> None:
    expected = Window(*(None if day is None else date.fromordinal(FIRST + day) for day in (start, end)))
    assert longest(records, Window(), FIRST, FIRST + DAYS - 1) == expected


@pytest.mark.parametrize("records", [[], [record(20)], [record(20), record(20), record(2)], [record(2, judged=[])]])
def test_there_may_be_none(records: list[Record]) -> None:
    assert longest(records, Window(), FIRST, FIRST + DAYS - 1) is None


PROBLEMS = [problem(number + 1, day=number) for number in range(10)]


def offered(runs: list[RunFact], *judged: range) -> Window | None:
    """The window of a board over ten days whose rows are judged on these."""
    cells = [Cell(one.id, day + 1, 1, 1) for one, days in zip(runs, judged, strict=True) for day in days]
    return rank_board(Cube.build(PROBLEMS, runs, cells, 1), runs, BoardQuery()).clean_window


def test_it_is_offered_where_most_rows_have_no_rank() -> None:
    every, after = range(10), Window(START + timedelta(days=5), None)
    exposed = [run(number, cutoff=START + timedelta(days=4)) for number in (1, 2)]
    assert offered([*exposed, run(3)], every, every, every) == after
    assert offered([exposed[0], run(3)], every, every) is None, "half of them have one"
    assert offered([*exposed, run(3)], range(5), range(5), every) is None, "these are judged on nothing later"


def test_it_ends_before_a_problem_that_most_were_sent() -> None:
    sent = [run(number, started_by=StartedBy.VENDOR, served={9}) for number in (1, 2)]
    found = offered([*sent, run(3)], range(10), range(10), range(10))
    assert found == Window(None, START + timedelta(days=8))

"""The incompletely judged cells of a cube: too few to be arrays over everything."""

from typing import NamedTuple

import numpy as np

from app.domain.cube.axes import Ints


class IncompleteCells(NamedTuple):
    """Cells with pending answers or judge errors, ascending by the first three fields."""

    problem: Ints
    item: Ints
    run: Ints
    pending: Ints
    judge_errors: Ints


def merge_cells(old: IncompleteCells, now: IncompleteCells, runs: int) -> IncompleteCells:
    """Return the incomplete cells after the cells `now` changed; complete ones of these are removed."""
    items = 1 + max(int(old.item.max(initial=0)), int(now.item.max(initial=0)))
    keys = [(of.problem * items + of.item) * runs + of.run for of in (old, now)]
    rest = ~np.isin(keys[0], keys[1])
    faulty = (now.pending > 0) | (now.judge_errors > 0)
    order = np.argsort(np.concatenate([keys[0][rest], keys[1][faulty]]))
    return IncompleteCells(
        *(np.concatenate([was[rest], then[faulty]])[order] for was, then in zip(old, now, strict=True))
    )


def move_cells(old: IncompleteCells, was: Ints, columns: Ints) -> IncompleteCells:
    """Return the cells on other axes: `was` is each problem's old row, or -1; `columns` is each run's new one."""
    row = np.full(1 + max(int(was.max(initial=-1)), int(old.problem.max(initial=-1))), -1, dtype=np.int64)
    row[was[was >= 0]] = np.flatnonzero(was >= 0)
    now = old._replace(problem=row[old.problem], run=columns[old.run])
    order = np.lexsort((now.run, now.item, now.problem))
    order = order[now.problem[order] >= 0]
    return IncompleteCells(*(values[order] for values in now))

"""The cells of a cube that are not judged whole: too few to be arrays over everything."""

from typing import NamedTuple

import numpy as np

from app.domain.cube.axes import Ints


class Faults(NamedTuple):
    """The few cells with answers that are pending or that the judge failed on, ascending by the first three."""

    problem: Ints
    item: Ints
    run: Ints
    pending: Ints
    judge_errors: Ints


def merged(old: Faults, now: Faults, runs: int) -> Faults:
    """The faults after some cells changed: theirs are replaced by what these have `now`, which may be none."""
    items = 1 + max(int(old.item.max(initial=0)), int(now.item.max(initial=0)))
    keys = [(of.problem * items + of.item) * runs + of.run for of in (old, now)]
    rest = ~np.isin(keys[0], keys[1])
    faulty = (now.pending > 0) | (now.judge_errors > 0)
    order = np.argsort(np.concatenate([keys[0][rest], keys[1][faulty]]))
    return Faults(*(np.concatenate([was[rest], then[faulty]])[order] for was, then in zip(old, now, strict=True)))


def moved(old: Faults, was: Ints, columns: Ints) -> Faults:
    """The faults on other axes: `was` is the row in which each problem was, or -1; `columns` where each run is now."""
    row = np.full(1 + max(int(was.max(initial=-1)), int(old.problem.max(initial=-1))), -1, dtype=np.int64)
    row[was[was >= 0]] = np.flatnonzero(was >= 0)
    now = old._replace(problem=row[old.problem], run=columns[old.run])
    order = np.lexsort((now.run, now.item, now.problem))
    order = order[now.problem[order] >= 0]
    return Faults(*(values[order] for values in now))

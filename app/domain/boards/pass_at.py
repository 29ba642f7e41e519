"""pass@k of a board's rows: the chance that one of k answers to a problem passes."""

from collections.abc import Sequence
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from app.domain.boards.board import BoardRow
from app.domain.boards.entrants import BoardEntrants
from app.domain.boards.seen_problems import SeenProblems
from app.domain.cube.axes import Ints
from app.domain.cube.cube import Cube
from app.domain.metrics.intervals import Floats, pass_at_k

Number = TypeVar("Number", np.int64, np.float64)
# Beside pass@1, which is the score.
KS: Final = (5, 10)
_MAX_ANSWERS: Final = 1000


def shown_ks(rows: Sequence[BoardRow]) -> dict[int, int]:
    """Return the ks for which any row has a value, each with its place in `BoardRow.pass_at`."""
    return {k: place for place, k in enumerate(KS) if any(row.pass_at[place] is not None for row in rows)}


def sampled_entrants(cube: Cube, field: BoardEntrants) -> Ints:
    """Return the shown entrants with enough answers to some problem for the least k, and at most a thousand to any."""
    most = cube.max_answers[field.columns]
    often: Ints = np.flatnonzero(field.shown & (most >= min(KS)) & (most <= _MAX_ANSWERS))
    return often


def pass_at(
    cube: Cube, rows: Ints, columns: Ints, seen: SeenProblems | None, ks: Sequence[int] = KS
) -> tuple[Floats, Ints]:
    """Return pass@k of the problems at `rows` (ascending), of shape (ks, columns), and the numbers of judged problems.

    Estimated without bias (Chen et al. 2021, "Evaluating Large Language Models Trained on Code", section 2.1). With
    `seen`, only problems that a run cannot have seen count. It is the mean over problems of the mean over their judged
    items, as the score is. nan if nothing is judged, or if a judged item has fewer than k answers.
    """
    lines, items = cube.lines(rows, columns), cube.items[rows]
    numbers = np.arange(int(lines.n.max(initial=0)) + 1)
    pair = lines.n * numbers.size + lines.c  # few distinct pairs of counts, many cells
    if seen is not None:
        pair *= np.repeat(seen.clean(rows, columns), items, axis=0)
    judged = _by_problem((pair > 0).astype(np.int64), items)
    graded: Ints = np.count_nonzero(judged, axis=0)
    values = np.full((len(ks), columns.size), np.nan)
    for value, k in zip(values, ks, strict=True):
        chance = pass_at_k(numbers[:, None], np.minimum(numbers, numbers[:, None]), k)
        chance[0] = 0.0  # nothing is judged
        sums = _by_problem(chance.ravel().take(pair), items)
        if items.size < len(pair):
            sums /= np.maximum(judged, 1)
        np.divide(sums.sum(axis=0), graded, out=value, where=graded > 0)
    return values, graded


def pass_at_of_problems(cube: Cube, rows: Ints, columns: Ints, k: int) -> Floats:
    """Return pass@k of each problem at `rows` (ascending), of shape (problems, columns).

    It is the mean over judged items; nan if there are none, or if one has fewer than k answers.
    """
    lines, items = cube.lines(rows, columns), cube.items[rows]
    judged = _by_problem((lines.n > 0).astype(np.int64), items)
    sums = _by_problem(np.where(lines.n > 0, pass_at_k(lines.n, lines.c, k), 0.0), items)
    return np.where(judged > 0, sums / np.maximum(judged, 1), np.nan)


def _by_problem(values: NDArray[Number], items: Ints) -> NDArray[Number]:
    """Return sums over the lines of each problem."""
    if items.size == len(values):
        return values
    sums: NDArray[Number] = np.add.reduceat(values, np.cumsum(items) - items, axis=0)
    return sums

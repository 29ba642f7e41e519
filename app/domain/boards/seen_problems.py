"""Problems that a model may have seen before it answered: all up to its cutoff, and single ones its vendor was sent."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.domain.cube.axes import Axes, Ints


@dataclass(frozen=True)
class SeenProblems:
    """Problems that runs may have seen, by their columns in a cube.

    `until` holds the last day up to which a run's model may have seen every problem. `rows` and `columns` are pairs of
    a later problem and a run whose vendor had been sent it.
    """

    axes: Axes
    until: Ints
    rows: Ints
    columns: Ints

    @classmethod
    def of(cls, axes: Axes, until: Ints, rows: Ints, columns: Ints) -> "SeenProblems":
        """Return the same from pairs that may include earlier problems."""
        later = axes.day[rows] > until[columns]
        return cls(axes, until, rows[later], columns[later])

    def clean(self, rows: Ints, columns: Ints) -> NDArray[np.bool_]:
        """Return whether a run cannot have seen a problem, of shape (rows, columns)."""
        clean: NDArray[np.bool_] = self.axes.day[rows][:, None] > self.until[columns]
        if self.rows.size:
            line, place = _places(rows, len(self.axes.problems)), _places(columns, self.until.size)
            pairs = (line[self.rows] >= 0) & (place[self.columns] >= 0)
            clean[line[self.rows[pairs]], place[self.columns[pairs]]] = False
        return clean

    def count_sent(self, problems: NDArray[np.bool_]) -> Ints:
        """Return how many of the flagged problems after its `until` each run's vendor had been sent."""
        return count_places(self.columns[problems[self.rows]], self.until.size)


def count_places(places: Ints, size: int) -> Ints:
    """Return how often each place from 0 occurs."""
    counts: Ints = np.bincount(places, minlength=size)
    return counts


def _places(chosen: Ints, size: int) -> Ints:
    places = np.full(size, -1, dtype=np.int64)
    places[chosen] = np.arange(chosen.size)
    return places

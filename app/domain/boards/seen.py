"""Which problems a model may have seen before it answered: all up to its cutoff, and single ones it had been sent."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.domain.cube.axes import Axes, Ints


@dataclass(frozen=True)
class Seen:
    """What runs may have seen, by their columns in a cube.

    `until` holds the last day of which a run's model may have seen every problem. `rows` and `columns` are pairs of a
    later problem and a run whose vendor had been sent it.
    """

    axes: Axes
    until: Ints
    rows: Ints
    columns: Ints

    @classmethod
    def of(cls, axes: Axes, until: Ints, rows: Ints, columns: Ints) -> "Seen":
        """The same of pairs that may be of earlier problems too."""
        later = axes.day[rows] > until[columns]
        return cls(axes, until, rows[later], columns[later])

    def clean(self, rows: Ints, columns: Ints) -> NDArray[np.bool_]:
        """Whether a run cannot have seen a problem, of shape (rows, columns)."""
        clean: NDArray[np.bool_] = self.axes.day[rows][:, None] > self.until[columns]
        if self.rows.size:
            line, place = _places(rows, len(self.axes.problems)), _places(columns, self.until.size)
            pairs = (line[self.rows] >= 0) & (place[self.columns] >= 0)
            clean[line[self.rows[pairs]], place[self.columns[pairs]]] = False
        return clean

    def sent(self, problems: NDArray[np.bool_]) -> Ints:
        """How many of the problems where `problems`, later than its `until`, each run's vendor had been sent."""
        return counted(self.columns[problems[self.rows]], self.until.size)


def counted(places: Ints, size: int) -> Ints:
    """How often each place from 0 stands there."""
    counts: Ints = np.bincount(places, minlength=size)
    return counts


def _places(chosen: Ints, size: int) -> Ints:
    places = np.full(size, -1, dtype=np.int64)
    places[chosen] = np.arange(chosen.size)
    return places

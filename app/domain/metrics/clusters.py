"""How much clusters say: how many of one size say as much, what is left of a variance, and critical values."""

from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from app.domain.metrics.distributions import normal_critical, t_critical

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

PRIOR_CLUSTERS: Final = 2.0  # so many clusters' worth of a guess is mixed into a clustered variance
_ROUNDING: Final = 1e-9
_PRECISE: Final = 20.0  # above so many clusters a critical value hardly depends on a part of one


class Clusters(NamedTuple):
    """Of each row: how many clusters there are, how many of one size say as much, the share of a clustered variance
    that is left of it for that, and the critical values of both numbers."""

    number: Floats
    alike: Floats
    left: Floats
    plain_t: Floats
    mixed_t: Floats

    def at(self, rows: Ints) -> "Clusters":
        """Those of some rows."""
        return Clusters(*(values[rows] for values in self))


def effective(sizes: ArrayLike) -> float:
    """How many clusters of one size say as much as these: (sum n)^2 / sum n^2, their number where all have one size.

    One contest of twenty problems beside five of one says little more than itself: read as six, equal models were told
    apart on every third board (Carter, Schnepel and Steigerwald 2017, Review of Economics and Statistics 99, on why).
    """
    n = np.asarray(sizes, dtype=np.float64)
    squares = float(np.square(n).sum())
    return round(float(n.sum()) ** 2 / squares, 9) if squares else 0.0


def _left(clusters: Floats, alike: Floats) -> Floats:
    """The share of a clustered variance that is left of it where clusters differ in size; 1 where they do not."""
    fewer = np.maximum(np.where(alike < clusters, alike, 2.0), 1.0 + _ROUNDING)
    equal = np.sqrt((fewer - 1) / np.maximum(clusters - 1, 1.0))
    share = (1 - 1 / fewer) ** equal * (1 - 1 / np.sqrt(fewer)) ** (2 - 2 * equal)
    share *= clusters / np.maximum(clusters - 1, 1.0)
    return np.where((alike < clusters) & (clusters > 1), share, 1.0)


def clusters_of(count: Floats, alike: Floats, confidence: float) -> Clusters:
    """Those of rows with so many clusters, which say as much as `alike` of one size."""
    fewer = np.where(alike < count * (1 - _ROUNDING), alike, count)
    plain_t, mixed_t = critical_values(count, confidence)
    # To so many digits a critical value depends on it, and each costs the time of a small board.
    unequal = np.flatnonzero((fewer < count) & (count > 1))
    rounded = np.where(fewer[unequal] < _PRECISE, np.round(fewer[unequal], 2), np.round(fewer[unequal]))
    distinct, places = np.unique(rounded, return_inverse=True)
    table = np.array([_mixed_critical(max(value, 1.01), confidence) for value in distinct.tolist()], dtype=np.float64)
    mixed_t[unequal] = table[places]
    return Clusters(count, fewer, _left(count, fewer), plain_t, mixed_t)


def critical_values(clusters: NDArray[Any], confidence: float) -> tuple[Floats, Floats]:
    """The two-sided points of t of G - 1, and of the mixture's degrees of freedom, for each number of clusters G."""
    distinct, places = np.unique(clusters, return_inverse=True)
    pairs = [_critical_pair(int(count), confidence) for count in distinct]
    table = np.array(pairs, dtype=np.float64).reshape(-1, 2)
    return table[places, 0], table[places, 1]


@lru_cache(maxsize=65536)  # a board has a hundred numbers of contests, and the next one the same
def _critical_pair(clusters: int, confidence: float) -> tuple[float, float]:
    if clusters < 2:
        return 0.0, normal_critical(confidence)
    return t_critical(confidence, clusters - 1), _mixed_critical(clusters, confidence)


def _mixed_critical(clusters: float, confidence: float) -> float:
    return t_critical(confidence, (clusters - 1 + PRIOR_CLUSTERS) ** 2 / (clusters - 1))

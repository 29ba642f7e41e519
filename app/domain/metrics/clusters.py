"""Information in clusters: the effective number, the share of a variance that remains, and critical values."""

from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from app.domain.metrics.distributions import normal_critical, t_critical

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

PRIOR_CLUSTERS: Final = 2.0  # weight of the prior guess in a clustered variance, in clusters
_ROUNDING: Final = 1e-9
_PRECISE_CLUSTERS: Final = 20.0  # above it, a critical value hardly depends on fractions


class Clusters(NamedTuple):
    """Clusters of each row.

    `number` of them, the effective number `alike` of one size, the share `left` of a clustered variance that remains
    for that, and the critical values of both numbers.
    """

    number: Floats
    alike: Floats
    left: Floats
    plain_t: Floats
    mixed_t: Floats

    def at(self, rows: Ints) -> "Clusters":
        """Return the clusters of some rows."""
        return Clusters(*(values[rows] for values in self))


def effective_clusters(sizes: ArrayLike) -> float:
    """Return the effective number of clusters: (sum n)^2 / sum n^2, their number if all have one size.

    One contest of twenty problems beside five of one says little more than itself: counted as six, equal models were
    told apart on every third board (Carter, Schnepel and Steigerwald 2017, Review of Economics and Statistics 99, on
    why).
    """
    n = np.asarray(sizes, dtype=np.float64)
    squares = float(np.square(n).sum())
    return round(float(n.sum()) ** 2 / squares, 9) if squares else 0.0


def _variance_left(clusters: Floats, alike: Floats) -> Floats:
    """Return the share of a clustered variance that remains if clusters differ in size; 1 if they do not."""
    fewer = np.maximum(np.where(alike < clusters, alike, 2.0), 1.0 + _ROUNDING)
    equal = np.sqrt((fewer - 1) / np.maximum(clusters - 1, 1.0))
    share = (1 - 1 / fewer) ** equal * (1 - 1 / np.sqrt(fewer)) ** (2 - 2 * equal)
    share *= clusters / np.maximum(clusters - 1, 1.0)
    return np.where((alike < clusters) & (clusters > 1), share, 1.0)


def clusters_of(count: Floats, alike: Floats, confidence: float) -> Clusters:
    """Return the clusters of rows with `count` clusters, of effective number `alike`."""
    fewer = np.where(alike < count * (1 - _ROUNDING), alike, count)
    plain_t, mixed_t = critical_values(count, confidence)
    # Rounded, since a critical value depends on few digits and each costs the time of a small board.
    unequal = np.flatnonzero((fewer < count) & (count > 1))
    rounded = np.where(fewer[unequal] < _PRECISE_CLUSTERS, np.round(fewer[unequal], 2), np.round(fewer[unequal]))
    distinct, places = np.unique(rounded, return_inverse=True)
    table = np.array([_mixed_critical(max(value, 1.01), confidence) for value in distinct.tolist()], dtype=np.float64)
    mixed_t[unequal] = table[places]
    return Clusters(count, fewer, _variance_left(count, fewer), plain_t, mixed_t)


def critical_values(clusters: NDArray[Any], confidence: float) -> tuple[Floats, Floats]:
    """Return two-sided points of t for G - 1 and for the mixture's degrees of freedom, for numbers G of clusters."""
    distinct, places = np.unique(clusters, return_inverse=True)
    pairs = [_critical_pair(int(count), confidence) for count in distinct]
    table = np.array(pairs, dtype=np.float64).reshape(-1, 2)
    return table[places, 0], table[places, 1]


@lru_cache(maxsize=65536)  # boards share about a hundred numbers of contests
def _critical_pair(clusters: int, confidence: float) -> tuple[float, float]:
    if clusters < 2:
        return 0.0, normal_critical(confidence)
    return t_critical(confidence, clusters - 1), _mixed_critical(clusters, confidence)


def _mixed_critical(clusters: float, confidence: float) -> float:
    return t_critical(confidence, (clusters - 1 + PRIOR_CLUSTERS) ** 2 / (clusters - 1))

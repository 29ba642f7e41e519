"""How hard a problem is: the band boards put it in, and its rating as a continuous number.

The first three bands are the reference benchmark's own. It kept no problem above them; here those are `expert`, and
what only a handful of people solve is `extreme`, which a label of 5 names too.

| scale | easy | medium | hard | expert |
| --- | --- | --- | --- | --- |
| `level`: a source's own label | 1 | 2 | 3 | 4 (the house league and our own exports) |
| `codeforces`: rating | up to 800 | up to 1000 | up to 1300 | up to 3000 |
| `points`: of an AtCoder task | below 200 | below 400 | up to 500 | above 500 |
| `kenkoooo`: estimate for AtCoder | below 0 | below 950 | below 1700 | up to 3000 |

The edges of `kenkoooo` are those that agree best with points: 0 and 950 put 90 % of 598 tasks where the reference put
them, and 1700 parts the fifth tasks of beginners' contests (450 and 475 points) from the seventh (600 and more) in
95 % of cases.
"""

import math
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from app.domain.problems import Level

# The levels that sources name; a board always says how many problems it has of each.
LABELS: Final = (Level.EASY, Level.MEDIUM, Level.HARD)

# What a problem of the house league counts as where a rating is asked for: an invention, as nobody rated any.
HOUSE_RATINGS: Final[Mapping[Level, int]] = {
    Level.EASY: 900, Level.MEDIUM: 1200, Level.HARD: 1800, Level.EXPERT: 2400, Level.EXTREME: 3000,
}  # fmt: skip

_LABEL = "level"
_POINTS = "points"
_SCORED_BY_DIFFICULTY: Final = "atcoder"  # elsewhere points say how a contest weighs its tasks
_RATINGS: Final = ("codeforces", "zerotrac", "kenkoooo")
_EXTREME_ABOVE: Final = 3000.0
_FLOOR: Final = 400.0


class Rating(NamedTuple):
    """A difficulty as a number on a site's scale."""

    scale: str
    value: float


def level_of(newest: Mapping[str, float], platform: str) -> Level | None:
    """The band of a problem of a platform, from its newest difficulty on each scale; None when they do not tell.

    A rating above 3000 on any scale is extreme. Else the source's own label decides, then a Codeforces rating, then
    AtCoder's points, then the estimate that stands in for them. A zerotrac rating moves no label, nor replaces one.
    """
    difficulties = {scale: value for scale, value in newest.items() if math.isfinite(value)}
    if any(difficulties.get(scale, 0.0) > _EXTREME_ABOVE for scale in _RATINGS):
        return Level.EXTREME
    if (label := label_of(difficulties)) is not None:
        return label
    if (rating := difficulties.get("codeforces")) is not None:
        return _first(rating <= 800, rating <= 1000, rating <= 1300)
    if platform == _SCORED_BY_DIFFICULTY and (points := difficulties.get(_POINTS)) is not None and points >= 0:
        return _first(points < 200, points < 400, points <= 500)
    if (estimate := difficulties.get("kenkoooo")) is not None:
        return _first(estimate < 0, estimate < 950, estimate < 1700)
    return None


def label_of(newest: Mapping[str, float]) -> Level | None:
    """The band a source itself names; None where it names none."""
    value = newest.get(_LABEL)
    if value is None or not math.isfinite(value):
        return None
    return tuple(Level)[min(max(round(value), 1), len(Level)) - 1]


def _first(easy: bool, medium: bool, hard: bool) -> Level:
    return next((level for level, holds in zip(LABELS, (easy, medium, hard), strict=True) if holds), Level.EXPERT)


def rating_of(newest: Mapping[str, float]) -> Rating | None:
    """The problem's rating with its scale, Codeforces' first; None without one."""
    for scale in _RATINGS:
        value = newest.get(scale)
        if value is not None and math.isfinite(value):
            return Rating(scale, as_rated(scale, value))
    return None


def as_rated(scale: str, value: float) -> float:
    """A difficulty as its site shows it: estimates of kenkoooo below 400 are pressed into the positive numbers."""
    return _FLOOR * math.exp(value / _FLOOR - 1) if scale == "kenkoooo" and value < _FLOOR else value


def levels_shown(present: Iterable[Level | None]) -> tuple[Level, ...]:
    """The bands a board has columns for, easiest first: those of labels always, the others where it has problems."""
    levels = set(present)
    return tuple(level for level in Level if level in LABELS or level in levels)

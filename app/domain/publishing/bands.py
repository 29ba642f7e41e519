"""Difficulty of a problem: its band on boards, and its rating as a continuous number.

The first three bands are the reference benchmark's own. It kept no problem above them; here those are `expert`, and
problems that only a handful of people solve are `extreme`, which a label of 5 names too.

| scale | easy | medium | hard | expert |
| --- | --- | --- | --- | --- |
| `level`: a source's own label | 1 | 2 | 3 | 4 (the house league and our own exports) |
| `codeforces`: rating | up to 800 | up to 1000 | up to 1300 | up to 3000 |
| `points`: of an AtCoder task | below 200 | below 400 | up to 500 | above 500 |
| `kenkoooo`: estimate for AtCoder | below 0 | below 950 | below 1700 | up to 3000 |

The edges of `kenkoooo` are those that agree best with points: 0 and 950 put 90 % of 598 tasks where the reference put
them, and 1700 separates the fifth tasks of beginners' contests (450 and 475 points) from the seventh (600 and more) in
95 % of cases.
"""

import math
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from app.domain.problems import Level

# Levels that sources name; every board counts its problems of each.
LABELS: Final = (Level.EASY, Level.MEDIUM, Level.HARD)

# Assumed ratings of house league problems, which no site has rated.
HOUSE_RATINGS: Final[Mapping[Level, int]] = {
    Level.EASY: 900, Level.MEDIUM: 1200, Level.HARD: 1800, Level.EXPERT: 2400, Level.EXTREME: 3000,
}  # fmt: skip

_LABEL = "level"
_POINTS = "points"
_SCORED_BY_DIFFICULTY: Final = "atcoder"  # on other platforms points are the weights of tasks
_RATINGS: Final = ("codeforces", "zerotrac", "kenkoooo")
_EXTREME_ABOVE: Final = 3000.0
_KENKOOOO_FLOOR: Final = 400.0


class Rating(NamedTuple):
    """Difficulty as a number on a site's scale."""

    scale: str
    value: float


def level_of(newest: Mapping[str, float], platform: str) -> Level | None:
    """Return the band of a problem of a platform, from its newest difficulty on each scale; None if they do not tell.

    A rating above 3000 on any scale is extreme. Else the source's own label decides, then a Codeforces rating, then
    AtCoder's points, then the estimate that replaces them. A zerotrac rating neither moves a label nor replaces one.
    """
    difficulties = {scale: value for scale, value in newest.items() if math.isfinite(value)}
    if any(difficulties.get(scale, 0.0) > _EXTREME_ABOVE for scale in _RATINGS):
        return Level.EXTREME
    if (label := label_of(difficulties)) is not None:
        return label
    if (rating := difficulties.get("codeforces")) is not None:
        return _band(rating <= 800, rating <= 1000, rating <= 1300)
    if platform == _SCORED_BY_DIFFICULTY and (points := difficulties.get(_POINTS)) is not None and points >= 0:
        return _band(points < 200, points < 400, points <= 500)
    if (estimate := difficulties.get("kenkoooo")) is not None:
        return _band(estimate < 0, estimate < 950, estimate < 1700)
    return None


def label_of(newest: Mapping[str, float]) -> Level | None:
    """Return the band that a source itself names; None if it names none."""
    value = newest.get(_LABEL)
    if value is None or not math.isfinite(value):
        return None
    return tuple(Level)[min(max(round(value), 1), len(Level)) - 1]


def _band(easy: bool, medium: bool, hard: bool) -> Level:
    return next((level for level, holds in zip(LABELS, (easy, medium, hard), strict=True) if holds), Level.EXPERT)


def rating_of(newest: Mapping[str, float]) -> Rating | None:
    """Return the problem's rating with its scale, Codeforces' first; None without one."""
    for scale in _RATINGS:
        value = newest.get(scale)
        if value is not None and math.isfinite(value):
            return Rating(scale, as_rated(scale, value))
    return None


def as_rated(scale: str, value: float) -> float:
    """Return a difficulty as its site shows it: kenkoooo's estimates below 400 are mapped to positive numbers."""
    return (
        _KENKOOOO_FLOOR * math.exp(value / _KENKOOOO_FLOOR - 1)
        if scale == "kenkoooo" and value < _KENKOOOO_FLOOR
        else value
    )


def levels_shown(present: Iterable[Level | None]) -> tuple[Level, ...]:
    """Return the bands with columns on a board, easiest first: those of labels always, others if it has problems."""
    levels = set(present)
    return tuple(level for level in Level if level in LABELS or level in levels)

"""Coordinates of the holistic board's charts: a radar for each model, a matrix, scatters, and gaps."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, pi, sin

RADAR_SIZE, _RADIUS, _LABEL = 200, 74, 88
CELL = 34  # pixels of a side of a matrix cell
_PLOT = 240  # pixels of a side of the scatter
_RINGS = (25, 50, 75, 100)


@dataclass(frozen=True, slots=True)
class Spoke:
    """One scenario's direction: the end of its line, the place of its number, and of the score if there is one."""

    number: int
    x: float
    y: float
    label_x: float
    label_y: float
    dot: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class Radar:
    """Scores from the centre (0) to the rim (100), clockwise from the top; `shape` is empty if a score is missing."""

    spokes: tuple[Spoke, ...]
    rings: tuple[str, ...]
    shape: str


def radar(scores: Sequence[float | None]) -> Radar | None:
    """Return the radar of three or more scores in percent; None for fewer."""
    if len(scores) < 3:
        return None
    turns = [2 * pi * place / len(scores) for place in range(len(scores))]

    def at(turn: float, length: float) -> tuple[float, float]:
        middle = RADAR_SIZE / 2
        return round(middle + length * sin(turn), 1), round(middle - length * cos(turn), 1)

    def path(points: Sequence[tuple[float, float]]) -> str:
        return " ".join(f"{x},{y}" for x, y in points)

    dots = [
        None if score is None else at(turn, _RADIUS * score / 100) for turn, score in zip(turns, scores, strict=True)
    ]
    known_dots = [dot for dot in dots if dot is not None]
    return Radar(
        tuple(
            Spoke(number, *at(turn, _RADIUS), *at(turn, _LABEL), dot)
            for number, (turn, dot) in enumerate(zip(turns, dots, strict=True), start=1)
        ),
        tuple(path([at(turn, _RADIUS * ring / 100) for turn in turns]) for ring in _RINGS),
        path(known_dots) if len(known_dots) == len(dots) else "",
    )


@dataclass(frozen=True, slots=True)
class CorrelationCell:
    """One correlation in the matrix: its place in pixels, its value as text, and the strength of its fill (0 to 1)."""

    x: int
    y: int
    text: str
    weight: float
    negative: bool


def matrix(values: Sequence[tuple[int, int, float]]) -> tuple[CorrelationCell, ...]:
    """Return the lower half of a matrix of correlations, given as (one, other, value) with indices from 0."""
    return tuple(
        CorrelationCell(one * CELL, other * CELL, f"{value:.2f}".replace("0.", "."), round(abs(value), 2), value < 0)
        for one, other, value in values
    )


@dataclass(frozen=True, slots=True)
class ScatterDot:
    """One model in a scatter, with its number in the table."""

    number: int
    x: float
    y: float
    group: str


def scatter(points: Sequence[tuple[float, float, str]]) -> tuple[ScatterDot, ...]:
    """Return points of (score elsewhere, score here, group) in a square of percent, from the lower left."""
    return tuple(
        ScatterDot(number, round(x / 100 * _PLOT, 1), round(_PLOT - y / 100 * _PLOT, 1), group)
        for number, (x, y, group) in enumerate(points, start=1)
    )


def trend_line(slope: float, start: float) -> tuple[float, float, float, float] | None:
    """Return the ends (x, y, x, y) of a line of percent against percent in a scatter; None if it misses it."""
    ends = [0.0, 100.0]
    if slope:
        ends = [min(100.0, max(0.0, (at - start) / slope)) for at in ((0, 100) if slope > 0 else (100, 0))]
    inside = ends[0] < ends[1] and -1e-9 <= slope * ends[0] + start <= 100 + 1e-9
    if not inside:
        return None
    (first, second) = scatter([(x, slope * x + start, "") for x in ends])
    return first.x, first.y, second.x, second.y


@dataclass(frozen=True, slots=True)
class GapBar:
    """A gap with its interval, in percent from the left; 50 is no gap."""

    x: float
    lo: float
    hi: float


def bars(gaps: Sequence[tuple[float, float, float]]) -> tuple[GapBar, ...]:
    """Return gaps of (points, lower end, upper end) on one scale of -100 to 100."""

    def at(points: float) -> float:
        return round(50 + max(-100.0, min(100.0, points)) / 2, 2)

    return tuple(GapBar(at(gap), at(lo), at(hi)) for gap, lo, hi in gaps)

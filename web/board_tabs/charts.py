"""Coordinates of charts that stretch with the page: places are in percent, so only lengths of text are in pixels."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10
from typing import Final, NamedTuple
from unicodedata import east_asian_width

# Text of 13 px: the widths of a Latin and of a Chinese character, the height of a line, and the space around a dot.
_LATIN_PX, _WIDE_PX, _LINE_PX, _DOT_PX = 6.6, 13.0, 17.0, 8.0


# The places of a label beside its dot, the best first: anchor, and distance in pixels. A frontier leaves a dot to the
# right and reaches it from below, so above and to the left of it is room.
_SPOTS: Final = (
    ("end", -10, 4), ("end", -6, -9), ("middle", 0, -12), ("start", 6, -9), ("middle", 0, 22), ("start", 8, 19),
    ("end", -8, 19), ("start", 10, 4),
)  # fmt: skip


class _Box(NamedTuple):
    left: float
    top: float
    right: float
    bottom: float

    def overlaps(self, other: "_Box") -> bool:
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )


@dataclass(frozen=True, slots=True)
class AxisTick:
    """A value on an axis, in words, and its place in percent."""

    label: str
    at: float


@dataclass(frozen=True, slots=True)
class ChartLine:
    """A straight line in percent."""

    x1: float
    y1: float
    x2: float
    y2: float


class PlotDot(NamedTuple):
    """A dot in percent from the left and from the top, and the name that it may be labelled with."""

    x: float
    y: float
    name: str


@dataclass(frozen=True, slots=True)
class DotLabel:
    """The name beside a dot: `anchor` is the SVG text anchor, `dx` and `dy` the distance from the dot in pixels."""

    x: float
    y: float
    dx: int
    dy: int
    anchor: str
    text: str


@dataclass(frozen=True, slots=True)
class LogScale:
    """A logarithmic axis from `least` to `most`, both above 0."""

    least: float
    most: float

    @classmethod
    def around(cls, values: Sequence[float]) -> "LogScale":
        """Return the axis with some room on both sides of the values, at least a factor of four long."""
        least, most = min(values), max(values)
        room = max((most / least) ** 0.08, 2 / (most / least) ** 0.5, 1.15)
        return cls(least / room, most * room)

    def place(self, value: float) -> float:
        """Return the place of a value in percent from the left."""
        return round(100 * log10(value / self.least) / log10(self.most / self.least), 2)


@dataclass(frozen=True, slots=True)
class ScoreScale:
    """A vertical axis of scores from `least` (at the bottom) to `most`, in steps of `step` points."""

    least: int
    most: int
    step: int

    @classmethod
    def around(cls, scores: Iterable[float]) -> "ScoreScale":
        """Return the axis in tens around the scores, with some room at the top, at least twenty points long."""
        values = list(scores)
        least, most = 10 * floor(min(values) / 10), min(10 * ceil((max(values) + 2) / 10), 100)
        if most - least < 20:
            least = max(most - 20, 0)
            most = least + 20
        return cls(least, most, 10 if most - least <= 50 else 20)

    def place(self, score: float) -> float:
        """Return the place of a score in percent from the top; scores beyond the axis are at its end."""
        share = (self.most - score) / (self.most - self.least)
        return round(100 * min(max(share, 0.0), 1.0), 2)

    @property
    def ticks(self) -> tuple[AxisTick, ...]:
        """The round scores on the axis, from the bottom."""
        first = self.step * ceil(self.least / self.step)
        return tuple(AxisTick(str(score), self.place(score)) for score in range(first, self.most + 1, self.step))


def text_px(text: str) -> float:
    """Return about how wide a text of 13 px is."""
    return sum(_WIDE_PX if east_asian_width(character) in "WF" else _LATIN_PX for character in text)


def place_labels(
    dots: Sequence[PlotDot], order: Iterable[int], lines: Sequence[ChartLine], width: float, height: float
) -> Iterator[DotLabel]:
    """Yield the labels of dots that have room in a plot of `width` x `height` pixels, those first in `order` first.

    A label overlaps no dot and no other label, no line if there is such a place, and stays inside; on a wider plot it
    has as much room or more.
    """
    spots = [(dot.x * width / 100, dot.y * height / 100) for dot in dots]
    boxes = [_Box(x - _DOT_PX, y - _DOT_PX, x + _DOT_PX, y + _DOT_PX) for x, y in spots]
    strokes, taken = [_line_box(line, width, height) for line in lines], list[_Box]()
    for place in order:
        others = [*(box for number, box in enumerate(boxes) if number != place), *taken]
        found = _spot(spots[place], dots[place].name, (width, height), [*others, *strokes]) or _spot(
            spots[place], dots[place].name, (width, height), others
        )
        if found is not None:
            (anchor, dx, dy), box = found
            taken.append(box)
            yield DotLabel(dots[place].x, dots[place].y, dx, dy, anchor, dots[place].name)


def _spot(
    dot: tuple[float, float], name: str, size: tuple[float, float], others: Sequence["_Box"]
) -> tuple[tuple[str, int, int], "_Box"] | None:
    """Return the first place beside a dot at which its name overlaps no other box, and the name's own box there."""
    length = text_px(name)
    for anchor, dx, dy in _SPOTS:
        left, base = dot[0] + dx - {"start": 0.0, "middle": length / 2, "end": length}[anchor], dot[1] + dy + 4
        box = _Box(left, base - _LINE_PX, left + length, base)
        inside = box.left >= 0 and box.right <= size[0] and box.top >= -8 and box.bottom <= size[1]
        if inside and not any(box.overlaps(other) for other in others):
            return (anchor, dx, dy), box
    return None


def _line_box(line: ChartLine, width: float, height: float) -> "_Box":
    xs, ys = sorted((line.x1, line.x2)), sorted((line.y1, line.y2))
    return _Box(xs[0] * width / 100 - 1, ys[0] * height / 100 - 1, xs[1] * width / 100 + 1, ys[1] * height / 100 + 1)

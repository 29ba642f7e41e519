"""Holistic table: one model's scores in several scenarios side by side, and their correlations. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations
from statistics import median
from typing import Final

from app.domain.asking.protocols import FRESH, HOUSE, LCB, Protocol
from app.domain.boards.named_boards import board_of, boards
from app.domain.metrics.correlation import CorrelationValue, pearson, spearman
from app.domain.scenarios import shipped_protocols

FAMILIES: Final = ("house", "fresh", "lcb", "house-coco", "coco")
_FAMILY_PROTOCOLS: Final[Mapping[str, Protocol]] = {"house": HOUSE, "fresh": FRESH, "lcb": LCB}
_LEAD_NAMES: Final = ("codegen", "cg")
MIN_GROUPED_MODELS: Final = 8  # models
_MAX_DEVIATIONS: Final = 2.0  # robust standard deviations


@dataclass(frozen=True, slots=True)
class Ability:
    """A scenario, or one task of a board: its board, protocol, and the titles of a task by locale."""

    board: str
    protocol: str
    titles: Mapping[str, str] | None = None


def abilities(family: str) -> dict[str, Ability]:
    """Return the abilities of a family: scenarios by board, or a board's tasks by column.

    Scenarios are the first protocol of each board that has the sources and the language of the family's code
    generation. Raises KeyError for an unknown family.
    """
    if family not in _FAMILY_PROTOCOLS:
        return _tasks(family)
    like = _FAMILY_PROTOCOLS[family]
    by_board: dict[str, Ability] = {}
    for protocol in shipped_protocols().values():
        name = board_of(protocol)
        alike = (protocol.covers.sources, protocol.covers.kinds) == (like.covers.sources, like.covers.kinds)
        # Protocols with several answers at other temperatures are published presets, and not of the family.
        own = protocol.slug == family or protocol.slug.startswith(f"{family}-")
        if name is not None and alike and own and protocol.language == like.language:
            by_board.setdefault(name, Ability(name, protocol.slug))
    return {name: by_board[name] for name in boards() if name in by_board}


def _tasks(family: str) -> dict[str, Ability]:
    named = {name: board for board in boards().values() for name in board.families}[family]
    titles = {column.name: column.titles for column in named.columns}
    return {name: Ability(named.name, slug, titles[name]) for name, slug in named.families[family].items()}


def lead_ability(names: Iterable[str]) -> str:
    """Return the ability of a family that is compared with external tables: code generation."""
    return next(name for name in names if name in _LEAD_NAMES)


@dataclass(frozen=True, slots=True)
class ScenarioPair:
    """The correlation of the scores of two scenarios over the models that have both."""

    one: str
    other: str
    spearman: CorrelationValue | None
    pearson: CorrelationValue | None


def correlate_scores(scores: Sequence[Mapping[str, float | None]], names: Sequence[str]) -> list[ScenarioPair]:
    """Return the correlation of every two scenarios, in order, over rows of scores by scenario."""
    correlations = []
    for one, other in combinations(names, 2):
        pairs = [
            (first, second)
            for row in scores
            if (first := row.get(one)) is not None and (second := row.get(other)) is not None
        ]
        sides = [first for first, _ in pairs], [second for _, second in pairs]
        correlations.append(ScenarioPair(one, other, spearman(*sides), pearson(*sides)))
    return correlations


class TrendGroup(StrEnum):
    """The position of a model relative to the line through all: its score here against its score elsewhere."""

    ALIKE = "alike"
    LOWER = "lower"  # much lower here than its score elsewhere suggests
    HIGHER = "higher"


@dataclass(frozen=True, slots=True)
class TrendLine:
    """A line through (elsewhere, here): the slope, and the score here at 0 elsewhere."""

    slope: float
    start: float


def trend(pairs: Sequence[tuple[float, float]]) -> TrendLine | None:
    """Return the median line of Theil and Sen; None with fewer than eight pairs."""
    if len(pairs) < MIN_GROUPED_MODELS:
        return None
    slopes = [(b[1] - a[1]) / (b[0] - a[0]) for a, b in combinations(pairs, 2) if a[0] != b[0]]
    slope = median(slopes) if slopes else 0.0
    return TrendLine(slope, median(here - slope * elsewhere for elsewhere, here in pairs))


def group_by_trend(pairs: Sequence[tuple[float, float]]) -> list[TrendGroup] | None:
    """Return the group of each (elsewhere, here), by its distance from the trend; None without a trend.

    A pair leaves the group ALIKE beyond two robust standard deviations (1.4826 times the median distance).
    """
    line = trend(pairs)
    if line is None:
        return None
    rest = [here - line.slope * elsewhere - line.start for elsewhere, here in pairs]
    spread = 1.4826 * median(map(abs, rest))
    return [
        TrendGroup.ALIKE
        if abs(value) <= _MAX_DEVIATIONS * spread or spread == 0
        else TrendGroup.LOWER
        if value < 0
        else TrendGroup.HIGHER
        for value in rest
    ]

"""The answer about all scenarios of a family."""

from typing_extensions import TypedDict

from app.api.schemas.values import RowName, WindowDays
from app.domain.metrics.correlation import CorrelationValue
from app.domain.ratings.holistic import ScenarioPair, TrendLine


class ListedScenario(TypedDict):
    """A scenario, its board and protocol, and its number of problems."""

    name: str
    board: str
    protocol: str
    problems: int


class AbilityRow(RowName):
    """A model's scores in percent by scenario; those from too few answers are named in `provisional`."""

    demo: bool
    scores: dict[str, float | None]
    provisional: list[str]


class ScoreElsewhere(RowName):
    """A model's score in a table of others, and here; `group` places it relative to the trend."""

    demo: bool
    named: str
    elsewhere: float
    here: float
    group: str | None


class TableElsewhere(TypedDict):
    """A table of others against code generation here, on all problems or on easy ones alone."""

    table: str
    difficulty: str | None
    rows: list[ScoreElsewhere]
    trend: TrendLine | None
    spearman: CorrelationValue | None
    pearson: CorrelationValue | None
    unmatched: list[str]


class LanguageGap(RowName):
    """A model on the same problems in two languages; the gap in points is first minus second."""

    demo: bool
    protocols: list[str]
    languages: list[str]
    scores: list[float]
    gap: float
    ci_lo: float | None
    ci_hi: float | None
    n_problems: int
    clusters: int


class HolisticAnswer(TypedDict):
    """Every model's scores in all scenarios of a family."""

    family: str
    window: WindowDays
    revision: int
    scenarios: list[ListedScenario]
    rows: list[AbilityRow]
    correlations: list[ScenarioPair]
    external: list[TableElsewhere]
    languages: list[LanguageGap]

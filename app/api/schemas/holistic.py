"""The answer about all scenarios of a family."""

from typing_extensions import TypedDict

from app.api.schemas.values import WindowDays


class CorrelationValue(TypedDict):
    """A correlation of `n` pairs, -1 to 1, with its 95 % interval."""

    value: float
    lo: float | None
    hi: float | None
    n: int


class ScenarioPair(TypedDict):
    """The correlation of the scores in two scenarios over models; null with too few."""

    one: str
    other: str
    spearman: CorrelationValue | None
    pearson: CorrelationValue | None


class ListedScenario(TypedDict):
    """A scenario, its board and protocol, and its number of problems."""

    name: str
    board: str
    protocol: str
    problems: int


class AbilityRow(TypedDict):
    """A model's scores in percent by scenario; those from too few answers are named in `provisional`."""

    model: str
    configuration: str
    demo: bool
    scores: dict[str, float | None]
    provisional: list[str]


class ScoreElsewhere(TypedDict):
    """A model's score in a table of others, and here; `group` places it relative to the trend."""

    model: str
    configuration: str
    demo: bool
    named: str
    elsewhere: float
    here: float
    group: str | None


class TrendLine(TypedDict):
    """A line through (elsewhere, here): the slope, and the score here at 0 elsewhere."""

    slope: float
    start: float


class TableElsewhere(TypedDict):
    """A table of others against code generation here, on all problems or on easy ones alone."""

    table: str
    difficulty: str | None
    rows: list[ScoreElsewhere]
    trend: TrendLine | None
    spearman: CorrelationValue | None
    pearson: CorrelationValue | None
    unmatched: list[str]


class LanguageGap(TypedDict):
    """A model on the same problems in two languages; the gap in points is first minus second."""

    model: str
    configuration: str
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

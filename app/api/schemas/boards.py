"""Answers about boards: the list, a board, its frozen form, and the list of frozen ones."""

from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from app.api.schemas.values import Cursor, CutoffDay, DayText, HiddenRowAnswer, InstantText, ScoreOf, WindowDays

FilterValue = list[str] | str | bool | None
ByLevel = Annotated[dict[str, int], Field(description="numbers of problems, by difficulty")]


class ProtocolName(TypedDict):
    """A protocol."""

    slug: str
    title: str


class ColumnMeaning(TypedDict):
    """A column that one board has beside those of all boards."""

    name: str
    title: str
    meaning: str


class ListedBoard(TypedDict):
    """A board, its own columns, and the protocols with rows on it."""

    name: str
    title: str
    protocol: Annotated[str, Field(description="the protocol shown unless another is asked for")]
    columns: list[ColumnMeaning]
    protocols: list[ProtocolName]


class BoardList(TypedDict):
    """Every board."""

    boards: list[ListedBoard]


class BoardPrecision(TypedDict):
    """Precision of the scores, and the numbers of problems that a higher precision takes."""

    half_width: Annotated[float, Field(description="the median half-width of the intervals in points")]
    problems_for: Annotated[dict[str, int], Field(description="problems needed, by half-width in points")]
    widen_to: Annotated[DayText | None, Field(description="the first day of a window with problems for 5 points")]
    subsample: Annotated[float | None, Field(description="spread over two thirds of the problems, in points")]


class FacetCount(TypedDict):
    """A value of a filter, and the number of rows or problems that it would leave."""

    value: str
    count: int


class ProblemGroups(TypedDict):
    """A grouping of a board's problems; `problems` counts those of each group."""

    ks: list[int]
    problems: dict[str, int]
    unplaced: int


class GroupPassRates(TypedDict):
    """pass@k in percent over the `n` judged problems of a group, by k."""

    n: int
    pass_at: dict[str, float | None]


class EstimatedScore(TypedDict):
    """A score in percent with its 95 % interval."""

    score: float
    ci_lo: float
    ci_hi: float


class SplitScores(TypedDict):
    """Scores on problems that the model cannot have seen, and on the others."""

    clean: ScoreOf
    exposed: ScoreOf


class TokenMeans(TypedDict):
    """Tokens a problem by kind; null if the endpoint does not say."""

    input: float | None
    cached: float | None
    reasoning: float | None
    answer: float | None


class DifferenceToReference(TypedDict):
    """A paired difference to the reference row in points, with its 95 % interval.

    `p` is adjusted after Holm. `apart` is null if a row has no rank.
    """

    mean: float | None
    lo: float | None
    hi: float | None
    p: float | None
    apart: bool | None


class GapToProtocol(TypedDict):
    """A mean difference in points to the same model's row under another protocol, over `n` problems."""

    mean: float
    lo: float | None
    hi: float | None
    n: int


class RankRange(TypedDict):
    """The best and the worst rank."""

    lo: int
    hi: int


class _RowAlways(TypedDict):
    model: str
    name: str
    organisation: str
    configuration: str
    run: int
    trials: int
    rank: int | None
    rank_lo: int | None
    rank_hi: int | None
    tier: int | None
    score: Annotated[float | None, Field(description="percent, unrounded")]
    ci_lo: float | None
    ci_hi: float | None
    n_problems: Annotated[int, Field(description="problems judged")]
    wanted: Annotated[int, Field(description="problems in the window, under the filters")]
    coverage: Annotated[float, Field(description="answers judged, of those wanted: 0 to 1")]
    pending: int
    judge_errors: int
    exposed: Annotated[int, Field(description="problems that the model may have seen")]
    by_difficulty: dict[str, ScoreOf]
    split: SplitScores | None
    cutoff: CutoffDay
    provisional: bool
    demo: bool
    imported: bool
    n_inferred: bool
    tokens: TokenMeans
    seconds_per_problem: float | None
    cost_per_solve: Annotated[float | None, Field(description="US dollars")]
    speed_vs_reference: float | None
    speed_problems: int
    unpublished_variants: int
    estimate: EstimatedScore | None
    columns: NotRequired[Annotated[dict[str, float | None], Field(description="values of the board's own columns")]]
    languages: NotRequired[dict[str, float]]
    weights: NotRequired[str]
    tuned_from: NotRequired[str]
    paired: NotRequired[dict[str, GapToProtocol | None]]
    groups: NotRequired[dict[str, dict[str, GroupPassRates]]]


class RankedRow(_RowAlways):
    """One run on a board."""

    pass_at: Annotated[dict[str, float | None], Field(description="pass@k in percent, by k")]
    served: int
    prospective: bool
    started_by: str
    registered_at: InstantText | None
    unranked: str | None
    unknown_model: bool
    lag_days: float | None
    unmatched: int
    difference: DifferenceToReference | None
    without_own: Annotated[ScoreOf | None, Field(description="the score without tests of the model's own organisation")]
    without_own_reason: str | None
    p_first: Annotated[float | None, Field(description="the chance that the row is the first: 0 to 1")]
    rank_overlap: RankRange | None


class FrozenRow(_RowAlways):
    """One run on a frozen board."""

    pass_at: NotRequired[dict[str, float | None]]
    served: NotRequired[int]
    prospective: NotRequired[bool]
    started_by: NotRequired[str]
    registered_at: NotRequired[InstantText | None]
    unranked: NotRequired[str | None]
    unknown_model: NotRequired[bool]
    lag_days: NotRequired[float | None]
    unmatched: NotRequired[int]
    difference: NotRequired[DifferenceToReference | None]
    without_own: NotRequired[ScoreOf | None]
    without_own_reason: NotRequired[str | None]
    p_first: NotRequired[float | None]
    rank_overlap: NotRequired[RankRange | None]


class _BoardAlways(TypedDict):
    board: str
    protocol: str
    window: WindowDays
    filters: dict[str, FilterValue]
    revision: int
    problems: int
    by_difficulty: ByLevel
    by_platform: Annotated[dict[str, int], Field(description="numbers of problems, by platform")]
    clusters: int
    resolution: Annotated[float | None, Field(description="median gap in points that tells neighbours apart")]
    hidden: list[HiddenRowAnswer]
    groups: NotRequired[dict[str, ProblemGroups]]
    marks: NotRequired[Annotated[dict[str, float], Field(description="published scores in percent, by name")]]
    columns_empty: NotRequired[Annotated[dict[str, str], Field(description="columns without values: answers or ease")]]


class RankedBoard(_BoardAlways):
    """A board over a window: its rows in their order, and what a filter hides."""

    snapshot: None
    problems_left_out: dict[str, int]
    test_origins: dict[str, int]
    first_separated: int | None
    precision: BoardPrecision | None
    clean_window: WindowDays | None
    facets: dict[str, list[FacetCount]]
    rows: list[RankedRow]
    hidden_by_reason: dict[str, int]


class FrozenBoardAnswer(_BoardAlways):
    """A board as it was frozen. One frozen by an older version has fewer fields."""

    snapshot: Annotated[str, Field(description="the SHA-256 of these bytes with null in its place")]
    problems_left_out: NotRequired[dict[str, int]]
    test_origins: NotRequired[dict[str, int]]
    first_separated: NotRequired[int | None]
    precision: NotRequired[BoardPrecision | None]
    clean_window: NotRequired[WindowDays | None]
    facets: NotRequired[dict[str, list[FacetCount]]]
    rows: list[FrozenRow]
    hidden_by_reason: NotRequired[dict[str, int]]


class SnapshotEntry(TypedDict):
    """A frozen board; `query` holds the names and values of the board's address."""

    sha256: str
    board: str
    query: dict[str, list[str]]
    revision: int
    frozen_at: InstantText
    frozen_by: Annotated[str, Field(description="operator, maintainer, clock or visitor")]
    reason: str


class SnapshotPage(TypedDict):
    """Frozen boards, newest first."""

    data: list[SnapshotEntry]
    next_cursor: Cursor

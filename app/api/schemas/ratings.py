"""Answers with ratings and tables beside a board's score."""

from collections.abc import Mapping
from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from app.api.schemas.boards import DifferenceToReference
from app.api.schemas.values import HiddenRowAnswer, InstantText, RowName, RowScore
from app.services.evidence.composites import LevelPasses
from app.services.evidence.sizes import SizeHistogram, UnittestCoverage


class _HeadAlways(TypedDict):
    board: str
    protocol: str
    filters: Annotated[list[tuple[str, str]], Field(description="names and values of the board's address")]
    revision: int
    problems_left_out: Mapping[str, int]
    hidden: list[HiddenRowAnswer]


class BoardHead(_HeadAlways):
    """The board behind a table, with all that it leaves out."""

    problems: int


class UnrankedRow(RowName):
    """A row without a rank, and the reason."""

    reason: str | None


class RatedRow(RowName):
    """A rating with its 95 % interval; null if battles do not identify it."""

    score: float | None
    rating: float | None
    lo: float | None
    hi: float | None


class BoardElo(BoardHead):
    """Task Elo of a board's ranked rows."""

    unranked: list[UnrankedRow]
    ties: str
    also: str | None
    refitted: bool
    rows: list[RatedRow]


class TopicScores(TypedDict):
    """Every row's score on the problems of one topic."""

    topic: str
    problems: int
    rare: bool
    rows: list[RowScore]


class BoardTopics(BoardHead):
    """A board's rows by topic; topics with fewer than `least` problems are rare."""

    least: int
    topics: list[TopicScores]


class BoardSolveRates(BoardHead):
    """A board's problems by how often its rows solve them."""

    judged: int
    nobody: int
    everybody: int
    tenths: list[int]


class CompositeScores(RowName):
    """A row's composite scores in percent."""

    rank: int | None
    provisional: bool
    exposed: int
    coverage: float
    demo: bool
    imported: bool
    score: float | None
    dapr: float | None
    ci_lo: float | None
    ci_hi: float | None
    n_problems: int
    clusters: int
    plain: Annotated[float | None, Field(description="the plain mean over the same problems")]
    weighted: Annotated[float | None, Field(description="levels weighted 1 : 2 : 3")]
    levels: dict[str, LevelPasses]
    lacking: Annotated[list[str], Field(description="levels without a judged problem")]
    incomplete: Annotated[list[str], Field(description="levels with judged and with missing problems")]


class BoardComposites(BoardHead):
    """Scores made of scores."""

    scale: str
    problems_with_ease: int
    rows: list[CompositeScores]


class BoardSizes(BoardHead):
    """Sizes of a board's problems."""

    sizes: list[SizeHistogram]
    unittests: UnittestCoverage


class ComparedRow(RowName):
    """One of the two rows."""

    score: float | None
    rank: int | None


class ComparisonCounts(TypedDict):
    """Numbers of the problems that both rows have."""

    common: int
    second_better: int
    first_better: int
    both: int
    neither: int
    alike: int


class DifferingProblem(TypedDict):
    """A problem that the rows differ on: the pass rates of both, 0 to 1."""

    problem: str
    title: str
    released_on: InstantText | None
    rates: list[float]
    may_have_seen: list[bool]


class BoardComparison(_HeadAlways):
    """Two rows of a board, and every problem that they differ on."""

    rows: list[ComparedRow]
    difference: DifferenceToReference | None
    counts: ComparisonCounts
    problems: list[DifferingProblem]


class SweepRow(RowName):
    """A model's row under one protocol of a sweep."""

    score: float | None
    ci_lo: float | None
    ci_hi: float | None
    n_problems: int
    coverage: float


class SweptProtocol(TypedDict):
    """A protocol of a sweep: its values on the axes, and its rows."""

    protocol: str
    values: dict[str, float | None]
    rows: list[SweepRow]


class BoardSampling(TypedDict):
    """A board's models under protocols that differ by their sampling alone."""

    board: str
    protocol: str
    axes: list[str]
    left_out: int
    protocols: list[SweptProtocol]

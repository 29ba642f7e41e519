"""A board: its query and its rows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.domain.cube.facts import RunFact, find_reference
from app.domain.judging.speed import Speed
from app.domain.problems import Level, TestsOrigin
from app.domain.windows import Window


class Exposure(StrEnum):
    """Treatment of a row whose model may have seen problems of the window.

    unrank: scored on all problems, without a rank. hide: left out and counted. split: scored on the clean part, with
    the exposed part beside it.
    """

    UNRANK = "unrank"
    HIDE = "hide"
    SPLIT = "split"


class Prospective(StrEnum):
    """The rows on a board: all, or prospective ones only."""

    ANY = "any"
    ONLY = "only"


class Rules(StrEnum):
    """The rules of a board. LCB is LiveCodeBench's: mean pass@1, inclusive ends on dates stored a day late."""

    TIDEMARK = "tidemark"
    LCB = "lcb"


@dataclass(frozen=True, slots=True)
class BoardQuery:
    """One board, exactly: everything here is in the URL.

    `more` holds the values of filters without a field here, by name, in the order of the filters; defaults are left
    out. `repr` seeds the bootstrap of frozen boards, so it leaves out `more` and every field that was added later.
    """

    board: str = "codegen"
    protocol: str = "house"
    window: Window = Window()
    platforms: tuple[str, ...] = ()
    levels: tuple[Level, ...] = ()
    languages: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    cutoff_before: date | None = None
    exposure: Exposure = Exposure.UNRANK
    rules: Rules = Rules.TIDEMARK
    prospective: Prospective = field(default=Prospective.ANY, repr=False)
    more: tuple[tuple[str, Any], ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class Tokens:
    """Mean tokens per problem by kind; None if the endpoint does not report them."""

    input: float | None = None
    cached: float | None = None
    reasoning: float | None = None
    answer: float | None = None


@dataclass(frozen=True, slots=True)
class RunUsage:
    """Mean cost of a run's answers: tokens, seconds and US dollars per problem; None if unknown.

    `languages` are the shares, in 0..1, of the languages that its answers chose if the protocol leaves them open.
    `speed` compares its accepted programs with the fastest reference, `lag_days` is the median number of days from a
    problem's release to its answer, `format_rate` the share of answers in the requested format, and `beside_rate` the
    share of verdicts for which some tests ran beside the program; both are in 0..1. All are over all answers of the
    run, whatever window a board shows, and do not affect ranks.
    """

    tokens: Tokens = Tokens()
    seconds_per_problem: float | None = None
    cost_per_problem: float | None = None
    speed: Speed = Speed()
    lag_days: float | None = None
    format_rate: float | None = None
    beside_rate: float | None = None
    languages: tuple[tuple[str, float], ...] = ()


class LevelScore(NamedTuple):
    """The score, 0..100, over the `n` judged problems of one level; None without any."""

    score: float | None
    n: int


class GroupScore(NamedTuple):
    """pass@k in percent over the `n` judged problems of a group; None if one of them has fewer than k answers."""

    n: int
    pass_at: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class GroupTable:
    """A board's rows by groups of its problems.

    `ks` are those of pass@k, `problems` maps a problem's slug to its groups, `sizes` maps a group, in order, to its
    number of problems, `unplaced` counts problems in no group, and `scores` are by run and group.
    """

    ks: tuple[int, ...]
    problems: Mapping[str, tuple[str, ...]]
    sizes: Mapping[str, int]
    unplaced: int
    scores: Mapping[int, Mapping[str, GroupScore]]


class PairedGap(NamedTuple):
    """Mean difference in points, row minus part, over the `n` problems judged for both; ends None for one contest."""

    mean: float
    lo: float | None
    hi: float | None
    n: int

    @property
    def negated(self) -> "PairedGap":
        """The mean difference, part minus row."""
        lo, hi = (None if end is None else 0.0 - end for end in (self.hi, self.lo))
        return PairedGap(0.0 - self.mean, lo, hi, self.n)  # a negation would give -0.0


class WithoutOwnReason(StrEnum):
    """The reason why a row has no score without its own organisation's problems.

    NO_PART: the organisation made tests of none of the board's problems. TWO_VENDORS: at most two vendors made tests,
    so each had a part in all of them. NOTHING_LEFT: none of the other problems is judged.
    """

    NO_PART = "no_part"
    TWO_VENDORS = "two_vendors"
    NOTHING_LEFT = "nothing_left"


class LevelTable:
    """The scores of all rows on each level or other part, built on request, since few of a board's rows are shown.

    `values` holds percent (nan if nothing is graded) and numbers of graded problems, of shape (2, levels, rows).
    """

    def __init__(self, levels: Sequence[Level], values: NDArray[np.float64]) -> None:
        self._levels, self._values = levels, values

    def of(self, row: int) -> dict[Level, LevelScore]:
        """Return the scores of one row by level."""
        return dict(zip(self._levels, self.scores(row), strict=True))

    def scores(self, row: int) -> tuple[LevelScore, ...]:
        """Return the scores of one row in the order of the levels."""
        percent, graded = self._values[:, :, row].tolist()
        return tuple(
            LevelScore(None if score != score else score, int(n)) for score, n in zip(percent, graded, strict=True)
        )

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, LevelTable)
            and self._levels == other._levels
            and np.array_equal(self._values, other._values, equal_nan=True)
        )

    __hash__ = None  # type: ignore[assignment]  # arrays have none


class Overlap(NamedTuple):
    """The best and worst place of a ranked row by overlap of single intervals, wider than by paired comparison."""

    lo: int
    hi: int


class RowDifference(NamedTuple):
    """A paired mean difference to the reference row, in points, with its own 95 % interval.

    `p` is the two-sided p value after Holm's adjustment over all compared rows. `apart` says whether the board can tell
    the two apart (`app.domain.boards.separation`); None if one of them has no rank.
    """

    mean: float
    lo: float
    hi: float
    p: float
    apart: bool | None


class ScoreInterval(NamedTuple):
    """A value in percent with its 95 % interval."""

    score: float
    lo: float
    hi: float


class BoardRow(NamedTuple):
    """One run on a board; scores in percent with full precision, ranks None if unranked.

    `coverage` is graded over wanted answers in 0..1, each problem weighing the same. `exposed` counts the wanted
    problems that the model may have seen. `split` gives (clean, exposed) scores in split mode, where an exposed row's
    score, interval, levels, `n_problems` and `wanted` are those of its clean part. `trials` counts the runs of this
    model and configuration; `fact` is the run shown. `place` is the row's place in `levels` and in `parts`, which holds
    `split`. `first_chance` is how often a ranked row would be first if contests were resampled: 0 if another row is
    surely better, None with fewer than ten contests. `estimate` predicts the score on all selected problems of an
    unfinished or partly exposed row (`app.domain.metrics.estimates`). `difference` is paired over the problems that
    both rows have. `without_own` is the score over the problems whose tests were made without its own organisation's
    models; if it is None, `without_own_reason` says why. `served` counts the selected problems that the vendor had been
    served before registration: for a vendor's submission they are among the exposed, otherwise they are only counted.
    `prospective` says that the run was registered before the first selected problem came out and that none was served
    before, nor answered too late. `pass_at` holds pass@k for each of `app.domain.boards.pass_at.KS`, None if some
    problem has too few answers. `by_cutoff` says that only the cutoff may deny a rank, as under LiveCodeBench's rules.
    A named tuple, since a frozen dataclass takes four times as long to make.
    """

    fact: RunFact
    trials: int
    rank: int | None
    rank_lo: int | None
    rank_hi: int | None
    tier: int | None
    score: float | None
    ci_lo: float | None
    ci_hi: float | None
    n_problems: int
    wanted: int
    coverage: float
    exposed: int
    provisional: bool
    levels: LevelTable | None = None
    place: int = 0
    judge_errors: int = 0
    pending: int = 0
    parts: LevelTable | None = None
    usage: RunUsage = RunUsage()
    unpublished_variants: int = 0
    difference: RowDifference | None = None
    overlap: Overlap | None = None
    first_chance: float | None = None
    estimate: ScoreInterval | None = None
    without_own: LevelScore | None = None
    without_own_reason: WithoutOwnReason | None = WithoutOwnReason.NO_PART
    served: int = 0
    prospective: bool = False
    pass_at: tuple[float | None, ...] = (None, None)
    by_cutoff: bool = False

    @property
    def run(self) -> int:
        """The run's id."""
        return self.fact.id

    @property
    def model(self) -> str:
        """The model's slug."""
        return self.fact.model

    @property
    def configuration(self) -> str:
        """The configuration of the model."""
        return self.fact.configuration

    @property
    def unranked(self) -> str | None:
        """The reason why it has no rank: `configurations` (a ninth one), `provisional`, `exposed` or `unscored`."""
        if self.rank is not None:
            return None
        if self.fact.extra and not self.by_cutoff:
            return "configurations"
        if self.provisional and not self.by_cutoff:
            return "provisional"
        # LiveCodeBench's rules compare with the window's first day, on which there may be no problem.
        return "unscored" if self.score is None and not self.exposed else "exposed"

    @property
    def by_difficulty(self) -> Mapping[Level, LevelScore]:
        """The score on each level that the board shows."""
        return {} if self.levels is None else self.levels.of(self.place)

    @property
    def split(self) -> tuple[LevelScore, LevelScore] | None:
        """The scores on the problems its model cannot have seen, and on the others; None unless in split mode."""
        if self.parts is None:
            return None
        clean, exposed = self.parts.scores(self.place)
        return clean, exposed

    @property
    def first_percent(self) -> int | None:
        """The chance in percent of being first if contests were resampled; 100 only if it is certain, None if 0."""
        chance = self.first_chance
        return None if not chance else 100 if chance == 1 else min(max(round(100 * chance), 1), 99)

    @property
    def cost_per_solve(self) -> float | None:
        """The mean cost of one solved problem; None if a price or a score is unknown, or nothing is solved."""
        cost = self.usage.cost_per_problem
        return None if cost is None or not self.score else 100 * cost / self.score


class HiddenRow(NamedTuple):
    """A run that is not shown; `reason` is a row filter's name, or one such as exposure, later_trial or unjudged."""

    model: str
    configuration: str
    reason: str


@dataclass(frozen=True, slots=True)
class Precision:
    """Precision of the scores: `half_width` is the median half width of the intervals in points.

    `problems_for` estimates the number of problems for half widths of 5, 2 and 1 points. `widen_to` is the latest first
    day of a window with enough problems for 5 points, None if this one has enough or none has. `subsample` is the
    standard deviation, in points, of a score over a random two thirds of these problems from that over all: the median
    of the rows, None for one problem.
    """

    half_width: float
    problems_for: Mapping[float, int]
    widen_to: date | None
    subsample: float | None = None

    @property
    def next_half_width(self) -> float:
        """The widest listed half width that this board does not reach; the narrowest if it reaches all."""
        return max(
            (half_width for half_width in self.problems_for if half_width < self.half_width),
            default=min(self.problems_for),
        )


@dataclass(frozen=True, slots=True)
class Facet:
    """A value of a filter, and the number of results that it would leave under all other filters."""

    value: str
    count: int


@dataclass(frozen=True, slots=True)
class Board:
    """Rows (ranked ones first, then the others, each by score) and the figures around them.

    `by_level` counts the problems of each level shown: always easy, medium and hard, others if there are any; rows have
    a score for each. `test_origins` counts problems by the origin of their tests, if these are known here. `resolution`
    is the median gap in points that neighbours need to be told apart; `first_separated` is the rank of the best row
    that surely is not first, None if any may be. `weeks` counts the problems of each week (its Monday) that pass the
    filters, inside the window or not. `facets` are by filter, and empty unless requested (`boards.facets`). `left_out`
    counts the protocol's other problems by the first reason that applies: platform, difficulty, other filters and
    window belong to the query; held, withdrawn and undated problems are on no board. `beside` are the ranked rows that
    row filters hide: ranks are among these too. `parts` are scores by model and configuration in the same view under
    other protocols (`boards.named`), `paired` the gaps of rows to them over the problems judged for both, `groups` the
    tables by groups of problems. `clean_window` is the longest window in which half of all rows are clean, if this one
    leaves more than half without a rank.
    """

    query: BoardQuery
    problems: int
    by_level: Mapping[Level, int]
    by_platform: Mapping[str, int]
    rows: tuple[BoardRow, ...]
    hidden: tuple[HiddenRow, ...] = ()
    revision: int = 0
    resolution: float | None = None
    clusters: int = 0
    first_separated: int | None = None
    precision: Precision | None = None
    weeks: tuple[tuple[date, int], ...] = ()
    facets: Mapping[str, tuple[Facet, ...]] = field(default_factory=dict)
    left_out: Mapping[str, int] = field(default_factory=dict)
    test_origins: Mapping[TestsOrigin, int] = field(default_factory=dict)
    beside: tuple[BoardRow, ...] = ()
    parts: Mapping[str, Mapping[tuple[str, str], float | None]] = field(default_factory=dict)
    clean_window: Window | None = None
    paired: Mapping[str, Mapping[tuple[str, str], PairedGap]] = field(default_factory=dict)
    groups: Mapping[str, GroupTable] = field(default_factory=dict)

    def find_row(self, name: str | None) -> BoardRow | None:
        """Return the row that a reference names; None if it is not shown."""
        place = None if name is None else find_reference(name, ((row.model, row.configuration) for row in self.rows))
        return None if place is None else self.rows[place]

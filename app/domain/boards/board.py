"""What a board is: the question asked of it, and the rows it answers with."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.domain.cube.facts import RunFact, referred
from app.domain.judging.speed import Speed
from app.domain.problems import Level, TestsOrigin
from app.domain.windows import Window


class Exposure(StrEnum):
    """What happens to a row whose model may have seen problems of the window.

    unrank: scored on all, shown without a rank. hide: left out and counted.
    split: scored on the clean part, with the exposed part beside it.
    """

    UNRANK = "unrank"
    HIDE = "hide"
    SPLIT = "split"


class Prospective(StrEnum):
    """Which rows stand there: any, or only those that are prospective."""

    ANY = "any"
    ONLY = "only"


class Rules(StrEnum):
    """`LCB` reproduces LiveCodeBench's own rules: mean pass@1, inclusive ends on dates stored a day late."""

    TIDEMARK = "tidemark"
    LCB = "lcb"


@dataclass(frozen=True, slots=True)
class BoardQuery:
    """One board, exactly: everything here is in the URL.

    `more` holds the values of filters that have no field here, by name, in the order of the list; defaults are left
    out. It is no part of `repr`, which seeds the bootstrap of boards that are frozen; nor is what came after these.
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
    """Tokens by kind, per problem on average; None where the endpoint does not say."""

    input: float | None = None
    cached: float | None = None
    reasoning: float | None = None
    answer: float | None = None


@dataclass(frozen=True, slots=True)
class RunUsage:
    """What a run's answers cost on average: tokens, seconds and money per problem; None when unknown.

    `languages` are the shares, in 0..1, of the languages that its answers chose, where its protocol leaves that open.
    `speed` is that of its accepted programs beside the fastest reference's, `lag_days` the median of the days from a
    problem's release to its answer, `format_rate` the share of its answers in the form asked for, and `beside_rate` of
    its verdicts for which some tests ran beside the program, both in 0..1. All are over all of its answers, whatever
    window a board shows, and none is ranked by.
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
    """Score 0..100 over the problems of one level; None with no problem."""

    score: float | None
    n: int


class GroupScore(NamedTuple):
    """pass@k in percent over the judged problems of a group, None where one has fewer than k answers; how many."""

    n: int
    pass_at: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class GroupTable:
    """A board's rows by groups of its problems: the `ks` of pass@k, the groups of each problem by its slug, how many
    problems each group has, in order, how many are in none, and the scores by run and group."""

    ks: tuple[int, ...]
    problems: Mapping[str, tuple[str, ...]]
    sizes: Mapping[str, int]
    unplaced: int
    scores: Mapping[int, Mapping[str, GroupScore]]


class PairedGap(NamedTuple):
    """By how many points a row is above a part (`boards.named.Part`), over the `n` problems judged for both, with its
    95 % interval over contests; without one where they are all of one contest."""

    mean: float
    lo: float | None
    hi: float | None
    n: int

    @property
    def negated(self) -> "PairedGap":
        """By how many points the part is above the row."""
        lo, hi = (None if end is None else 0.0 - end for end in (self.hi, self.lo))
        return PairedGap(0.0 - self.mean, lo, hi, self.n)  # -0.0 would be shown as such


class WithoutOwn(StrEnum):
    """Why a row has no score without its own organisation's problems.

    NO_PART: it made tests of none of the board's problems. TWO_VENDORS: no more than two vendors made tests, so each
    had a part in all of them. NOTHING_LEFT: nothing of the other problems is judged.
    """

    NO_PART = "no_part"
    TWO_VENDORS = "two_vendors"
    NOTHING_LEFT = "nothing_left"


class LevelTable:
    """The scores of all rows of a board on each level, or on each of other parts. Boards hold thousands of rows and few
    are looked at: what a row scored is made when asked.

    `values` holds percent, nan where nothing is graded, and numbers of graded problems, of shape (2, levels, rows).
    """

    def __init__(self, levels: Sequence[Level], values: NDArray[np.float64]) -> None:
        self._levels, self._values = levels, values

    def of(self, row: int) -> dict[Level, LevelScore]:
        """Those of one row."""
        return dict(zip(self._levels, self.scores(row), strict=True))

    def scores(self, row: int) -> tuple[LevelScore, ...]:
        """The same without the levels."""
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
    """The places that the intervals of the ranked rows alone leave open. They overlap more often than rows that were
    tried on the same problems are the same, so nothing else is said by them."""

    lo: int
    hi: int


class Difference(NamedTuple):
    """A paired mean difference to the reference row, in points, with its 95 % interval taken alone; `p` is its
    two-sided p value after Holm's adjustment over all rows compared. `apart` says whether the board can tell the two
    apart (`app.domain.boards.separation`), None where one of them has no rank."""

    mean: float
    lo: float
    hi: float
    p: float
    apart: bool | None


class Interval(NamedTuple):
    """A value in percent with its 95 % interval."""

    score: float
    lo: float
    hi: float


class BoardRow(NamedTuple):
    """One run on a board; scores in percent with full precision, ranks None where unranked.

    `coverage` is graded over wanted answers in 0..1, each problem weighing the same. `exposed` counts the wanted
    problems the model may have seen. `split` gives (clean, exposed) scores in split mode, where an exposed row's score,
    interval, levels, `n_problems` and `wanted` are those of its clean part. `trials` counts the runs of this
    model and configuration, of which the newest, `fact`, is shown. `place` is the row's in `levels`
    and in `parts`, which holds `split`.
    `first_chance` is how often a ranked row would be first, were the contests drawn again: 0 where another row is
    surely better, None with fewer than ten contests.
    `estimate` is what an unfinished or partly exposed row would score on all selected problems, judged by its own
    part of them (`app.domain.metrics.estimates`). `difference` is paired over the problems that both rows have.
    `without_own` is its score over the problems whose tests its own organisation's models had no part in, or None, and
    then `without_own_reason` says why. `served` counts the selected problems that its vendor had been sent before it
    was registered: of a run that its vendor ordered they are among the exposed, of others they are only counted.
    `prospective` says that it was registered before the first of the selected problems came out and that none of them
    was served before, which what is answered too late is. `pass_at` holds pass@k for each of
    `app.domain.boards.pass_at.KS`, None where it has not so many answers to each problem. `by_cutoff` says that its
    cutoff alone may take its rank, as by LiveCodeBench's rules.
    A named tuple: boards hold thousands of rows, and a frozen dataclass takes four times as long to make.
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
    difference: Difference | None = None
    overlap: Overlap | None = None
    first_chance: float | None = None
    estimate: Interval | None = None
    without_own: LevelScore | None = None
    without_own_reason: WithoutOwn | None = WithoutOwn.NO_PART
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
        """How the model was set."""
        return self.fact.configuration

    @property
    def unranked(self) -> str | None:
        """Why it has no rank: it is of a ninth configuration, provisional, exposed or unscored."""
        if self.rank is not None:
            return None
        if self.fact.extra and not self.by_cutoff:
            return "configurations"
        if self.provisional and not self.by_cutoff:
            return "provisional"
        # LiveCodeBench's rules go by the window's first day, on which no problem need have come out.
        return "unscored" if self.score is None and not self.exposed else "exposed"

    @property
    def by_difficulty(self) -> Mapping[Level, LevelScore]:
        """The score on each level that the board shows."""
        return {} if self.levels is None else self.levels.of(self.place)

    @property
    def split(self) -> tuple[LevelScore, LevelScore] | None:
        """The scores on the problems its model cannot have seen, and on the others; None but in split mode."""
        if self.parts is None:
            return None
        clean, exposed = self.parts.scores(self.place)
        return clean, exposed

    @property
    def first_percent(self) -> int | None:
        """In how many percent of contests drawn again it would be first; never 0 or 100 but where it surely is."""
        chance = self.first_chance
        return None if not chance else 100 if chance == 1 else min(max(round(100 * chance), 1), 99)

    @property
    def cost_per_solve(self) -> float | None:
        """What one solved problem cost on average; None where a price or a score is not known, or nothing is solved."""
        cost = self.usage.cost_per_problem
        return None if cost is None or not self.score else 100 * cost / self.score


class HiddenRow(NamedTuple):
    """A run that is not shown, and why: a filter of rows by its name, exposure, not_prospective, later_trial,
    older_trial, unjudged, retired or voided."""

    model: str
    configuration: str
    reason: str


@dataclass(frozen=True, slots=True)
class Precision:
    """How sure scores are: the median half width of the intervals in points, about how many problems would make it
    5, 2 and 1 points, and the latest first day of a window that has enough of them for 5 (None where this one has
    enough, or none has). `subsample` is the standard deviation, in points, by which a score over about two thirds of
    these problems, drawn at random, differs from that over all of them: the median of the rows, None for one problem.
    """

    half_width: float
    problems_for: Mapping[float, int]
    widen_to: date | None
    subsample: float | None = None

    @property
    def worth_having(self) -> float:
        """The widest of the half widths asked about that this board does not reach; the narrowest if it has all."""
        return max(
            (half_width for half_width in self.problems_for if half_width < self.half_width),
            default=min(self.problems_for),
        )


@dataclass(frozen=True, slots=True)
class Facet:
    """A value that a filter may take, and how much it would leave under all the other filters."""

    value: str
    count: int


@dataclass(frozen=True, slots=True)
class Board:
    """Rows (ranked ones first, then the others, each by score) and what stands around them.

    `by_level` counts the problems of each level the board shows: easy, medium and hard always, the others where there
    are some; rows have a score for each of these.
    `test_origins` counts them by where their tests come from, without those whose tests are not here.
    `resolution` is the gap in points that neighbours need to be told apart, at the median; `first_separated` the rank
    of the best row that surely is not first (None where any may be). `weeks` counts the problems of each
    week (its Monday) that pass the filters, inside the window or not, for the tideline. `facets` are by filter, and
    empty unless somebody asked (`boards.facets`). `left_out` counts the protocol's other problems by the first reason
    that applies: platform, difficulty, other filters and window are the question's; held, withdrawn and undated ones
    are on no board. `beside` are the ranked rows that filters of rows leave out: ranks are among these too. `parts` are
    the scores by model and configuration in the same view under other protocols (`boards.named`), `paired` the gaps of
    rows to them over the problems judged for both, `groups` the tables by groups of problems. `clean_window` is the
    longest window in which half of all rows are clean, where this one unranks more than half.
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

    def referred(self, name: str | None) -> BoardRow | None:
        """The row that a reference names, if it is shown."""
        place = None if name is None else referred(name, ((row.model, row.configuration) for row in self.rows))
        return None if place is None else self.rows[place]

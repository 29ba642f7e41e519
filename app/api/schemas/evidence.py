"""Answers about contamination and about problems sent."""

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from app.api.schemas.values import CutoffDay, DayText, InstantText, WindowDays


class UnmetCondition(TypedDict):
    """A condition of the test that is not met: the number there is and the number needed."""

    condition: str
    have: int | None
    need: int | None


class LeftOutModels(TypedDict):
    """Numbers of other models that are no controls, by reason."""

    same_family: int
    no_cutoff: int
    cutoff_inside: int
    few_answers: int


class DropEstimate(TypedDict):
    """A drop at the cutoff: coefficients in logits, the effect with its 95 % interval in points."""

    beta: float | None
    se: float | None
    placebo: float | None
    tau: float | None
    z: float | None
    df: int
    p: float | None
    q: float | None
    effect: float | None
    lo: float | None
    hi: float | None
    controls: int


class QuarterEffect(TypedDict):
    """Three months counted from the cutoff: passes beyond what is expected without exposure, in points."""

    start: DayText
    end: DayText
    problems: int
    effect: float | None
    lo: float | None
    hi: float | None
    contests: int


class ContaminationTest(TypedDict):
    """A test of one row; `evidence` is false if there is none, which proves nothing."""

    status: str
    reason: str | None
    unmet: list[UnmetCondition]
    window: WindowDays | None
    models_left_out: LeftOutModels
    finding: str
    evidence: bool
    smoothed: bool
    pre: int
    post: int
    clusters: int
    controls: int
    rate_pre: float | None
    rate_post: float | None
    drop: DropEstimate | None
    trend: DropEstimate | None
    quarters: list[QuarterEffect]


class WorstDay(TypedDict):
    """The day after which a model does worst compared with before: for display only."""

    day: DayText
    z: float | None
    pre: int
    post: int


class MeanScore(TypedDict):
    """A mean in points over `n` problems, with its interval."""

    score: float | None
    lo: float | None
    hi: float | None
    n: int


class PrivateProblemsGap(TypedDict):
    """Public problems after the cutoff against private ones, in points."""

    reason: str | None
    n_public: int
    n_private: int
    public: MeanScore | None
    private: MeanScore | None
    gap: float | None
    lo: float | None
    hi: float | None
    adjusted_for_difficulty: bool


class RewrittenGap(TypedDict):
    """Problems against their rewritten twins, in points over `n` pairs."""

    gap: float | None
    lo: float | None
    hi: float | None
    n: int


class MonthMean(TypedDict):
    """The problems of one month: how many were judged, and their mean in points."""

    first: DayText
    n: int
    score: float | None
    lo: float | None
    hi: float | None


class ContaminationRow(TypedDict):
    """A row; its tests are those that a maintainer has signed, or missing."""

    run: int
    model: str
    name: str
    organisation: str
    configuration: str
    trial: int
    cutoff: CutoffDay
    private_gap: PrivateProblemsGap
    rewritten: RewrittenGap | None
    rewritten_graded: int
    months: list[MonthMean]
    months_by_platform: dict[str, list[MonthMean]]
    review: Annotated[str, Field(description="none, signed, older or waiting")]
    tested_at: InstantText | None
    pooled: ContaminationTest | None
    platforms: dict[str, ContaminationTest]
    change_point: WorstDay | None


class ContaminationAnswer(TypedDict):
    """The newest report over a protocol."""

    protocol: str
    protocols: list[str]
    revision: int | None
    made_at: InstantText | None
    problems: int
    private_problems: int
    rewritten_pairs: int
    models: list[ContaminationRow]


class SentProblemAnswer(TypedDict):
    """A problem that was sent to a model's endpoint."""

    model: str
    organisation: str
    endpoint: int
    problem: str
    sent_at: InstantText


class ExposurePage(TypedDict):
    """Problems sent, oldest first."""

    exposures: list[SentProblemAnswer]
    next_cursor: Annotated[str | None, Field(description="the cursor of the next page; null on the last one")]

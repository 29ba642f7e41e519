"""The answer about contamination."""

from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from app.api.schemas.values import CutoffDay, DayText, InstantText, WindowDays
from app.domain.contamination import CutoffDrop, CutoffQuarter
from app.domain.contamination.panel import LeftOutModels
from app.domain.contamination.probes import PrivateProblemsGap, RewrittenGap
from app.domain.metrics.curves import MonthMean


class UnmetCondition(TypedDict):
    """A condition of the test that is not met: the number there is and the number needed."""

    condition: str
    have: int | None
    need: int | None


class RawDropPoints(TypedDict):
    """The mean before the cutoff minus that after it, unadjusted, in points, with its 95 % interval."""

    mean: float | None
    lo: float | None
    hi: float | None


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
    raw: NotRequired[Annotated[RawDropPoints | None, Field(description="reports of earlier versions lack it")]]
    drop: CutoffDrop | None
    trend: CutoffDrop | None
    quarters: list[CutoffQuarter]


class WorstDay(TypedDict):
    """The day after which a model does worst compared with before: for display only."""

    day: DayText
    z: float | None
    pre: int
    post: int


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

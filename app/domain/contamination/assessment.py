"""Test if a model does better before its declared cutoff than difficulty, platform and its peers explain.

Only counts of passing answers are needed: no token probabilities, no training data. For a target with cutoff T:

1. *Problems*: those of [T - 12 months, end) without a month on either side of T, because declared dates are vague.
   *Controls*: models of other families exposed to all of that window or to none of it. A model without a known cutoff
   may change anywhere and is no control. With fewer than 100 problems before, 60 after or 8 controls the target is
   not assessable.
2. *Ease* of a problem: x = logit((c + 1/2) / (n + 1)) over the controls' answers, centred.
3. *Fit*: quasi-binomial logit of the target's passes on 1, pre = (released before T), x, x^2 - mean and platforms;
   beta is the coefficient of pre, its standard error clustered by contest: CR1 with G/(G - 1) and (N - 1)/(N - k),
   for G contests, N problems and k columns. x absorbs that problems grow harder, its slope that models discriminate
   differently.
4. *Placebo*: the same with each control as pretended target, its own answers left out of the ease. `placebo` is the
   median of their betas, tau^2 = max(0, (1.4826 MAD)^2 - median se^2): how much models change at T for no reason.
5. *Test*: z = (beta - placebo) / sqrt(se^2 + tau^2 (1 + 1.57/|C|)), p one-sided by t with min(G - 1, |C| - 1)
   degrees of freedom (1.57 = pi/2, the variance of a median over that of a mean).
   *Effect*: the mean over problems before T of s(eta) - s(eta - beta + placebo), in points. It excludes what models
   lose at T for no reason, so the published effect is the tested one. Its delta-method interval is widened by
   sqrt(se^2 + tau^2 (1 + 1.57/|C|)) / se. q by Benjamini and Hochberg (1995) over the call.
6. *Evidence* iff q < .05, the effect is 5 points or more, its interval lies above 0, and both checks agree. If a check
   disagrees, the drop is *not specific to the cutoff*; if a check cannot be made, it is no evidence. *Trend*: with a
   linear trend in time as a further column less than half of beta - placebo is left, so a slow decline explains as
   much. *Quarters*: one of those after T is off 0 by 5 points or half of the effect, and by its interval, at 95 % for
   all of them together (Bonferroni): the drop came later, or there are several.
7. *Smoothed*: if before or after T everything or nothing passes, or step 3 does not converge, (c + 1/2) of (n + 1)
   are fitted for the target (Haldane 1956, Anscombe 1956), which shrinks differences of rates to n/(n + 1) of them.
   A side without variation has no error of its own, so the target's variances are no less than that of n binomial
   answers by the fit.

Sources: step 3 after Roberts et al. 2023 (arXiv 2310.10628), correction by reference models after Dekoninck et al.
2024 (ConStat, arXiv 2405.16281), clustered errors after Liang and Zeger 1986.

Meaning of a result: "evidence" is *consistent with* the model having seen problems from before its cutoff; other
changes at T could look the same. "No evidence" is only that: a missing drop proves nothing, because a tenth of the
problems leaked is at the limit of what 300 + 120 problems show, and a model may have seen all or none. Never call a
model clean, and never accuse a vendor of cheating. Assumptions: given ease and platform, a model's relative strength
does not change at T for another reason, nor does that of the controls; all answers of a model come from one
configuration; the declared cutoff is about right; problems are new and contests independent. The trend's own interval
costs most of the power, so the trend must keep half of the drop and need not be proven. Leaks belong to platforms, and
pooling dilutes them, so test each platform.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from math import hypot
from typing import NamedTuple

from app.domain.contamination.drop import ChangePoint, CutoffDrop, CutoffQuarter, find_change, find_drop
from app.domain.contamination.fit import Ints
from app.domain.contamination.panel import NO_MODELS, LeftOutModels, Panel, Shortage, ShortageReason, compare
from app.domain.metrics.distributions import t_critical
from app.domain.metrics.intervals import Estimate, benjamini_hochberg, clustered_mean

SIGNIFICANCE_LEVEL, MIN_EFFECT_POINTS = 0.05, 5.0
MIN_DROP_SHARE = 0.5
_POINTS = 100.0


class Status(StrEnum):
    """Status of an assessment."""

    ASSESSED = "assessed"
    NOT_ASSESSABLE = "not_assessable"


class ContaminationFinding(StrEnum):
    """Result of an assessment."""

    EVIDENCE = "evidence"
    NOT_SPECIFIC = "not_specific"  # a check attributes the drop to another cause
    NO_EVIDENCE = "no_evidence"
    NOT_ASSESSABLE = "not_assessable"


class RawDrop(NamedTuple):
    """The mean pass rate before the cutoff minus that after it, unadjusted, in points, with its 95 % interval."""

    mean: float
    lo: float
    hi: float


@dataclass(frozen=True, slots=True)
class Assessment:
    """Result for one model (its place in the panel): a drop, or the reason why there is none.

    `pre`, `post` problems and `controls` are those compared; the mean pass rates before and after are unadjusted, in
    points, nan without problems, and `raw` is their difference, None if one is missing. `trend` is the same test with a
    linear trend in time, if possible. Both are of `smoothed` results if too little varies for a plain fit. `unmet` are
    all unmet conditions of the test, of which `reason` is the first; `window` is the compared period, [start, end), and
    `others` counts why other models are no controls.
    """

    model: int
    cutoff: date | None
    unmet: tuple[Shortage, ...]
    pre: int
    post: int
    clusters: int
    controls: int
    rate_pre: float
    rate_post: float
    raw: RawDrop | None = None
    drop: CutoffDrop | None = None
    trend: CutoffDrop | None = None
    quarters: tuple[CutoffQuarter, ...] = ()
    smoothed: bool = False
    window: tuple[date, date] | None = None
    others: LeftOutModels = NO_MODELS

    @property
    def reason(self) -> ShortageReason | None:
        """Reason why there is no test; None if there is one."""
        return self.unmet[0].reason if self.unmet else None

    @property
    def status(self) -> Status:
        """Assessed or not assessable."""
        return Status.ASSESSED if self.reason is None else Status.NOT_ASSESSABLE

    @property
    def evidence(self) -> bool:
        """True if there is evidence of exposure before the cutoff; False is no evidence, not its absence."""
        return self.finding is ContaminationFinding.EVIDENCE

    @property
    def finding(self) -> ContaminationFinding:
        """Result of the test and both checks; if a check could not be made, it is no evidence."""
        drop = self.drop
        if drop is None:
            return ContaminationFinding.NOT_ASSESSABLE
        if not (drop.q < SIGNIFICANCE_LEVEL and drop.effect >= MIN_EFFECT_POINTS and drop.lo > 0):
            return ContaminationFinding.NO_EVIDENCE
        declines = self.trend is not None and self.trend.step < MIN_DROP_SHARE * drop.step
        moves = any(self._deviates(quarter) for quarter in self._late_quarters)
        if declines or moves:
            return ContaminationFinding.NOT_SPECIFIC
        return (
            ContaminationFinding.EVIDENCE
            if self.trend is not None and self._late_quarters
            else ContaminationFinding.NO_EVIDENCE
        )

    @property
    def _late_quarters(self) -> list[CutoffQuarter]:
        """Quarters after the cutoff that have an interval."""
        return [
            quarter
            for quarter in self.quarters
            if quarter.contests > 1 and self.cutoff and quarter.start >= self.cutoff
        ]

    def _deviates(self, quarter: CutoffQuarter) -> bool:
        """Return whether a quarter after the cutoff differs from those beside it, corrected for their number."""
        assert self.drop is not None
        assert quarter.hi is not None  # late quarters have an interval
        df, confidence = quarter.contests - 1, 1 - SIGNIFICANCE_LEVEL / len(self._late_quarters)
        half = (quarter.hi - quarter.effect) * t_critical(confidence, df) / t_critical(1 - SIGNIFICANCE_LEVEL, df)
        return abs(quarter.effect) > max(half, min(MIN_EFFECT_POINTS, MIN_DROP_SHARE * self.drop.effect))


class AssessmentsByPlatform(NamedTuple):
    """Assessments over all problems, and over those of each platform."""

    pooled: tuple[Assessment, ...]
    platforms: dict[Hashable, tuple[Assessment, ...]]


def assess(
    panel: Panel, *, targets: Sequence[int] | None = None, end: date | None = None, trend: bool = True
) -> tuple[Assessment, ...]:
    """Test models for exposure before their cutoffs; the module explains the method and the meaning of a result.

    `targets` are places in the panel, by default every model with a cutoff. The window ends before the day `end`, by
    default after the last problem. Without `trend` that check is left out, and nothing is evidence.
    """
    return tuple(_add_q_values(_assess_targets(panel, targets, _end_of(panel, end), trend)))


def assess_by_platform(
    panel: Panel, *, targets: Sequence[int] | None = None, end: date | None = None, trend: bool = True
) -> AssessmentsByPlatform:
    """Assess models on all problems and on each platform alone; q accounts for all of these tests together."""
    last = _end_of(panel, end)
    parts = [panel, *(panel.on_platform(code) for code in range(len(panel.platforms)))]
    by_part = [_assess_targets(part, targets, last, trend) for part in parts]
    flat = iter(_add_q_values([assessment for part in by_part for assessment in part]))
    pooled, *alone = [tuple(next(flat) for _ in part) for part in by_part]
    return AssessmentsByPlatform(pooled, dict(zip(panel.platforms, alone, strict=True)))


def change_point(panel: Panel, target: int, *, end: date | None = None) -> ChangePoint | None:
    """Return the day between T - 12 months and `end` at which the target's passes, given ease and platform, fall most.

    Each day that leaves 60 problems and 5 contests on both sides is tried by a score test of a step there, clustered by
    contest. The declared cutoff only sets the window. None if unknown: several hundred problems are needed to place a
    step.
    """
    return find_change(panel, _check_targets([target], panel)[0], _end_of(panel, end).toordinal())


def _end_of(panel: Panel, end: date | None) -> date:
    """Return the given end, else the day after the last problem."""
    return end or date.fromordinal(int(panel.day.max(initial=0)) + 1)


def _check_targets(targets: Sequence[int], panel: Panel) -> list[int]:
    places = [int(target) for target in targets]
    if not all(0 <= place < len(panel.cutoffs) for place in places):
        raise ValueError("targets must be places of models")
    return places


def _assess_targets(panel: Panel, targets: Sequence[int] | None, end: date, trend: bool) -> list[Assessment]:
    dated = [place for place, cutoff in enumerate(panel.cutoffs) if cutoff is not None]
    places = dated if targets is None else _check_targets(targets, panel)
    return [_assess_one(panel, place, end.toordinal(), trend) for place in places]


def _assess_one(panel: Panel, target: int, end: int, trend: bool) -> Assessment:
    comparison = compare(panel, target, end)
    pre, post = comparison.counts
    before, after = (_rate(panel, target, comparison.problems[side]) for side in (comparison.pre, ~comparison.pre))
    number = comparison.controls.size
    window = comparison.window and (date.fromordinal(comparison.window[0]), date.fromordinal(comparison.window[1]))
    bare = Assessment(
        target, panel.cutoffs[target], comparison.unmet, pre, post, comparison.starts.size, number,
        _POINTS * before.mean, _POINTS * after.mean, _raw_drop(before, after), window=window, others=comparison.others,
    )  # fmt: skip
    if bare.reason is not None:
        return bare
    smoothed = comparison.uniform
    outcome = find_drop(panel, comparison, smoothed=smoothed)
    if isinstance(outcome, Shortage) and outcome.reason is ShortageReason.FIT_FAILED and not smoothed:
        smoothed = True
        outcome = find_drop(panel, comparison, smoothed=smoothed)
    if isinstance(outcome, Shortage):
        return replace(bare, unmet=(outcome,))
    again = find_drop(panel, comparison, trend=True, smoothed=smoothed) if trend else None
    sensitivity = None if again is None or isinstance(again, Shortage) else again.drop
    return replace(bare, drop=outcome.drop, quarters=outcome.quarters, trend=sensitivity, smoothed=smoothed)


def _rate(panel: Panel, target: int, problems: Ints) -> Estimate:
    """Return the target's mean pass rate on some problems, clustered by contest."""
    return clustered_mean(panel.c[target, problems] / panel.n[target, problems], panel.cluster[problems])


def _raw_drop(before: Estimate, after: Estimate) -> RawDrop | None:
    """Return the difference of two means over different contests, its interval made of both of theirs (MOVER)."""
    if not before.n or not after.n:
        return None
    mean = before.mean - after.mean
    lo = mean - hypot(before.mean - before.lo, after.hi - after.mean)
    hi = mean + hypot(before.hi - before.mean, after.mean - after.lo)
    return RawDrop(_POINTS * mean, _POINTS * lo, _POINTS * hi)


def _add_q_values(assessments: Sequence[Assessment]) -> list[Assessment]:
    """Return assessments with the q values of all drops, and separately those of all drops with a trend."""
    main = iter(_adjust_drops([assessment.drop for assessment in assessments]))
    trends = iter(_adjust_drops([assessment.trend for assessment in assessments]))
    return [replace(assessment, drop=next(main), trend=next(trends)) for assessment in assessments]


def _adjust_drops(drops: Sequence[CutoffDrop | None]) -> list[CutoffDrop | None]:
    q = iter(benjamini_hochberg([drop.p for drop in drops if drop is not None]).tolist())
    return [drop and replace(drop, q=next(q)) for drop in drops]

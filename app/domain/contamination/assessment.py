"""Whether a model does better before its declared cutoff than difficulty, platform and its peers explain.

Only counts of passing answers are needed: no token probabilities, no training data. For a target with cutoff T:

1. *Problems*: those of [T - 12 months, end) but for a month on either side of T, as declared dates are vague.
   *Controls*: models of other families exposed to all of that window or to none of it; of whom no cutoff is known may
   change anywhere, and is none. At least 100 problems before,
   60 after and 8 controls, else the target is not assessable.
2. *Ease* of a problem: x = logit((c + 1/2) / (n + 1)) over the controls' answers, centred.
3. *Fit*: quasi-binomial logit of the target's passes on 1, pre = (released before T), x, x^2 - mean and platforms;
   beta is the coefficient of pre, its standard error clustered by contest: CR1 with G/(G - 1) and (N - 1)/(N - k),
   for G contests, N problems and k columns. x takes up that problems grow harder, its slope that models discriminate
   differently.
4. *Placebo*: the same with each control as pretended target, its own answers left out of the ease. `placebo` is the
   median of their betas, tau^2 = max(0, (1.4826 MAD)^2 - median se^2): how much models change at T for no reason.
5. *Test*: z = (beta - placebo) / sqrt(se^2 + tau^2 (1 + 1.57/|C|)), p one-sided by t with min(G - 1, |C| - 1)
   degrees of freedom (1.57 = pi/2, the variance of a median over that of a mean).
   *Effect*: the mean over problems before T of s(eta) - s(eta - beta + placebo), in points, so that what is published
   is what is tested: what models lose at T for no reason is no part of it. Its delta-method interval is widened by
   sqrt(se^2 + tau^2 (1 + 1.57/|C|)) / se. q by Benjamini and Hochberg (1995) over the call.
6. *Evidence* iff q < .05, the effect is 5 points or more, its interval lies above 0, and both checks agree; where one
   does not, the drop is *not specific to the cutoff*, and where one cannot be made, it is no evidence. *Trend*: the
   same with a linear trend in time as further column leaves less than half of beta - placebo: a slow decline says as
   much. *Quarters*: one of those after T lies off 0 by 5 points or half of the effect, and by its interval, at 95 % for
   all of them together (Bonferroni): the drop came later, or there are several.
7. *Smoothed*: where before or after T everything or nothing passes, or step 3 does not settle, (c + 1/2) of (n + 1)
   are fitted for the target (Haldane 1956, Anscombe 1956), which shrinks differences of rates to n/(n + 1) of them.
   A side without variation has no error of its own, so the target's variances are no less than that of n binomial
   answers by the fit.

Sources: step 3 after Roberts et al. 2023 (arXiv 2310.10628), correction by reference models after Dekoninck et al.
2024 (ConStat, arXiv 2405.16281), clustered errors after Liang and Zeger 1986.

What a result means. "Evidence" is *consistent with* the model having seen problems from before its cutoff; other
changes at T could look the same. "No evidence" is only that: a missing drop proves nothing, as a tenth of the problems
leaked is at the limit of what 300 + 120 problems show, and a model may have seen all or none. Never call a model
clean, and never say that anybody cheated. Assumed: given ease and platform a model's relative strength does not
change at T for another reason; controls do not either; all answers of a model come from one configuration; the
declared cutoff is about right; problems are new and contests independent. The trend's own interval costs most of the
power, so it is asked for half of the drop and not for proof. Leaks belong to platforms, and pooling dilutes them, so
test each.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from math import nan
from typing import NamedTuple

from app.domain.contamination.drop import ChangePoint, Drop, Quarter, find_change, find_drop
from app.domain.contamination.fit import Ints
from app.domain.contamination.panel import OtherModels, Panel, Reason, Shortage, compare
from app.domain.metrics.distributions import t_critical
from app.domain.metrics.intervals import benjamini_hochberg

LEVEL, LEAST_EFFECT = 0.05, 5.0
LEAST_OF_DROP = 0.5
_POINTS = 100.0


class Status(StrEnum):
    """Whether there is a test to speak of."""

    ASSESSED = "assessed"
    NOT_ASSESSABLE = "not_assessable"


class Finding(StrEnum):
    """What an assessment comes to."""

    EVIDENCE = "evidence"
    NOT_SPECIFIC = "not_specific"  # a drop that a check says is none of the cutoff's
    NO_EVIDENCE = "no_evidence"
    NOT_ASSESSABLE = "not_assessable"


@dataclass(frozen=True, slots=True)
class Assessment:
    """What is known of one model (its place in the panel): a drop, or the reason why there is none.

    `pre`, `post` problems and `controls` are those compared; the mean pass rates before and after are plain, in
    points, nan without problems. `trend` is the same test with a linear trend in time, where possible.
    Both are of `smoothed` results where too little varies for a plain fit. `unmet` are all conditions of the test that
    are not met, of which `reason` is the first; `window` is what is compared, [start, end), and `others` why other
    models are no controls.
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
    drop: Drop | None = None
    trend: Drop | None = None
    quarters: tuple[Quarter, ...] = ()
    smoothed: bool = False
    window: tuple[date, date] | None = None
    others: OtherModels = OtherModels()

    @property
    def reason(self) -> Reason | None:
        """Why there is no test; None if there is one."""
        return self.unmet[0].reason if self.unmet else None

    @property
    def status(self) -> Status:
        """Assessed or not assessable."""
        return Status.ASSESSED if self.reason is None else Status.NOT_ASSESSABLE

    @property
    def evidence(self) -> bool:
        """Whether there is evidence of exposure before the cutoff; False is no evidence, not its absence."""
        return self.finding is Finding.EVIDENCE

    @property
    def finding(self) -> Finding:
        """What the drop is, given both checks; where one could not be made, it is no evidence."""
        drop = self.drop
        if drop is None:
            return Finding.NOT_ASSESSABLE
        if not (drop.q < LEVEL and drop.effect >= LEAST_EFFECT and drop.lo > 0):
            return Finding.NO_EVIDENCE
        declines = self.trend is not None and self.trend.step < LEAST_OF_DROP * drop.step
        moves = any(self._is_off(each) for each in self._later)
        if declines or moves:
            return Finding.NOT_SPECIFIC
        return Finding.EVIDENCE if self.trend is not None and self._later else Finding.NO_EVIDENCE

    @property
    def _later(self) -> list[Quarter]:
        """The quarters after the cutoff that have an interval."""
        return [each for each in self.quarters if each.contests > 1 and self.cutoff and each.start >= self.cutoff]

    def _is_off(self, quarter: Quarter) -> bool:
        """Whether a quarter after the cutoff is not as those beside it, by as many tries as there are."""
        assert self.drop is not None
        df, confidence = quarter.contests - 1, 1 - LEVEL / len(self._later)
        half = (quarter.hi - quarter.effect) * t_critical(confidence, df) / t_critical(1 - LEVEL, df)
        return abs(quarter.effect) > max(half, min(LEAST_EFFECT, LEAST_OF_DROP * self.drop.effect))


class ByPlatform(NamedTuple):
    """Assessments over all problems, and over those of each platform."""

    pooled: tuple[Assessment, ...]
    platforms: dict[Hashable, tuple[Assessment, ...]]


def assess(
    panel: Panel, *, targets: Sequence[int] | None = None, end: date | None = None, trend: bool = True
) -> tuple[Assessment, ...]:
    """Try models for exposure before their cutoffs; see above for the method and for what a result means.

    `targets` are places in the panel, by default every model with a cutoff. The window ends before the day `end`, by
    default after the last problem. Without `trend` that check is left out, and nothing is evidence.
    """
    return tuple(_with_q(_assessed(panel, targets, _end_of(panel, end), trend)))


def assess_by_platform(
    panel: Panel, *, targets: Sequence[int] | None = None, end: date | None = None, trend: bool = True
) -> ByPlatform:
    """`assess` pooled and on each platform alone; q accounts for all of these tests together."""
    last = _end_of(panel, end)
    parts = [panel, *(panel.on(code) for code in range(len(panel.platforms)))]
    by_part = [_assessed(part, targets, last, trend) for part in parts]
    flat = iter(_with_q([assessment for part in by_part for assessment in part]))
    pooled, *alone = [tuple(next(flat) for _ in part) for part in by_part]
    return ByPlatform(pooled, dict(zip(panel.platforms, alone, strict=True)))


def change_point(panel: Panel, target: int, *, end: date | None = None) -> ChangePoint | None:
    """Where between T - 12 months and `end` the target's passes, given ease and platform, fall most; None if unknown.

    Each day that leaves 60 problems and 5 contests on both sides is tried by a score test of a step there, clustered
    by contest. The declared cutoff only sets the window. Several hundred problems are needed to place a step.
    """
    return find_change(panel, _checked([target], panel)[0], _end_of(panel, end).toordinal())


def _end_of(panel: Panel, end: date | None) -> date:
    """The given end, else the day after the last problem."""
    return end or date.fromordinal(int(panel.day.max(initial=0)) + 1)


def _checked(targets: Sequence[int], panel: Panel) -> list[int]:
    places = [int(target) for target in targets]
    if not all(0 <= place < len(panel.cutoffs) for place in places):
        raise ValueError("targets must be places of models")
    return places


def _assessed(panel: Panel, targets: Sequence[int] | None, end: date, trend: bool) -> list[Assessment]:
    dated = [place for place, cutoff in enumerate(panel.cutoffs) if cutoff is not None]
    places = dated if targets is None else _checked(targets, panel)
    return [_assess_one(panel, place, end.toordinal(), trend) for place in places]


def _assess_one(panel: Panel, target: int, end: int, trend: bool) -> Assessment:
    comparison = compare(panel, target, end)
    pre, post = comparison.counts
    before, after = (_rate(panel, target, comparison.problems[side]) for side in (comparison.pre, ~comparison.pre))
    number = comparison.controls.size
    window = comparison.window and (date.fromordinal(comparison.window[0]), date.fromordinal(comparison.window[1]))
    bare = Assessment(
        target, panel.cutoffs[target], comparison.unmet, pre, post, comparison.starts.size, number, before, after,
        window=window, others=comparison.others,
    )  # fmt: skip
    if bare.reason is not None:
        return bare
    smoothed = comparison.uniform
    outcome = find_drop(panel, comparison, smoothed=smoothed)
    if isinstance(outcome, Shortage) and outcome.reason is Reason.FIT_FAILED and not smoothed:
        smoothed = True
        outcome = find_drop(panel, comparison, smoothed=smoothed)
    if isinstance(outcome, Shortage):
        return replace(bare, unmet=(outcome,))
    again = find_drop(panel, comparison, trend=True, smoothed=smoothed) if trend else None
    sensitivity = None if again is None or isinstance(again, Shortage) else again.drop
    return replace(bare, drop=outcome.drop, quarters=outcome.quarters, trend=sensitivity, smoothed=smoothed)


def _rate(panel: Panel, target: int, problems: Ints) -> float:
    if not problems.size:
        return nan
    return _POINTS * float((panel.c[target, problems] / panel.n[target, problems]).mean())


def _with_q(assessments: Sequence[Assessment]) -> list[Assessment]:
    """The q values of all drops, and apart from them those of all drops with a trend."""
    main = iter(_adjusted([assessment.drop for assessment in assessments]))
    trends = iter(_adjusted([assessment.trend for assessment in assessments]))
    return [replace(assessment, drop=next(main), trend=next(trends)) for assessment in assessments]


def _adjusted(drops: Sequence[Drop | None]) -> list[Drop | None]:
    q = iter(benjamini_hochberg([drop.p for drop in drops if drop is not None]).tolist())
    return [drop and replace(drop, q=next(q)) for drop in drops]

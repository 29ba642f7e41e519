"""Data of the contamination test: counts of models on dated problems, and the controls of each model."""

from calendar import monthrange
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from typing import Any, Final, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from app.domain.contamination.fit import Bools, Floats, Ints

MONTHS_BEFORE, MONTHS_APART = 12, 1
MIN_PRE, MIN_POST, MIN_CONTROLS, MIN_CLUSTERS = 100, 60, 8, 5
_MONTHS = 12


class ShortageReason(StrEnum):
    """Reason why a model cannot be assessed."""

    NO_CUTOFF = "no_cutoff"  # no cutoff is known
    FEW_PRE = "few_pre"  # under 100 problems before the cutoff
    FEW_POST = "few_post"  # under 60 after it
    FEW_CONTROLS = "few_controls"  # under 8 models to compare with
    FEW_CLUSTERS = "few_clusters"  # under 5 contests before or after
    NO_VARIATION = "no_variation"  # everything passes, or nothing
    CONFOUNDED = "confounded"  # the cutoff coincides with another change, such as of platform
    FIT_FAILED = "fit_failed"  # the fit did not converge, or says nothing about the cutoff


class Shortage(NamedTuple):
    """Unmet condition of the test: the number there is and the number it needs; None if it is not about a number."""

    reason: ShortageReason
    have: int | None = None
    need: int | None = None


@dataclass(frozen=True, slots=True)
class LeftOutModels:
    """Numbers of other models that are no controls, by reason, each counted once.

    The reasons are: the target's family, no known cutoff, a cutoff inside the window, too few of its problems answered.
    """

    same_family: int
    no_cutoff: int
    cutoff_inside: int
    few_answers: int


NO_MODELS: Final = LeftOutModels(0, 0, 0, 0)


@dataclass(frozen=True, eq=False, slots=True)
class Panel:
    """Counts (models x problems) with facts of both; made by `Panel.of`, which checks them.

    `cluster` and `platform` are codes; `platforms` names the platforms by code. A cutoff day is nan if unknown.
    """

    n: Floats
    c: Floats
    day: Ints
    cluster: Ints
    platform: Ints
    platforms: tuple[Hashable, ...]
    cutoffs: tuple[date | None, ...]
    cutoff_day: Floats
    families: tuple[Hashable | None, ...]

    @classmethod
    def of(
        cls,
        n: ArrayLike,
        c: ArrayLike,
        days: Sequence[date | int] | NDArray[Any],
        clusters: Sequence[Hashable] | NDArray[Any],
        platforms: Sequence[Hashable] | NDArray[Any],
        cutoffs: Sequence[date | None],
        families: Sequence[Hashable | None],
    ) -> Self:
        """Check counts and build a panel: `n` graded answers of which `c` pass, by model and problem; n = 0 for none.

        For each problem its release day (a date or a proleptic ordinal), cluster and platform; for each model its
        cutoff or None, and a label of its family or None (related to no model). Raises ValueError on lengths that
        differ and on counts outside 0 <= c <= n.
        """
        total, right = np.asarray(n, dtype=np.float64), np.asarray(c, dtype=np.float64)
        if total.ndim != 2 or total.shape != right.shape:
            raise ValueError("n and c must be of one shape, models by problems")
        models, problems = total.shape
        if any(len(column) != problems for column in (days, clusters, platforms)):
            raise ValueError("days, clusters and platforms must be as many as problems")
        if any(len(column) != models for column in (cutoffs, families)):
            raise ValueError("cutoffs and families must be as many as models")
        if not (np.isfinite(total).all() and ((right >= 0) & (right <= total)).all()):
            raise ValueError("counts must satisfy 0 <= c <= n")
        ordinals = [day.toordinal() if isinstance(day, date) else int(day) for day in days]
        cutoff_days = [np.nan if cutoff is None else cutoff.toordinal() for cutoff in cutoffs]
        names, platform = _codes(platforms)
        return cls(
            total,
            right,
            np.array(ordinals, dtype=np.int64),
            _codes(clusters)[1],
            platform,
            names,
            tuple(cutoffs),
            np.array(cutoff_days, dtype=np.float64),
            tuple(families),
        )

    def on_platform(self, platform: int) -> Self:
        """Return the panel of one platform's problems, by its code."""
        inside = self.platform == platform
        return replace(
            self,
            n=self.n[:, inside],
            c=self.c[:, inside],
            day=self.day[inside],
            cluster=self.cluster[inside],
            platform=self.platform[inside],
        )

    def controls_for(self, target: int, start: int, end: int) -> Ints:
        """Return the models of other families that were exposed to all of [start, end) or to none of its problems.

        A model with a cutoff inside, from its first problem on, or with none known, may itself change there.
        """
        first = self._first_cutoff(start, end)
        outside = (self.cutoff_day <= first) | (self.cutoff_day >= end)
        outside[target] = False
        return np.flatnonzero(outside & ~self._related(target))

    def _first_cutoff(self, start: int, end: int) -> int:
        """Return the last day on which a model that saw no problem of [start, end) may have its cutoff."""
        inside = self.day[(self.day >= start) & (self.day < end)]
        return max(start, int(inside.min()) - 1) if inside.size else start

    def _related(self, target: int) -> Bools:
        family = self.families[target]
        return np.array([candidate is not None and candidate == family for candidate in self.families], dtype=bool)

    def count_non_controls(self, target: int, start: int, end: int, few_answers: int) -> LeftOutModels:
        """Count the models that are no controls of a target, by reason; `few_answers` is passed on."""
        related, unknown = self._related(target), np.isnan(self.cutoff_day)
        related[target] = False
        free = ~related
        free[target] = False
        inside = (self.cutoff_day > self._first_cutoff(start, end)) & (self.cutoff_day < end)
        counts = [int(np.count_nonzero(mask)) for mask in (related, free & unknown, free & inside)]
        return LeftOutModels(counts[0], counts[1], counts[2], few_answers)


def _codes(labels: Sequence[Hashable] | NDArray[Any]) -> tuple[tuple[Hashable, ...], Ints]:
    places: dict[Hashable, int] = {}
    values = labels.tolist() if isinstance(labels, np.ndarray) else labels
    codes = np.array([places.setdefault(label, len(places)) for label in values], dtype=np.int64)
    return tuple(places), codes


def months_from(day: date, months: int) -> date:
    """Return the same day of another month, or its last day, within the calendar's ends."""
    year, month = divmod(day.year * _MONTHS + day.month - 1 + months, _MONTHS)
    if not date.min.year <= year <= date.max.year:
        return date.min if months < 0 else date.max
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


@dataclass(frozen=True, eq=False, slots=True)
class CutoffComparison:
    """Problems and controls that a target is tested with, and the unmet conditions.

    `problems` are columns of the panel, cluster by cluster; `starts` are the places where clusters begin. `uniform`:
    before or after the cutoff everything or nothing passes. `unmet` are all unmet conditions, of which `reason` is the
    first; the window is [start, end) in ordinals.
    """

    target: int
    problems: Ints
    pre: Bools
    starts: Ints
    controls: Ints
    unmet: tuple[Shortage, ...] = ()
    uniform: bool = False
    window: tuple[int, int] | None = None
    others: LeftOutModels = NO_MODELS

    @property
    def reason(self) -> ShortageReason | None:
        """First unmet condition."""
        return self.unmet[0].reason if self.unmet else None

    @property
    def counts(self) -> tuple[int, int]:
        """Numbers of problems before and after the cutoff."""
        before = int(self.pre.sum())
        return before, self.pre.size - before


def compare(panel: Panel, target: int, end: int, *, apart: int = MONTHS_APART) -> CutoffComparison:
    """Select problems and controls in [cutoff - 12 months, end), without `apart` months on either side of the cutoff.

    If answers are missing, a problem counts if the target and half of the controls answered it, and a control needs
    answers to half of the target's problems before and to half of those after the cutoff: an ease that rests on other
    models before than after would itself make a step.
    """
    cutoff = panel.cutoffs[target]
    nothing = np.zeros(0, dtype=np.int64)
    if cutoff is None:
        unmet = (Shortage(ShortageReason.NO_CUTOFF),)
        return CutoffComparison(target, nothing, nothing.astype(bool), nothing, nothing, unmet)
    start, last, first = (months_from(cutoff, by).toordinal() for by in (-MONTHS_BEFORE, -apart, apart))
    before, after = (panel.day >= start) & (panel.day < last), (panel.day > first) & (panel.day < end)
    inside = np.flatnonzero((before | after) & (panel.n[target] > 0))
    pre = before[inside]
    controls = panel.controls_for(target, start, end)
    answered = panel.n[np.ix_(controls, inside)] > 0
    able = np.logical_and(*(2 * answered[:, side].sum(axis=1) >= side.sum() for side in (pre, ~pre)))
    common = 2 * answered[able].sum(axis=0) >= able.sum()
    problems = inside[common]
    problems = problems[np.argsort(panel.cluster[problems], kind="stable")]
    comparison = _check_conditions(panel, target, problems, before[problems], controls[able])
    others = panel.count_non_controls(target, start, end, int(np.count_nonzero(~able)))
    return replace(comparison, window=(start, end), others=others)


def _check_conditions(panel: Panel, target: int, problems: Ints, pre: Bools, controls: Ints) -> CutoffComparison:
    cluster = panel.cluster[problems]
    starts = np.flatnonzero(np.diff(cluster, prepend=-1))
    n, c = panel.n[target, problems], panel.c[target, problems]
    uniform = not all(_varies(n[side], c[side]) for side in (pre, ~pre))
    comparison = CutoffComparison(target, problems, pre, starts, controls, (), uniform)
    before, after = comparison.counts
    numbers = (
        Shortage(ShortageReason.FEW_PRE, before, MIN_PRE),
        Shortage(ShortageReason.FEW_POST, after, MIN_POST),
        Shortage(ShortageReason.FEW_CONTROLS, controls.size, MIN_CONTROLS),
        Shortage(ShortageReason.FEW_CLUSTERS, min(np.unique(cluster[side]).size for side in (pre, ~pre)), MIN_CLUSTERS),
    )
    unmet = [
        short for short in numbers if short.have is not None and short.need is not None and short.have < short.need
    ]
    if not _varies(n, c):
        unmet.append(Shortage(ShortageReason.NO_VARIATION))
    return replace(comparison, unmet=tuple(unmet))


def _varies(n: Floats, c: Floats) -> bool:
    return bool(0 < c.sum() < n.sum())

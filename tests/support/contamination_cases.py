"""A small panel to try the contamination test on, and a naive second writing of its fit."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import date, timedelta
from math import sqrt
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from app.domain.contamination import Assessment, CutoffQuarter, Panel, assess

T = date(2025, 1, 15)
LONG_AGO, NEVER = date(2020, 1, 1), date(2030, 1, 1)
PRE, POST, CONTROLS = 120, 80, 10
END = date(2025, 7, 1)


def _cutoffs() -> list[date | None]:
    return [T, *(LONG_AGO for _ in range(CONTROLS))]


@dataclass
class Case:
    """A panel to change before it is used: model 0 is the target, the others are controls."""

    n: NDArray[Any]
    c: NDArray[Any]
    days: list[date]
    clusters: list[Any]
    platforms: list[Any]
    cutoffs: list[date | None] = field(default_factory=_cutoffs)
    families: list[Any] = field(default_factory=lambda: [f"family {place}" for place in range(CONTROLS + 1)])

    def panel(self) -> Panel:
        """What the test reads."""
        return Panel.of(self.n, self.c, self.days, self.clusters, self.platforms, self.cutoffs, self.families)

    def target(self, **options: Any) -> Assessment:
        """The assessment of model 0."""
        (found,) = assess(self.panel(), targets=[0], **{"end": END, **options})
        return found

    def keep(
        self, problems: Sequence[int] | NDArray[Any], models: Sequence[int] | NDArray[Any] | None = None
    ) -> "Case":
        """Some problems and models, in the order given."""
        rows = range(len(self.cutoffs)) if models is None else models
        axes = [[each[place] for place in problems] for each in (self.days, self.clusters, self.platforms)]
        owners = [[each[place] for place in rows] for each in (self.cutoffs, self.families)]
        grid = np.ix_(np.asarray(rows), np.asarray(problems))
        return Case(self.n[grid], self.c[grid], *axes, *owners)


def case(seed: int = 1, *, leak: float = 0.0, late_leak: float = 0.0) -> Case:
    """Contests of four problems in two platforms, a week apart before, and every five days after the cutoff."""
    rng = np.random.default_rng(seed)
    before = [T - timedelta(days=40 + 9 * (place // 4)) for place in range(PRE)]
    after = [T + timedelta(days=40 + 5 * (place // 4)) for place in range(POST)]
    problems = PRE + POST
    hardness, skill = 1.5 * rng.standard_normal(problems), rng.standard_normal(CONTROLS + 1)
    skill[0] = -0.5
    logits = skill[:, None] - hardness + 0.7 * rng.standard_normal((CONTROLS + 1, problems))
    chance = 1 / (1 + np.exp(-logits))
    chance[0, :PRE][rng.random(PRE) < leak] = 0.97
    chance[0, PRE:][rng.random(POST) < late_leak] = 0.97
    n = np.full(chance.shape, 10)
    contests = [f"contest {place // 4}" for place in range(problems)]
    platforms = ["xyy"[place % 3] for place in range(problems)]
    return Case(n, rng.binomial(n, chance), before + after, contests, platforms)


def figures(found: Assessment) -> list[float]:
    """Every number of an assessment."""
    drops = [list(asdict(each).values()) for each in (found.drop, found.trend) if each is not None]
    quarters = [[each.problems, each.effect, each.lo, each.hi, each.contests] for each in found.quarters]
    return [float(value) for values in [*drops, *quarters] for value in values]


def same(one: Assessment, other: Assessment) -> bool:
    """Whether two assessments hold the same numbers."""
    return bool(figures(one)) and figures(one) == pytest.approx(figures(other), rel=1e-7, abs=1e-7, nan_ok=True)


def _logit_fit(columns: NDArray[Any], n: NDArray[Any], c: NDArray[Any]) -> NDArray[Any]:
    """Plain Newton steps, problem by problem."""
    solution = np.zeros(columns.shape[1])
    for _ in range(12):
        slope, curve = np.zeros(solution.size), np.zeros((solution.size, solution.size))
        for row, asked, passed in zip(columns, n, c, strict=True):
            chance = 1 / (1 + np.exp(-row @ solution))
            slope += row * (passed - asked * chance)
            curve += np.outer(row, row) * asked * chance * (1 - chance)
        solution = solution + np.linalg.solve(curve, slope)
    return solution


def step_fit(given: Case, model: int, controls: list[int], placebo: float = 0.0) -> dict[str, Any]:
    """Steps 2 and 3 for one model, written without arrays of models; its effect is what is beyond `placebo`.

    The covariance is CR1 as textbooks and other packages have it: G/(G - 1) (N - 1)/(N - k) B M B.
    """
    problems = [place for place in range(len(given.days)) if abs((given.days[place] - T).days) > 31]
    pre = np.array([float(given.days[place] < T) for place in problems])
    passed = np.array([sum(int(given.c[control, place]) for control in controls) for place in problems])
    asked = np.array([sum(int(given.n[control, place]) for control in controls) for place in problems])
    ease = (passed + 0.5) / (asked + 1)
    x = np.log(ease / (1 - ease))
    x = x - x.mean()
    second = np.array([float(given.platforms[place] == "y") for place in problems])
    columns = np.stack([np.ones(pre.size), pre, x, x**2 - (x**2).mean(), second], axis=1)
    n, c = given.n[model, problems], given.c[model, problems]
    solution = _logit_fit(columns, n, c)
    chance = 1 / (1 + np.exp(-columns @ solution))
    bread = np.linalg.inv((columns * (n * chance * (1 - chance))[:, None]).T @ columns)
    meat, contests = np.zeros(bread.shape), sorted({given.clusters[place] for place in problems})
    inside = [np.array([given.clusters[place] == contest for place in problems]) for contest in contests]
    scores = [(columns * (c - n * chance)[:, None])[each].sum(axis=0) for each in inside]
    for score in scores:
        meat += np.outer(score, score)
    groups, rows, parameters = len(contests), columns.shape[0], columns.shape[1]
    spent = (rows - 1) / (rows - parameters)
    covariance = groups / (groups - 1) * spent * bread @ meat @ bread
    without = columns * np.array([1, 0, 1, 1, 1])
    bare = 1 / (1 + np.exp(-(without @ solution + placebo * pre)))
    gradient = (columns * (chance * (1 - chance))[:, None] - without * (bare * (1 - bare))[:, None])[pre > 0].mean(
        axis=0
    )
    return {
        "beta": solution[1],
        "se": sqrt(covariance[1, 1]),
        "effect": 100 * float((chance - bare)[pre > 0].mean()),
        "effect_se": 100 * sqrt(gradient @ covariance @ gradient),
        "contests": len(contests),
        "spent": spent,
        "excess": c / n - bare,
        "slopes": without * (bare * (1 - bare))[:, None],
        "shifts": [bread @ score for score in scores],
        "inside": inside,
        "days": np.array([given.days[place].toordinal() for place in problems]),
    }


def interval(quarter: CutoffQuarter) -> tuple[float, float]:
    """Both ends of a quarter's effect, which has them."""
    assert quarter.lo is not None
    assert quarter.hi is not None
    return quarter.lo, quarter.hi

"""One measured figure, with the bare limit of the same run and the budget that follows from it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PerfFigure:
    """A figure of `./tidemark perf`.

    `bare` is the same work done by the least code that can do it, measured in the same run; None if there is no such
    code. `budget` is the bound on the value, in its unit: a multiple of `bare`, so that a slow machine moves both, or a
    fixed number if there is no `bare`; None if the figure only informs.
    """

    name: str
    value: float
    unit: str
    budget: float | None
    bare: float | None
    ok: bool


def figure_at_most(name: str, value: float, unit: str, bare: float, times: float, plus: float = 0.0) -> PerfFigure:
    """Return a figure that may be at most `times` times the bare one, plus a fixed cost."""
    budget = times * bare + plus
    return PerfFigure(name, value, unit, budget, bare, value <= budget)


def figure_at_least(name: str, value: float, unit: str, bare: float, times: float) -> PerfFigure:
    """Return a figure that must reach `times` times the bare one."""
    budget = times * bare
    return PerfFigure(name, value, unit, budget, bare, value >= budget)


def figure_within(name: str, value: float, unit: str, budget: float, bare: float | None = None) -> PerfFigure:
    """Return a figure with a fixed upper bound, for want of a bare figure that moves with the machine."""
    return PerfFigure(name, value, unit, budget, bare, value <= budget)


def informative_figure(name: str, value: float, unit: str, bare: float | None = None) -> PerfFigure:
    """Return a figure without a budget."""
    return PerfFigure(name, value, unit, None, bare, ok=True)

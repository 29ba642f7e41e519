"""One measured figure, beside the bare limit of the same run and the budget that follows from it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """A figure of `./tidemark perf`.

    `bare` is the same work done by the least code that can do it, measured in the same run; None where there is no
    such thing. `budget` is the bound that the value must keep, in its unit: a multiple of `bare`, so that a slow
    machine moves both, or a fixed number where nothing bare exists; None where the figure only informs.
    """

    name: str
    value: float
    unit: str
    budget: float | None
    bare: float | None
    ok: bool


def at_most(name: str, value: float, unit: str, bare: float, times: float, plus: float = 0.0) -> Row:
    """A figure that may be so many times the bare one, and a fixed cost more."""
    budget = times * bare + plus
    return Row(name, value, unit, budget, bare, value <= budget)


def at_least(name: str, value: float, unit: str, bare: float, times: float) -> Row:
    """A figure that must reach so many times the bare one."""
    budget = times * bare
    return Row(name, value, unit, budget, bare, value >= budget)


def within(name: str, value: float, unit: str, budget: float, bare: float | None = None) -> Row:
    """A figure with a fixed bound, where nothing bare moves with the machine."""
    return Row(name, value, unit, budget, bare, value <= budget)


def told(name: str, value: float, unit: str, bare: float | None = None) -> Row:
    """A figure that informs and is not judged."""
    return Row(name, value, unit, None, bare, ok=True)

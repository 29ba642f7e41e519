"""One measured figure, beside its budget and the bare limit of the same run."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """A figure of `./tidemark perf`.

    `budget` is the bound it must keep, None where the figure only informs; `bare` is the same work done
    by the least code that can do it, measured in the same run, None where there is no such thing.
    """

    name: str
    value: float
    unit: str
    budget: float | None
    bare: float | None
    ok: bool

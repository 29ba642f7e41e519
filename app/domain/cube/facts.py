"""What a cube is made of: runs and cells, as values."""

from dataclasses import dataclass
from datetime import date
from enum import StrEnum


class CutoffBasis(StrEnum):
    """Where a model's cutoff date comes from."""

    DECLARED = "declared"
    RELEASE_DATE = "release_date"
    ESTIMATED = "estimated"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class RunFact:
    """What a board needs of a run: who answered, how configured, and what it may have seen.

    `cutoff_on` is the date used for exposure under `cutoff_basis` (the release date when no cutoff is
    known); `listed_on` is the one that a run's own file lists, which LiveCodeBench's rules go by. `unmatched` counts
    recorded answers of its file to problems that are not here.
    """

    id: int
    model: str
    name: str
    organisation: str
    configuration: str
    trial: int
    language: str
    imported: bool
    demo: bool
    cutoff_on: date | None
    cutoff_basis: CutoffBasis
    released_on: date | None = None
    n_inferred: bool = False
    unmatched: int = 0
    listed_on: date | None = None


@dataclass(frozen=True, slots=True)
class Cell:
    """(run, problem, item) -> n graded, c accepted; pending and judge errors are missing coverage."""

    run: int
    problem: int
    n: int
    c: int
    pending: int = 0
    judge_errors: int = 0
    item: int = 0

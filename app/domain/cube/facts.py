"""What a cube is made of: runs and cells, as values."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import Enum, StrEnum
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


class CutoffBasis(StrEnum):
    """Where a model's cutoff date comes from."""

    DECLARED = "declared"  # its vendor says so in public, and a maintainer accepted that
    RELEASED = "released"
    REGISTERED = "registered"
    LISTED = "listed"  # by a results file, and used by its own rules alone
    UNKNOWN = "unknown"  # nobody says one, by rules that ask for none


class StartedBy(StrEnum):
    """Who had a run made: its vendor by an order, maintainers, or a file that was imported."""

    VENDOR = "vendor"
    MAINTAINERS = "maintainers"
    FILE = "file"


class Weights(StrEnum):
    """Whether anybody may download a model, or it is only served."""

    OPEN = "open"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class RunFact:
    """What a board needs of a run: who answered, how configured, and what it may have seen.

    `cutoff_on` is the date used for exposure under `cutoff_basis` (`app.domain.cutoffs`);
    `listed_on` is the one that a run's own file lists, which LiveCodeBench's rules go by. `unmatched` counts
    recorded answers of its file to problems that are not here. `vendors` are the names that its model's organisation
    goes by, in one spelling, in which vendors of setters have theirs.
    `registered_at` is the instant from which the run was bound to answer, None of a file; `served` are the ids of the
    problems that its vendor, or the address where it is asked, had been sent before, in any scenario. `stands` is not
    set where another trial of the same model and configuration was sent a prompt first. `extra` is one of a
    configuration before which eight others of its model were registered. `unknown_model` says of a run of a file that
    nobody has said when its model was trained, and the table of known models does not have it. `weights` says whether
    anybody may download its model, None where nobody has said; `size_b` are billions of parameters, and `tuned_from`
    the slug of the model that it was tuned from.
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
    vendors: tuple[str, ...] = ()
    started_by: StartedBy = StartedBy.MAINTAINERS
    registered_at: datetime | None = None
    served: frozenset[int] = frozenset()
    stands: bool = True
    extra: bool = False
    unknown_model: bool = False
    weights: Weights | None = None
    size_b: float | None = None
    tuned_from: str = ""

    @property
    def known_cutoff(self) -> date | None:
        """The cutoff, where it was declared with evidence: to test at, or to be told from. Other dates only bound it,
        and it may lie anywhere before them."""
        return self.cutoff_on if self.cutoff_basis is CutoffBasis.DECLARED else None

    @property
    def of_file(self) -> bool:
        """Whether a file brought it, as results or as recorded answers."""
        return self.imported or self.started_by is StartedBy.FILE


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


class Coded(NamedTuple):
    """One fact of many things: its distinct values in order, None last, and each thing's place among them."""

    values: tuple[Any, ...]
    places: NDArray[np.int64]


def coded(facts: Sequence[Any]) -> Coded:
    """Facts as places. Words of an enumeration go in its order, others sorted."""
    present = set(facts)
    values = (*sorted(present - {None}, key=_order), *({None} & present))
    place = {value: number for number, value in enumerate(values)}
    return Coded(values, np.array([place[fact] for fact in facts], dtype=np.int64))


def _order(value: Any) -> Any:
    return list(type(value)).index(value) if isinstance(value, Enum) else value


def referred(name: str, rows: Iterable[tuple[str, str]]) -> int | None:
    """The place of the (model, configuration) that a reference names: `model:configuration`, or of a model alone the
    one without a configuration, else its first."""
    first = None
    for place, (model, configuration) in enumerate(rows):
        if name == f"{model}:{configuration}" or (name == model and not configuration):
            return place
        if name == model and first is None:
            first = place
    return first

"""Facts that a cube is made of: runs and cells, as values."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import Enum, StrEnum
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


class CutoffBasis(StrEnum):
    """The origin of a model's cutoff date."""

    DECLARED = "declared"  # publicly by its vendor, and accepted by a maintainer
    RELEASED = "released"
    REGISTERED = "registered"
    LISTED = "listed"  # by a results file; used under its own rules only
    UNKNOWN = "unknown"  # only under rules that require none


class StartedBy(StrEnum):
    """The initiator of a run: its vendor by a submission, maintainers, or an imported file."""

    VENDOR = "vendor"
    MAINTAINERS = "maintainers"
    FILE = "file"


class WeightsAccess(StrEnum):
    """Availability of a model's weights: for download, or only served."""

    OPEN = "open"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class RunFact:
    """Facts of a run that a board needs: model, configuration, and the problems it may have seen.

    `cutoff_on` is the date used for exposure under `cutoff_basis` (`app.domain.cutoffs`); `listed_on` is the one that
    the run's own file lists, which LiveCodeBench's rules use. `unmatched` counts recorded answers of its file to
    unknown problems. `vendors` are the names of its model's organisation, in the spelling of the vendors of setters.
    `registered_at` is the instant from which the run was bound to answer, None for a file; `served` are the ids of the
    problems that its vendor, or its endpoint's address, had been sent before, in any scenario. `stands` is False if
    another trial of the same model and configuration was answered first. `extra` is set if eight other
    configurations of its model were registered before its own. `unknown_model` is set for a run of a file if its
    model's training date is neither given nor in the table of known models. `weights` is the availability of the
    weights, None if unknown; `size_b` is in billions of parameters, and `tuned_from` is the slug of the model that it
    was tuned from.
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
    weights: WeightsAccess | None = None
    size_b: float | None = None
    tuned_from: str = ""

    @property
    def known_cutoff(self) -> date | None:
        """The cutoff if it was declared with evidence, else None.

        Other dates only bound the cutoff from above, so they are no basis for tests at it.
        """
        return self.cutoff_on if self.cutoff_basis is CutoffBasis.DECLARED else None

    @property
    def of_file(self) -> bool:
        """True if the run came from a file, as results or as recorded answers."""
        return self.imported or self.started_by is StartedBy.FILE


class Cell(NamedTuple):
    """(run, problem, item) -> n graded, c accepted; pending answers and judge errors are missing coverage."""

    run: int
    problem: int
    n: int
    c: int
    pending: int = 0
    judge_errors: int = 0
    item: int = 0


class EncodedFact(NamedTuple):
    """One fact of many things: its distinct values in order, None last, and each thing's place among them."""

    values: tuple[Any, ...]
    places: NDArray[np.int64]


def encode_fact(facts: Sequence[Any]) -> EncodedFact:
    """Return facts as places. Values of an enumeration keep its order, others are sorted."""
    present = set(facts)
    values = (*sorted(present - {None}, key=_value_order), *({None} & present))
    place = {value: number for number, value in enumerate(values)}
    return EncodedFact(values, np.array([place[fact] for fact in facts], dtype=np.int64))


def _value_order(value: Any) -> Any:
    return list(type(value)).index(value) if isinstance(value, Enum) else value


def find_reference(name: str, rows: Iterable[tuple[str, str]]) -> int | None:
    """Return the place of the (model, configuration) that a reference names.

    `model:configuration`; a model alone names its row without a configuration, else its first row.
    """
    first = None
    for place, (model, configuration) in enumerate(rows):
        if name == f"{model}:{configuration}" or (name == model and not configuration):
            return place
        if name == model and first is None:
            first = place
    return first

"""The runs a board may show, prepared once for many boards."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from app.domain.boards import BoardQuery, HiddenRow, RunFact
from app.domain.metrics import Ints

NEVER = -1  # the day of a cutoff that nobody knows: before every problem


@dataclass(frozen=True)
class Lineup:
    """The newest run of each model and configuration, by id, with how many trials there are; `older` are the others.

    Make one when runs change and use it for every board: it holds the arrays that boards need of a thousand runs.
    """

    runs: tuple[RunFact, ...]
    trials: Ints
    older: tuple[HiddenRow, ...]

    @classmethod
    def of(cls, runs: "Sequence[RunFact] | Lineup") -> "Lineup":
        """The line-up of these runs, in any order; one that is made already is returned as it is."""
        if isinstance(runs, Lineup):
            return runs
        found: dict[tuple[str, str, str], tuple[RunFact, int]] = {}
        older: list[RunFact] = []
        for run in runs:
            variant = run.model, run.configuration, run.language
            known = found.get(variant)
            if known is None:
                found[variant] = run, 1
                continue
            old, new = sorted((known[0], run), key=lambda each: (each.trial, each.id))
            found[variant] = new, known[1] + 1
            older.append(old)
        newest = sorted(found.values(), key=lambda pair: pair[0].id)
        hidden = (hide(run, "older_trial") for run in sorted(older, key=lambda each: each.id))
        return cls(
            tuple(run for run, _ in newest), np.array([trials for _, trials in newest], dtype=np.int64), tuple(hidden)
        )

    @cached_property
    def ids(self) -> Ints:
        """Run ids, ascending."""
        return np.array([run.id for run in self.runs], dtype=np.int64)

    @cached_property
    def cutoff(self) -> Ints:
        """The ordinal of each run's cutoff day, or `NEVER`."""
        days = [NEVER if run.cutoff_on is None else run.cutoff_on.toordinal() for run in self.runs]
        return np.array(days, dtype=np.int64)

    @cached_property
    def facts(self) -> NDArray[np.object_]:
        """The runs as an array of objects."""
        found = np.empty(len(self.runs), dtype=object)
        found[:] = self.runs
        return found

    def filtered(self, query: BoardQuery) -> dict[int, str]:
        """Place -> the filter of `query` that leaves this run out."""
        if not (query.models or query.languages or query.cutoff_before):
            return {}
        reasons = ((place, _filtered(run, query)) for place, run in enumerate(self.runs))
        return {place: reason for place, reason in reasons if reason is not None}


def hide(run: RunFact, reason: str) -> HiddenRow:
    """A run that is not shown."""
    return HiddenRow(run.model, run.configuration, reason)


def _filtered(run: RunFact, query: BoardQuery) -> str | None:
    if query.models and run.model not in query.models:
        return "model"
    if query.languages and run.language not in query.languages:
        return "language"
    if query.cutoff_before is not None and run.cutoff_on is not None and run.cutoff_on >= query.cutoff_before:
        return "cutoff"
    return None

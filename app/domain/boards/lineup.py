"""The runs that a board may show, prepared once for many boards."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from app.domain.boards.board import BoardQuery, Exposure, HiddenRow, Rules
from app.domain.boards.filters import FilterScope, active_filters
from app.domain.boards.seen_problems import SeenProblems
from app.domain.cube.axes import Axes
from app.domain.cube.facts import CutoffBasis, EncodedFact, RunFact, StartedBy, encode_fact
from app.domain.metrics.intervals import Ints

NO_CUTOFF = -1  # the day of an unknown cutoff: before every problem


@dataclass(frozen=True)
class Lineup:
    """Runs by id. Those of one model, configuration and language are trials of one `variant`, a number from 0.

    A board shows one trial of each; `trials` counts them. The trial with the greatest `claim` stands for its variant:
    the newest of files, the first that was answered of other runs. Make one when runs change and use it for every
    board: it holds the arrays that boards need of a thousand runs.
    """

    runs: tuple[RunFact, ...]
    variant: Ints
    trials: Ints
    claim: Ints

    @classmethod
    def of(cls, runs: "Sequence[RunFact] | Lineup") -> "Lineup":
        """Return the line-up of these runs, in any order; an existing line-up is returned as it is."""
        if isinstance(runs, Lineup):
            return runs
        facts = tuple(sorted(runs, key=lambda run: run.id))
        codes: dict[tuple[str, str, str], int] = {}
        names = ((run.model, run.configuration, run.language) for run in facts)
        variant = np.array([codes.setdefault(name, len(codes)) for name in names], dtype=np.int64)
        claim = np.empty(len(facts), dtype=np.int64)
        number = np.array([(run.trial, run.id) for run in facts], dtype=np.int64).reshape(-1, 2)
        number[[not run.of_file for run in facts]] *= -1  # a vendor that could submit again would choose among results
        stands = np.array([run.stands for run in facts], dtype=bool)
        claim[np.lexsort((number[:, 1], number[:, 0], stands))] = np.arange(len(facts))
        return cls(facts, variant, np.bincount(variant, minlength=len(codes))[variant], claim)

    @cached_property
    def standing_trials(self) -> "Lineup":
        """The line-up of the trials that stand for their variants; a variant is missing if that trial is not public."""
        places = np.sort(self.last_runs(self.claim))
        places = places[self.stands[places]]
        if places.size == len(self.runs):
            return self
        runs = tuple(self.runs[place] for place in places.tolist())
        return Lineup(runs, self.variant[places], self.trials[places], self.claim[places])

    @cached_property
    def with_listed_cutoffs(self) -> "Lineup":
        """The runs with the cutoffs that their own files list, and nothing served before.

        Runs without a listed cutoff have the one declared for the model.
        """
        runs = tuple(map(_with_listed_cutoff, self.runs))
        return self if runs == self.runs else replace(self, runs=runs)

    def under_rules(self, rules: Rules) -> "Lineup":
        """Return the runs as a board's rules see them."""
        return self.with_listed_cutoffs if rules is Rules.LCB else self

    def last_runs(self, *keys: NDArray[np.generic]) -> Ints:
        """Return the place of each variant's last run in the order of `keys`, of which the last is the primary key."""
        order = np.lexsort((*keys, self.variant))
        ends: Ints = order[np.flatnonzero(np.diff(self.variant[order], append=-1))]
        return ends

    @cached_property
    def ids(self) -> Ints:
        """Run ids, ascending."""
        return np.array([run.id for run in self.runs], dtype=np.int64)

    @cached_property
    def cutoff(self) -> Ints:
        """The ordinal of each run's cutoff day, or `NO_CUTOFF`."""
        days = [NO_CUTOFF if run.cutoff_on is None else run.cutoff_on.toordinal() for run in self.runs]
        return np.array(days, dtype=np.int64)

    @cached_property
    def served(self) -> tuple[Ints, Ints]:
        """Problem ids that were sent to a run's vendor before it was registered, and the run's place for each."""
        sizes = [len(run.served) for run in self.runs]
        ids = np.fromiter((problem for run in self.runs for problem in run.served), np.int64, sum(sizes))
        return ids, np.repeat(np.arange(len(self.runs)), sizes)

    @cached_property
    def registered(self) -> NDArray[np.float64]:
        """Seconds since 1970 at which each run was registered; infinite if unknown."""
        moments = [np.inf if run.registered_at is None else run.registered_at.timestamp() for run in self.runs]
        return np.array(moments, dtype=np.float64)

    def seen_problems(self, axes: Axes) -> SeenProblems:
        """Return the problems of a cube that each run may have seen.

        Problems served before count only against vendors' submissions: maintainers gain nothing by them.
        """
        cached = self._seen_cache.get("last")
        if cached is not None and cached.axes is axes:
            return cached
        columns, (ids, places) = axes.columns_of(self.ids), self.served
        until = np.full(len(axes.runs), NO_CUTOFF, dtype=np.int64)
        until[columns[columns >= 0]] = self.cutoff[columns >= 0]
        ordered = np.array([run.started_by is StartedBy.VENDOR for run in self.runs], dtype=bool)
        rows, charged = axes.rows_or_none(ids), columns[places]
        counts = ordered[places] & (rows >= 0) & (charged >= 0)
        seen = self._seen_cache["last"] = SeenProblems.of(axes, until, rows[counts], charged[counts])
        return seen

    def excluded_problems(self, axes: Axes, query: BoardQuery) -> SeenProblems | None:
        """Return the problems excluded from the rows' scores: in split mode those they may have seen, else None."""
        return self.under_rules(query.rules).seen_problems(axes) if query.exposure is Exposure.SPLIT else None

    @cached_property
    def _seen_cache(self) -> dict[str, SeenProblems]:
        return {}

    @cached_property
    def facts(self) -> NDArray[np.object_]:
        """The runs as an array of objects."""
        array = np.empty(len(self.runs), dtype=object)
        array[:] = self.runs
        return array

    @cached_property
    def imported(self) -> NDArray[np.bool_]:
        """Flags of the runs whose results were imported."""
        return np.array([run.imported for run in self.runs], dtype=bool)

    @cached_property
    def of_files(self) -> NDArray[np.bool_]:
        """Flags of the runs that came from a file."""
        return np.array([run.of_file for run in self.runs], dtype=bool)

    @cached_property
    def stands(self) -> NDArray[np.bool_]:
        """Flags of the runs that no other trial replaces for good."""
        return np.array([run.stands for run in self.runs], dtype=bool)

    @cached_property
    def extra(self) -> NDArray[np.bool_]:
        """Flags of the runs whose model had eight other configurations registered before."""
        return np.array([run.extra for run in self.runs], dtype=bool)

    def filter_reasons(self, query: BoardQuery) -> dict[int, str]:
        """Return place -> reason for the runs that a row filter of `query` leaves out, by ascending place."""
        reasons: dict[int, str] = {}
        for entry, value in active_filters(query, FilterScope.ROWS):
            values, places = self.encoded_fact(entry.fact)
            for place in np.flatnonzero(~entry.allows(values, value)[places]).tolist():
                reasons.setdefault(place, entry.reason_key)
        return dict(sorted(reasons.items()))

    def encoded_fact(self, fact: str) -> EncodedFact:
        """Return a fact of the runs by its name, such as `model`."""
        if fact not in self._encoded_facts:
            self._encoded_facts[fact] = encode_fact([getattr(run, fact) for run in self.runs])
        return self._encoded_facts[fact]

    @cached_property
    def _encoded_facts(self) -> dict[str, EncodedFact]:
        return {}


def _with_listed_cutoff(run: RunFact) -> RunFact:
    on, basis = run.known_cutoff, run.cutoff_basis if run.known_cutoff else CutoffBasis.UNKNOWN
    if run.listed_on not in (None, on):
        on, basis = run.listed_on, CutoffBasis.LISTED
    return replace(run, cutoff_on=on, cutoff_basis=basis, served=frozenset())


def hidden_row(run: RunFact, reason: str) -> HiddenRow:
    return HiddenRow(run.model, run.configuration, reason)

"""Ease of problems, measured over the public runs of a scenario and frozen problem by problem."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np

from app.db.boards.cells import ProtocolFact
from app.db.kernel.session import Session
from app.db.problems import difficulties
from app.domain.composites.ease import enough_models, new_ease, scale_of
from app.domain.cube.facts import RunFact, StartedBy
from app.domain.metrics.intervals import Floats, Ints
from app.services.boards.cubes import LoadedProtocol

KIND = "ease"
EMPTY: Mapping[str, Any] = {"problems": 0, "runs": 0, "runs_left_out": 0, "frozen": 0, "written": 0}
# Runs times problems of one fit, which takes seconds. If there are more, the runs with most results take part.
MAX_RESULTS = 1_000_000


@dataclass(frozen=True, slots=True)
class EaseInputs:
    """Cells of a scenario's protocols, and the frozen ease of its problems."""

    scale: str
    loaded: tuple[LoadedProtocol, ...]
    frozen: Mapping[int, float]


def protocols_of_scenario(protocols: Sequence[ProtocolFact], lead: ProtocolFact) -> Sequence[ProtocolFact]:
    """Return every protocol of a scenario if `lead` is its first one, else none: a problem has one ease in all of them.

    Each run has an ability of its own in the fit, which absorbs how hard its protocol is.
    """
    same = [protocol for protocol in protocols if protocol.protocol.scenario == lead.protocol.scenario]
    return same if same[0].id == lead.id else ()


def prepare(session: Session, loaded: Sequence[LoadedProtocol]) -> EaseInputs:
    """Read the inputs of the fit: the standing public run of every configuration, on the problems of boards."""
    scale = scale_of(loaded[0].protocol.protocol.scenario)
    return EaseInputs(scale, tuple(loaded), difficulties.frozen_values(session, scale))


def measure_ease(inputs: EaseInputs, most: int = MAX_RESULTS) -> dict[str, Any]:
    """Return the ease of the problems without one that enough models have tried. Pure and slow."""
    ids = np.unique(np.concatenate([loaded.cube.axes.ids for loaded in inputs.loaded]))
    runs_by_protocol, left_out = _choose_runs(inputs.loaded, most // max(ids.size, 1))
    lines, fitted_runs = [np.zeros((0, ids.size))], list[RunFact]()
    for loaded, runs in zip(inputs.loaded, runs_by_protocol, strict=True):
        lines.append(_pass_rates(loaded, runs, ids))
        fitted_runs += [loaded.lineup.standing_trials.runs[place] for place in runs]
    rates = np.concatenate(lines)
    vendors = [",".join(run.vendors) if run.started_by is StartedBy.VENDOR else "" for run in fitted_runs]
    columns = enough_models(rates, _codes([run.model for run in fitted_runs]), _codes(["", *vendors])[1:] - 1)
    rates, ids = rates[:, columns], ids[columns]
    frozen = np.array([inputs.frozen.get(problem, np.nan) for problem in ids.tolist()])
    values = new_ease(rates, frozen)
    new = ~np.isnan(values)
    return {
        "problems": ids.size,
        "runs": len(fitted_runs),
        "runs_left_out": left_out,
        "frozen": len(inputs.frozen),
        "scale": inputs.scale,
        "values": dict(zip(ids[new].tolist(), values[new].tolist(), strict=True)),
    }


def _codes(names: Sequence[str]) -> Ints:
    return np.unique(names, return_inverse=True)[1]


def _choose_runs(loaded: Sequence[LoadedProtocol], most: int) -> tuple[list[Ints], int]:
    """Return the places of the `most` runs with most results by protocol, oldest first, and how many are left out."""
    graded = [_graded_counts(entry) for entry in loaded]
    order = np.argsort(-np.concatenate(graded), kind="stable")
    tried = int(np.count_nonzero(np.concatenate(graded)))
    chosen = np.zeros(order.size, dtype=bool)
    chosen[order[: min(tried, most)]] = True
    ends = np.cumsum([part.size for part in graded])[:-1]
    return [np.flatnonzero(part) for part in np.split(chosen, ends)], max(tried - most, 0)


def _graded_counts(loaded: LoadedProtocol) -> Ints:
    """Return the number of problems that each run of the line-up has results on."""
    axes, runs = loaded.cube.axes, loaded.lineup.standing_trials.ids
    parts = loaded.cube.pass_rates(np.arange(axes.ids.size), axes.columns_of(runs))
    return sum((graded.sum(axis=0) for _, (_rate, graded) in parts), start=np.zeros(runs.size, np.int64))


def _pass_rates(loaded: LoadedProtocol, runs: Ints, ids: Ints) -> Floats:
    """Return pass rates of shape (runs, ids), nan if nothing is graded."""
    axes = loaded.cube.axes
    table = np.full((runs.size, ids.size), np.nan)
    columns = axes.columns_of(loaded.lineup.standing_trials.ids[runs])
    for rows, (rate, graded) in loaded.cube.pass_rates(np.arange(axes.ids.size), columns):
        table[:, np.searchsorted(ids, axes.ids[rows])] = np.where(graded, rate, np.nan).T
    return table


def freeze(session: Session, body: Mapping[str, Any], now: datetime) -> dict[str, Any]:
    """Store the ease values, and return the report without them."""
    written = difficulties.freeze(session, body["scale"], body["values"], body["frozen"], now)
    return {**{name: body[name] for name in EMPTY if name in body}, "written": written}

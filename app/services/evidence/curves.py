"""A model's months: from the newest report over a protocol, or from its cells while there is none."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np

from app.db.boards import cells
from app.db.evidence import evidence
from app.db.kernel.session import Session
from app.services.evidence import contamination
from app.services.runs.catalogue import ModelView, RunView


@dataclass(frozen=True, slots=True)
class RunEvidence:
    """Months of one run as a report has them, and how its tests for contamination came out.

    `tested` is None where no report knows the run; `made_at` says when that report was made.
    """

    months: Sequence[Mapping[str, Any]]
    tested: Mapping[str, Any] | None
    made_at: datetime | None


def of_model(session: Session, view: ModelView) -> dict[int, RunEvidence]:
    """What is known of each run of a model, by the run's id."""
    reports: dict[str, Any] = {}
    by_run = {}
    for run in view.runs:
        if run.protocol not in reports:
            protocol = cells.protocol(session, run.protocol)
            reports[run.protocol] = protocol and evidence.report(session, contamination.KIND, protocol.id)
        report = reports[run.protocol]
        row = None if report is None else _row(report.body, view.slug, run)
        if report is None or row is None:
            by_run[run.id] = RunEvidence(_from_cells(session, run), None, None)
        else:
            by_run[run.id] = RunEvidence(row["months"], row, report.made_at)
    return by_run


def _row(body: Mapping[str, Any], model: str, run: RunView) -> Mapping[str, Any] | None:
    """A run's row; reports of earlier versions did not say which trial a row is."""
    rows = contamination.of_model(body, model)
    same = (row for row in rows if row["configuration"] == run.configuration)
    return next((row for row in same if row.get("trial", run.trial) == run.trial), None)


def _from_cells(session: Session, run: RunView) -> list[dict[str, Any]]:
    rows = evidence.graded(session, run.id)
    clusters = {name: place for place, name in enumerate(dict.fromkeys(row.cluster for row in rows))}
    return contamination.months(
        np.array([row.day.toordinal() for row in rows], dtype=np.int64),
        np.array([row.c / row.n for row in rows], dtype=np.float64),
        np.ones(len(rows), dtype=np.bool_),
        np.array([clusters[row.cluster] for row in rows], dtype=np.int64),
    )

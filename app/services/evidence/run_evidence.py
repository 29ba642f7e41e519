"""Months of a model's runs: from the newest report over a protocol, or from its cells while there is none."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from app.db.boards import cells
from app.db.evidence import evidence
from app.db.kernel.session import Session
from app.services.evidence import contamination
from app.services.runs.result_views import ModelView, RunView


@dataclass(frozen=True, slots=True)
class RunEvidence:
    """Months of one run as a report has them, and the result of its tests for contamination.

    `tested` is None if no report has the run, or no maintainer has signed its result.
    """

    months: Sequence[Mapping[str, Any]]
    tested: Mapping[str, Any] | None


def evidence_by_run(session: Session, view: ModelView) -> dict[int, RunEvidence]:
    """Return the evidence on each run of a model, by the run's id."""
    reports: dict[str, Any] = {}
    by_run = {}
    for run in view.runs:
        if run.protocol not in reports:
            protocol = cells.protocol(session, run.protocol)
            report = protocol and evidence.report(session, contamination.KIND, protocol.id)
            reports[run.protocol] = protocol and report and contamination.public_body(session, protocol.id, report.body)
        row = _report_row(reports[run.protocol], view.slug, run)
        if row is None:
            by_run[run.id] = RunEvidence(_months_from_cells(session, run), None)
        else:
            by_run[run.id] = RunEvidence(row["months"], row if row["pooled"] else None)
    return by_run


def _report_row(body: Mapping[str, Any] | None, model: str, run: RunView) -> Mapping[str, Any] | None:
    return next((row for row in contamination.rows_of_model(body, model) if row["run"] == run.id), None)


def _months_from_cells(session: Session, run: RunView) -> list[dict[str, Any]]:
    rows = evidence.graded_problems(session, run.id)
    clusters = {name: place for place, name in enumerate(dict.fromkeys(row.cluster for row in rows))}
    return contamination.months(
        np.array([row.day.toordinal() for row in rows], dtype=np.int64),
        np.array([row.c / row.n for row in rows], dtype=np.float64),
        np.ones(len(rows), dtype=np.bool_),
        np.array([clusters[row.cluster] for row in rows], dtype=np.int64),
    )

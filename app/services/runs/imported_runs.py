"""Runs of an export of another installation, or of this one: stored as imported ones, each with its origin."""

from collections.abc import Mapping
from datetime import datetime

from app.db.kernel.session import Session
from app.db.runs import imported_runs as store
from app.db.runs import runs as run_store
from app.db.tables import Run
from app.domain.imports import ImportBatch, ImportedModel
from app.domain.reasons import Reason
from app.services.runs import cutoffs


def store_runs(
    session: Session, batch: ImportBatch, entries: Mapping[str, ImportedModel], now: datetime, actor: str
) -> dict[str, Run]:
    """Return a run for each of the file's, by the key its cells use. A file that was imported before finds its runs.

    `entries` are the file's models with their slugs here, by those of the file.
    """
    demo = {run.model for run in batch.runs if run.demo}
    words = Reason("imported", {"what": batch.kind})
    models = {
        slug: cutoffs.ensure_model(session, entry, now, actor, words, demo=slug in demo)
        for slug, entry in entries.items()
    }
    runs: dict[str, Run] = {}
    for run in batch.runs:
        protocol = run_store.ensure_protocol(session, run.protocol)
        provenance = {
            "kind": batch.kind,
            "file": batch.file_name,
            "sha256": batch.file_sha256,
            "n_inferred": run.n_inferred,
            "name_in_file": entries[run.model].name,
            "origin_in_file": run.origin,
            "run_in_file": run.key,
            "cutoff_in_file": None if run.listed_on is None else run.listed_on.isoformat(),
        }
        runs[run.key] = store.ensure_imported_run(session, models[run.model].id, protocol.id, run, provenance)
    return runs

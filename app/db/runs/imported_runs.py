"""Runs of an imported export: found by their file, or created."""

from typing import Any

from sqlalchemy import func, select

from app.db.kernel.session import Session
from app.db.runs.runs import configuration_key
from app.db.tables import Run
from app.domain.imports import ImportedRun
from app.domain.states import RunOrigin


def ensure_imported_run(
    session: Session, model_id: int, protocol_id: int, entry: ImportedRun, provenance: dict[str, Any]
) -> Run:
    """Return the run for an entry of a file, created if new with its own trial number, or the next free one."""
    key = configuration_key(entry.configuration)
    same = (Run.model_id == model_id, Run.protocol_id == protocol_id, Run.configuration_key == key)
    run = session.scalar(
        select(Run).where(
            *same,
            Run.provenance["sha256"].astext == provenance["sha256"],
            Run.provenance["run_in_file"].astext == provenance["run_in_file"],
        )
    )
    if run is not None:
        return run
    last = session.scalar(select(func.max(Run.trial)).where(*same)) or 0
    run = Run(
        model_id=model_id,
        protocol_id=protocol_id,
        configuration=dict(entry.configuration),
        configuration_key=key,
        trial=max(entry.trial, last + 1),
        state=entry.state,
        origin=RunOrigin.IMPORTED,
        provenance=provenance,
    )
    session.add(run)
    session.flush()
    return run

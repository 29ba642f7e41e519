"""Scores of models on external benchmarks, one table each; the file imported last counts."""

import json
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert

from app.db.kernel import blobs
from app.db.kernel.session import Session
from app.db.tables import ExternalFile
from app.domain.imports import ExternalScore, ExternalTable


def keep(session: Session, file_sha256: str, table: ExternalTable, now: datetime) -> None:
    """Store a file's table, the newest of its name from now on."""
    rows = [[score.model, score.score, score.n] for score in table.scores]
    blob = blobs.store_blob(session, json.dumps(rows, separators=(",", ":")).encode())
    new = insert(ExternalFile).values(name=table.name, file_sha256=file_sha256, stored_at=now, blob_sha256=blob)
    session.execute(new.on_conflict_do_update(index_elements=["name", "file_sha256"], set_={"stored_at": now}))


def tables(session: Session) -> list[ExternalTable]:
    """Return the newest table of each name, by name."""
    rows = session.scalars(
        select(ExternalFile).order_by(ExternalFile.name, ExternalFile.stored_at, ExternalFile.file_sha256.desc())
    )
    newest = {row.name: row for row in rows}  # the last of each name
    return [
        ExternalTable(
            row.name, tuple(ExternalScore(*score) for score in json.loads(blobs.get(session, row.blob_sha256)))
        )
        for row in newest.values()
    ]

"""Signatures of contamination results."""

from collections.abc import Collection
from datetime import datetime
from typing import Any

from sqlalchemy import func, select

from app.db.kernel.session import Session
from app.db.tables import ProtocolRow, ReportRow, Run, Signature
from app.domain.contamination.signing import ReportSignature


def newest(session: Session, run_ids: Collection[int]) -> dict[int, ReportSignature]:
    """Return run -> its newest signature."""
    last = select(func.max(Signature.id)).where(Signature.run_id.in_(run_ids)).group_by(Signature.run_id)
    rows = session.scalars(select(Signature).where(Signature.id.in_(last)))
    return {
        row.run_id: ReportSignature(row.data_sha256, row.body, row.made_at, row.signed_by, row.signed_at)
        for row in rows
    }


def add(
    session: Session, run_id: int, data: str, body: dict[str, Any] | None, made_at: datetime, by: str, now: datetime
) -> None:
    """Add a signature; without a body it withdraws the one before."""
    values = {} if body is None else {"body": body}
    session.add(Signature(run_id=run_id, data_sha256=data, made_at=made_at, signed_by=by, signed_at=now, **values))
    session.flush()


def lock_signable(session: Session, run_id: int, kind: str) -> tuple[str, str, ReportRow] | None:
    """Return (protocol slug, its title, newest report of a kind) of a public run, locked against other signers."""
    row = session.execute(
        select(ProtocolRow.slug, ProtocolRow.title, ReportRow)
        .select_from(Run)
        .join(ProtocolRow, ProtocolRow.id == Run.protocol_id)
        .join(ReportRow, ReportRow.protocol_id == Run.protocol_id)
        .where(Run.id == run_id, Run.public, ReportRow.kind == kind)
        .with_for_update(of=Run)
    ).one_or_none()
    return None if row is None else (row[0], row[1], row[2])

"""Maintainers' additions to a consensus."""

from datetime import datetime

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert

from app.db.kernel.session import Session
from app.db.problems.problems import sha256_of
from app.db.tables import AddedPieceRow
from app.domain.consensus.additions import AddedPiece, AddedPieceKind


def add(session: Session, version_id: int, piece: AddedPiece, actor: str, now: datetime) -> bool:
    """Store an addition to a text's consensus, and return False if it was stored before."""
    values = {
        "problem_version_id": version_id, "kind": piece.kind, "language": piece.language, "body": piece.body,
        "sha256": sha256_of(piece.body), "given_by": actor, "given_at": now,
    }  # fmt: skip
    new = insert(AddedPieceRow).values(values).on_conflict_do_nothing().returning(AddedPieceRow.id)
    return session.scalar(new) is not None


def of_text(session: Session, version_id: int) -> list[AddedPiece]:
    """Return every addition for a text, oldest first."""
    rows = session.execute(
        select(AddedPieceRow.kind, AddedPieceRow.language, AddedPieceRow.body)
        .where(AddedPieceRow.problem_version_id == version_id)
        .order_by(AddedPieceRow.id)
    )
    return [AddedPiece(AddedPieceKind(kind), language, body) for kind, language, body in rows]

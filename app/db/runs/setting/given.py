"""Maintainers' additions to a consensus."""

from datetime import datetime

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert

from app.db.kernel.session import Session
from app.db.problems.problems import sha256_of
from app.db.tables import GivenPiece
from app.domain.setting.given import Given, GivenKind


def add(session: Session, version_id: int, piece: Given, actor: str, now: datetime) -> bool:
    """Store an addition to a text's consensus, and return False if it was stored before."""
    values = {
        "problem_version_id": version_id, "kind": piece.kind, "language": piece.language, "body": piece.body,
        "sha256": sha256_of(piece.body), "given_by": actor, "given_at": now,
    }  # fmt: skip
    new = insert(GivenPiece).values(values).on_conflict_do_nothing().returning(GivenPiece.id)
    return session.scalar(new) is not None


def of_text(session: Session, version_id: int) -> list[Given]:
    """Return every addition for a text, oldest first."""
    rows = session.execute(
        select(GivenPiece.kind, GivenPiece.language, GivenPiece.body)
        .where(GivenPiece.problem_version_id == version_id)
        .order_by(GivenPiece.id)
    )
    return [Given(GivenKind(kind), language, body) for kind, language, body in rows]

"""What maintainers added to the making of tests."""

from datetime import datetime

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert

from app.db.kernel.session import Session
from app.db.problems.problems import sha256_of
from app.db.tables import GivenPiece
from app.domain.setting.given import Given, GivenKind


def add(session: Session, version_id: int, piece: Given, actor: str, now: datetime) -> bool:
    """Keep a piece for a text; False where it was given before."""
    values = {
        "problem_version_id": version_id, "kind": piece.kind, "language": piece.language, "body": piece.body,
        "sha256": sha256_of(piece.body), "given_by": actor, "given_at": now,
    }  # fmt: skip
    new = insert(GivenPiece).values(values).on_conflict_do_nothing().returning(GivenPiece.id)
    return session.scalar(new) is not None


def of_text(session: Session, version_id: int) -> list[Given]:
    """Everything given for a text, in the order it came."""
    rows = session.execute(
        select(GivenPiece.kind, GivenPiece.language, GivenPiece.body)
        .where(GivenPiece.problem_version_id == version_id)
        .order_by(GivenPiece.id)
    )
    return [Given(GivenKind(kind), language, body) for kind, language, body in rows]

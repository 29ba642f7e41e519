"""Maintainers' additions to a consensus."""

from datetime import datetime

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert

from app.db.kernel.session import Session
from app.db.problems.problems import sha256_of
from app.db.tables import AdditionRow
from app.domain.consensus.additions import Addition, AdditionKind


def add(session: Session, version_id: int, addition: Addition, actor: str, now: datetime) -> bool:
    """Store an addition to a text's consensus, and return False if it was stored before."""
    values = {
        "problem_version_id": version_id, "kind": addition.kind, "language": addition.language, "body": addition.body,
        "sha256": sha256_of(addition.body), "given_by": actor, "given_at": now,
    }  # fmt: skip
    new = insert(AdditionRow).values(values).on_conflict_do_nothing().returning(AdditionRow.id)
    return session.scalar(new) is not None


def of_text(session: Session, version_id: int) -> list[Addition]:
    """Return every addition for a text, oldest first."""
    rows = session.execute(
        select(AdditionRow.kind, AdditionRow.language, AdditionRow.body)
        .where(AdditionRow.problem_version_id == version_id)
        .order_by(AdditionRow.id)
    )
    return [Addition(AdditionKind(kind), language, body) for kind, language, body in rows]

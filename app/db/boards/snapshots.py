"""Frozen boards: written once, found by their hash, listed newest first."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert

from app.db.kernel.session import Session
from app.db.tables import Snapshot


def add(session: Session, values: Mapping[str, Any]) -> bool:
    """Write a snapshot, and return False, with nothing changed, if its hash is known."""
    statement = insert(Snapshot).values(**values).on_conflict_do_nothing().returning(Snapshot.id)
    return session.execute(statement).scalar() is not None


def find(session: Session, sha256: str) -> Snapshot | None:
    """Return the snapshot with that hash."""
    return session.scalar(select(Snapshot).where(Snapshot.sha256 == sha256))


def newest(session: Session, board: str, query: Mapping[str, Any]) -> Snapshot | None:
    """Return the newest snapshot of exactly this view."""
    same = select(Snapshot).where(Snapshot.board == board, Snapshot.query == dict(query))
    return session.scalar(same.order_by(Snapshot.id.desc()).limit(1))


def page(session: Session, before: int | None, limit: int) -> list[Snapshot]:
    """Return snapshots with ids below `before`, newest first."""
    query = select(Snapshot)
    if before is not None:
        query = query.where(Snapshot.id < before)
    return list(session.scalars(query.order_by(Snapshot.id.desc()).limit(limit)))

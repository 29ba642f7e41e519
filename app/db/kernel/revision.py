"""The revision of what boards show; its row lock puts revisions in the order of commits."""

from sqlalchemy import select, update

from app.db.kernel.session import Session
from app.db.tables import BoardState


def next_revision(session: Session) -> int:
    """Lock the state and advance the revision; the lock is held until the transaction ends."""
    statement = update(BoardState).values(revision=BoardState.revision + 1).returning(BoardState.revision)
    return int(session.execute(statement).scalar_one())


def axes_changed(session: Session) -> None:
    """Say that problems, runs or models changed, so that every cube rebuilds its axes."""
    session.execute(update(BoardState).values(revision=BoardState.revision + 1, axes_revision=BoardState.revision + 1))


def current(session: Session) -> tuple[int, int]:
    """(revision, axes revision) as last committed."""
    row = session.execute(select(BoardState.revision, BoardState.axes_revision)).one()
    return row.revision, row.axes_revision

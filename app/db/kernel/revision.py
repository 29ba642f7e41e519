"""The revision of everything that boards show; its row lock puts revisions in commit order."""

from collections.abc import Collection
from typing import NamedTuple

from sqlalchemy import select, update

from app.db.kernel.session import Session
from app.db.tables import BoardState, ProtocolRow


class BoardRevision(NamedTuple):
    """Board revisions: of any change, of the last change to problems, runs or models, of the last removal of cells."""

    cells: int
    axes: int
    whole: int


def next_revision(session: Session) -> int:
    """Lock the state and advance the revision; the lock is held until the transaction ends."""
    statement = update(BoardState).values(revision=BoardState.revision + 1).returning(BoardState.revision)
    return int(session.execute(statement).scalar_one())


def mark_axes_changed(session: Session) -> None:
    """Record that problems, runs or models changed, so that every cube rebuilds its axes."""
    session.execute(update(BoardState).values(revision=BoardState.revision + 1, axes_revision=BoardState.revision + 1))


def request_reports(session: Session, protocols: Collection[int]) -> None:
    """Request new reports over these protocols at once, because a person changed their input."""
    now = select(BoardState.revision).scalar_subquery()
    session.execute(update(ProtocolRow).where(ProtocolRow.id.in_(protocols)).values(reports_asked=now))


def mark_cells_removed(session: Session) -> None:
    """Record that cells were removed, so that every cube is rebuilt: readers by revision cannot see removals."""
    now = BoardState.revision + 1
    session.execute(update(BoardState).values(revision=now, axes_revision=now, whole_revision=now))


def record_methods(session: Session, methods: int) -> int:
    """Record the current number of method revisions, and return the number that boards were last shown by.

    A fresh installation returns `methods`. Of several concurrent callers, only one sees the old number. A change
    advances the board revision, so that reports and cached responses made by older methods are out of date.
    """
    stored = select(BoardState.methods)
    for query in (stored, stored.with_for_update()):  # a start without a change needs no lock
        shown = session.execute(query).scalar_one()
        if shown is not None and shown >= methods:
            return shown
    moved = 0 if shown is None else 1
    session.execute(update(BoardState).values(methods=methods, revision=BoardState.revision + moved))
    return methods if shown is None else shown


def current(session: Session) -> BoardRevision:
    """Return the board revisions as last committed."""
    row = session.execute(select(BoardState.revision, BoardState.axes_revision, BoardState.whole_revision)).one()
    return BoardRevision(*row)

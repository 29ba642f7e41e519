"""The revision of what boards show; its row lock puts revisions in the order of commits."""

from collections.abc import Collection
from typing import NamedTuple

from sqlalchemy import select, update

from app.db.kernel.session import Session
from app.db.tables import BoardState, ProtocolRow


class BoardRevision(NamedTuple):
    """Where boards stand: of everything, of problems, runs and models, and since when no cell vanished."""

    cells: int
    axes: int
    whole: int


def next_revision(session: Session) -> int:
    """Lock the state and advance the revision; the lock is held until the transaction ends."""
    statement = update(BoardState).values(revision=BoardState.revision + 1).returning(BoardState.revision)
    return int(session.execute(statement).scalar_one())


def axes_changed(session: Session) -> None:
    """Say that problems, runs or models changed, so that every cube makes its axes anew."""
    session.execute(update(BoardState).values(revision=BoardState.revision + 1, axes_revision=BoardState.revision + 1))


def ask_reports(session: Session, protocols: Collection[int]) -> None:
    """Want the reports over these protocols as of now at once: a person changed what they are made of."""
    now = select(BoardState.revision).scalar_subquery()
    session.execute(update(ProtocolRow).where(ProtocolRow.id.in_(protocols)).values(reports_asked=now))


def cells_vanished(session: Session) -> None:
    """Say that some cells are no more, which who follows them by revision cannot see: every cube is built anew."""
    now = BoardState.revision + 1
    session.execute(update(BoardState).values(revision=now, axes_revision=now, whole_revision=now))


def record_methods(session: Session, methods: int) -> int:
    """Record how many revisions of the methods boards are made by, and return how many they were last shown by; on a
    fresh installation these. Of several callers at once, one is told of a revision.

    What was made by older methods, such as reports and kept answers, is of an older revision of boards from then on.
    """
    stored = select(BoardState.methods)
    for query in (stored, stored.with_for_update()):  # a start that has nothing to record waits for no lock
        shown = session.execute(query).scalar_one()
        if shown is not None and shown >= methods:
            return shown
    moved = 0 if shown is None else 1
    session.execute(update(BoardState).values(methods=methods, revision=BoardState.revision + moved))
    return methods if shown is None else shown


def current(session: Session) -> BoardRevision:
    """As last committed."""
    row = session.execute(select(BoardState.revision, BoardState.axes_revision, BoardState.whole_revision)).one()
    return BoardRevision(*row)

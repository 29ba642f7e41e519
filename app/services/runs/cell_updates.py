"""Cells computed from verdicts: incrementally as facts come, or all of them again."""

from app.db.boards import cell_counts
from app.db.kernel import revision
from app.db.kernel.session import Session

BATCH = 20_000


def update_changed_cells(session: Session) -> int:
    """Update the cells marked as changed; return the number of marks handled (0: nothing to do)."""
    marks = cell_counts.take_dirty(session, BATCH)
    if not marks:
        return 0
    if cell_counts.update_cells(session, revision.next_revision(session)):
        revision.mark_cells_removed(session)
    elif cell_counts.has_late_answers(session):
        revision.mark_axes_changed(session)  # readers that follow cells by revision cannot see this loss
    return marks


def rebuild_cells(session: Session) -> None:
    """Compute every cell again from the facts; the rows equal those of incremental updates."""
    cell_counts.take_all(session)
    cell_counts.update_cells(session, revision.next_revision(session))
    revision.mark_cells_removed(session)

"""Revisions of protocols: an earlier row keeps its runs under a new slug."""

from sqlalchemy import select, update

from app.db.kernel.session import Session
from app.db.tables import ProtocolRow, Run, Submission
from app.domain.errors import Conflict
from app.domain.reasons import Reason
from app.domain.states import RunState

REVISED = Reason("protocol_revised")


def archive_protocol(session: Session, row: ProtocolRow) -> None:
    """Release a protocol's slug: its row is renamed to `SLUG-` and the start of its fingerprint.

    Its runs are paused and keep their place on its boards, because new questions would not match the row.
    """
    slug = row.slug
    session.refresh(row, with_for_update=True)
    if row.slug != slug:  # another process was first
        return
    row.revision_of, row.slug = slug, f"{slug}-{row.fingerprint[:8]}"
    extended = update(Run).where(Run.protocol_id == row.id, Run.state == RunState.ACTIVE)
    session.execute(extended.values(state=RunState.PAUSED, state_reason=REVISED))
    session.flush()


def restore_protocol(session: Session, slug: str, fingerprint: str) -> ProtocolRow | None:
    """Restore the earlier revision with that fingerprint and resume its runs; return None if there is none."""
    row = session.scalar(
        select(ProtocolRow).where(ProtocolRow.revision_of == slug, ProtocolRow.fingerprint == fingerprint)
    )
    if row is not None:
        row.revision_of, row.slug = None, slug
        paused = update(Run).where(Run.protocol_id == row.id, Run.state == RunState.PAUSED)
        session.execute(paused.where(Run.state_reason == REVISED).values(state=RunState.ACTIVE, state_reason=None))
        session.flush()
    return row


def move_submissions(session: Session, before: ProtocolRow, now: ProtocolRow) -> None:
    """Move submissions without a run to the present revision."""
    waiting = update(Submission).where(Submission.protocol_id == before.id, Submission.run_id.is_(None))
    session.execute(waiting.values(protocol_id=now.id))


def check_asked(session: Session, protocol_id: int) -> None:
    """Raise Conflict if a protocol has a later revision."""
    row = session.get_one(ProtocolRow, protocol_id)
    if row.revision_of is not None:
        raise Conflict(f"protocol {row.revision_of} now has another revision; start a run under that one")

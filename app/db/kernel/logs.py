"""Append-only logs: the public ledger and the operators' audit log."""

from datetime import datetime
from typing import Any, Final

from sqlalchemy import select

from app.db.kernel.session import Session
from app.db.tables import AuditEntry, LedgerEntry, ScoreCause

# Kinds of changes, other than new answers, that may move public scores.
MOVES_SCORES: Final = frozenset(
    {
        "gateway.stated", "gateway.withdrawn", "methods.changed", "model.cutoff", "problem.corrected",
        "problem.quarantined", "problem.redated", "problem.released", "problem.retested", "problem.withdrawn",
        "rescored", "score.voided", "score.withdrawn",
    }
)  # fmt: skip


def write_ledger(
    session: Session, now: datetime, kind: str, subject: str, reason: str, before: Any = None, after: Any = None,
    *, moves_scores: bool = False,
) -> None:  # fmt: skip
    """Write a public ledger line about an addition, withdrawal, rescoring or edit.

    With `moves_scores`, or for a kind in MOVES_SCORES, record that the change may move others' scores or ranks.
    """
    line = LedgerEntry(at=now, kind=kind, subject=subject, reason=reason, before=before, after=after)
    session.add(line)
    if moves_scores or kind in MOVES_SCORES:
        session.flush()
        session.add(ScoreCause(line_id=line.id))


def write_audit(
    session: Session, now: datetime, actor: str, action: str, subject: str, reason: str,
    before: Any = None, after: Any = None,
) -> None:  # fmt: skip
    """Write an operator's action to the audit log, in the transaction that performs it."""
    session.add(
        AuditEntry(at=now, actor=actor, action=action, subject=subject, reason=reason, before=before, after=after)
    )


def has_audit_entry(session: Session, action: str, reason: str) -> bool:
    """Return whether the audit log holds this action with this reason."""
    entries = select(AuditEntry.id).where(AuditEntry.action == action, AuditEntry.reason == reason)
    return session.scalar(entries.limit(1)) is not None

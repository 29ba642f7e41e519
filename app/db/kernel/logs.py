"""Append-only logs: the public ledger and the operators' audit."""

from datetime import datetime
from typing import Any

from sqlalchemy import select

from app.db.kernel.session import Session
from app.db.tables import AuditEntry, LedgerEntry


def ledger(
    session: Session, now: datetime, kind: str, subject: str, reason: str, before: Any = None, after: Any = None
) -> None:
    """A public line: something was added, withdrawn, rescored or edited."""
    session.add(LedgerEntry(at=now, kind=kind, subject=subject, reason=reason, before=before, after=after))


def audit(
    session: Session, now: datetime, actor: str, action: str, subject: str, reason: str,
    before: Any = None, after: Any = None,
) -> None:  # fmt: skip
    """An operator's write, in the transaction that makes it."""
    session.add(
        AuditEntry(at=now, actor=actor, action=action, subject=subject, reason=reason, before=before, after=after)
    )


def was_done(session: Session, action: str, reason: str) -> bool:
    """Whether the audit log holds this action with this reason."""
    entries = select(AuditEntry.id).where(AuditEntry.action == action, AuditEntry.reason == reason)
    return session.scalar(entries.limit(1)) is not None

"""Noticing that answers are judged by another judge than before: a rejudging is proposed, once, and nothing judged."""

from datetime import datetime

from app.db import ops_log
from app.db import rejudgings as store
from app.db.session import Session
from app.domain.rejudging import Scope, ScopeKind


def notice(session: Session, revision: str, now: datetime) -> int | None:
    """Remember by which grader revision a verdict was made; the proposal's number when it succeeds an older one."""
    if not store.first_seen(session, revision, now):
        return None
    scope, reason = Scope(ScopeKind.GRADER, revision), "a new toolchain, policy or sandbox judges now"
    made = store.add(session, scope, reason, "system", now)
    ops_log.audit(session, now, "system", "rejudging.propose", str(made.id), reason, after=str(scope))
    return made.id

"""Detection of a new grader revision: it proposes a rejudging, once, and judges nothing."""

from datetime import datetime

from app.db.kernel import logs
from app.db.kernel.session import Session
from app.db.rejudging import proposals as store
from app.domain.reasons import Reason
from app.domain.rejudging.scope import RejudgingScope, ScopeKind


def note_revision(session: Session, revision: str, now: datetime) -> int | None:
    """Remember the grader revision of a verdict; return a proposal's number if it succeeds an older one."""
    if not store.record_grader_revision(session, revision, now):
        return None
    scope, reason = RejudgingScope(ScopeKind.GRADER, revision), Reason("toolchain")
    rejudging = store.add(session, scope, reason, "system", now)
    logs.write_audit(session, now, "system", "rejudging.propose", str(rejudging.id), reason, after=str(scope))
    return rejudging.id

"""Proofs of test sets: claiming, and queueing them again."""

from datetime import datetime

from sqlalchemy import exists, or_, select, update

from app.db.kernel.leases import Lease
from app.db.kernel.session import Session
from app.db.tables import Problem, ProblemVersion, ProofState, TestSet
from app.domain.problems import Form


def claim(session: Session, lease: Lease, now: datetime, max_attempts: int) -> TestSet | None:
    """Lease one test set that waits for its proof; None if there is none."""
    ids = (
        select(TestSet.id)
        .where(
            TestSet.proof == ProofState.WAITING,
            TestSet.attempts < max_attempts,
            or_(TestSet.lease_until.is_(None), TestSet.lease_until <= now),
        )
        .order_by(TestSet.id)
        .limit(1)
        .with_for_update(skip_locked=True)
        .cte("picked")  # evaluated once: a subquery may be scanned again, and then takes more than its limit
    )
    return session.scalar(
        update(TestSet)
        .where(TestSet.id.in_(select(ids.c.id)))
        .values(lease_token=lease.token, lease_until=lease.until, attempts=TestSet.attempts + 1)
        .returning(TestSet)
    )


def prove_again(session: Session, test_set_id: int) -> None:
    """Queue a refuted or unproven test set for another proof."""
    session.execute(
        update(TestSet)
        .where(TestSet.id == test_set_id, TestSet.proof.in_((ProofState.REFUTED, ProofState.UNPROVEN)))
        .values(proof=ProofState.WAITING, attempts=0)
    )


def prove_all_again(session: Session, form: Form) -> int:
    """Queue the test sets in use of problems of this form for another proof, and return their number."""
    of_form = exists().where(
        Problem.current_test_set_id == TestSet.id,
        ProblemVersion.id == Problem.current_version_id,
        ProblemVersion.form == form,
    )
    ended = TestSet.proof.in_((ProofState.PROVEN, ProofState.REFUTED, ProofState.WAITING))
    statement = update(TestSet).where(of_form, ended, TestSet.lease_token.is_(None))
    queued = session.execute(statement.values(proof=ProofState.WAITING, attempts=0).returning(TestSet.id))
    return len(queued.all())

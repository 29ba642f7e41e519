"""Proofs of test sets that are to be made once more."""

from sqlalchemy import exists, update

from app.db.kernel.session import Session
from app.db.tables import Problem, ProblemVersion, Proof, TestSet
from app.domain.problems import Form


def prove_again(session: Session, test_set_id: int) -> None:
    """Let a test set wait for a proof that may end otherwise than its last one, or than none."""
    session.execute(
        update(TestSet)
        .where(TestSet.id == test_set_id, TestSet.proof.in_((Proof.REFUTED, Proof.UNPROVEN)))
        .values(proof=Proof.WAITING, attempts=0)
    )


def prove_all_again(session: Session, form: Form) -> int:
    """Let the test sets in use of problems of this form wait for another proof; how many there are."""
    of_form = exists().where(
        Problem.current_test_set_id == TestSet.id,
        ProblemVersion.id == Problem.current_version_id,
        ProblemVersion.form == form,
    )
    ended = TestSet.proof.in_((Proof.PROVEN, Proof.REFUTED, Proof.WAITING))
    again = update(TestSet).where(of_form, ended, TestSet.lease_token.is_(None))
    done = session.execute(again.values(proof=Proof.WAITING, attempts=0).returning(TestSet.id))
    return len(done.all())

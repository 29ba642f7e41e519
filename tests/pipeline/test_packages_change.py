"""Judges with other packages: unittests are proven again, and their reference says how long a program may take."""

from dataclasses import replace

from pipeline.flow import LEASE, NOW
from pipeline.test_tests_beside import ASKED
from sqlalchemy import select
from support.batches import batch, problem

from app.db.kernel.session import Session
from app.db.tables import Problem, ProofState, TestSet
from app.domain.judging.speed import CEILING_MS
from app.domain.problems import Form, Limits
from app.domain.publishing.holds import ProofOutcome
from app.services.problems import publishing
from app.services.runs import imports

UNLIMITED = Limits(time_ms=CEILING_MS, memory_mb=2048, output_kb=16384)


def proved(session: Session, reason: str | None) -> int:
    """Record a proof that ended so; the time limit with which it was made."""
    job = publishing.claim_proof(session, NOW, LEASE)
    assert job is not None
    outcome = ProofOutcome(reason is None, reason, 1, 1, slowest_ms=None if reason else 700.0)
    assert publishing.record_proof(session, job, outcome, NOW)
    return job.problem.limits.time_ms


def test_unittests_are_proven_again_with_other_packages(session: Session) -> None:
    imports.store_batch(session, batch(replace(ASKED, limits=UNLIMITED), problem(1)), NOW)
    lacking = "needs numpy, which the judge's packages do not have"
    assert proved(session, lacking) == 60_000
    [held] = session.scalars(select(Problem).where(Problem.hold_reason.is_not(None)))
    session.refresh(held)
    assert held.hold_reason == f"tests refuted: {lacking}"
    assert publishing.claim_proof(session, NOW, LEASE) is None
    assert publishing.prove_all_again(session, Form.UNITTEST) == 1
    assert proved(session, None) == 60_000
    session.refresh(held)
    assert [held.state, held.hold_reason] == ["published", None]
    # What is published leaves the boards where it passes no more.
    assert publishing.prove_all_again(session, Form.UNITTEST) == 1
    assert held.state == "published"
    assert proved(session, lacking) == 4_800
    session.refresh(held)
    assert held.state == "held"
    assert session.scalars(select(TestSet.proof).where(TestSet.problem_id == held.id)).one() == ProofState.REFUTED

"""Remaining work of an import: its own proofs, answers and cells."""

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import Select, func, select

from app.db.kernel.session import Session
from app.db.tables import DirtyCell, Problem, ProofState, Sample, TestSet
from app.domain.publishing.holds import MAX_PROOF_ATTEMPTS
from app.domain.states import ProblemState, SampleState


@dataclass(frozen=True, slots=True)
class ImportBacklog:
    """Parts of an import that are not on the boards yet."""

    proofs: int
    judging: int
    dirty: int


def import_backlog(session: Session, runs: Collection[int], test_sets: Collection[int]) -> ImportBacklog:
    """Return the remaining work for these runs and test sets, without answers whose problem has no tests."""
    return ImportBacklog(
        proofs=_count(
            session,
            select(func.count())
            .select_from(TestSet)
            .where(
                TestSet.id.in_(test_sets), TestSet.proof == ProofState.WAITING, TestSet.attempts < MAX_PROOF_ATTEMPTS
            ),
        ),
        judging=_count(
            session,
            select(func.count())
            .select_from(Sample)
            .join(Problem, Problem.id == Sample.problem_id)
            .where(
                Sample.run_id.in_(runs),
                Sample.state.in_((SampleState.ANSWERED, SampleState.GRADING)),
                Problem.state == ProblemState.PUBLISHED,
                Problem.current_test_set_id.is_not(None),
            ),
        ),
        dirty=_count(session, select(func.count()).select_from(DirtyCell).where(DirtyCell.run_id.in_(runs))),
    )


def _count(session: Session, statement: Select[int]) -> int:
    return session.scalar(statement) or 0

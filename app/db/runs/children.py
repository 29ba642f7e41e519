"""Child samples: each continues another answer, its parent, and follows what counts of that one until it is asked.

A parent that passed is carried over: its child has the parent's program and a verdict of its own, a copy, so that a
rejudging and new tests treat it as any other answer. A parent that failed has its child asked. Where examples alone
decide, one that failed otherwise is carried over like one that passed: to be asked would tell of hidden tests.
"""

from collections.abc import Callable, Collection
from functools import cache
from typing import Any

from sqlalchemy import BigInteger, ColumnElement, and_, any_, false, func, literal, or_, select, update
from sqlalchemy.dialects.postgresql import ARRAY, JSONB, insert

from app.db.kernel.aliases import alias
from app.db.kernel.session import Session
from app.db.tables import DirtyCell, Problem, Sample, TestRow, VerdictRow
from app.domain.judging.verdicts import Verdict
from app.domain.states import SampleState

CARRIED = "carried_over_from"  # in a child's provenance: the sample whose program it has
_COPIED = ("test_set_id", "grader_revision", "rejudging_id", "verdict", "score", "passed", "total", "cpu_ms", "wall_ms",
           "memory_kb", "limit_mode", "slowness", "in_process", "checker_failed",
           "outcomes", "message", "got", "judged_at")  # fmt: skip


def judged(parent: Any, which: Callable[[Any], ColumnElement[bool]] | None = None) -> ColumnElement[bool]:
    """Whether a verdict on this sample counts under the tests in use; of those alone that are such as `which` says."""
    verdict, problem = alias(VerdictRow, "counting"), alias(Problem, "judged_problem")
    counting = (
        select(verdict.id)
        .join(problem, problem.current_test_set_id == verdict.test_set_id)
        .where(verdict.sample_id == parent.id, problem.id == parent.problem_id, verdict.counts)
        .where(verdict.verdict != Verdict.JUDGE_ERROR)
    )
    return (counting if which is None else counting.where(which(verdict))).exists()


def _failed(verdict: Any) -> ColumnElement[bool]:
    return verdict.verdict != Verdict.ACCEPTED  # type: ignore[no-any-return]


def _failed_example(verdict: Any) -> ColumnElement[bool]:
    """Whether an example decided, the last test that ran; or nothing could be run at all."""
    last = func.jsonb_array_length(verdict.outcomes) - 1
    of_tests = (TestRow.test_set_id == verdict.test_set_id, TestRow.ordinal == last, TestRow.visible)
    return and_(_failed(verdict), or_(last < 0, select(TestRow.ordinal).where(*of_tests).exists()))


@cache  # every claim and sweep asks
def may_be_asked() -> ColumnElement[bool]:
    """A child is asked while a verdict counts by which its parent failed; what has no parent always may.

    So may a child in its parent's own run: an answer that goes back, for which no verdict is awaited.
    """
    parent = alias(Sample, "parent")
    failed = or_(parent.run_id == Sample.run_id, judged(parent, _failed))
    return or_(Sample.parent_id.is_(None), select(parent.id).where(parent.id == Sample.parent_id, failed).exists())


def follow(session: Session, run_ids: Collection[int], *, by_examples: bool = False) -> int:
    """Bring children of these runs that nobody asked in line with what counts of their parents; returns how many moved.

    `by_examples`: only where an example failed is a child asked.
    """
    goes_back = _failed_example if by_examples else _failed
    of_these = Sample.run_id == any_(literal(list(run_ids), ARRAY(BigInteger)))
    return _ask_after_all(session, of_these, goes_back) + _carry_over(session, of_these, goes_back)


def _carry_over(
    session: Session, of_these: ColumnElement[bool], goes_back: Callable[[Any], ColumnElement[bool]]
) -> int:
    """Children whose parents are done have their programs and verdicts, and are not asked."""
    parent = alias(Sample, "parent")
    waiting = Sample.state == SampleState.PENDING
    moved = session.execute(
        update(Sample)
        .where(of_these, waiting, Sample.parent_id == parent.id)
        .where(judged(parent, lambda verdict: ~goes_back(verdict)))
        .values(
            state=SampleState.GRADED, answer=parent.answer, followed_format=parent.followed_format, not_before=None,
            error=None, error_owner=None, provenance=func.jsonb_build_object(CARRIED, parent.id, type_=JSONB),
        )
        .returning(Sample.id, Sample.run_id, Sample.problem_id, Sample.item)
        .execution_options(synchronize_session=False)
    ).all()  # fmt: skip
    if not moved:
        return 0
    verdict = alias(VerdictRow, "copied")
    copies = (
        select(Sample.id, literal(value=True), *(getattr(verdict, name) for name in _COPIED))
        .join(Problem, Problem.id == Sample.problem_id)
        .join(verdict, and_(verdict.sample_id == Sample.parent_id, verdict.counts,
                            verdict.test_set_id == Problem.current_test_set_id))
        .where(Sample.id.in_([row.id for row in moved]))
    )  # fmt: skip
    session.execute(
        insert(VerdictRow)
        .from_select(["sample_id", "counts", *_COPIED], copies)
        # One that was carried over before has a verdict on the same program by the same judge already.
        .on_conflict_do_update(
            index_elements=["sample_id", "test_set_id", "grader_revision", "rejudging_id"], set_={"counts": True}
        )
    )
    return _marked(session, moved)


def _carried(parent_id: Any) -> Any:
    return func.jsonb_build_object(CARRIED, parent_id, type_=JSONB)


def _ask_after_all(
    session: Session, of_these: ColumnElement[bool], goes_back: Callable[[Any], ColumnElement[bool]]
) -> int:
    """Children that were carried over, and whose parents fail by what counts now, wait to be asked."""
    parent = alias(Sample, "parent")
    moved = session.execute(
        update(Sample)
        .where(of_these, Sample.state == SampleState.GRADED)
        .where(Sample.provenance.has_key(CARRIED), Sample.parent_id == parent.id, judged(parent, goes_back))
        .values(
            state=SampleState.PENDING, answer=None, followed_format=None, grading_attempts=0, provenance={},
            error=None, error_owner=None, not_before=None,
        )
        .returning(Sample.id, Sample.run_id, Sample.problem_id, Sample.item)
        .execution_options(synchronize_session=False)
    ).all()  # fmt: skip
    if not moved:
        return 0
    session.execute(
        update(VerdictRow)
        .where(VerdictRow.sample_id.in_([row.id for row in moved]), VerdictRow.counts)
        .values(counts=false())
        .execution_options(synchronize_session=False)
    )
    return _marked(session, moved)


def _marked(session: Session, moved: Any) -> int:
    session.add_all(DirtyCell(run_id=row.run_id, problem_id=row.problem_id, item=row.item) for row in moved)
    session.flush()
    return len(moved)

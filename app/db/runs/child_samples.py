"""Child samples: each continues another answer, its parent, and follows its counting verdict until it is asked.

If the parent passed, the child is carried over: it gets the parent's program and a copy of the verdict, so that
rejudgings and new tests treat it as any other answer. If the parent failed, the child is asked. If only examples
decide, a parent that failed otherwise is carried over as if it had passed: asking would reveal hidden tests.
"""

from collections.abc import Callable, Collection
from functools import cache
from typing import Any

from sqlalchemy import BigInteger, ColumnElement, and_, any_, false, func, literal, or_, select, update
from sqlalchemy.dialects.postgresql import ARRAY, JSONB, insert

from app.db.kernel.session import Session
from app.db.kernel.table_aliases import alias
from app.db.tables import DirtyCell, Problem, Sample, TestRow, VerdictRow
from app.domain.judging.verdicts import Verdict
from app.domain.states import SampleState

CARRIED_OVER_FROM = "carried_over_from"  # key in a child's provenance: the sample whose program it has
_COPIED_COLUMNS = (
    "test_set_id", "grader_revision", "rejudging_id", "verdict", "score", "passed", "total", "cpu_ms", "wall_ms",
    "memory_kb", "limit_mode", "slowness", "in_process", "checker_failed", "outcomes", "message", "got", "judged_at",
)  # fmt: skip


def has_counting_verdict(parent: Any, which: Callable[[Any], ColumnElement[bool]] | None = None) -> ColumnElement[bool]:
    """Return the condition that a verdict on this sample counts under the tests in use and meets `which`."""
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
    """Return the condition that an example, the last test that ran, failed, or that no test could run."""
    last = func.jsonb_array_length(verdict.outcomes) - 1
    of_tests = (TestRow.test_set_id == verdict.test_set_id, TestRow.ordinal == last, TestRow.visible)
    return and_(_failed(verdict), or_(last < 0, select(TestRow.ordinal).where(*of_tests).exists()))


@cache  # used by every claim and sweep
def may_be_asked() -> ColumnElement[bool]:
    """Return the condition that a sample has no parent, or a parent that failed by a counting verdict.

    A child in its parent's own run may be asked too: that answer goes back without awaiting a verdict.
    """
    parent = alias(Sample, "parent")
    failed = or_(parent.run_id == Sample.run_id, has_counting_verdict(parent, _failed))
    return or_(Sample.parent_id.is_(None), select(parent.id).where(parent.id == Sample.parent_id, failed).exists())


def follow_parents(session: Session, run_ids: Collection[int], *, by_examples: bool = False) -> int:
    """Update unasked children of these runs to their parents' counting verdicts, and return how many changed.

    With `by_examples`, a child is asked only if an example failed.
    """
    goes_back = _failed_example if by_examples else _failed
    of_these = Sample.run_id == any_(literal(list(run_ids), ARRAY(BigInteger)))
    return _ask_after_all(session, of_these, goes_back) + _carry_over(session, of_these, goes_back)


def _carry_over(
    session: Session, of_these: ColumnElement[bool], goes_back: Callable[[Any], ColumnElement[bool]]
) -> int:
    """Give pending children the programs and verdicts of parents that do not go back."""
    parent = alias(Sample, "parent")
    waiting = Sample.state == SampleState.PENDING
    moved = session.execute(
        update(Sample)
        .where(of_these, waiting, Sample.parent_id == parent.id)
        .where(has_counting_verdict(parent, lambda verdict: ~goes_back(verdict)))
        .values(
            state=SampleState.GRADED, answer=parent.answer, followed_format=parent.followed_format, not_before=None,
            error=None, error_owner=None, provenance=func.jsonb_build_object(CARRIED_OVER_FROM, parent.id, type_=JSONB),
        )
        .returning(Sample.id, Sample.run_id, Sample.problem_id, Sample.item)
        .execution_options(synchronize_session=False)
    ).all()  # fmt: skip
    if not moved:
        return 0
    verdict = alias(VerdictRow, "copied")
    copies = (
        select(Sample.id, literal(value=True), *(getattr(verdict, name) for name in _COPIED_COLUMNS))
        .join(Problem, Problem.id == Sample.problem_id)
        .join(verdict, and_(verdict.sample_id == Sample.parent_id, verdict.counts,
                            verdict.test_set_id == Problem.current_test_set_id))
        .where(Sample.id.in_([row.id for row in moved]))
    )  # fmt: skip
    session.execute(
        insert(VerdictRow)
        .from_select(["sample_id", "counts", *_COPIED_COLUMNS], copies)
        # A child that was carried over before has that judge's verdict on the same program already.
        .on_conflict_do_update(
            index_elements=["sample_id", "test_set_id", "grader_revision", "rejudging_id"], set_={"counts": True}
        )
    )
    return _mark_cells(session, moved)


def _carried_from(parent_id: Any) -> Any:
    return func.jsonb_build_object(CARRIED_OVER_FROM, parent_id, type_=JSONB)


def _ask_after_all(
    session: Session, of_these: ColumnElement[bool], goes_back: Callable[[Any], ColumnElement[bool]]
) -> int:
    """Queue carried-over children whose parents now fail."""
    parent = alias(Sample, "parent")
    moved = session.execute(
        update(Sample)
        .where(of_these, Sample.state == SampleState.GRADED)
        .where(
            Sample.provenance.has_key(CARRIED_OVER_FROM),
            Sample.parent_id == parent.id,
            has_counting_verdict(parent, goes_back),
        )
        .values(
            state=SampleState.PENDING,
            answer=None,
            followed_format=None,
            grading_attempts=0,
            provenance={},
            error=None,
            error_owner=None,
            not_before=None,
        )
        .returning(Sample.id, Sample.run_id, Sample.problem_id, Sample.item)
        .execution_options(synchronize_session=False)
    ).all()
    if not moved:
        return 0
    session.execute(
        update(VerdictRow)
        .where(VerdictRow.sample_id.in_([row.id for row in moved]), VerdictRow.counts)
        .values(counts=false())
        .execution_options(synchronize_session=False)
    )
    return _mark_cells(session, moved)


def _mark_cells(session: Session, moved: Any) -> int:
    session.add_all(DirtyCell(run_id=row.run_id, problem_id=row.problem_id, item=row.item) for row in moved)
    session.flush()
    return len(moved)

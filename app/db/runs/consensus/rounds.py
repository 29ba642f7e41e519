"""Later rounds: answers that go back to their setters, each as a child sample in the same run."""

from collections.abc import Collection

from sqlalchemy import ColumnElement, and_, func, literal, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import aliased

from app.db.kernel.session import Session
from app.db.tables import ConsensusRow, DirtyCell, Sample, Setter
from app.domain.consensus.rounds import ReturnCount
from app.domain.states import SampleState


def tries(session: Session, sample_ids: Collection[int]) -> dict[int, ReturnCount]:
    """Return how often these answers, or earlier ones to the same item, went back; others are left out."""
    answer, child = aliased(Sample), aliased(Sample)
    same = and_(
        child.run_id == answer.run_id, child.problem_version_id == answer.problem_version_id, child.item == answer.item
    )
    last, last_answered = func.max(child.ordinal), func.max(child.ordinal).filter(_has_answer(child))
    rows = session.execute(
        select(answer.id, func.count(), func.coalesce(last_answered, 0) < last)
        .join(child, same)
        .where(answer.id.in_(sample_ids), child.ordinal > 0)
        .group_by(answer.id)
    )
    return {sample: ReturnCount(count, silent) for sample, count, silent in rows}


def _has_answer(sample: type[Sample]) -> ColumnElement[bool]:
    return and_(sample.state == SampleState.ANSWERED, sample.response.is_not(None))


def return_answers(session: Session, round_: int, sample_ids: Collection[int]) -> int:
    """Send these answers back in this round, and return how many are new: repeated calls send none twice."""
    answer = aliased(Sample)
    children = (
        select(
            answer.run_id, answer.problem_id, answer.problem_version_id, answer.item, literal(round_),
            literal(SampleState.PENDING.value), answer.id,
        )
        .where(answer.id.in_(sample_ids))
        .order_by(answer.id)
    )  # fmt: skip
    columns = ["run_id", "problem_id", "problem_version_id", "item", "ordinal", "state", "parent_id"]
    children_rows = session.execute(
        insert(Sample)
        .from_select(columns, children)
        .on_conflict_do_nothing()
        .returning(Sample.run_id, Sample.problem_id, Sample.item)
    ).all()
    session.add_all(DirtyCell(run_id=row.run_id, problem_id=row.problem_id, item=row.item) for row in children_rows)
    session.flush()
    return len(children_rows)


def has_new_answer(session: Session, consensus: ConsensusRow) -> bool:
    """Return whether a setter has answered in the last round of a consensus."""
    answered = (
        select(Sample.id)
        .join(Setter, Setter.run_id == Sample.run_id)
        .where(Sample.problem_version_id == consensus.problem_version_id, Sample.ordinal == consensus.round)
        .where(Sample.state == SampleState.ANSWERED, Setter.removed_at.is_(None))
    )
    return session.scalar(select(answered.exists())) or False

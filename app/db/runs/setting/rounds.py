"""Later rounds: answers that go back to their setters, each as a child of itself in the same run."""

from collections.abc import Collection

from sqlalchemy import ColumnElement, and_, func, literal, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import aliased

from app.db.kernel.session import Session
from app.db.tables import DirtyCell, Sample, Setter, Setting
from app.domain.setting.rounds import Tries
from app.domain.states import SampleState


def tries(session: Session, sample_ids: Collection[int]) -> dict[int, Tries]:
    """How often these answers, or earlier ones to the same, went back; one that never did has no entry."""
    played, child = aliased(Sample), aliased(Sample)
    same = and_(
        child.run_id == played.run_id, child.problem_version_id == played.problem_version_id, child.item == played.item
    )
    last, last_answered = func.max(child.ordinal), func.max(child.ordinal).filter(_has_answer(child))
    rows = session.execute(
        select(played.id, func.count(), func.coalesce(last_answered, 0) < last)
        .join(child, same)
        .where(played.id.in_(sample_ids), child.ordinal > 0)
        .group_by(played.id)
    )
    return {sample: Tries(count, silent) for sample, count, silent in rows}


def _has_answer(sample: type[Sample]) -> ColumnElement[bool]:
    return and_(sample.state == SampleState.ANSWERED, sample.response.is_not(None))


def ask(session: Session, round_: int, sample_ids: Collection[int]) -> int:
    """Let these answers go back in this round; returns how many do, each once however often this is called."""
    played = aliased(Sample)
    children = (
        select(
            played.run_id, played.problem_id, played.problem_version_id, played.item, literal(round_),
            literal(SampleState.PENDING.value), played.id,
        )
        .where(played.id.in_(sample_ids))
        .order_by(played.id)
    )  # fmt: skip
    columns = ["run_id", "problem_id", "problem_version_id", "item", "ordinal", "state", "parent_id"]
    made = session.execute(
        insert(Sample)
        .from_select(columns, children)
        .on_conflict_do_nothing()
        .returning(Sample.run_id, Sample.problem_id, Sample.item)
    ).all()
    session.add_all(DirtyCell(run_id=row.run_id, problem_id=row.problem_id, item=row.item) for row in made)
    session.flush()
    return len(made)


def brought_an_answer(session: Session, setting: Setting) -> bool:
    """Whether anybody who was asked in a setting's last round has answered."""
    answered = (
        select(Sample.id)
        .join(Setter, Setter.run_id == Sample.run_id)
        .where(Sample.problem_version_id == setting.problem_version_id, Sample.ordinal == setting.round)
        .where(Sample.state == SampleState.ANSWERED, Setter.removed_at.is_(None))
    )
    return session.scalar(select(answered.exists())) or False

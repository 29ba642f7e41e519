"""Effects of a rejudging: the samples of its cells, its approvals, and the change of counting verdicts."""

from collections.abc import Collection, Iterator, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import and_, delete, exists, func, select, text, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import aliased

from app.db.kernel.session import Session
from app.db.runs.due_work import is_text_in_use
from app.db.tables import (
    DirtyCell,
    Problem,
    ProtocolRow,
    RejudgedSample,
    RejudgingApproval,
    Run,
    Sample,
    TestSet,
    User,
    UserRole,
    VerdictRow,
)
from app.domain.rejudging.scope import CountedVerdict, Flip, SampleVerdicts
from app.domain.states import RejudgedState

_CHUNK_ROWS = 20_000


def facts(session: Session, rejudging_id: int, test_set_id: int | None = None) -> Iterator[SampleVerdicts]:
    """Yield every sample in the cells of a rejudging, with its counting verdict and the one that would replace it.

    A sample whose tests or verdict changed since the rejudging began has no replacement. With a test set, yield every
    sample of its problem instead, with the verdict that would count if these tests were in use: the one of this
    rejudging, else the one that counted when they were in use before.
    """
    queued, cells, new, verdict = aliased(RejudgedSample), aliased(Sample), aliased(VerdictRow), aliased(VerdictRow)
    chosen = select(cells.run_id, cells.problem_id, cells.item)
    if test_set_id is None:
        chosen = chosen.join(queued, queued.sample_id == cells.id).where(queued.rejudging_id == rejudging_id)
    else:
        chosen = chosen.join(TestSet, TestSet.problem_id == cells.problem_id).where(TestSet.id == test_set_id)
    touched = chosen.distinct().subquery()
    rejudged = and_(
        RejudgedSample.rejudging_id == rejudging_id,
        RejudgedSample.sample_id == Sample.id,
        RejudgedSample.state == RejudgedState.JUDGED,
        RejudgedSample.old_verdict_id == VerdictRow.id if test_set_id is None else VerdictRow.id.is_not(None),
    )
    counted_before = and_(verdict.sample_id == Sample.id, verdict.counts, verdict.test_set_id == test_set_id)
    rows = session.execute(
        select(
            Run.protocol_id, Sample.run_id, Sample.problem_id, Sample.item, Sample.id, Sample.state,
            VerdictRow.id, VerdictRow.verdict, new.id, new.verdict,
        )
        .select_from(Sample)
        .join(touched, and_(touched.c.run_id == Sample.run_id, touched.c.problem_id == Sample.problem_id,
                            touched.c.item == Sample.item))
        .join(Run, Run.id == Sample.run_id)
        .join(Problem, Problem.id == Sample.problem_id)
        .outerjoin(VerdictRow, and_(VerdictRow.sample_id == Sample.id, VerdictRow.counts,
                                    VerdictRow.test_set_id == Problem.current_test_set_id))
        .outerjoin(RejudgedSample, rejudged)
        .outerjoin(verdict, counted_before)
        .outerjoin(new, new.id == func.coalesce(RejudgedSample.new_verdict_id, verdict.id))
        .where(is_text_in_use())
        .order_by(Sample.id)
        .execution_options(yield_per=_CHUNK_ROWS)
    )  # fmt: skip
    for row in rows:
        yield SampleVerdicts(
            *row[:6],
            counting=_read_verdict(row[6:8]),
            instead=_read_verdict(row[8:]),
            other_tests=test_set_id is not None,
        )


def _read_verdict(columns: Sequence[Any]) -> CountedVerdict | None:
    return None if columns[0] is None else CountedVerdict(*columns)


_LOCK = "SELECT pg_advisory_xact_lock(hashtext('rejudgings'))"


def lock_commits(session: Session) -> None:
    """Block other commits of rejudgings until the transaction ends."""
    session.execute(text(_LOCK))


def lock_commits_and_tests(session: Session, rejudging_id: int) -> None:
    """Block other commits, and new tests for the problems of this rejudging, until the transaction ends."""
    lock_commits(session)
    problems = select(Sample.problem_id).join(RejudgedSample, RejudgedSample.sample_id == Sample.id)
    problems = problems.where(RejudgedSample.rejudging_id == rejudging_id)
    session.execute(select(Problem.id).where(Problem.id.in_(problems)).order_by(Problem.id).with_for_update(read=True))


def flip(session: Session, flips: Sequence[Flip]) -> int:
    """Let the new verdicts count instead of the old ones, mark their cells, and return how many verdicts changed."""
    changed = 0
    for at in range(0, len(flips), _CHUNK_ROWS):
        chunk = flips[at : at + _CHUNK_ROWS]
        changed += _set_counts(session, [flip.old.id for flip in chunk], counts=False)
        changed += _set_counts(session, [flip.new.id for flip in chunk], counts=True)
        of_chunk = Sample.id.in_([flip.sample for flip in chunk])
        cells = select(Sample.run_id, Sample.problem_id, Sample.item).where(of_chunk).distinct()
        session.execute(insert(DirtyCell).from_select(["run_id", "problem_id", "item"], cells))
    return changed


def count_verdicts_under(session: Session, flips: Sequence[Flip], test_set_id: int) -> None:
    """Let the new verdicts count under a test set about to be in use; verdicts under other tests stay as they are."""
    for at in range(0, len(flips), _CHUNK_ROWS):
        chunk = flips[at : at + _CHUNK_ROWS]
        samples, ids = [flip.sample for flip in chunk], [flip.new.id for flip in chunk]
        session.execute(
            update(VerdictRow)
            .where(VerdictRow.sample_id.in_(samples), VerdictRow.test_set_id == test_set_id, VerdictRow.counts,
                   VerdictRow.id.not_in(ids))
            .values(counts=False)
            .execution_options(synchronize_session=False)
        )  # fmt: skip
        _set_counts(session, ids, counts=True)


def _set_counts(session: Session, ids: list[int], *, counts: bool) -> int:
    flipped = session.execute(
        update(VerdictRow)
        .where(VerdictRow.id.in_(ids), VerdictRow.counts.is_not(counts))
        .values(counts=counts)
        .execution_options(synchronize_session=False)
    )
    return int(flipped.rowcount)  # type: ignore[attr-defined]  # an UPDATE's result counts rows


class Approval(NamedTuple):
    """A maintainer's approval, with its time and reason."""

    email: str
    at: datetime
    reason: str


def approve(session: Session, rejudging_id: int, user_id: int, reason: str, now: datetime) -> bool:
    """Add a maintainer's approval, and return False if it was given before."""
    row = session.execute(
        insert(RejudgingApproval)
        .values(rejudging_id=rejudging_id, user_id=user_id, reason=reason, at=now)
        .on_conflict_do_nothing()
        .returning(RejudgingApproval.user_id)
    ).first()
    return row is not None


def approvals(session: Session, rejudging_id: int) -> list[Approval]:
    """Return the approvals by people who are still maintainers, oldest first."""
    rows = session.execute(
        select(User.email, RejudgingApproval.at, RejudgingApproval.reason)
        .join(User, User.id == RejudgingApproval.user_id)
        .where(RejudgingApproval.rejudging_id == rejudging_id, User.role == UserRole.MAINTAINER)
        .order_by(RejudgingApproval.at, User.id)
    )
    return [Approval(*row) for row in rows]


def delete_approvals(session: Session, rejudging_id: int) -> None:
    """Delete the approvals of a rejudging, because the predicted moves have changed."""
    session.execute(delete(RejudgingApproval).where(RejudgingApproval.rejudging_id == rejudging_id))


def count_maintainers(session: Session) -> int:
    """Return the number of maintainers."""
    return session.scalar(select(func.count(User.id)).where(User.role == UserRole.MAINTAINER)) or 0


def is_published(session: Session, protocol_ids: Collection[int]) -> bool:
    """Return whether one of these protocols has a public run."""
    return bool(session.scalar(select(exists().where(Run.protocol_id.in_(protocol_ids), Run.public))))


def any_published(session: Session, slugs: Collection[str]) -> bool:
    """Return whether one of the protocols with these slugs has a public run."""
    return is_published(session, session.scalars(select(ProtocolRow.id).where(ProtocolRow.slug.in_(slugs))).all())


def protocol_slugs(session: Session, ids: Collection[int]) -> dict[int, str]:
    """Return the slugs of protocols by id."""
    rows = session.execute(select(ProtocolRow.id, ProtocolRow.slug).where(ProtocolRow.id.in_(ids)))
    return {row[0]: row[1] for row in rows}

"""Speed of orders: answers and verdicts of the last minutes, failing samples, and latencies at an endpoint."""

from collections.abc import Collection
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import func, select

from app.db.kernel.session import Session
from app.db.runs.due_work import is_text_in_use
from app.db.tables import Run, Sample, VerdictRow
from app.domain.states import SampleState

_MAX_MEASURED = 200  # answers of an endpoint whose latency is measured


class PaceCount(NamedTuple):
    """Number of recent events of a run, and the time of the first."""

    number: int
    first: datetime | None


def answers_by_run(session: Session, run_ids: Collection[int], since: datetime) -> dict[int, PaceCount]:
    """Return the answers of each of these runs to texts in use since `since`; runs without any are left out."""
    query = select(Sample.run_id, func.count(), func.min(Sample.answered_at)).where(
        Sample.run_id.in_(run_ids), Sample.answered_at > since, is_text_in_use()
    )
    return {row[0]: PaceCount(row[1], row[2]) for row in session.execute(query.group_by(Sample.run_id))}


def verdicts_by_run(session: Session, run_ids: Collection[int], since: datetime) -> dict[int, PaceCount]:
    """Return the verdicts on answers of each of these runs since `since`; runs without any are left out."""
    query = (
        select(Sample.run_id, func.count(), func.min(VerdictRow.judged_at))
        .join(Sample, Sample.id == VerdictRow.sample_id)
        .where(Sample.run_id.in_(run_ids), VerdictRow.judged_at > since)
    )
    return {row[0]: PaceCount(row[1], row[2]) for row in session.execute(query.group_by(Sample.run_id))}


def retried_by_run(session: Session, run_ids: Collection[int]) -> dict[int, int]:
    """Return the number of samples of each run whose last request failed and that are asked again."""
    rows = session.execute(
        select(Sample.run_id, func.count())
        .where(Sample.run_id.in_(run_ids), Sample.error.is_not(None), is_text_in_use())
        .where(Sample.state.in_((SampleState.PENDING, SampleState.INFERRING)))
        .group_by(Sample.run_id)
    )
    return {row[0]: row[1] for row in rows}


class MeasuredLatency(NamedTuple):
    """Mean latency of an endpoint's newest answers in seconds, and their number."""

    mean_s: float | None
    answers: int


def latency_at(session: Session, endpoint_id: int) -> MeasuredLatency:
    """Return the latency of the newest answers of an endpoint."""
    newest = (
        select(Sample.latency_ms)
        .join(Run, Run.id == Sample.run_id)
        .where(Run.endpoint_id == endpoint_id, Sample.answered_at.is_not(None), Sample.latency_ms.is_not(None))
        .order_by(Sample.id.desc())
        .limit(_MAX_MEASURED)
        .subquery()
    )
    mean, answers = session.execute(select(func.avg(newest.c.latency_ms), func.count()).select_from(newest)).one()
    return MeasuredLatency(None if mean is None else float(mean) / 1000, answers)

"""Workers' heartbeats, ticks of the clock, and the alarm that stops grading."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from sqlalchemy import (
    ColumnElement,
    DateTime,
    Select,
    Text,
    bindparam,
    case,
    delete,
    func,
    literal,
    or_,
    select,
    update,
)
from sqlalchemy.dialects.postgresql import JSONB, insert

from app.db.kernel.session import Session
from app.db.tables import ClockTick, Heartbeat
from app.domain.asking.weights import GPU_QUEUE_PREFIX
from app.domain.reasons import reason_to_json

ALARM = "canary"
HINDRANCE = "hindrance"  # in a worker's detail: why its machine must not work
_SINCE = bindparam("since", type_=DateTime(timezone=True))


def record_heartbeat(
    session: Session,
    worker: str,
    queue: str,
    now: datetime,
    detail: Mapping[str, Any] | None = None,
    *,
    hindrance: str | None = None,
) -> None:
    """Record that a worker is doing tasks, or why its machine must not; without a detail the last one stays."""
    hindrances = {} if hindrance is None else {HINDRANCE: reason_to_json(hindrance)}
    facts: dict[str, Any] = {"queue": queue, "at": now}
    fresh = insert(Heartbeat).values(worker=worker, detail={**(detail or {}), **hindrances}, **facts)
    new_detail = _without_hindrance().concat(hindrances) if detail is None else fresh.excluded.detail
    session.execute(fresh.on_conflict_do_update(index_elements=["worker"], set_={**facts, "detail": new_detail}))


def _without_hindrance() -> ColumnElement[Any]:
    return Heartbeat.detail.op("-", return_type=JSONB)(literal(HINDRANCE, Text))


def last_detail(session: Session, queue: str) -> dict[str, Any] | None:
    """Return the newest non-empty detail of a queue's workers, or None."""
    details = select(Heartbeat.detail).where(Heartbeat.queue == queue, _without_hindrance() != {})
    return session.scalar(details.order_by(Heartbeat.at.desc()).limit(1))


def delete_old(session: Session, now: datetime, age: timedelta) -> None:
    """Delete old workers and ticks.

    A worker goes when its heartbeat is `age` older than the newest of its queue, a GPU worker when it is `age` old. So
    the last worker of any other queue stays: its silence must remain visible.
    """
    is_worker = Heartbeat.worker != ALARM
    last = select(Heartbeat.queue, func.max(Heartbeat.at).label("at")).where(is_worker).group_by(Heartbeat.queue)
    newest = last.subquery()
    since = case((Heartbeat.queue.startswith(GPU_QUEUE_PREFIX), now), else_=newest.c.at)
    session.execute(delete(Heartbeat).where(is_worker, Heartbeat.queue == newest.c.queue, Heartbeat.at < since - age))
    session.execute(delete(ClockTick).where(ClockTick.scheduled_at < now - age - timedelta(days=2)))


def alarm(session: Session) -> str | None:
    """Return why grading is stopped everywhere, or None. The cause is an accepted program for an impossible problem."""
    detail = session.scalar(select(Heartbeat.detail).where(Heartbeat.worker == ALARM))
    return None if detail is None else detail.get("alarm")


def raise_alarm(session: Session, reason: str, now: datetime) -> None:
    """Stop grading everywhere until an operator clears the alarm."""
    record_heartbeat(session, ALARM, "grade", now, {"alarm": reason, "grading": "paused", "reason": reason})


def clear_alarm(session: Session) -> str | None:
    """Clear the alarm, and return its reason, or None if there was none."""
    message = alarm(session)
    session.execute(delete(Heartbeat).where(Heartbeat.worker == ALARM))
    return message


def take_tick(session: Session, job: str, scheduled_at: datetime, following: datetime) -> bool:
    """Take a scheduled moment, and return False if it was taken before.

    Moments after the `following` one were taken while the clock was set ahead. They are given back, and then this
    moment may have been taken at that time too, so it is taken again.
    """
    ahead = session.scalars(
        delete(ClockTick).where(ClockTick.job == job, ClockTick.scheduled_at > following).returning(ClockTick.job)
    ).all()
    row = session.execute(
        insert(ClockTick).values(job=job, scheduled_at=scheduled_at).on_conflict_do_nothing().returning(ClockTick.job)
    ).first()
    return row is not None or bool(ahead)


# No run of a job takes longer: workers end it after a quarter of an hour.
_MAX_RUN = timedelta(minutes=20)
_MAX_FAILURE_CHARS = 300


def begin(session: Session, job: str, now: datetime) -> bool:
    """Record that a job of the clock starts; return False if none of its moments is unfinished."""
    undone = (ClockTick.job == job, ClockTick.scheduled_at <= now, ClockTick.done_at.is_(None))
    began = func.coalesce(ClockTick.begun_at, now)
    return bool(session.scalars(update(ClockTick).where(*undone).values(begun_at=began).returning(ClockTick.job)).all())


def record_success(session: Session, job: str, began: datetime, now: datetime) -> None:
    """Record that a run of a job succeeded, which also completes the moments that failed before."""
    session.execute(update(ClockTick).where(*_unfinished(job, began)).values(done_at=now, failure=None))


def fail(session: Session, job: str, began: datetime, reason: str) -> None:
    """Record the first line of a job's error; other lines may hold values of a statement."""
    line = reason.replace("\0", "").partition("\n")[0][:_MAX_FAILURE_CHARS]
    session.execute(update(ClockTick).where(*_unfinished(job, began)).values(failure=line))


def _unfinished(job: str, began: datetime) -> tuple[ColumnElement[bool], ...]:
    return ClockTick.job == job, ClockTick.begun_at <= began, ClockTick.done_at.is_(None)


def failing_jobs(session: Session, now: datetime) -> dict[str, str | None]:
    """Return the jobs that failed and have not succeeded since, with their error; None if the worker was killed."""
    rows = session.execute(
        select(ClockTick.job, ClockTick.failure)
        .where(ClockTick.done_at.is_(None), ClockTick.begun_at <= now - _MAX_RUN)
        .order_by(ClockTick.failure.is_not(None), ClockTick.scheduled_at)
    )
    return {row.job: row.failure for row in rows}


def last_resumption(session: Session, job: str, since: datetime, gap: timedelta) -> datetime | None:
    """Return when a job last started again after a gap longer than `gap`, since `since`; None if it did not."""
    return session.scalar(_last_resumption(job, gap), {_SINCE.key: since})


@cache
def _last_resumption(job: str, gap: timedelta) -> Select[datetime | None]:
    before = func.lag(ClockTick.scheduled_at).over(order_by=ClockTick.scheduled_at).label("before")
    ticks = (
        select(ClockTick.scheduled_at.label("at"), before)
        .where(ClockTick.job == job, ClockTick.scheduled_at > _SINCE - gap)
        .subquery()
    )
    late = or_(ticks.c.before.is_(None), ticks.c.at - ticks.c.before > gap)
    return select(func.max(ticks.c.at)).where(ticks.c.at > _SINCE, late)

"""Workers' last words, ticks of the clock, and the alarm that stops grading."""

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
from app.domain.asking.weights import GPU_QUEUES

ALARM = "canary"
HINDRANCE = "hindrance"  # in a worker's detail: why its machine must not work
_SINCE = bindparam("since", type_=DateTime(timezone=True))


def beat(
    session: Session,
    worker: str,
    queue: str,
    now: datetime,
    detail: Mapping[str, Any] | None = None,
    *,
    hindrance: str | None = None,
) -> None:
    """Write that a worker is doing tasks, or why its machine must not do any; without a detail the last one stays."""
    lack = {} if hindrance is None else {HINDRANCE: hindrance}
    facts: dict[str, Any] = {"queue": queue, "at": now}
    fresh = insert(Heartbeat).values(worker=worker, detail={**(detail or {}), **lack}, **facts)
    kept = _without_hindrance().concat(lack) if detail is None else fresh.excluded.detail
    session.execute(fresh.on_conflict_do_update(index_elements=["worker"], set_={**facts, "detail": kept}))


def _without_hindrance() -> ColumnElement[Any]:
    return Heartbeat.detail.op("-", return_type=JSONB)(literal(HINDRANCE, Text))


def last_detail(session: Session, queue: str) -> dict[str, Any] | None:
    """What was said last by a worker of a queue that says anything; None where none does."""
    said = select(Heartbeat.detail).where(Heartbeat.queue == queue, _without_hindrance() != {})
    return session.scalar(said.order_by(Heartbeat.at.desc()).limit(1))


def forget(session: Session, now: datetime, age: timedelta) -> None:
    """Drop workers that were last heard of so long before others of their queue, GPU workers that were so long ago, and
    ticks long past. Whoever was heard of last in a queue stays: that nobody is there any more is not to be forgotten.
    """
    is_worker = Heartbeat.worker != ALARM
    last = select(Heartbeat.queue, func.max(Heartbeat.at).label("at")).where(is_worker).group_by(Heartbeat.queue)
    newest = last.subquery()
    since = case((Heartbeat.queue.startswith(GPU_QUEUES), now), else_=newest.c.at)
    session.execute(delete(Heartbeat).where(is_worker, Heartbeat.queue == newest.c.queue, Heartbeat.at < since - age))
    session.execute(delete(ClockTick).where(ClockTick.scheduled_at < now - age - timedelta(days=2)))


def alarm(session: Session) -> str | None:
    """Why grading is stopped everywhere, or None: an impossible problem was accepted."""
    detail = session.scalar(select(Heartbeat.detail).where(Heartbeat.worker == ALARM))
    return None if detail is None else detail.get("alarm")


def raise_alarm(session: Session, reason: str, now: datetime) -> None:
    """Stop grading everywhere until an operator clears it."""
    beat(session, ALARM, "grade", now, {"alarm": reason, "grading": "paused", "reason": reason})


def clear_alarm(session: Session) -> str | None:
    """Take the alarm down; what it said, or None when there was none."""
    message = alarm(session)
    session.execute(delete(Heartbeat).where(Heartbeat.worker == ALARM))
    return message


def tick(session: Session, job: str, scheduled_at: datetime, following: datetime) -> bool:
    """Take a scheduled moment; False when it was taken before.

    Moments beyond the `following` one were taken while the time was set ahead. They are given back, and say that this
    one may have been taken then, too.
    """
    ahead = session.scalars(
        delete(ClockTick).where(ClockTick.job == job, ClockTick.scheduled_at > following).returning(ClockTick.job)
    ).all()
    row = session.execute(
        insert(ClockTick).values(job=job, scheduled_at=scheduled_at).on_conflict_do_nothing().returning(ClockTick.job)
    ).first()
    return row is not None or bool(ahead)


# No run of a job takes so long: workers end what takes more than a quarter of an hour.
_OVER = timedelta(minutes=20)
_LONGEST_FAILURE = 300


def begin(session: Session, job: str, now: datetime) -> bool:
    """Note that a job of the clock begins; False where no moment of it waits for its end."""
    undone = (ClockTick.job == job, ClockTick.scheduled_at <= now, ClockTick.done_at.is_(None))
    began = func.coalesce(ClockTick.begun_at, now)
    return bool(session.scalars(update(ClockTick).where(*undone).values(begun_at=began).returning(ClockTick.job)).all())


def succeed(session: Session, job: str, began: datetime, now: datetime) -> None:
    """Note that a run of a job did its work: with that the moments that failed before are made good."""
    session.execute(update(ClockTick).where(*_begun(job, began)).values(done_at=now, failure=None))


def fail(session: Session, job: str, began: datetime, reason: str) -> None:
    """Note how a run of a job failed, in the first line of its words: the others may hold what a statement held."""
    line = reason.replace("\0", "").partition("\n")[0][:_LONGEST_FAILURE]
    session.execute(update(ClockTick).where(*_begun(job, began)).values(failure=line))


def _begun(job: str, began: datetime) -> tuple[ColumnElement[bool], ...]:
    return ClockTick.job == job, ClockTick.begun_at <= began, ClockTick.done_at.is_(None)


def failing(session: Session, now: datetime) -> dict[str, str | None]:
    """Jobs that failed and have not succeeded since, with their last words; None where the worker was ended."""
    rows = session.execute(
        select(ClockTick.job, ClockTick.failure)
        .where(ClockTick.done_at.is_(None), ClockTick.begun_at <= now - _OVER)
        .order_by(ClockTick.failure.is_not(None), ClockTick.scheduled_at)
    )
    return {row.job: row.failure for row in rows}


def resumed(session: Session, job: str, since: datetime, gap: timedelta) -> datetime | None:
    """When a job of the clock began again after a longer gap than this, last since a moment; None where it did not."""
    return session.scalar(_resumed(job, gap), {_SINCE.key: since})


@cache
def _resumed(job: str, gap: timedelta) -> Select[datetime | None]:
    before = func.lag(ClockTick.scheduled_at).over(order_by=ClockTick.scheduled_at).label("before")
    ticks = (
        select(ClockTick.scheduled_at.label("at"), before)
        .where(ClockTick.job == job, ClockTick.scheduled_at > _SINCE - gap)
        .subquery()
    )
    late = or_(ticks.c.before.is_(None), ticks.c.at - ticks.c.before > gap)
    return select(func.max(ticks.c.at)).where(ticks.c.at > _SINCE, late)

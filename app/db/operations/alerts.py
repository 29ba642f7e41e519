"""Alerts: at most one open alert per key."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from sqlalchemy import and_, or_, select, update
from sqlalchemy.dialects.postgresql import insert

from app.db.kernel.session import Session
from app.db.tables import Alert
from app.domain.reasons import Reason


def update_alerts(session: Session, causes: Mapping[str, Reason], now: datetime) -> None:
    """Open an alert for each cause, given as key -> message, without one; clear those whose cause is gone."""
    open_alert_for(session, causes, now)
    session.execute(
        update(Alert).where(Alert.cleared_at.is_(None), Alert.key.not_in(list(causes))).values(cleared_at=now)
    )


def open_alert_for(session: Session, causes: Mapping[str, Reason], now: datetime) -> None:
    """Open an alert for each cause, given as key -> message, or update the message of the open one."""
    if causes:
        rows = [{"key": key, "message": message, "raised_at": now} for key, message in sorted(causes.items())]
        new = insert(Alert).values(rows)
        session.execute(
            new.on_conflict_do_update(
                index_elements=["key"],
                index_where=Alert.cleared_at.is_(None),
                set_={"message": new.excluded.message},
            )
        )


def alerts_to_send(session: Session, now: datetime, again: timedelta, once: str) -> list[Alert]:
    """Return open alerts that were never sent, or longer ago than `again`; snoozed ones are left out.

    Those whose keys begin with `once` are sent once.
    """
    return list(
        session.scalars(
            select(Alert)
            .where(
                Alert.cleared_at.is_(None),
                or_(Alert.told_at.is_(None), and_(Alert.told_at <= now - again, ~Alert.key.startswith(once))),
                or_(Alert.snoozed_until.is_(None), Alert.snoozed_until <= now),
            )
            .order_by(Alert.id)
        )
    )


def mark_sent(session: Session, alert_ids: list[int], now: datetime) -> None:
    """Record that these alerts were sent."""
    session.execute(update(Alert).where(Alert.id.in_(alert_ids)).values(told_at=now))


def open_alerts(session: Session) -> list[Alert]:
    """Return the open alerts, newest first."""
    return list(session.scalars(select(Alert).where(Alert.cleared_at.is_(None)).order_by(Alert.id.desc())))


def snooze(session: Session, alert_id: int, until: datetime) -> bool:
    """Send nothing about an open alert until `until`; return False if there is none."""
    row_id = session.scalar(
        update(Alert)
        .where(Alert.id == alert_id, Alert.cleared_at.is_(None))
        .values(snoozed_until=until)
        .returning(Alert.id)
    )
    return row_id is not None

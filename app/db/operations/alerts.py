"""Alerts: at most one open of a key, whatever looks how often."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from sqlalchemy import or_, select, update
from sqlalchemy.dialects.postgresql import insert

from app.db.kernel.session import Session
from app.db.tables import Alert


def set_open(session: Session, causes: Mapping[str, str], now: datetime) -> None:
    """Open an alert for each cause that has none; end those whose cause is gone. Keys to messages."""
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
    session.execute(
        update(Alert).where(Alert.cleared_at.is_(None), Alert.key.not_in(list(causes))).values(cleared_at=now)
    )


def untold(session: Session, now: datetime, again: timedelta) -> list[Alert]:
    """Open alerts that nobody was told of, or so long ago that it is told again; snoozed ones wait."""
    return list(
        session.scalars(
            select(Alert)
            .where(
                Alert.cleared_at.is_(None),
                or_(Alert.told_at.is_(None), Alert.told_at <= now - again),
                or_(Alert.snoozed_until.is_(None), Alert.snoozed_until <= now),
            )
            .order_by(Alert.id)
        )
    )


def told(session: Session, alert_ids: list[int], now: datetime) -> None:
    """Note that somebody was told."""
    session.execute(update(Alert).where(Alert.id.in_(alert_ids)).values(told_at=now))


def open_alerts(session: Session) -> list[Alert]:
    """What is wrong now, newest first."""
    return list(session.scalars(select(Alert).where(Alert.cleared_at.is_(None)).order_by(Alert.id.desc())))


def snooze(session: Session, alert_id: int, until: datetime) -> bool:
    """Say nothing of an open alert until then; False when there is none."""
    row_id = session.scalar(
        update(Alert)
        .where(Alert.id == alert_id, Alert.cleared_at.is_(None))
        .values(snoozed_until=until)
        .returning(Alert.id)
    )
    return row_id is not None

"""Vendors' webhooks, the events that they are told, and the deliveries of these."""

import secrets
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import delete, func, literal, or_, select, true, update
from sqlalchemy.dialects.postgresql import insert

from app.db.kernel.session import Session
from app.db.tables import ApiKey, DeliveryState, VendorEvent, Webhook, WebhookDelivery
from app.domain.reasons import Reason


class DueDelivery(NamedTuple):
    """A delivery that is to be sent now, under a token."""

    delivery: WebhookDelivery
    webhook: Webhook
    event: VendorEvent


def record_event(
    session: Session,
    organisation_id: int,
    kind: str,
    key: str,
    data: Mapping[str, Any],
    now: datetime,
    only: int | None = None,
) -> VendorEvent | None:
    """Record an event with its deliveries to the webhooks that want it; return None if its key is known.

    With `only`, it goes to that webhook, wanted or not.
    """
    event: VendorEvent | None = session.scalar(
        insert(VendorEvent)
        .values(
            public_id=f"evt_{secrets.token_hex(12)}", organisation_id=organisation_id, type=kind, key=key,
            data=dict(data), created_at=now,
        )
        .on_conflict_do_nothing()
        .returning(VendorEvent)
    )  # fmt: skip
    if event is None:
        return None
    wanted = or_(Webhook.events.is_(None), Webhook.events.contains([kind])) if only is None else Webhook.id == only
    targets = select(Webhook.id, literal(event.id), literal(DeliveryState.PENDING.value), literal(now)).where(
        Webhook.organisation_id == organisation_id, Webhook.disabled_at.is_(None), wanted
    )
    session.execute(insert(WebhookDelivery).from_select(["webhook_id", "event_id", "state", "due_at"], targets))
    return event


def count_due(session: Session, now: datetime) -> int:
    """Return the number of deliveries to be sent now."""
    return session.scalar(select(func.count()).select_from(WebhookDelivery).where(*_is_due(now))) or 0


def _is_due(now: datetime) -> tuple[Any, ...]:
    return WebhookDelivery.state == DeliveryState.PENDING, WebhookDelivery.due_at <= now


def claim_due(session: Session, now: datetime, lease: timedelta, limit: int) -> list[DueDelivery]:
    """Reserve due deliveries, the oldest first, and count an attempt of each; whoever dies with one tries it later.

    At most one delivery of each webhook is claimed, so that one slow receiver does not take all places.
    """
    oldest = (
        select(func.min(WebhookDelivery.id))
        .join(Webhook, Webhook.id == WebhookDelivery.webhook_id)
        .where(*_is_due(now), Webhook.disabled_at.is_(None))
        .group_by(WebhookDelivery.webhook_id)
        .limit(limit)
    )
    ids = session.scalars(
        select(WebhookDelivery.id)
        .where(WebhookDelivery.id.in_(oldest), *_is_due(now))
        .order_by(WebhookDelivery.id)
        .with_for_update(skip_locked=True)
    ).all()
    session.execute(
        update(WebhookDelivery)
        .where(WebhookDelivery.id.in_(ids))
        .values(
            attempts=WebhookDelivery.attempts + 1, due_at=now + lease, lease_token=secrets.token_hex(16), sent_at=now
        )
    )
    rows = session.execute(
        select(WebhookDelivery, Webhook, VendorEvent)
        .join(Webhook, Webhook.id == WebhookDelivery.webhook_id)
        .join(VendorEvent, VendorEvent.id == WebhookDelivery.event_id)
        .where(WebhookDelivery.id.in_(ids))
        .order_by(WebhookDelivery.id)
        .execution_options(populate_existing=True)
    )
    return [DueDelivery(*row) for row in rows]


def lock_delivery(session: Session, delivery_id: int, token: str) -> DueDelivery | None:
    """Return a delivery that is still held under a token, locked with its webhook; None if it was taken over."""
    row = session.execute(
        select(WebhookDelivery, Webhook, VendorEvent)
        .join(Webhook, Webhook.id == WebhookDelivery.webhook_id)
        .join(VendorEvent, VendorEvent.id == WebhookDelivery.event_id)
        .where(WebhookDelivery.id == delivery_id, WebhookDelivery.lease_token == token)
        .with_for_update(of=(WebhookDelivery, Webhook))
        .execution_options(populate_existing=True)
    ).first()
    return None if row is None else DueDelivery(*row)


def was_delivered_since(session: Session, webhook_id: int, since: datetime) -> bool:
    """Return True if a webhook accepted anything that was sent since a moment."""
    taken = select(WebhookDelivery.id).where(
        WebhookDelivery.webhook_id == webhook_id,
        WebhookDelivery.state == DeliveryState.DELIVERED,
        WebhookDelivery.sent_at >= since,
    )
    return bool(session.scalar(select(taken.exists())))


def disable(session: Session, webhook: Webhook, reason: Reason, now: datetime) -> None:
    """Stop sending to a webhook; what waits fails with the reason."""
    webhook.disabled_at, webhook.disabled_reason = now, reason
    session.execute(
        update(WebhookDelivery)
        .where(WebhookDelivery.webhook_id == webhook.id, WebhookDelivery.state == DeliveryState.PENDING)
        .values(state=DeliveryState.FAILED, failure=reason, lease_token=None)
    )


def own_webhook(session: Session, organisation_id: int, public_id: str, *, lock: bool = False) -> Webhook | None:
    """Return a webhook of this organisation, if asked locked against concurrent changes."""
    query = select(Webhook).where(Webhook.public_id == public_id, Webhook.organisation_id == organisation_id)
    return session.scalar(query.with_for_update() if lock else query)


def own_webhooks(session: Session, organisation_id: int) -> Sequence[Webhook]:
    """Return the webhooks of an organisation, oldest first."""
    return session.scalars(select(Webhook).where(Webhook.organisation_id == organisation_id).order_by(Webhook.id)).all()


def remove(session: Session, webhook: Webhook) -> None:
    """Delete a webhook with its deliveries."""
    session.execute(delete(WebhookDelivery).where(WebhookDelivery.webhook_id == webhook.id))
    session.delete(webhook)


def deliveries(
    session: Session, webhook_id: int, before: int | None, limit: int
) -> list[tuple[WebhookDelivery, VendorEvent]]:
    """Return deliveries of a webhook with ids below `before`, newest first, with their events."""
    query = (
        select(WebhookDelivery, VendorEvent)
        .join(VendorEvent, VendorEvent.id == WebhookDelivery.event_id)
        .where(WebhookDelivery.webhook_id == webhook_id, true() if before is None else WebhookDelivery.id < before)
    )
    return [(row[0], row[1]) for row in session.execute(query.order_by(WebhookDelivery.id.desc()).limit(limit))]


def find_delivery(session: Session, webhook_id: int, event: str) -> tuple[WebhookDelivery, VendorEvent] | None:
    """Return the delivery of an event to a webhook, locked."""
    row = session.execute(
        select(WebhookDelivery, VendorEvent)
        .join(VendorEvent, VendorEvent.id == WebhookDelivery.event_id)
        .where(WebhookDelivery.webhook_id == webhook_id, VendorEvent.public_id == event)
        .with_for_update(of=WebhookDelivery)
    ).first()
    return None if row is None else (row[0], row[1])


def events(session: Session, organisation_id: int, after: int | None, limit: int) -> Sequence[VendorEvent]:
    """Return events of an organisation with ids above `after`, oldest first."""
    query = select(VendorEvent).where(VendorEvent.organisation_id == organisation_id)
    if after is not None:
        query = query.where(VendorEvent.id > after)
    return session.scalars(query.order_by(VendorEvent.id).limit(limit)).all()


def organisations_told(session: Session) -> Collection[int]:
    """Return the organisations with a webhook in use."""
    return set(session.scalars(select(Webhook.organisation_id).where(Webhook.disabled_at.is_(None)).distinct()))


def organisations_told_since(session: Session, moment: datetime) -> Sequence[int]:
    """Return the organisations with a webhook in use that was there at a moment."""
    return session.scalars(
        select(Webhook.organisation_id)
        .where(Webhook.disabled_at.is_(None), Webhook.created_at <= moment)
        .distinct()
        .order_by(Webhook.organisation_id)
    ).all()


def keys_ending(session: Session, organisations: Collection[int], now: datetime, until: datetime) -> Sequence[ApiKey]:
    """Return the valid keys of organisations that end between now and a moment."""
    return session.scalars(
        select(ApiKey).where(
            ApiKey.organisation_id.in_(organisations),
            ApiKey.revoked_at.is_(None),
            ApiKey.expires_at > now,
            ApiKey.expires_at <= until,
        )
    ).all()


def delete_old_events(session: Session, before: datetime) -> None:
    """Delete events and deliveries from before a moment that wait for nothing."""
    waiting = select(WebhookDelivery.event_id).where(WebhookDelivery.state == DeliveryState.PENDING)
    old = select(VendorEvent.id).where(VendorEvent.created_at < before, VendorEvent.id.not_in(waiting))
    session.execute(delete(WebhookDelivery).where(WebhookDelivery.event_id.in_(old)))
    left = select(WebhookDelivery.event_id).where(WebhookDelivery.event_id == VendorEvent.id)
    session.execute(delete(VendorEvent).where(VendorEvent.created_at < before, ~left.exists()))

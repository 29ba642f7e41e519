"""Vendors' webhooks: where an organisation's events are sent, what was sent, and with which secret."""

import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field

from app.db.kernel import logs
from app.db.kernel.session import Session
from app.db.tables import DeliveryState, VendorEvent, Webhook, WebhookDelivery
from app.db.vendors import webhooks as store
from app.domain.cursors import read_cursor, write_cursor
from app.domain.errors import Conflict, InvalidInput, NotFound
from app.domain.reasons import Reason
from app.domain.vendors.webhooks import EVENT_TYPES, OLD_SECRET_LIFETIME, SECRET_BYTES, OtherEvent, webhook_secret
from app.services.runs.endpoint_secrets import Vault

MAX_WEBHOOKS = 10  # of an organisation
_EVENTS, _DELIVERIES = "events", "deliveries"  # lists, in their cursors


@dataclass(frozen=True, slots=True)
class WebhookAnswer:
    """An address that your organisation's events are sent to."""

    object: Literal["webhook"]
    id: str
    url: str
    events: Annotated[list[str] | None, Field(description="types of the events that it gets; null for all")]
    created_at: datetime
    old_secret_until: Annotated[datetime | None, Field(description="until when the secret before signs, too")]
    disabled_at: datetime | None
    disabled_reason: Annotated[str | None, Field(description="why nothing is sent to it; null while it is in use")]


@dataclass(frozen=True, slots=True)
class WebhookList:
    """Your webhooks, oldest first."""

    data: list[WebhookAnswer]


@dataclass(frozen=True, slots=True)
class WebhookSecret:
    """The secret by which a webhook's messages are verified."""

    object: Literal["webhook_secret"]
    webhook: str
    secret: Annotated[str, Field(description="whsec_ and base64, as the libraries of Standard Webhooks take it")]


@dataclass(frozen=True, slots=True)
class EventAnswer:
    """Something that happened; a webhook gets it in this form, with `timestamp` as the time it happened."""

    id: str
    type: str
    timestamp: datetime
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class EventPage:
    """Your organisation's events of the last 90 days, oldest first."""

    data: list[EventAnswer]
    next_cursor: Annotated[str | None, Field(description="where to read on, now or later; null before the first event")]


@dataclass(frozen=True, slots=True)
class DeliveryAnswer:
    """The sending of one event to a webhook."""

    object: Literal["delivery"]
    event: EventAnswer
    state: str
    attempts: int
    sent_at: Annotated[datetime | None, Field(description="when it was last sent; null before")]
    status: Annotated[int | None, Field(description="the receiver's last HTTP status; null without a response")]
    failure: Annotated[str | None, Field(description="why it was not received; null if it was, or before")]
    next_attempt_at: Annotated[datetime | None, Field(description="when it is sent next; null if it is not")]


@dataclass(frozen=True, slots=True)
class DeliveryPage:
    """Deliveries of a webhook, newest first."""

    data: list[DeliveryAnswer]
    next_cursor: Annotated[str | None, Field(description="the cursor of the next page; null on the last one")]


@dataclass(frozen=True, slots=True)
class WebhookChange:
    """Changes of a webhook; None leaves it as it is, and an empty list of events means all."""

    url: str | None = None
    events: Sequence[str] | None = None
    enabled: bool | None = None


def create_webhook(
    session: Session, organisation_id: int, url: str, events: Sequence[str], now: datetime, vault: Vault
) -> WebhookAnswer:
    """Register an address for events of these types, all if there are none.

    Raises InvalidInput for an unknown type, Conflict if there are too many, Unavailable without our key.
    """
    _check_types(events)
    if len(store.own_webhooks(session, organisation_id)) >= MAX_WEBHOOKS:
        raise Conflict(f"you have reached the limit of {MAX_WEBHOOKS} webhooks: delete one first")
    row = Webhook(
        public_id=f"whk_{secrets.token_hex(12)}",
        organisation_id=organisation_id,
        url=url,
        events=sorted(set(events)) or None,
        sealed_secret=vault.seal(_new_secret()),
        created_at=now,
    )
    session.add(row)
    session.flush()
    _audit(session, row, "created", now)
    return _webhook_answer(row, now)


def list_webhooks(session: Session, organisation_id: int, now: datetime) -> WebhookList:
    """Return an organisation's webhooks, oldest first."""
    return WebhookList([_webhook_answer(row, now) for row in store.own_webhooks(session, organisation_id)])


def get_webhook(session: Session, organisation_id: int, public_id: str, now: datetime) -> WebhookAnswer:
    """Return a webhook. Raises NotFound."""
    return _webhook_answer(_find_own(session, organisation_id, public_id), now)


def update_webhook(
    session: Session, organisation_id: int, public_id: str, change: WebhookChange, now: datetime
) -> WebhookAnswer:
    """Change a webhook; one that is switched on again gets what happens from then on. Raises NotFound, InvalidInput."""
    row = _find_own(session, organisation_id, public_id, lock=True)
    if change.events is not None:
        _check_types(change.events)
        row.events = sorted(set(change.events)) or None
    if change.url is not None:
        row.url = change.url
    if change.enabled is True:
        row.disabled_at = row.disabled_reason = None
    elif change.enabled is False and row.disabled_at is None:
        store.disable(session, row, Reason("webhook_switched_off"), now)
    session.flush()
    _audit(session, row, "changed", now)
    return _webhook_answer(row, now)


def delete_webhook(session: Session, organisation_id: int, public_id: str, now: datetime) -> None:
    """Delete a webhook with its deliveries. Raises NotFound."""
    row = _find_own(session, organisation_id, public_id, lock=True)
    _audit(session, row, "deleted", now)
    store.remove(session, row)


def get_secret(session: Session, organisation_id: int, public_id: str, vault: Vault) -> WebhookSecret:
    """Return a webhook's secret. Raises NotFound, and Unavailable if our key does not open it."""
    row = _find_own(session, organisation_id, public_id)
    return WebhookSecret("webhook_secret", row.public_id, vault.open(row.sealed_secret))


def rotate_secret(session: Session, organisation_id: int, public_id: str, now: datetime, vault: Vault) -> WebhookAnswer:
    """Replace a webhook's secret; the old one signs beside it for a day. Raises NotFound, Unavailable."""
    row = _find_own(session, organisation_id, public_id, lock=True)
    row.old_sealed_secret, row.old_until = row.sealed_secret, now + OLD_SECRET_LIFETIME
    row.sealed_secret = vault.seal(_new_secret())
    session.flush()
    _audit(session, row, "secret_rotated", now)
    return _webhook_answer(row, now)


def send_test(session: Session, organisation_id: int, public_id: str, now: datetime) -> DeliveryAnswer:
    """Queue a test event for a webhook. Raises NotFound, and Conflict while it is disabled."""
    row = _usable(session, organisation_id, public_id)
    key = f"{OtherEvent.TEST}:{secrets.token_hex(8)}"
    event = store.record_event(
        session, organisation_id, OtherEvent.TEST, key, {"object": "webhook", "id": row.public_id}, now, row.id
    )
    assert event is not None  # its key is new
    return _delivery_answer(session, row, event.public_id)


def list_deliveries(
    session: Session, organisation_id: int, public_id: str, cursor: str | None, limit: int
) -> DeliveryPage:
    """Return deliveries of a webhook, newest first. Raises NotFound."""
    row = _find_own(session, organisation_id, public_id)
    before = None if cursor is None else read_cursor(_DELIVERIES, cursor)
    found = store.deliveries(session, row.id, before, limit + 1)
    page, more = found[:limit], len(found) > limit
    following = write_cursor(_DELIVERIES, page[-1][0].id) if more else None
    return DeliveryPage([_as_delivery(*each) for each in page], following)


def redeliver(session: Session, organisation_id: int, public_id: str, event: str, now: datetime) -> DeliveryAnswer:
    """Send an event to a webhook once more, from its first attempt. Raises NotFound, and Conflict while disabled."""
    row = _usable(session, organisation_id, public_id)
    found = store.find_delivery(session, row.id, event)
    if found is None:
        raise NotFound(f"the webhook {public_id} was never sent an event {event}")
    delivery = found[0]
    delivery.state, delivery.attempts, delivery.due_at, delivery.lease_token = DeliveryState.PENDING, 0, now, None
    session.flush()
    return _as_delivery(*found)


def list_events(session: Session, organisation_id: int, cursor: str | None, limit: int) -> EventPage:
    """Return an organisation's events after a cursor, oldest first."""
    after = None if cursor is None else read_cursor(_EVENTS, cursor)
    page = store.events(session, organisation_id, after, limit)
    following = write_cursor(_EVENTS, page[-1].id) if page else cursor
    return EventPage([event_answer(event) for event in page], following)


def event_answer(event: VendorEvent) -> EventAnswer:
    """Return an event as it is sent."""
    return EventAnswer(event.public_id, event.type, event.created_at, event.data)


def event_body(event: VendorEvent) -> bytes:
    """Return the JSON text of an event as it is sent, in UTF-8."""
    answer = event_answer(event)
    body = {
        "id": answer.id, "type": answer.type, "timestamp": answer.timestamp.isoformat(), "data": dict(answer.data),
    }  # fmt: skip
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()


def _new_secret() -> str:
    return webhook_secret(secrets.token_bytes(SECRET_BYTES))


def _check_types(events: Sequence[str]) -> None:
    unknown = next((name for name in events if name not in EVENT_TYPES), None)
    if unknown is not None:
        raise InvalidInput(f"there is no event {unknown}; known: {', '.join(EVENT_TYPES)}", pointer="/events")


def _find_own(session: Session, organisation_id: int, public_id: str, *, lock: bool = False) -> Webhook:
    row = store.own_webhook(session, organisation_id, public_id, lock=lock) if public_id.isprintable() else None
    if row is None:
        raise NotFound(f"you have no webhook {public_id}")
    return row


def _usable(session: Session, organisation_id: int, public_id: str) -> Webhook:
    row = _find_own(session, organisation_id, public_id, lock=True)
    if row.disabled_at is not None:
        raise Conflict(f"nothing is sent to the webhook {public_id}: {row.disabled_reason}; switch it on first")
    return row


def _delivery_answer(session: Session, row: Webhook, event: str) -> DeliveryAnswer:
    found = store.find_delivery(session, row.id, event)
    assert found is not None
    return _as_delivery(*found)


def _as_delivery(delivery: WebhookDelivery, event: VendorEvent) -> DeliveryAnswer:
    waits = delivery.state == DeliveryState.PENDING
    return DeliveryAnswer(
        "delivery", event_answer(event), delivery.state, delivery.attempts, delivery.sent_at, delivery.status,
        delivery.failure, delivery.due_at if waits else None,
    )  # fmt: skip


def _webhook_answer(row: Webhook, now: datetime) -> WebhookAnswer:
    old_until = row.old_until if row.old_until is not None and row.old_until > now else None
    return WebhookAnswer(
        "webhook", row.public_id, row.url, row.events, row.created_at, old_until, row.disabled_at, row.disabled_reason
    )


def _audit(session: Session, row: Webhook, what: str, now: datetime) -> None:
    logs.write_audit(
        session, now, f"org:{row.organisation_id}", f"webhook.{what}", row.public_id, Reason("vendor_api"),
        after={"url": row.url, "events": row.events, "disabled": row.disabled_reason},
    )  # fmt: skip

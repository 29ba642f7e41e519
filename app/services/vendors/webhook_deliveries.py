"""Sending of events to webhooks: claiming what is due, and recording what the receivers answered."""

import random
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from app.db.kernel.session import Session
from app.db.tables import DeliveryState, Webhook
from app.db.vendors import webhooks as store
from app.db.vendors.webhooks import DueDelivery
from app.domain.errors import Unavailable
from app.domain.reasons import Reason
from app.domain.vendors.webhooks import DeliveryResult, OutgoingMessage, next_delivery, sign
from app.services.runs.endpoint_secrets import Vault
from app.services.vendors.webhooks import event_body

EVENT_LIFETIME = timedelta(days=90)
_MAX_AT_ONCE = 20
_LEASE = timedelta(minutes=2)  # a message may take 15 s
_GONE = 410


def count_due(session: Session, now: datetime) -> int:
    """Return the number of messages to be sent now."""
    return store.count_due(session, now)


def claim_messages(session: Session, now: datetime, vault: Vault) -> Sequence[OutgoingMessage]:
    """Return signed messages that are due, at most one for each webhook; none while our key is missing.

    A webhook whose secret our key does not open is disabled, with the reason.
    """
    if not vault.has_key:
        return ()
    messages = []
    for due in store.claim_due(session, now, _LEASE, _MAX_AT_ONCE):
        try:
            messages.append(_signed(due, now, vault))
        except Unavailable:
            store.disable(session, due.webhook, Reason("webhook_secret_lost"), now)
    return messages


def _signed(due: DueDelivery, now: datetime, vault: Vault) -> OutgoingMessage:
    body = event_body(due.event)
    headers = sign(_secrets(due.webhook, now, vault), due.event.public_id, now, body)
    assert due.delivery.lease_token is not None  # claimed just now
    content = {"content-type": "application/json"}
    return OutgoingMessage(due.delivery.id, due.delivery.lease_token, due.webhook.url, headers | content, body)


def _secrets(webhook: Webhook, now: datetime, vault: Vault) -> list[str]:
    sealed = [webhook.sealed_secret]
    if webhook.old_sealed_secret is not None and webhook.old_until is not None and webhook.old_until > now:
        sealed.append(webhook.old_sealed_secret)
    return [vault.open(each) for each in sealed]


def record_results(session: Session, results: Iterable[tuple[OutgoingMessage, DeliveryResult]], now: datetime) -> None:
    """Record what receivers answered; a message that was taken over meanwhile is left as it is.

    A message that was not received is sent again later, ten times in three days. A receiver that answers 410, or that
    has received nothing since the last of these, is sent nothing more.
    """
    for message, result in results:
        held = store.lock_delivery(session, message.delivery_id, message.token)
        if held is not None and held.delivery.state == DeliveryState.PENDING:
            _record(session, held, result, now)


def _record(session: Session, held: DueDelivery, result: DeliveryResult, now: datetime) -> None:
    delivery, webhook, event = held
    delivery.status, delivery.failure, delivery.lease_token = result.status, result.failure, None
    if result.failure is None:
        delivery.state = DeliveryState.DELIVERED
        return
    again = next_delivery(delivery.attempts, now, random.random(), result.retry_after_s)  # noqa: S311  # no secret
    if result.status == _GONE:
        delivery.state = DeliveryState.FAILED
        store.disable(session, webhook, Reason("webhook_gone"), now)
    elif again is not None:
        delivery.due_at = again
    else:
        delivery.state = DeliveryState.FAILED
        if webhook.disabled_at is None and not store.was_delivered_since(session, webhook.id, event.created_at):
            days = max(1, (now - event.created_at).days)
            store.disable(session, webhook, Reason("webhook_failing", {"n": days}), now)


def delete_old_events(session: Session, now: datetime) -> None:
    """Delete events that are older than 90 days and wait for nothing."""
    store.delete_old_events(session, now - EVENT_LIFETIME)

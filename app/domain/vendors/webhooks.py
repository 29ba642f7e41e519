"""Webhooks by the Standard Webhooks specification 1.0: kinds of events, signatures, and delays of retries."""

import base64
import binascii
import hashlib
import hmac
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from app.domain.reasons import Reason
from app.domain.states import SubmissionState


class OtherEvent(StrEnum):
    """Kinds of events that are not about a submission's state."""

    KEY_EXPIRING = "key.expiring"
    CUTOFF_DECIDED = "cutoff.decided"
    CONTEST_JUDGED = "contest.judged"
    DISPUTE_ANSWERED = "dispute.answered"
    TEST = "webhook.test"


# A submission is registered and queued at once: nobody waits for the states before.
_REPORTED_STATES = tuple(
    state for state in SubmissionState if state not in (SubmissionState.DRAFT, SubmissionState.VALIDATING)
)
SUBMISSION_EVENTS = tuple(f"submission.{state}" for state in _REPORTED_STATES)
# What an endpoint may choose from; a test goes to the endpoint that it is asked for.
EVENT_TYPES = (*SUBMISSION_EVENTS, *(str(kind) for kind in OtherEvent if kind is not OtherEvent.TEST))

MAX_DELIVERY_ATTEMPTS = 10
# Seconds until each retry, as the specification recommends: some three days in all.
_RETRY_DELAYS_S = (5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400)
_MAX_RETRY_AFTER = timedelta(days=1)
_SECRET_PREFIX = "whsec_"  # noqa: S105
SECRET_BYTES = 32
# A secret that was replaced signs beside the new one, so that a receiver can change it in peace.
OLD_SECRET_LIFETIME = timedelta(hours=24)
# The time before a key's end at which its organisation is told.
KEY_NOTICE = timedelta(days=14)


@dataclass(frozen=True, slots=True)
class OutgoingMessage:
    """A signed message for one webhook: what is sent, and by which delivery under which lease."""

    delivery_id: int
    token: str
    url: str
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True, slots=True)
class DeliveryResult:
    """The receiver's status, None without a response; the failure, None if it accepted; the wait it asked for."""

    status: int | None
    failure: Reason | None
    retry_after_s: float | None = None


def submission_event(state: SubmissionState) -> str | None:
    """Return the type of the event that a submission has reached a state; None for states that are not reported."""
    return f"submission.{state}" if state in _REPORTED_STATES else None


def webhook_secret(key: bytes) -> str:
    """Return a secret's text, `whsec_` and the base64 of its `SECRET_BYTES` random bytes."""
    return _SECRET_PREFIX + base64.b64encode(key).decode()


def sign(keys: Sequence[str], message_id: str, at: datetime, body: bytes) -> dict[str, str]:
    """Return the headers of a message: its id, its time in Unix seconds, and a signature by each secret.

    A signature is `v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body` (Standard Webhooks, "Signature scheme").
    Raises ValueError for a secret that `webhook_secret` does not make.
    """
    timestamp = int(at.timestamp())
    signed = f"{message_id}.{timestamp}.".encode() + body
    signatures = (hmac.new(_key_bytes(key), signed, hashlib.sha256).digest() for key in keys)
    return {
        "webhook-id": message_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": " ".join(f"v1,{base64.b64encode(signature).decode()}" for signature in signatures),
    }


def _key_bytes(secret: str) -> bytes:
    try:
        return base64.b64decode(secret.removeprefix(_SECRET_PREFIX), validate=True)
    except binascii.Error as wrong:
        raise ValueError("a webhook's secret must be whsec_ and base64") from wrong


def next_delivery(attempts: int, now: datetime, jitter: float, retry_after_s: float | None = None) -> datetime | None:
    """Return when a message that failed `attempts` times is sent again; None if it was the last time.

    `jitter` in [0, 1) lengthens the delay by up to a tenth. A longer wait that the receiver asked for is kept, up to a
    day.
    """
    if attempts >= MAX_DELIVERY_ATTEMPTS:
        return None
    delay = timedelta(seconds=_RETRY_DELAYS_S[attempts - 1] * (1 + jitter / 10))
    asked = timedelta(seconds=min(retry_after_s or 0, _MAX_RETRY_AFTER.total_seconds()))
    return now + max(delay, asked)

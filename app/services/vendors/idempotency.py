"""Idempotency-Keys: a repeated request gets the response of the first.

A key is claimed before any work by a lock of the transaction that does the work. Equal requests wait for it and then
find the stored response. The lock ends with the transaction: a process that dies leaves neither a claim nor an effect,
and a request that is refused leaves its key free.
"""

import hashlib
import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from app.db.kernel.session import Session
from app.db.operations import access as store
from app.db.tables import IdempotencyRow
from app.domain.errors import InProgress, InvalidInput

# Milliseconds that a request waits for an equal one that is being answered.
MAX_WAIT_MS = 3_000


def claim_key(session: Session, organisation_id: int, key: str) -> None:
    """Reserve an Idempotency-Key until the transaction ends.

    Raises InProgress if another request holds it for longer than MAX_WAIT_MS; the transaction can then only be ended.
    """
    if not store.lock_key(session, organisation_id, key, MAX_WAIT_MS):
        raise InProgress("a request with this Idempotency-Key is still being answered; send the same request again")


def recall_response(
    session: Session, organisation_id: int, key: str, body: object
) -> tuple[int, dict[str, Any]] | None:
    """Return the stored response of an Idempotency-Key. Raises InvalidInput when it came with another body."""
    row = store.stored_response(session, organisation_id, key)
    if row is None:
        return None
    if row.request_sha256 != _digest(body):
        raise InvalidInput("this Idempotency-Key was already used for another request", pointer="/Idempotency-Key")
    return row.status, row.body


def remember_response(
    session: Session,
    organisation_id: int,
    key: str,
    body: object,
    status: int,
    answer: Mapping[str, Any],
    now: datetime,
) -> None:
    """Store a response for its key, which this transaction has claimed."""
    row = IdempotencyRow(
        organisation_id=organisation_id,
        key=key,
        request_sha256=_digest(body),
        status=status,
        body=dict(answer),
        created_at=now,
    )
    session.add(row)
    session.flush()


def _digest(body: object) -> str:
    return hashlib.sha256(json.dumps(body, sort_keys=True, default=str).encode()).hexdigest()

"""Idempotency-Keys: a repeated request gets the response of the first."""

import hashlib
import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from app.db.kernel.session import Session
from app.db.operations import access as store
from app.db.tables import IdempotencyRow
from app.domain.errors import Conflict, InvalidInput


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
    """Store a response for its key. Raises Conflict when the same key is being answered at this moment."""
    row = IdempotencyRow(
        organisation_id=organisation_id,
        key=key,
        request_sha256=_digest(body),
        status=status,
        body=dict(answer),
        created_at=now,
    )
    if not store.store_response(session, row):
        raise Conflict("a request with this Idempotency-Key is still in progress; try again later")


def _digest(body: object) -> str:
    return hashlib.sha256(json.dumps(body, sort_keys=True, default=str).encode()).hexdigest()

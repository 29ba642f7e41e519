"""Leases: rows taken for a while under a token; only the token's holder may record.

Every claim locks with SKIP LOCKED, so that two workers never wait for, nor take, the same row.
"""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import update

from app.db.kernel.session import Session
from app.db.tables import Endpoint, RejudgedSample, Sample, ScrapeRun, TestSet

_Numbered = type[Sample] | type[ScrapeRun] | type[TestSet] | type[Endpoint]
LeasedTable = _Numbered | type[RejudgedSample]


@dataclass(frozen=True, slots=True)
class Lease:
    """A token over rows, valid until it is renewed or runs out."""

    token: str
    until: datetime


def new_lease(now: datetime, duration: timedelta) -> Lease:
    """A fresh token that runs out `duration` after `now`."""
    return Lease(secrets.token_hex(16), now + duration)


def renew(session: Session, table: LeasedTable, token: str, until: datetime) -> int:
    """Prolong every row held under `token`; returns how many it still holds."""
    result = session.execute(update(table).where(table.lease_token == token).values(lease_until=until))
    return int(result.rowcount)  # type: ignore[attr-defined]  # an UPDATE's result counts rows


def release(session: Session, table: _Numbered, ids: Sequence[int], token: str) -> None:
    """Give rows back at once, without waiting for the lease to run out."""
    session.execute(
        update(table).where(table.id.in_(ids), table.lease_token == token).values(lease_token=None, lease_until=None)
    )

"""Leases: rows taken for a while under a token; only the token's holder may record.

Every claim locks with SKIP LOCKED, so that two workers never wait for, nor take, the same row.
"""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum, auto
from functools import cache
from typing import Any

from sqlalchemy import ColumnElement, Select, Update, and_, case, func, literal, or_, select, update

from app.db.kernel.instant import NOW
from app.db.kernel.session import Session
from app.db.tables import Derivation, Endpoint, RejudgedSample, Sample, ScrapeRun, Setting, TestSet
from app.db.tables.base import Base
from app.domain.states import SampleState, ScrapeState


class Leased(Enum):
    """What a lease can be over."""

    SAMPLES = auto()
    REJUDGED_SAMPLES = auto()
    TEST_SETS = auto()
    ENDPOINTS = auto()
    SCRAPE_RUNS = auto()
    SETTINGS = auto()
    DERIVATIONS = auto()


_LeasedTable = (
    type[Sample] | type[RejudgedSample] | type[TestSet] | type[Endpoint] | type[ScrapeRun] | type[Setting]
    | type[Derivation]
)  # fmt: skip
_TABLES: Mapping[Leased, _LeasedTable] = {
    Leased.SAMPLES: Sample,
    Leased.REJUDGED_SAMPLES: RejudgedSample,
    Leased.TEST_SETS: TestSet,
    Leased.ENDPOINTS: Endpoint,
    Leased.SCRAPE_RUNS: ScrapeRun,
    Leased.SETTINGS: Setting,
    Leased.DERIVATIONS: Derivation,
}


@dataclass(frozen=True, slots=True)
class Lease:
    """A token over rows of some kinds, valid until it is renewed or runs out."""

    token: str
    until: datetime
    over: tuple[Leased, ...] = ()


def new_lease(now: datetime, duration: timedelta, *over: Leased) -> Lease:
    """A fresh token that runs out `duration` after `now`."""
    return Lease(secrets.token_hex(16), now + duration, over)


def renew(session: Session, lease: Lease, until: datetime) -> int:
    """Prolong every row held under a lease; returns how many it still holds."""
    return sum(_renew(session, _TABLES[kind], lease.token, until) for kind in lease.over)


def _renew(session: Session, table: _LeasedTable, token: str, until: datetime) -> int:
    result = session.execute(update(table).where(table.lease_token == token).values(lease_until=until))
    return int(result.rowcount)  # type: ignore[attr-defined]  # an UPDATE's result counts rows


def release(session: Session, lease: Lease, now: datetime) -> None:
    """Let a lease end now, without the attempt that it counted: its holder was told to stop.

    The token stays: what its holder has finished until another takes the rows may still be recorded.
    """
    for kind in lease.over:
        table = _TABLES[kind]
        held = update(table).where(table.lease_token == lease.token).execution_options(synchronize_session=False)
        session.execute(held.values({"lease_until": now, **_attempts_less_one(table)}))


def _attempts_less_one(table: _LeasedTable) -> dict[str, ColumnElement[int]]:
    if table is Sample:
        asked = case((Sample.state == SampleState.INFERRING, 1), else_=0)
        judged = case((Sample.state == SampleState.GRADING, 1), else_=0)
        return {
            "inference_attempts": func.greatest(Sample.inference_attempts - asked, 0),
            "grading_attempts": func.greatest(Sample.grading_attempts - judged, 0),
        }
    attempts = table.__table__.columns.get("attempts")
    return {} if attempts is None else {"attempts": func.greatest(attempts - 1, 0)}


# Of a minute or two, and an endpoint rests for hours: what ends later began while the time was set ahead.
_LONGEST = timedelta(days=1)


def cut(session: Session, now: datetime) -> None:
    """Let what was leased while the time was set ahead, and what rests since, end now; who works renews its own."""
    any_later, updates = _later()
    if session.scalar(any_later, {NOW.key: now}):
        for statement in updates:
            session.execute(statement, {NOW.key: now})


@cache
def _later() -> tuple[Select[bool], list[Update]]:
    """Whether there is anything that ends too late, and what lets it end now."""
    late, ends = NOW + _LONGEST, {"lease_until": NOW}
    waits = Sample.state.in_((SampleState.PENDING, SampleState.ANSWERED))
    over: list[tuple[type[Base], ColumnElement[bool], dict[str, Any]]] = [
        (Sample, and_(Sample.lease_token.is_not(None), Sample.lease_until > late), ends),
        (ScrapeRun, and_(ScrapeRun.state == ScrapeState.RUNNING, ScrapeRun.lease_until > late), ends),
        *((table, table.lease_until > late, ends) for table in (Endpoint, TestSet, Setting, Derivation)),
        (Sample, and_(waits, Sample.not_before > late), {"not_before": None}),
    ]
    there = [select(literal(1)).select_from(table).where(where).exists() for table, where, _ in over]
    updates = [
        update(table).where(where).values(values).execution_options(synchronize_session=False)
        for table, where, values in over
    ]
    return select(or_(*there)), updates

"""Leases: rows reserved for a while under a token; only the token's holder may record.

Every claim locks with SKIP LOCKED, so that two workers never wait for the same row or take it twice.
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
from app.db.tables import ConsensusRow, Derivation, Endpoint, RejudgedSample, Sample, ScrapeRun, TestSet
from app.db.tables.base import Base
from app.domain.states import SampleState, ScrapeState


class LeaseKind(Enum):
    """Kinds of rows that a lease can cover."""

    SAMPLES = auto()
    REJUDGED_SAMPLES = auto()
    TEST_SETS = auto()
    ENDPOINTS = auto()
    SCRAPE_RUNS = auto()
    CONSENSUSES = auto()
    DERIVATIONS = auto()


_LeasedTable = (
    type[Sample] | type[RejudgedSample] | type[TestSet] | type[Endpoint] | type[ScrapeRun] | type[ConsensusRow]
    | type[Derivation]
)  # fmt: skip
_TABLES: Mapping[LeaseKind, _LeasedTable] = {
    LeaseKind.SAMPLES: Sample,
    LeaseKind.REJUDGED_SAMPLES: RejudgedSample,
    LeaseKind.TEST_SETS: TestSet,
    LeaseKind.ENDPOINTS: Endpoint,
    LeaseKind.SCRAPE_RUNS: ScrapeRun,
    LeaseKind.CONSENSUSES: ConsensusRow,
    LeaseKind.DERIVATIONS: Derivation,
}


@dataclass(frozen=True, slots=True)
class Lease:
    """A token over rows of some kinds, valid until it is renewed or runs out."""

    token: str
    until: datetime
    over: tuple[LeaseKind, ...] = ()


def new_lease(now: datetime, duration: timedelta, *over: LeaseKind) -> Lease:
    """Return a fresh token that runs out `duration` after `now`."""
    return Lease(secrets.token_hex(16), now + duration, over)


def renew(session: Session, lease: Lease, until: datetime) -> int:
    """Extend every row held under a lease, and return how many it still holds."""
    return sum(_renew(session, _TABLES[kind], lease.token, until) for kind in lease.over)


def _renew(session: Session, table: _LeasedTable, token: str, until: datetime) -> int:
    result = session.execute(update(table).where(table.lease_token == token).values(lease_until=until))
    return int(result.rowcount)  # type: ignore[attr-defined]  # an UPDATE's result counts rows


def release(session: Session, lease: Lease, now: datetime) -> None:
    """End a lease now and undo the attempt that it counted, because its holder was told to stop.

    The token stays, so that results can still be recorded until another worker takes the rows.
    """
    for kind in lease.over:
        table = _TABLES[kind]
        held = update(table).where(table.lease_token == lease.token).execution_options(synchronize_session=False)
        session.execute(held.values({"lease_until": now, **_attempts_less_one(table)}))


def _attempts_less_one(table: _LeasedTable) -> dict[str, ColumnElement[int]]:
    if table is Sample:
        asking = case((Sample.state == SampleState.INFERRING, 1), else_=0)
        judging = case((Sample.state == SampleState.GRADING, 1), else_=0)
        return {
            "inference_attempts": func.greatest(Sample.inference_attempts - asking, 0),
            "grading_attempts": func.greatest(Sample.grading_attempts - judging, 0),
        }
    attempts = table.__table__.columns.get("attempts")
    return {} if attempts is None else {"attempts": func.greatest(attempts - 1, 0)}


# Leases take minutes and an endpoint rests for hours: a later end was set while the clock was ahead.
_MAX_WAIT = timedelta(days=1)


def shorten_leases(session: Session, now: datetime) -> None:
    """End leases and waits that began while the clock was set ahead; running workers renew their own leases."""
    any_later, updates = _overlong()
    if session.scalar(any_later, {NOW.key: now}):
        for statement in updates:
            session.execute(statement, {NOW.key: now})


@cache
def _overlong() -> tuple[Select[bool], list[Update]]:
    """Return the check for any lease or wait that ends too late, and the updates that end them now."""
    late, ends = NOW + _MAX_WAIT, {"lease_until": NOW}
    waits = Sample.state.in_((SampleState.PENDING, SampleState.ANSWERED))
    kinds: list[tuple[type[Base], ColumnElement[bool], dict[str, Any]]] = [
        (Sample, and_(Sample.lease_token.is_not(None), Sample.lease_until > late), ends),
        (ScrapeRun, and_(ScrapeRun.state == ScrapeState.RUNNING, ScrapeRun.lease_until > late), ends),
        *((table, table.lease_until > late, ends) for table in (Endpoint, TestSet, ConsensusRow, Derivation)),
        (Sample, and_(waits, Sample.not_before > late), {"not_before": None}),
    ]
    any_overlong = [select(literal(1)).select_from(table).where(where).exists() for table, where, _ in kinds]
    updates = [
        update(table).where(where).values(values).execution_options(synchronize_session=False)
        for table, where, values in kinds
    ]
    return select(or_(*any_overlong)), updates

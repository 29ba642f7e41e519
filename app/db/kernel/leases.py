"""Leases: rows taken for a while under a token; only the token's holder may record.

Every claim locks with SKIP LOCKED, so that two workers never wait for, nor take, the same row.
"""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum, auto

from sqlalchemy import update

from app.db.kernel.session import Session
from app.db.tables import Derivation, Endpoint, RejudgedSample, Sample, ScrapeRun, Setting, TestSet
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


# Of a minute or two, and an endpoint rests for hours: what ends later began while the time was set ahead.
_LONGEST = timedelta(days=1)


def cut(session: Session, now: datetime) -> None:
    """Let what was leased while the time was set ahead, and what rests since, end now; who works renews its own."""
    for table, *held in (
        (Sample, Sample.lease_token.is_not(None)), (ScrapeRun, ScrapeRun.state == ScrapeState.RUNNING),
        (Endpoint,), (TestSet,), (Setting,), (Derivation,),
    ):  # fmt: skip
        session.execute(
            update(table)
            .where(*held, table.lease_until > now + _LONGEST)
            .values(lease_until=now)
            .execution_options(synchronize_session=False)
        )
    session.execute(
        update(Sample)
        .where(Sample.state.in_((SampleState.PENDING, SampleState.ANSWERED)), Sample.not_before > now + _LONGEST)
        .values(not_before=None)
        .execution_options(synchronize_session=False)
    )

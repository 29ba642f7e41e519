"""Probes of vendors' endpoints: asked for, claimed by a worker, finished."""

import secrets
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import delete, func, or_, select

from app.db.kernel.session import Session
from app.db.tables import Endpoint, EndpointProbe, ProtocolRow, Run, Sample
from app.domain.probing.checks import ProbeOrigin

_KEPT = timedelta(days=30)


def lock_probed(session: Session, endpoint_id: int) -> Endpoint:
    """Return an endpoint, locked, so that two requests for a probe of it are handled in turn."""
    return session.get_one(Endpoint, endpoint_id, with_for_update={"key_share": True}, populate_existing=True)


def newest_probe(session: Session, endpoint_id: int) -> EndpointProbe | None:
    """Return the newest probe of an endpoint."""
    query = select(EndpointProbe).where(EndpointProbe.endpoint_id == endpoint_id)
    return session.scalar(query.order_by(EndpointProbe.id.desc()).limit(1))


def probe_of_key(session: Session, organisation_id: int, key: str) -> EndpointProbe | None:
    """Return the probe that an organisation asked for under an Idempotency-Key."""
    return session.scalar(
        select(EndpointProbe).where(
            EndpointProbe.organisation_id == organisation_id, EndpointProbe.idempotency_key == key
        )
    )


def open_probe(session: Session, endpoint_id: int) -> EndpointProbe | None:
    """Return the probe of an endpoint that is not finished."""
    return session.scalar(
        select(EndpointProbe).where(EndpointProbe.endpoint_id == endpoint_id, EndpointProbe.finished_at.is_(None))
    )


def count_open(session: Session, organisation_id: int) -> int:
    """Return the number of an organisation's probes that are not finished."""
    rules = (EndpointProbe.organisation_id == organisation_id, EndpointProbe.finished_at.is_(None))
    return session.scalar(select(func.count()).where(*rules)) or 0


def newest_finished(
    session: Session, endpoint_id: int, protocol_id: int, configuration: Mapping[str, Any]
) -> EndpointProbe | None:
    """Return the newest finished probe of an endpoint under a protocol and a configuration."""
    return session.scalar(
        select(EndpointProbe)
        .where(
            EndpointProbe.endpoint_id == endpoint_id,
            EndpointProbe.protocol_id == protocol_id,
            EndpointProbe.configuration == dict(configuration),
            EndpointProbe.finished_at.is_not(None),
        )
        .order_by(EndpointProbe.id.desc())
        .limit(1)
    )


def add_probe(
    session: Session,
    organisation_id: int,
    endpoint_id: int,
    protocol_id: int,
    configuration: Mapping[str, Any],
    origin: ProbeOrigin,
    now: datetime,
    *,
    key: str | None = None,
    attempt: int = 1,
) -> EndpointProbe:
    """Add a probe for a worker to make, and delete those of the endpoint that are long past."""
    past = (EndpointProbe.endpoint_id == endpoint_id, EndpointProbe.finished_at < now - _KEPT)
    session.execute(delete(EndpointProbe).where(*past).execution_options(synchronize_session=False))
    row = EndpointProbe(
        public_id=f"prb_{secrets.token_hex(12)}",
        organisation_id=organisation_id,
        endpoint_id=endpoint_id,
        protocol_id=protocol_id,
        configuration=dict(configuration),
        origin=origin,
        idempotency_key=key,
        attempt=attempt,
        requested_at=now,
    )
    session.add(row)
    session.flush()
    return row


def claim_probe(session: Session, now: datetime) -> EndpointProbe | None:
    """Return the oldest probe that no worker is making, locked."""
    free = or_(EndpointProbe.lease_until.is_(None), EndpointProbe.lease_until <= now)
    return session.scalar(
        select(EndpointProbe)
        .where(EndpointProbe.finished_at.is_(None), free)
        .order_by(EndpointProbe.id)
        .limit(1)
        .with_for_update(skip_locked=True)
    )


def count_waiting(session: Session, now: datetime) -> int:
    """Return the number of probes that no worker is making."""
    free = or_(EndpointProbe.lease_until.is_(None), EndpointProbe.lease_until <= now)
    return session.scalar(select(func.count()).where(EndpointProbe.finished_at.is_(None), free)) or 0


def lock_leased(session: Session, probe_id: int, token: str) -> EndpointProbe | None:
    """Return an unfinished probe, locked, if the token's lease still holds it."""
    rules = (EndpointProbe.id == probe_id, EndpointProbe.lease_token == token, EndpointProbe.finished_at.is_(None))
    return session.scalar(select(EndpointProbe).where(*rules).with_for_update())


def protocol_slug(session: Session, protocol_id: int) -> str:
    """Return the slug of a protocol."""
    return session.get_one(ProtocolRow, protocol_id).slug


class SampleFailure(NamedTuple):
    """A failure of a real request: when the sample was first tried, the reason and its owner."""

    at: datetime | None
    reason: str
    owner: str


def newest_failure(session: Session, endpoint_id: int) -> SampleFailure | None:
    """Return the newest failure of the samples that the endpoint was asked for."""
    row = session.execute(
        select(Sample.first_tried_at, Sample.error, Sample.error_owner)
        .join(Run, Run.id == Sample.run_id)
        .where(Run.endpoint_id == endpoint_id, Sample.error.is_not(None))
        .order_by(Sample.first_tried_at.desc().nulls_last(), Sample.id.desc())
        .limit(1)
    ).first()
    return None if row is None else SampleFailure(row[0], row[1] or "", row[2] or "us")

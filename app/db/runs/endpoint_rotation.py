"""Rotation of endpoints: the order in which waiting endpoints are served."""

from collections import Counter
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import String, cast, func, or_, select, update

from app.db.kernel.leases import Lease
from app.db.kernel.session import Session
from app.db.runs import due_work
from app.db.tables import Endpoint, Model, Run
from app.domain.asking.urgency import Urgency, raise_urgency
from app.domain.states import RunState

_NEVER = datetime(1970, 1, 1, tzinfo=UTC)


def waiting_endpoints(session: Session, now: datetime, slots: int) -> list[int]:
    """Return the endpoints that are due and may be served now, in order.

    Endpoints whose last slice brought no answer come last, and hold at most a quarter of the `slots`. Among the others
    the most urgent comes first, and urgency rises with the wait (`urgency.risen`), but it gives no organisation more
    than a quarter of the slots. Ties go to the organisation with the fewest endpoints in service, then to the endpoint
    served longest ago.
    """
    due = {row.id: row.urgency for row in due_work.due_endpoints(session, now) if not row.local}
    if not due:
        return []
    whose = func.coalesce(cast(Model.organisation_id, String), func.nullif(Model.organisation_name, ""), Model.slug)
    facts = select(
        Endpoint.id, whose.label("whose"), Endpoint.silent_slices, Endpoint.served_at, Endpoint.due_since
    ).join(Model, Model.id == Endpoint.model_id)  # fmt: skip
    # A resting endpoint has a lease without a token.
    served = session.execute(
        facts.where(Endpoint.lease_until > now, Endpoint.lease_token.is_not(None), ~Endpoint.aside)
    ).all()
    shares = Counter(row.whose for row in served)
    share = max(1, slots // 4)
    room = sum(row.silent_slices > 0 for row in served) < share
    rows = [
        row for row in session.execute(facts.where(Endpoint.id.in_(due))) if room or not row.silent_slices
    ]  # fmt: skip
    place = {
        row.id: raise_urgency(due[row.id] if shares[row.whose] < share else max(Urgency), now - (row.due_since or now))
        for row in rows
    }
    rows.sort(
        key=lambda row: (row.silent_slices > 0, place[row.id], shares[row.whose], row.served_at or _NEVER, row.id)
    )
    return [row.id for row in rows]


def claim_endpoint(session: Session, endpoint_id: int, lease: Lease, now: datetime) -> Endpoint | None:
    """Lease an endpoint for one slice; None if another slice has it, it is stopped, or it has no address."""
    free = or_(Endpoint.lease_until.is_(None), Endpoint.lease_until <= now)
    return session.scalar(
        update(Endpoint)
        .where(Endpoint.id == endpoint_id, Endpoint.stopped_at.is_(None), Endpoint.weights.is_(None), free)
        .values(lease_token=lease.token, lease_until=lease.until, due_since=None, aside=False)
        .returning(Endpoint)
    )


def unwanted_runs(session: Session, endpoint_id: int, run_ids: set[int]) -> set[int]:
    """Return those of these runs that must not be asked: inactive ones, or all if the endpoint was stopped."""
    stopped = session.scalar(select(Endpoint.stopped_at).where(Endpoint.id == endpoint_id))
    if stopped is not None:
        return run_ids
    return set(session.scalars(select(Run.id).where(Run.id.in_(run_ids), Run.state != RunState.ACTIVE)))


def detach_slice(session: Session, endpoint_id: int, token: str) -> None:
    """Release the slot of an endpoint's slice; its lease stays until the calls under way have returned."""
    _update_leased(session, endpoint_id, token, aside=True)


def end_slice(
    session: Session, endpoint_id: int, token: str, now: datetime, *, answered: bool, rests_until: datetime | None
) -> None:
    """Release an endpoint after its slice; it is not served again before `rests_until`."""
    silent_slices = 0 if answered else Endpoint.silent_slices + 1
    _update_leased(
        session, endpoint_id, token, lease_token=None, lease_until=rests_until, aside=False, served_at=now,
        silent_slices=silent_slices,
    )  # fmt: skip


def return_endpoint(session: Session, endpoint_id: int, token: str) -> None:
    """Release an endpoint that was claimed but not served."""
    _update_leased(session, endpoint_id, token, lease_token=None, lease_until=None, aside=False)


def _update_leased(session: Session, endpoint_id: int, token: str, **facts: Any) -> None:
    session.execute(update(Endpoint).where(Endpoint.id == endpoint_id, Endpoint.lease_token == token).values(**facts))

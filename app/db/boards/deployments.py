"""Deployments: which endpoints are of one owner, by their hosts and by what gateways tell apart."""

from collections.abc import Mapping
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert

from app.db.kernel.session import Session
from app.db.tables import Endpoint, GatewayRow
from app.domain.vendors.gateways import SHIPPED_GATEWAYS, Deployment, Gateway, deployment_of


def gateways(session: Session) -> Mapping[str, Gateway]:
    """Return the shipped and the stated gateways by address; a stated one replaces a shipped one."""
    stated = session.scalars(select(GatewayRow))
    return {**SHIPPED_GATEWAYS, **{row.address: Gateway(row.address, row.path_segment) for row in stated}}


def stated_gateways(session: Session) -> list[GatewayRow]:
    """Return the gateways that maintainers stated, by address."""
    return list(session.scalars(select(GatewayRow).order_by(GatewayRow.address)))


def state_gateway(session: Session, gateway: Gateway, reason: str, actor: str, now: datetime) -> None:
    """Store a gateway, in place of what was stated of that address."""
    values = {"path_segment": gateway.path_segment, "reason": reason, "stated_by": actor, "stated_at": now}
    new = insert(GatewayRow).values(address=gateway.address, **values)
    session.execute(new.on_conflict_do_update(index_elements=["address"], set_=values))


def withdraw_gateway(session: Session, address: str) -> bool:
    """Delete what was stated of an address; return False if nothing was."""
    row = session.get(GatewayRow, address)
    if row is not None:
        session.delete(row)
        session.flush()
    return row is not None


def answering_endpoints(session: Session, known: Mapping[str, Gateway]) -> Mapping[Deployment, frozenset[int]]:
    """Return the endpoints that ever answered, whoever registered them, by where they are; `known` are the gateways.

    The others do not count: a vendor could take a rival's rank by having its address asked with a key that it refuses.
    """
    rows = session.execute(
        select(Endpoint.id, Endpoint.base_url, Endpoint.remote_name).where(
            Endpoint.answering_since.is_not(None), Endpoint.weights.is_(None), Endpoint.trusted.is_(False)
        )
    )
    places: dict[Deployment, set[int]] = {}
    for row in rows:
        places.setdefault(deployment_of(known, row.base_url, row.remote_name), set()).add(row.id)
    return {place: frozenset(ids) for place, ids in places.items()}

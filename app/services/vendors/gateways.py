"""Gateways as maintainers state them: hosts whose tenants do not expose one another."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from app.db.boards import deployments as store
from app.db.kernel import logs, revision
from app.db.kernel.session import Session
from app.domain.addresses import host_of
from app.domain.audit_reason import check_reason
from app.domain.errors import InvalidInput, NotFound
from app.domain.vendors.gateways import SHIPPED_GATEWAYS, Gateway


@dataclass(frozen=True, slots=True)
class StatedGateway:
    """A gateway, with why it is one; a shipped one has no reason and no date."""

    address: str
    path_segment: int | None
    reason: str | None
    stated_by: str | None
    stated_at: datetime | None


def list_gateways(session: Session) -> Sequence[StatedGateway]:
    """Return the shipped and the stated gateways, by address."""
    stated = [
        StatedGateway(row.address, row.path_segment, row.reason, row.stated_by, row.stated_at)
        for row in store.stated_gateways(session)
    ]
    replaced = {gateway.address for gateway in stated}
    shipped = [
        StatedGateway(gateway.address, gateway.path_segment, None, None, None)
        for gateway in SHIPPED_GATEWAYS.values()
        if gateway.address not in replaced
    ]
    return sorted((*stated, *shipped), key=lambda gateway: gateway.address)


def state_gateway(
    session: Session, url: str, path_segment: int | None, reason: str, now: datetime, actor: str = "operator"
) -> Gateway:
    """State that a host serves models of several vendors; boards then count by tenant, also what was sent before.

    Raises InvalidInput for a URL without a host, or a segment below 1.
    """
    gateway = Gateway(_address(url), path_segment)
    if path_segment is not None and path_segment < 1:
        raise InvalidInput(f"segments of a path are counted from 1, not {path_segment}")
    words = check_reason(reason)
    store.state_gateway(session, gateway, words, actor, now)
    after = {"path_segment": path_segment}
    logs.write_audit(session, now, actor, "gateway.stated", gateway.address, words, after=after)
    logs.write_ledger(session, now, "gateway.stated", gateway.address, words, after=after)
    revision.mark_axes_changed(session)
    return gateway


def withdraw_gateway(session: Session, url: str, reason: str, now: datetime, actor: str = "operator") -> str:
    """Withdraw a statement: the host is one deployment again. Raises NotFound if nothing was stated of it."""
    address, words = _address(url), check_reason(reason)
    if not store.withdraw_gateway(session, address):
        raise NotFound(f"{address} was not stated as a gateway; `./tidemark gateway list` lists those that are")
    logs.write_audit(session, now, actor, "gateway.withdrawn", address, words)
    logs.write_ledger(session, now, "gateway.withdrawn", address, words)
    revision.mark_axes_changed(session)
    return address


def _address(url: str) -> str:
    address = host_of(url if "://" in url else f"https://{url}")
    if not address:
        raise InvalidInput(f"{url!r} has no host: give a URL such as https://gateway.example.com")
    return address

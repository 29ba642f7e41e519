"""API keys of an organisation in its console: made, rotated and ended, and the addresses from which they work."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from ipaddress import ip_network
from typing import Final

from app.db.kernel import logs
from app.db.kernel.session import Session
from app.db.operations import access as store
from app.db.tables import ApiKey
from app.domain.errors import Conflict, InvalidInput, NotFound
from app.domain.reasons import Reason
from app.domain.states import MemberRole
from app.services.operations import access
from app.services.operations.access import MAX_KEY_DAYS, KeyScope
from app.services.vendors.console.sign_in import ConsoleMember

MAX_KEYS: Final = 50  # live ones of an organisation
MAX_NETWORKS: Final = 50  # of a key
OVERLAP: Final = timedelta(days=7)  # in which a rotated key and its successor both work
_MAX_NAME_CHARS: Final = 100


@dataclass(frozen=True, slots=True)
class KeyLine:
    """A key of an organisation, without its secret."""

    prefix: str
    name: str | None
    scopes: tuple[str, ...]
    networks: tuple[str, ...]
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None
    revoked_at: datetime | None
    is_live: bool


@dataclass(frozen=True, slots=True)
class NewKey:
    """A key to be created. `networks` are IP addresses or networks such as 203.0.113.0/24; none means all."""

    name: str
    scopes: tuple[str, ...]
    days: int
    networks: tuple[str, ...] = ()


def list_keys(session: Session, who: ConsoleMember, now: datetime) -> list[KeyLine]:
    """Return the keys of the own organisation, the newest first."""
    who.require(MemberRole.VIEWER)
    return [
        KeyLine(
            row.prefix, row.name, tuple(row.scopes), tuple(row.networks or ()), row.created_at, row.expires_at,
            row.last_used_at, row.revoked_at, _is_live(row, now),
        )
        for row in store.keys_of(session, who.organisation_id)
    ]  # fmt: skip


def create_key(session: Session, who: ConsoleMember, new: NewKey, now: datetime) -> str:
    """Return a new key of the own organisation, shown once. Raises InvalidInput, Conflict, Forbidden."""
    who.require(MemberRole.OWNER)
    try:
        scopes = sorted({KeyScope(scope) for scope in new.scopes})
    except ValueError as unknown:
        raise InvalidInput(f"{unknown}; known: {', '.join(KeyScope)}", pointer="/scopes") from unknown
    if not scopes:
        raise InvalidInput("choose at least one scope", pointer="/scopes")
    if not 1 <= new.days <= MAX_KEY_DAYS:
        raise InvalidInput(f"a key must be valid for 1 to {MAX_KEY_DAYS} days, not {new.days}", pointer="/days")
    name = new.name.strip()
    if not name or len(name) > _MAX_NAME_CHARS or not name.isprintable():
        raise InvalidInput(f"give the key a name of 1 to {_MAX_NAME_CHARS} printable characters", pointer="/name")
    networks = _read_networks(new.networks)
    _check_room(session, who, now)
    expires_at = now + timedelta(days=new.days)
    key = access.add_key(session, who.organisation_id, scopes, now, expires_at, name=name, networks=networks)
    _record(session, who, "key.issued", key.split("_")[1], now, after=list(scopes))
    return key


def rotate_key(session: Session, who: ConsoleMember, prefix: str, now: datetime) -> str:
    """Return a successor of a key with its name, scopes, list of addresses and lifetime; the old one works a week more.

    Raises NotFound, Forbidden, and Conflict for a key that does not work any more.
    """
    row = _find_own(session, who, prefix)
    if not _is_live(row, now):
        raise Conflict(f"the key {prefix} has been revoked or has expired: create a new one")
    _check_room(session, who, now)
    lifetime = None if row.expires_at is None else row.expires_at - row.created_at
    key = access.add_key(
        session, who.organisation_id, [KeyScope(scope) for scope in row.scopes], now,
        None if lifetime is None else now + lifetime, name=row.name, networks=row.networks or (),
    )  # fmt: skip
    row.expires_at = min(row.expires_at or now + OVERLAP, now + OVERLAP)
    _record(session, who, "key.rotated", prefix, now, after=key.split("_")[1])
    return key


def expire_key(session: Session, who: ConsoleMember, prefix: str, now: datetime) -> None:
    """End a key of the own organisation at once. Raises NotFound, Forbidden."""
    row = _find_own(session, who, prefix)
    row.revoked_at = row.revoked_at or now
    _record(session, who, "key.revoked", prefix, now)


def set_networks(session: Session, who: ConsoleMember, prefix: str, networks: Iterable[str], now: datetime) -> None:
    """Change the addresses from which a key works; none means all. Raises NotFound, InvalidInput, Forbidden."""
    row = _find_own(session, who, prefix)
    before, read = row.networks, _read_networks(networks)
    row.networks = read or None
    _record(session, who, "key.networks", prefix, now, before=before, after=read)


def _find_own(session: Session, who: ConsoleMember, prefix: str) -> ApiKey:
    who.require(MemberRole.OWNER)
    row = store.lock_own_key(session, who.organisation_id, prefix) if prefix.isprintable() else None
    if row is None:
        raise NotFound("your organisation has no such key")
    return row


def _is_live(row: ApiKey, now: datetime) -> bool:
    return row.revoked_at is None and (row.expires_at is None or row.expires_at > now)


def _check_room(session: Session, who: ConsoleMember, now: datetime) -> None:
    if sum(_is_live(row, now) for row in store.keys_of(session, who.organisation_id, lock=True)) >= MAX_KEYS:
        raise Conflict(f"your organisation has {MAX_KEYS} keys that work: expire one first")


def _read_networks(networks: Iterable[str]) -> list[str]:
    read = []
    for text in networks:
        try:
            read.append(str(ip_network(text.strip(), strict=False)))
        except ValueError as bad:
            raise InvalidInput(
                f"{text.strip()!r} is no IP address or network: give one such as 203.0.113.7 or 2001:db8::/32",
                pointer="/networks",
            ) from bad
    if len(read) > MAX_NETWORKS:
        raise InvalidInput(f"a key's list holds at most {MAX_NETWORKS} networks, not {len(read)}", pointer="/networks")
    return list(dict.fromkeys(read))


def _record(
    session: Session, who: ConsoleMember, action: str, subject: str, now: datetime,
    before: list[str] | None = None, after: list[str] | str | None = None,
) -> None:  # fmt: skip
    logs.write_audit(
        session, now, f"member:{who.member_id}", action, subject, Reason("console"), before=before, after=after
    )

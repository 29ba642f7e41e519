"""Endpoint secrets: encrypted at rest, opened only to make a request; and what there is to say when the key is lost."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from cryptography.fernet import Fernet, InvalidToken

from app.db.kernel import logs
from app.db.kernel.session import Session
from app.db.operations import heartbeats
from app.db.runs import models
from app.domain.errors import NothingThere, Unavailable


class Vault:
    """Encrypts and opens secrets with one key (32 bytes, URL-safe base64); without a key it does neither.

    `holds`: whether its process is one that is to have a key.
    """

    def __init__(self, key: bytes | None, *, holds: bool = True) -> None:
        self.holds = holds
        self._fernet: Fernet | None = None
        self._opened: set[bytes] = set()
        try:
            self._fernet = None if key is None else Fernet(key)
        except ValueError:  # what lies there is no key any more
            return

    @property
    def has_key(self) -> bool:
        """Whether there is a key, be it the right one or not."""
        return self._fernet is not None

    def seal(self, secret: str) -> bytes:
        """Ciphertext fit for the database. Raises Unavailable without a key."""
        if self._fernet is None:
            raise Unavailable("secrets cannot be kept at the moment: our key is missing, and we have been told")
        return self._fernet.encrypt(secret.encode())

    def open(self, sealed: bytes) -> str:
        """The secret. Raises Unavailable when the key is missing or not the one it was sealed with."""
        try:
            if self._fernet is None:
                raise Unavailable("our secret key is missing")
            return self._fernet.decrypt(sealed).decode()
        except InvalidToken as wrong:
            raise Unavailable("an endpoint secret was sealed with another key than ours") from wrong

    def opens(self, sealed: bytes) -> bool:
        """Whether a secret can be opened; what could be once is not tried again."""
        if sealed not in self._opened:
            try:
                self.open(sealed)
            except Unavailable:
                return False
            self._opened.add(sealed)
        return True


@dataclass(frozen=True, slots=True)
class Lost:
    """Endpoints that cannot be asked because our key does not open their secrets, and what an operator can do."""

    endpoints: frozenset[int]
    reason: str


def lost(session: Session, vault: Vault) -> Lost | None:
    """The endpoints whose secrets our key does not open; None while it opens all. Never a vendor's fault."""
    closed = frozenset(number for number, sealed in models.sealed_secrets(session) if not vault.opens(sealed))
    if not closed:
        return None
    what = "is not the one that they were sealed with" if vault.has_key else "is missing or damaged"
    return Lost(
        closed,
        f"the secrets of {len(closed)} endpoints cannot be opened, because the secret key {what}: "
        "put secret.key (or TIDEMARK_SECRET_KEY) back from a backup and start again",
    )


def word(session: Session, vault: Vault) -> dict[str, Any]:
    """What an inference worker says of its key with its heartbeat, for services that hold none."""
    found = lost(session, vault)
    return {"closed": None if found is None else {"endpoints": sorted(found.endpoints), "reason": found.reason}}


def lost_as_told(session: Session, vault: Vault) -> Lost | None:
    """`lost` for a service that may hold no key: then the last word of inference workers counts.

    Before they have said one, a service that is to have no key misses none.
    """
    told = None if vault.has_key else heartbeats.last_detail(session, "infer")
    if told is None or "closed" not in told:
        return lost(session, vault) if vault.holds else None
    closed = told["closed"]
    return None if closed is None else Lost(frozenset(closed["endpoints"]), closed["reason"])


def refuse_while_lost(session: Session, vault: Vault) -> None:
    """Raise Unavailable where a secret would be sealed with another key than the ones that are here."""
    if lost(session, vault) is not None:
        raise Unavailable("secrets cannot be kept at the moment: our key is not the right one, and we have been told")


def give_up(session: Session, vault: Vault, actor: str, reason: str, now: datetime) -> int:
    """Forget secrets that cannot be opened, where no backup of the key is left; returns how many.

    Their endpoints are stopped until they are registered again. Raises NothingThere where every secret can be opened.
    """
    closed = lost(session, vault)
    if closed is None:
        raise NothingThere("every endpoint secret can be opened")
    models.forget_secrets(session, closed.endpoints, "its secret was lost with our key; register it again", now)
    logs.audit(session, now, actor, "secrets.forget", f"{len(closed.endpoints)} endpoints", reason)
    return len(closed.endpoints)


def new_key() -> bytes:
    """A fresh key."""
    return Fernet.generate_key()

"""Endpoint secrets: encrypted at rest, opened only to make a request; and the state when the key is lost."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from cryptography.fernet import Fernet, InvalidToken

from app.db.kernel import logs
from app.db.kernel.session import Session
from app.db.operations import heartbeats
from app.db.runs import models
from app.domain.audit_reason import check_reason
from app.domain.errors import NoObjects, Unavailable
from app.domain.reasons import Reason, reason_from_json, reason_to_json, text_reason


class Vault:
    """Encryption of secrets with one key (32 bytes, URL-safe base64); without a key it opens and seals nothing.

    `holds` is True if its process is meant to have a key.
    """

    def __init__(self, key: bytes | None, *, holds: bool = True) -> None:
        self.holds = holds
        self._fernet: Fernet | None = None
        self._opened: set[bytes] = set()
        try:
            self._fernet = None if key is None else Fernet(key)
        except ValueError:  # the stored key is damaged
            return

    @property
    def has_key(self) -> bool:
        """True if there is a key, right or wrong."""
        return self._fernet is not None

    def seal(self, secret: str) -> bytes:
        """Return ciphertext for the database. Raises Unavailable without a key."""
        if self._fernet is None:
            raise Unavailable("secrets cannot be stored at the moment: our key is missing, and we have been notified")
        return self._fernet.encrypt(secret.encode())

    def open(self, sealed: bytes) -> str:
        """Return the secret. Raises Unavailable when the key is missing or not the one it was sealed with."""
        try:
            if self._fernet is None:
                raise Unavailable("our secret key is missing")
            return self._fernet.decrypt(sealed).decode()
        except InvalidToken as wrong:
            raise Unavailable("an endpoint secret was sealed with another key than ours") from wrong

    def opens(self, sealed: bytes) -> bool:
        """Return True if a secret can be opened; a success is remembered."""
        if sealed not in self._opened:
            try:
                self.open(sealed)
            except Unavailable:
                return False
            self._opened.add(sealed)
        return True


@dataclass(frozen=True, slots=True)
class LostSecrets:
    """Endpoints that cannot be asked because our key does not open their secrets, and a remedy for the operator."""

    endpoints: frozenset[int]
    reason: Reason


def find_lost(session: Session, vault: Vault) -> LostSecrets | None:
    """Return the endpoints whose secrets our key does not open; None while it opens all. Never a vendor's fault."""
    closed = frozenset(number for number, sealed in models.sealed_secrets(session) if not vault.opens(sealed))
    if not closed:
        return None
    return LostSecrets(closed, Reason("key_differs" if vault.has_key else "key_missing", {"n": len(closed)}))


def key_report(session: Session, vault: Vault) -> dict[str, Any]:
    """Return an inference worker's report on its key, sent with its heartbeat for services that hold none."""
    unopened = find_lost(session, vault)
    if unopened is None:
        return {"closed": None}
    return {"closed": {"endpoints": sorted(unopened.endpoints), "reason": reason_to_json(unopened.reason)}}


def reported_lost(session: Session, vault: Vault) -> LostSecrets | None:
    """Return the endpoints that cannot be asked, for a service that may hold no key: inference workers report them.

    Before the first report, a service that is meant to have no key misses none.
    """
    report = None if vault.has_key else heartbeats.last_detail(session, "infer")
    if report is None or "closed" not in report:
        return find_lost(session, vault) if vault.holds else None
    closed = report["closed"]
    if closed is None:
        return None
    return LostSecrets(frozenset(closed["endpoints"]), text_reason(reason_from_json(closed["reason"])))


def refuse_while_lost(session: Session, vault: Vault) -> None:
    """Raise Unavailable if a secret would be sealed with another key than the stored ones."""
    if find_lost(session, vault) is not None:
        raise Unavailable(
            "secrets cannot be stored at the moment: our key is not the right one, and we have been notified"
        )


def forget_lost(session: Session, vault: Vault, actor: str, reason: str, now: datetime) -> int:
    """Forget secrets that cannot be opened, when no backup of the key is left; return their number.

    Their endpoints are stopped until they are registered again. Raises NoObjects if every secret can be opened.
    """
    closed = find_lost(session, vault)
    if closed is None:
        raise NoObjects("every endpoint secret can be opened")
    models.forget_secrets(session, closed.endpoints, Reason("secret_lost"), now)
    logs.write_audit(session, now, actor, "secrets.forget", f"{len(closed.endpoints)} endpoints", check_reason(reason))
    return len(closed.endpoints)


def new_key() -> bytes:
    """Return a fresh key."""
    return Fernet.generate_key()

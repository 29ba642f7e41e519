"""Access: one-time links and browser sessions for people, scoped keys for programs."""

import hashlib
import hmac
import re
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from app.db.kernel import logs
from app.db.kernel.session import Session
from app.db.operations import access as store
from app.db.runs import runs as run_store
from app.db.tables import ApiKey, LoginLink, UserRole, WebSession
from app.domain.addresses import is_within
from app.domain.audit_reason import check_reason
from app.domain.errors import Conflict, Forbidden, InvalidInput, NotAuthenticated, NotFound
from app.domain.reasons import Reason
from app.services.vendors import names
from app.services.vendors.console import sign_in

LINK_LIFETIME = timedelta(hours=24)
SESSION_LIFETIME = timedelta(days=14)
REPEAT_LIFETIME = timedelta(hours=48)  # a request with the same Idempotency-Key gets the same response
MAX_KEY_DAYS = 3650
FIRST_MAINTAINER = "maintainer@localhost"
_EMAIL = re.compile(r"[^@\s]{1,100}@[A-Za-z0-9.-]{1,150}")
_SLUG = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")


class KeyScope(StrEnum):
    """A permission of a key."""

    MODELS_WRITE = "models:write"
    ENDPOINTS_WRITE = "endpoints:write"
    SUBMISSIONS_WRITE = "submissions:write"
    SUBMISSIONS_READ = "submissions:read"
    WEBHOOKS_WRITE = "webhooks:write"


@dataclass(frozen=True, slots=True)
class SessionToken:
    """Session that a browser gets on signing in; `token` is shown once, to its cookie."""

    token: str
    csrf: str
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class SignedInUser:
    """A signed-in person."""

    user_id: int
    email: str
    role: UserRole
    csrf: str


@dataclass(frozen=True, slots=True)
class KeyHolder:
    """The organisation that a valid key speaks for."""

    organisation_id: int
    scopes: frozenset[KeyScope]
    prefix: str


def _sha256(secret: str) -> str:
    # Tokens and keys are 256 random bits: a plain hash cannot be inverted, and needs no salt.
    return hashlib.sha256(secret.encode()).hexdigest()


def issue_login_link(
    session: Session, now: datetime, email: str = FIRST_MAINTAINER, member_of: str | None = None
) -> str:
    """Return a token that signs a maintainer in once; a new person becomes one.

    `member_of` is the slug of the person's organisation, on whose models other maintainers decide. Raises InvalidInput
    for an impossible address, Conflict for a vendor's, and NotFound for an unknown organisation.
    """
    if not (_EMAIL.fullmatch(email) and email.isprintable()):
        raise InvalidInput("a maintainer needs an e-mail address, such as ada@example.org", pointer="/email")
    user = store.ensure_user(session, email.lower(), UserRole.MAINTAINER)
    if user.role != UserRole.MAINTAINER:
        raise Conflict(f"{email} belongs to a vendor account")
    if member_of is not None:
        user.organisation_id = _organisation(session, member_of)
        logs.write_audit(session, now, "system", "member.of", email, "said on the command line", after=member_of)
    token = secrets.token_urlsafe(32)
    session.add(LoginLink(token_sha256=_sha256(token), user_id=user.id, expires_at=now + LINK_LIFETIME))
    logs.write_audit(session, now, "system", "login_link.issued", email, Reason("asked_for"))
    return token


def _organisation(session: Session, slug: str) -> int:
    organisation_id = store.organisation(session, slug)
    if organisation_id is None:
        raise NotFound(f"there is no organisation {slug}")
    return organisation_id


def redeem_link(session: Session, token: str, now: datetime) -> SessionToken:
    """Trade a one-time link for a browser session. Raises NotAuthenticated when it is unknown, used or expired."""
    user = store.use_link(session, _sha256(token), now)
    if user is None:
        raise NotAuthenticated("this link has been used or has expired")
    session_token = SessionToken(secrets.token_urlsafe(32), secrets.token_urlsafe(32), now + SESSION_LIFETIME)
    session.add(
        WebSession(
            token_sha256=_sha256(session_token.token),
            user_id=user.id,
            csrf_token=session_token.csrf,
            expires_at=session_token.expires_at,
        )
    )
    logs.write_audit(session, now, user.email, "session.opened", user.email, Reason("one_time"))
    return session_token


def delete_expired(session: Session, now: datetime) -> None:
    """Delete used and expired links and invitations, ended sessions, and stored responses that are too old."""
    store.delete_expired(session, now, now - REPEAT_LIFETIME)
    sign_in.delete_expired(session, now)


def find_session(session: Session, token: str | None, now: datetime) -> SignedInUser | None:
    """Return the person behind a cookie, or None."""
    pair = store.find_session(session, _sha256(token), now) if token else None
    if pair is None:
        return None
    user, web_session = pair
    return SignedInUser(user.id, user.email, UserRole(user.role), web_session.csrf_token)


def sign_out(session: Session, token: str) -> None:
    """End a browser session."""
    store.end_session(session, _sha256(token))


def issue_key(
    session: Session, organisation: str, scopes: Iterable[str], now: datetime, *, days: int | None = 365
) -> str:
    """Return a new key `tm_<prefix>_<secret>` for an organisation, shown once.

    Raises InvalidInput on an unknown scope, and Conflict for a new organisation that looks like another.
    """
    try:
        granted = sorted({KeyScope(scope) for scope in scopes})
    except ValueError as unknown:
        raise InvalidInput(f"{unknown}; known: {', '.join(KeyScope)}", pointer="/scopes") from unknown
    if not _SLUG.fullmatch(organisation):
        raise InvalidInput(
            "an organisation's slug must have 1 to 64 characters a-z, 0-9 and -, and must not start with -"
        )
    if days is not None and not 1 <= days <= MAX_KEY_DAYS:
        raise InvalidInput(f"a key must be valid for 1 to {MAX_KEY_DAYS} days")
    if store.organisation(session, organisation) is None:
        names.check_organisation(session, organisation)
    owner = run_store.ensure_organisation(session, organisation, organisation)
    key = add_key(session, owner.id, granted, now, None if days is None else now + timedelta(days=days))
    prefix = key.split("_")[1]
    logs.write_audit(session, now, "operator", "key.issued", prefix, f"for {organisation}", after=list(granted))
    return key


def add_key(
    session: Session, organisation_id: int, scopes: Iterable[KeyScope], now: datetime, expires_at: datetime | None,
    *, name: str | None = None, networks: Iterable[str] = (),
) -> str:  # fmt: skip
    """Return a new key of an organisation; only its hash is stored. With `networks` it works from those alone."""
    prefix, secret = secrets.token_hex(6), secrets.token_urlsafe(32)
    session.add(
        ApiKey(
            prefix=prefix,
            secret_sha256=_sha256(secret),
            organisation_id=organisation_id,
            scopes=list(scopes),
            created_at=now,
            expires_at=expires_at,
            name=name,
            networks=list(networks) or None,
        )
    )
    return f"tm_{prefix}_{secret}"


def revoke_key(session: Session, prefix: str, reason: str, now: datetime) -> None:
    """End a key at once. Raises NotFound."""
    key = store.find_key(session, prefix)
    if key is None:
        raise NotFound(f"there is no key {prefix}")
    key.revoked_at = key.revoked_at or now
    logs.write_audit(session, now, "operator", "key.revoked", prefix, check_reason(reason))


def check_key(session: Session, key: str, scope: KeyScope, now: datetime, host: str | None = None) -> KeyHolder:
    """Return the organisation that the key speaks for; `host` is the IP address that sent it.

    Raises NotAuthenticated for a bad key, Forbidden for a missing scope or an address that the key's list lacks.
    """
    kind, _, rest = key.partition("_")
    prefix, _, secret = rest.partition("_")
    row = store.find_key(session, prefix) if kind == "tm" and secret else None
    # Compared even when there is no such key, so that timing reveals nothing.
    good = hmac.compare_digest(_sha256(secret), row.secret_sha256 if row else _sha256("no such key"))
    if row is None or not good:
        raise NotAuthenticated("the API key is not valid")
    if row.revoked_at is not None or (row.expires_at is not None and row.expires_at <= now):
        raise NotAuthenticated("the API key has been revoked or has expired")
    if row.networks is not None and not is_within(host, row.networks):
        raise Forbidden(f"the API key may not be used from the address {host or 'of this request'}")
    row.last_used_at = now
    if scope not in row.scopes:
        raise Forbidden(f"the API key lacks the scope {scope}")
    return KeyHolder(row.organisation_id, frozenset(KeyScope(scope) for scope in row.scopes), row.prefix)

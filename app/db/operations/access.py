"""Users, sessions and keys: only hashes of credentials are stored."""

from datetime import datetime

from psycopg.errors import LockNotAvailable
from sqlalchemy import delete, func, or_, select, true, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import OperationalError

from app.db.kernel.session import Session
from app.db.tables import ApiKey, IdempotencyRow, LoginLink, Organisation, User, UserRole, WebSession


def ensure_user(session: Session, email: str, role: UserRole) -> User:
    """Return the user with that e-mail address, created if needed."""
    session.execute(insert(User).values(email=email, role=role).on_conflict_do_nothing())
    return session.scalars(select(User).where(User.email == email)).one()


def organisation(session: Session, slug: str) -> int | None:
    """Return the id of the organisation with that slug."""
    return session.scalar(select(Organisation.id).where(Organisation.slug == slug))


def use_link(session: Session, token_sha256: str, now: datetime) -> User | None:
    """Mark a login link as used and return its user; None if it is unknown, used or expired."""
    user_id = session.scalar(
        update(LoginLink)
        .where(LoginLink.token_sha256 == token_sha256, LoginLink.used_at.is_(None), LoginLink.expires_at > now)
        .values(used_at=now)
        .returning(LoginLink.user_id)
    )
    return None if user_id is None else session.get(User, user_id)


def find_session(session: Session, token_sha256: str, now: datetime) -> tuple[User, WebSession] | None:
    """Return the user and session of a browser's cookie."""
    row = session.execute(
        select(User, WebSession)
        .join(User, User.id == WebSession.user_id)
        .where(WebSession.token_sha256 == token_sha256, WebSession.expires_at > now)
    ).first()
    return None if row is None else (row[0], row[1])


def end_session(session: Session, token_sha256: str) -> None:
    """Sign a browser out."""
    session.execute(delete(WebSession).where(WebSession.token_sha256 == token_sha256))


def delete_expired(session: Session, now: datetime, answers_before: datetime) -> None:
    """Delete used or expired links, expired sessions, and idempotency responses from before `answers_before`."""
    session.execute(delete(LoginLink).where(or_(LoginLink.used_at.is_not(None), LoginLink.expires_at <= now)))
    session.execute(delete(WebSession).where(WebSession.expires_at <= now))
    session.execute(delete(IdempotencyRow).where(IdempotencyRow.created_at < answers_before))


def find_key(session: Session, prefix: str) -> ApiKey | None:
    """Return the API key with that prefix, whatever its state."""
    return session.scalar(select(ApiKey).where(ApiKey.prefix == prefix))


def lock_key(session: Session, organisation_id: int, key: str, wait_ms: int) -> bool:
    """Lock an organisation's Idempotency-Key until the transaction ends, and return False if it stays locked."""
    name = func.hashtextextended(f"idempotency:{organisation_id}:{key}", 0)
    limit = session.scalar(select(func.current_setting("lock_timeout")))
    session.execute(select(func.set_config("lock_timeout", f"{wait_ms}ms", true())))
    try:
        session.execute(select(func.pg_advisory_xact_lock(name)))
    except OperationalError as error:
        if isinstance(error.orig, LockNotAvailable):
            return False
        raise
    session.execute(select(func.set_config("lock_timeout", limit, true())))
    return True


def keys_of(session: Session, organisation_id: int, *, lock: bool = False) -> list[ApiKey]:
    """Return an organisation's keys, the newest first; with `lock`, no other transaction adds one meanwhile."""
    if lock:
        session.get_one(Organisation, organisation_id, with_for_update={"key_share": True})
    return list(
        session.scalars(select(ApiKey).where(ApiKey.organisation_id == organisation_id).order_by(ApiKey.id.desc()))
    )


def lock_own_key(session: Session, organisation_id: int, prefix: str) -> ApiKey | None:
    """Return a key of this organisation as it is now, locked against concurrent changes."""
    return session.scalar(
        select(ApiKey)
        .where(ApiKey.prefix == prefix, ApiKey.organisation_id == organisation_id)
        .with_for_update()
        .execution_options(populate_existing=True)
    )


def stored_response(session: Session, organisation_id: int, key: str) -> IdempotencyRow | None:
    """Return the response stored under a key."""
    return session.get(IdempotencyRow, (organisation_id, key))

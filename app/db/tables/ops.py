"""Tables of users and access, audit entries, alerts and worker health."""

from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import JSON, ForeignKey, Index, UniqueConstraint, text
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.types import Text

from app.db.tables.base import Base, BigId, Json, RuleReason, StoredReason, one_of


class UserRole(StrEnum):
    """Role of a user."""

    MAINTAINER = "maintainer"
    VENDOR = "vendor"


class User(Base):
    """A person. Maintainers decide nothing about the models of their own organisation; most have none."""

    __tablename__ = "users"
    __table_args__ = (UniqueConstraint("email"), one_of("role", UserRole))

    id: Mapped[BigId]
    email: Mapped[str]
    role: Mapped[str]
    organisation_id: Mapped[int | None] = mapped_column(ForeignKey("organisations.id"))
    created_at: Mapped[datetime] = mapped_column(server_default=text("now()"))


class LoginLink(Base):
    """A link that signs a person in once; only its hash is stored."""

    __tablename__ = "login_links"

    token_sha256: Mapped[str] = mapped_column(primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"))
    expires_at: Mapped[datetime]
    used_at: Mapped[datetime | None]


class WebSession(Base):
    """A signed-in browser; only the hash of its cookie is stored."""

    __tablename__ = "web_sessions"

    token_sha256: Mapped[str] = mapped_column(primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"))
    csrf_token: Mapped[str]
    expires_at: Mapped[datetime]


class ApiKey(Base):
    """An API key, shown once; found by prefix, verified by hash, limited by scopes and, if it has any, `networks`."""

    __tablename__ = "api_keys"
    __table_args__ = (UniqueConstraint("prefix"),)

    id: Mapped[BigId]
    prefix: Mapped[str]
    secret_sha256: Mapped[str]
    organisation_id: Mapped[int] = mapped_column(ForeignKey("organisations.id"), index=True)
    scopes: Mapped[list[str]] = mapped_column(ARRAY(Text))
    created_at: Mapped[datetime]
    expires_at: Mapped[datetime | None]
    last_used_at: Mapped[datetime | None]
    revoked_at: Mapped[datetime | None]
    name: Mapped[str | None]
    networks: Mapped[list[str] | None] = mapped_column(ARRAY(Text))


class IdempotencyRow(Base):
    """The stored response of a POST: the same key and body get the same response again."""

    __tablename__ = "idempotency"

    organisation_id: Mapped[int] = mapped_column(ForeignKey("organisations.id"), primary_key=True)
    key: Mapped[str] = mapped_column(primary_key=True)
    request_sha256: Mapped[str]
    status: Mapped[int]
    body: Mapped[dict[str, Any]] = mapped_column(JSON)  # keeps the order of the fields, unlike JSONB
    created_at: Mapped[datetime]


class Heartbeat(Base):
    """A worker's last report, written from its task path: alive means doing tasks, not being a process."""

    __tablename__ = "heartbeats"

    worker: Mapped[str] = mapped_column(primary_key=True)
    queue: Mapped[str]
    at: Mapped[datetime]
    detail: Mapped[Json] = mapped_column(server_default=text("'{}'::jsonb"))


class ClockTick(Base):
    """A scheduled moment that was acted on: a job runs once per moment.

    `done_at` is set when the job succeeded at that moment or later; `failure` is why it has not yet.
    """

    __tablename__ = "clock_ticks"

    job: Mapped[str] = mapped_column(primary_key=True)
    scheduled_at: Mapped[datetime] = mapped_column(primary_key=True)
    begun_at: Mapped[datetime | None]
    done_at: Mapped[datetime | None]
    failure: Mapped[str | None]


class Alert(Base):
    """A problem for maintainers, reported once: raised, sent, and cleared when its cause is gone."""

    __tablename__ = "alerts"
    __table_args__ = (Index("uq_alerts_key", "key", unique=True, postgresql_where=text("cleared_at IS NULL")),)

    id: Mapped[BigId]
    key: Mapped[str]
    message: Mapped[RuleReason]
    raised_at: Mapped[datetime]
    cleared_at: Mapped[datetime | None]
    told_at: Mapped[datetime | None]
    snoozed_until: Mapped[datetime | None]


class AuditEntry(Base):
    """An operator's write with its reason, stored in the same transaction."""

    __tablename__ = "audit_log"

    id: Mapped[BigId]
    at: Mapped[datetime]
    actor: Mapped[str]
    action: Mapped[str]
    subject: Mapped[str]
    reason: Mapped[StoredReason]
    before: Mapped[Any | None] = mapped_column(JSONB)
    after: Mapped[Any | None] = mapped_column(JSONB)

"""Tables of the vendors' console: members of organisations, their sessions and invitations, and sign-in attempts."""

from datetime import datetime

from sqlalchemy import ForeignKey, Index, UniqueConstraint, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.types import Text

from app.db.tables.base import Base, BigId, one_of
from app.domain.states import MemberRole

_NO_TEXTS = text("'{}'::text[]")


class VendorMember(Base):
    """A person of a vendor's organisation; the same address may belong to members of several.

    The secret of the second factor is sealed, and of recovery codes only hashes are stored. `totp_step` is the last
    time step whose code was used. From the addresses in `known_visitors` the member signed in lately.
    """

    __tablename__ = "vendor_members"
    __table_args__ = (
        one_of("role", MemberRole),
        Index(
            "uq_vendor_members_email",
            "organisation_id",
            "email",
            unique=True,
            postgresql_where=text("removed_at IS NULL"),
        ),
    )

    id: Mapped[BigId]
    organisation_id: Mapped[int] = mapped_column(ForeignKey("organisations.id"), index=True)
    email: Mapped[str]
    role: Mapped[str]
    password_hash: Mapped[str]
    totp_sealed: Mapped[bytes | None]
    totp_confirmed_at: Mapped[datetime | None]
    totp_step: Mapped[int | None]
    recovery_sha256: Mapped[list[str]] = mapped_column(ARRAY(Text), server_default=_NO_TEXTS)
    known_visitors: Mapped[list[str]] = mapped_column(ARRAY(Text), server_default=_NO_TEXTS)
    created_at: Mapped[datetime]
    removed_at: Mapped[datetime | None]


class VendorSession(Base):
    """A browser that is signed in to the console; only the hash of its cookie is stored.

    Until the second factor is set up, a session is not `complete` and opens only the page that does so.
    """

    __tablename__ = "vendor_sessions"
    __table_args__ = (UniqueConstraint("token_sha256"),)

    id: Mapped[BigId]
    token_sha256: Mapped[str]
    member_id: Mapped[int] = mapped_column(ForeignKey("vendor_members.id"), index=True)
    csrf_token: Mapped[str]
    complete: Mapped[bool]
    created_at: Mapped[datetime]
    seen_at: Mapped[datetime]
    expires_at: Mapped[datetime]
    visitor: Mapped[str | None]
    agent: Mapped[str | None]


class VendorInvitation(Base):
    """An invitation to an organisation, used once; only the hash of its link is stored."""

    __tablename__ = "vendor_invitations"
    __table_args__ = (UniqueConstraint("token_sha256"), one_of("role", MemberRole))

    id: Mapped[BigId]
    token_sha256: Mapped[str]
    organisation_id: Mapped[int] = mapped_column(ForeignKey("organisations.id"), index=True)
    email: Mapped[str]
    role: Mapped[str]
    invited_by: Mapped[str]
    created_at: Mapped[datetime]
    expires_at: Mapped[datetime]
    used_at: Mapped[datetime | None]


class SignInAttempt(Base):
    """Attempts to sign in since the last success, by subject: an account, a visitor, or the two together.

    A subject is a hash, so that addresses of people who have no account are not stored.
    """

    __tablename__ = "sign_in_attempts"

    subject: Mapped[str] = mapped_column(primary_key=True)
    count: Mapped[int]
    last_at: Mapped[datetime]
    blocked_until: Mapped[datetime | None]

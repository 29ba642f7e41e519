"""The vendors' console: members, sessions, invitations, sign-in attempts; names and address lists of keys."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import ARRAY

revision: str = "0077"
down_revision: str | None = "0076"

_TIME = sa.DateTime(timezone=True)
_ROLES = "role IN ('owner', 'member', 'viewer')"


def _number() -> sa.Column[int]:
    return sa.Column("id", sa.BigInteger, sa.Identity(), primary_key=True)


def upgrade() -> None:
    """Nobody is a member yet; keys of before have no name and may be used from every address."""
    op.create_table(
        "vendor_members",
        _number(),
        sa.Column("organisation_id", sa.BigInteger, sa.ForeignKey("organisations.id"), nullable=False),
        sa.Column("email", sa.Text, nullable=False),
        sa.Column("role", sa.Text, nullable=False),
        sa.Column("password_hash", sa.Text, nullable=False),
        sa.Column("totp_sealed", sa.LargeBinary),
        sa.Column("totp_confirmed_at", _TIME),
        sa.Column("totp_step", sa.BigInteger),
        sa.Column("recovery_sha256", ARRAY(sa.Text), nullable=False, server_default=sa.text("'{}'::text[]")),
        sa.Column("known_visitors", ARRAY(sa.Text), nullable=False, server_default=sa.text("'{}'::text[]")),
        sa.Column("created_at", _TIME, nullable=False),
        sa.Column("removed_at", _TIME),
        sa.CheckConstraint(_ROLES, name="role"),
    )
    op.create_index("ix_vendor_members_organisation_id", "vendor_members", ["organisation_id"])
    op.create_index(
        "uq_vendor_members_email", "vendor_members", ["organisation_id", "email"], unique=True,
        postgresql_where=sa.text("removed_at IS NULL"),
    )  # fmt: skip
    op.create_table(
        "vendor_sessions",
        _number(),
        sa.Column("token_sha256", sa.Text, nullable=False, unique=True),
        sa.Column("member_id", sa.BigInteger, sa.ForeignKey("vendor_members.id"), nullable=False),
        sa.Column("csrf_token", sa.Text, nullable=False),
        sa.Column("complete", sa.Boolean, nullable=False),
        sa.Column("created_at", _TIME, nullable=False),
        sa.Column("seen_at", _TIME, nullable=False),
        sa.Column("expires_at", _TIME, nullable=False),
        sa.Column("visitor", sa.Text),
        sa.Column("agent", sa.Text),
    )
    op.create_index("ix_vendor_sessions_member_id", "vendor_sessions", ["member_id"])
    op.create_table(
        "vendor_invitations",
        _number(),
        sa.Column("token_sha256", sa.Text, nullable=False, unique=True),
        sa.Column("organisation_id", sa.BigInteger, sa.ForeignKey("organisations.id"), nullable=False),
        sa.Column("email", sa.Text, nullable=False),
        sa.Column("role", sa.Text, nullable=False),
        sa.Column("invited_by", sa.Text, nullable=False),
        sa.Column("created_at", _TIME, nullable=False),
        sa.Column("expires_at", _TIME, nullable=False),
        sa.Column("used_at", _TIME),
        sa.CheckConstraint(_ROLES, name="role"),
    )
    op.create_index("ix_vendor_invitations_organisation_id", "vendor_invitations", ["organisation_id"])
    op.create_table(
        "sign_in_attempts",
        sa.Column("subject", sa.Text, primary_key=True),
        sa.Column("count", sa.BigInteger, nullable=False),
        sa.Column("last_at", _TIME, nullable=False),
        sa.Column("blocked_until", _TIME),
    )
    op.add_column("api_keys", sa.Column("name", sa.Text))
    op.add_column("api_keys", sa.Column("networks", ARRAY(sa.Text)))


def downgrade() -> None:
    """Members, their sessions and invitations go; a key works from every address again."""
    op.drop_column("api_keys", "networks")
    op.drop_column("api_keys", "name")
    for table in ("sign_in_attempts", "vendor_invitations", "vendor_sessions", "vendor_members"):
        op.drop_table(table)

"""Vendors are told of events at addresses of theirs."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql as pg

from app.db.tables.facts import guard

revision: str = "0078"
down_revision: str | None = "0077"

_INSTANT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Add webhooks, events and deliveries."""
    op.create_table(
        "webhooks",
        sa.Column("id", sa.BigInteger, sa.Identity(), primary_key=True),
        sa.Column("public_id", sa.Text, nullable=False, unique=True),
        sa.Column("organisation_id", sa.BigInteger, sa.ForeignKey("organisations.id"), nullable=False, index=True),
        sa.Column("url", sa.Text, nullable=False),
        sa.Column("events", pg.ARRAY(sa.Text)),
        sa.Column("sealed_secret", sa.LargeBinary, nullable=False),
        sa.Column("old_sealed_secret", sa.LargeBinary),
        sa.Column("old_until", _INSTANT),
        sa.Column("created_at", _INSTANT, nullable=False),
        sa.Column("disabled_at", _INSTANT),
        sa.Column("disabled_reason", pg.JSONB),
    )
    op.create_table(
        "vendor_events",
        sa.Column("id", sa.BigInteger, sa.Identity(), primary_key=True),
        sa.Column("public_id", sa.Text, nullable=False, unique=True),
        sa.Column("organisation_id", sa.BigInteger, sa.ForeignKey("organisations.id"), nullable=False),
        sa.Column("type", sa.Text, nullable=False),
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("data", pg.JSONB, nullable=False),
        sa.Column("created_at", _INSTANT, nullable=False),
        sa.UniqueConstraint("organisation_id", "key"),
    )
    op.create_index(op.f("ix_vendor_events_organisation_id_id"), "vendor_events", ["organisation_id", "id"])
    op.create_index(op.f("ix_vendor_events_created_at"), "vendor_events", ["created_at"])
    op.execute(guard("vendor_events", ["id", "public_id", "organisation_id", "type", "key", "data", "created_at"]))
    op.create_table(
        "webhook_deliveries",
        sa.Column("id", sa.BigInteger, sa.Identity(), primary_key=True),
        sa.Column("webhook_id", sa.BigInteger, sa.ForeignKey("webhooks.id"), nullable=False),
        sa.Column("event_id", sa.BigInteger, sa.ForeignKey("vendor_events.id"), nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("attempts", sa.BigInteger, nullable=False, server_default=sa.text("0")),
        sa.Column("due_at", _INSTANT, nullable=False),
        sa.Column("lease_token", sa.Text),
        sa.Column("sent_at", _INSTANT),
        sa.Column("status", sa.BigInteger),
        sa.Column("failure", pg.JSONB),
        sa.UniqueConstraint("webhook_id", "event_id"),
        sa.CheckConstraint("state IN ('pending', 'delivered', 'failed')", name="state"),
    )
    op.create_index(op.f("ix_webhook_deliveries_event_id"), "webhook_deliveries", ["event_id"])
    op.create_index(
        "ix_webhook_deliveries_due", "webhook_deliveries", ["due_at"], postgresql_where=sa.text("state = 'pending'")
    )


def downgrade() -> None:
    """Forget them."""
    for table in ("webhook_deliveries", "vendor_events", "webhooks"):
        op.drop_table(table)

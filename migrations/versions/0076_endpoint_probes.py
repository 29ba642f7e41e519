"""Probes of vendors' endpoints, with their checks."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy import text
from sqlalchemy.dialects.postgresql import JSONB

revision: str = "0076"
down_revision: str | None = "0075"


def upgrade() -> None:
    """None was made yet."""
    op.create_table(
        "endpoint_probes",
        sa.Column("id", sa.BigInteger(), sa.Identity(), primary_key=True),
        sa.Column("public_id", sa.Text(), nullable=False),
        sa.Column("organisation_id", sa.BigInteger(), sa.ForeignKey("organisations.id"), nullable=False),
        sa.Column("endpoint_id", sa.BigInteger(), sa.ForeignKey("endpoints.id"), nullable=False),
        sa.Column("protocol_id", sa.BigInteger(), sa.ForeignKey("protocols.id"), nullable=False),
        sa.Column("configuration", JSONB(), server_default=text("'{}'::jsonb"), nullable=False),
        sa.Column("origin", sa.Text(), nullable=False),
        sa.Column("idempotency_key", sa.Text(), nullable=True),
        sa.Column("attempt", sa.BigInteger(), server_default=text("1"), nullable=False),
        sa.Column("settings_sha256", sa.Text(), nullable=True),
        sa.Column("result", sa.Text(), nullable=True),
        sa.Column("checks", JSONB(), server_default=text("'[]'::jsonb"), nullable=False),
        sa.Column("requests", sa.BigInteger(), server_default=text("0"), nullable=False),
        sa.Column("fault", JSONB(), nullable=True),
        sa.Column("requested_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("lease_token", sa.Text(), nullable=True),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True),
        sa.UniqueConstraint("public_id", name="uq_endpoint_probes_public_id"),
        sa.UniqueConstraint(
            "organisation_id", "idempotency_key", name="uq_endpoint_probes_organisation_id_idempotency_key"
        ),
        sa.CheckConstraint("origin IN ('request', 'order')", name="ck_endpoint_probes_origin"),
        sa.CheckConstraint("result IN ('passed', 'failed', 'faulted')", name="ck_endpoint_probes_result"),
        sa.CheckConstraint("(finished_at IS NULL) = (result IS NULL)", name="ck_endpoint_probes_finished"),
    )
    op.create_index(
        "uq_endpoint_probes_open", "endpoint_probes", ["endpoint_id"], unique=True,
        postgresql_where=text("finished_at IS NULL"),
    )  # fmt: skip
    op.create_index("ix_endpoint_probes_endpoint_id", "endpoint_probes", ["endpoint_id", "id"])


def downgrade() -> None:
    """They are lost."""
    op.drop_table("endpoint_probes")

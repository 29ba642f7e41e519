"""Opaque names of endpoints, groups, pauses and promises of submissions, and tombstones of models."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision: str = "0075"
down_revision: str | None = "0074"


def upgrade() -> None:
    """Every endpoint gets a name of its own; the other columns stay empty."""
    name = sa.text("'ep_' || replace(gen_random_uuid()::text, '-', '')")
    op.add_column("endpoints", sa.Column("public_id", sa.Text()))
    op.execute(sa.update(sa.table("endpoints", sa.column("public_id"))).values(public_id=name))
    op.alter_column("endpoints", "public_id", nullable=False)
    op.create_unique_constraint("uq_endpoints_public_id", "endpoints", ["public_id"])
    op.add_column("submissions", sa.Column("group_id", sa.Text()))
    op.add_column("submissions", sa.Column("pause_until", sa.DateTime(timezone=True)))
    op.add_column("submissions", sa.Column("promise", JSONB()))
    has_group = sa.text("group_id IS NOT NULL")
    op.create_index("ix_submissions_group_id", "submissions", ["group_id"], postgresql_where=has_group)
    op.add_column("models", sa.Column("withdrawn_at", sa.DateTime(timezone=True)))
    op.add_column("models", sa.Column("withdrawn_by", sa.Text()))
    op.add_column("models", sa.Column("withdrawn_reason", sa.Text()))
    rule = "num_nulls(withdrawn_at, withdrawn_by, withdrawn_reason) IN (0, 3)"
    op.create_check_constraint(op.f("ck_models_withdrawn"), "models", rule)


def downgrade() -> None:
    """Without them."""
    op.drop_constraint(op.f("ck_models_withdrawn"), "models", type_="check")
    for column in ("withdrawn_reason", "withdrawn_by", "withdrawn_at"):
        op.drop_column("models", column)
    op.drop_index("ix_submissions_group_id", "submissions")
    for column in ("promise", "pause_until", "group_id"):
        op.drop_column("submissions", column)
    op.drop_constraint("uq_endpoints_public_id", "endpoints", type_="unique")
    op.drop_column("endpoints", "public_id")

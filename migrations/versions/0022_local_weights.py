"""Endpoints whose weights GPU workers serve, and how they were served to a run."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

from app.db.tables.facts import TRIGGER, guard

revision: str = "0022"
down_revision: str | None = "0021"


def upgrade() -> None:
    """Every endpoint of before has an address."""
    op.add_column("endpoints", sa.Column("weights", sa.Text()))
    op.add_column("endpoints", sa.Column("serving", JSONB(), server_default=sa.text("'{}'::jsonb"), nullable=False))
    op.create_check_constraint(
        op.f("ck_endpoints_weights_or_address"), "endpoints", "(weights IS NULL) = (base_url <> '')"
    )
    op.create_table(
        "servings",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), primary_key=True),
        sa.Column("run_id", sa.BigInteger(), sa.ForeignKey("runs.id"), nullable=False),
        sa.Column("fingerprint", sa.Text(), nullable=False),
        sa.Column("body", JSONB(), nullable=False),
        sa.Column("first_at", sa.DateTime(timezone=True), nullable=False),
        sa.UniqueConstraint("run_id", "fingerprint"),
    )
    op.execute(guard("servings", ["id", "run_id", "fingerprint", "body", "first_at"]))


def downgrade() -> None:
    """Forget how weights were served; their endpoints cannot be kept without an address."""
    op.execute(f"DROP TRIGGER {TRIGGER} ON servings")
    op.drop_table("servings")
    op.drop_constraint(op.f("ck_endpoints_weights_or_address"), "endpoints")
    op.execute("UPDATE endpoints SET base_url = 'http://invalid', stopped_at = now() WHERE weights IS NOT NULL")
    op.drop_column("endpoints", "serving")
    op.drop_column("endpoints", "weights")

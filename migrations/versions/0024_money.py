"""Budgets, what was spent day by day, what calls under way may cost, and since when endpoints wait."""

import sqlalchemy as sa
from alembic import op

revision: str = "0024"
down_revision: str | None = "0023"


def upgrade() -> None:
    """What was spent until now is summed up."""
    op.add_column("samples", sa.Column("reserved_usd", sa.Numeric))
    op.add_column("runs", sa.Column("needs_usd", sa.Numeric))
    op.add_column("endpoints", sa.Column("due_since", sa.DateTime(timezone=True)))
    op.create_table(
        "budgets",
        sa.Column("id", sa.BigInteger, sa.Identity(always=False), primary_key=True),
        sa.Column("run_id", sa.BigInteger, sa.ForeignKey("runs.id")),
        sa.Column("organisation", sa.Text),
        sa.Column("daily", sa.Boolean, nullable=False),
        sa.Column("usd", sa.Numeric, nullable=False),
        sa.CheckConstraint("run_id IS NULL OR organisation IS NULL", name=op.f("ck_budgets_subject")),
        sa.CheckConstraint("usd >= 0", name=op.f("ck_budgets_usd")),
        sa.UniqueConstraint("run_id", "organisation", "daily", postgresql_nulls_not_distinct=True),
    )
    op.create_table(
        "spendings",
        sa.Column("run_id", sa.BigInteger, sa.ForeignKey("runs.id"), primary_key=True),
        sa.Column("day", sa.Date, primary_key=True),
        sa.Column("answers", sa.BigInteger, nullable=False),
        sa.Column("unpriced", sa.BigInteger, nullable=False, server_default=sa.text("0")),
        sa.Column("usd", sa.Numeric, nullable=False),
    )
    op.create_index("ix_spendings_day", "spendings", ["day"])
    op.execute(
        "INSERT INTO spendings (run_id, day, answers, unpriced, usd) "
        "SELECT run_id, (answered_at AT TIME ZONE 'UTC')::date, count(*), count(*) FILTER (WHERE cost_usd IS NULL), "
        "coalesce(sum(cost_usd), 0) FROM samples WHERE answered_at IS NOT NULL GROUP BY 1, 2"
    )


def downgrade() -> None:
    """Runs that a budget paused stay paused."""
    op.drop_table("spendings")
    op.drop_table("budgets")
    op.drop_column("endpoints", "due_since")
    op.drop_column("runs", "needs_usd")
    op.drop_column("samples", "reserved_usd")

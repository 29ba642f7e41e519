"""Models that make tests, and the making of each problem's."""

import sqlalchemy as sa
from alembic import op

revision: str = "0030"
down_revision: str | None = "0029"


def upgrade() -> None:
    """Nobody makes tests before an operator says who."""
    op.create_table(
        "setters",
        sa.Column("id", sa.BigInteger, sa.Identity(always=False), primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("vendor", sa.Text, nullable=False),
        sa.Column("run_id", sa.BigInteger, sa.ForeignKey("runs.id"), nullable=False),
        sa.Column("added_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("removed_at", sa.DateTime(timezone=True)),
        sa.UniqueConstraint("name"),
    )
    op.create_index("ix_setters_run_id", "setters", ["run_id"])
    op.create_table(
        "settings",
        sa.Column("id", sa.BigInteger, sa.Identity(always=False), primary_key=True),
        sa.Column("problem_id", sa.BigInteger, sa.ForeignKey("problems.id"), nullable=False),
        sa.Column("problem_version_id", sa.BigInteger, sa.ForeignKey("problem_versions.id"), nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True)),
        sa.Column("reason", sa.Text),
        sa.Column("evidence", sa.dialects.postgresql.JSONB, nullable=False, server_default=sa.text("'{}'::jsonb")),
        sa.Column("test_set_id", sa.BigInteger, sa.ForeignKey("test_sets.id")),
        sa.Column("attempts", sa.BigInteger, nullable=False, server_default=sa.text("0")),
        sa.Column("lease_token", sa.Text),
        sa.Column("lease_until", sa.DateTime(timezone=True)),
        sa.CheckConstraint("state IN ('asking', 'stored', 'held')", name=op.f("ck_settings_state")),
        sa.CheckConstraint("(state = 'held') = (reason IS NOT NULL)", name=op.f("ck_settings_reason")),
        sa.UniqueConstraint("problem_version_id"),
    )
    op.create_index("ix_settings_problem_id", "settings", ["problem_id"])


def downgrade() -> None:
    """The answers stay, as samples of runs that nothing ranks."""
    op.drop_table("settings")
    op.drop_table("setters")

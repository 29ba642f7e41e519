"""What maintainers decide: waivers, disputes, alerts, and the shapes of captures."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import ARRAY

revision: str = "0005"
down_revision: str | None = "0004"

_INSTANT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Nothing is waived yet; captures of before have no shape until they are read again."""
    op.add_column("problems", sa.Column("waived", ARRAY(sa.Text), nullable=False, server_default=sa.text("'{}'")))
    op.add_column("captures", sa.Column("shape", sa.Text))
    op.add_column("captures", sa.Column("review", sa.Text))
    op.create_table(
        "disputes",
        sa.Column("id", sa.BigInteger, sa.Identity()),
        sa.Column(
            "problem_id", sa.BigInteger, sa.ForeignKey("problems.id", name="fk_disputes_problem_id"), nullable=False
        ),
        sa.Column("at", _INSTANT, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("state", sa.Text, nullable=False, server_default=sa.text("'open'")),
        sa.Column("answer", sa.Text),
        sa.Column("answered_at", _INSTANT),
        sa.PrimaryKeyConstraint("id", name="pk_disputes"),
        sa.CheckConstraint("state IN ('open', 'upheld', 'rejected')", name="ck_disputes_state"),
        sa.CheckConstraint("(state = 'open') = (answer IS NULL)", name="ck_disputes_answer"),
    )
    op.create_index("ix_disputes_problem_id", "disputes", ["problem_id"])
    op.create_table(
        "alerts",
        sa.Column("id", sa.BigInteger, sa.Identity()),
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("message", sa.Text, nullable=False),
        sa.Column("raised_at", _INSTANT, nullable=False),
        sa.Column("cleared_at", _INSTANT),
        sa.Column("told_at", _INSTANT),
        sa.Column("snoozed_until", _INSTANT),
        sa.PrimaryKeyConstraint("id", name="pk_alerts"),
    )
    op.create_index("uq_alerts_key", "alerts", ["key"], unique=True, postgresql_where=sa.text("cleared_at IS NULL"))


def downgrade() -> None:
    """Waivers, disputes and alerts are forgotten; quarantined problems stay held."""
    op.drop_table("alerts")
    op.drop_table("disputes")
    op.drop_column("captures", "review")
    op.drop_column("captures", "shape")
    op.drop_column("problems", "waived")

"""What contests owe us, and the standings of their people."""

import sqlalchemy as sa
from alembic import op

revision: str = "0004"
down_revision: str | None = "0003"

_INSTANT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """The next look at each calendar fills the obligations; captures of before were asked for no contest."""
    op.create_table(
        "obligations",
        sa.Column("contest_id", sa.BigInteger, sa.ForeignKey("contests.id", name="fk_obligations_contest_id")),
        sa.Column("purpose", sa.Text),
        sa.Column("state", sa.Text, nullable=False, server_default=sa.text("'open'")),
        sa.Column("due_at", _INSTANT, nullable=False),
        sa.Column("late_at", _INSTANT, nullable=False),
        sa.Column("attempts", sa.BigInteger, nullable=False, server_default=sa.text("0")),
        sa.Column("settled_at", _INSTANT),
        sa.Column("reason", sa.Text),
        sa.PrimaryKeyConstraint("contest_id", "purpose", name="pk_obligations"),
        sa.CheckConstraint("state IN ('open', 'met', 'closed')", name="ck_obligations_state"),
        sa.CheckConstraint("(state = 'open') = (settled_at IS NULL)", name="ck_obligations_settled"),
    )
    op.create_index("ix_obligations_due", "obligations", ["due_at"], postgresql_where=sa.text("state = 'open'"))
    op.create_table(
        "contest_standings",
        sa.Column("contest_id", sa.BigInteger, sa.ForeignKey("contests.id", name="fk_contest_standings_contest_id")),
        sa.Column("kind", sa.Text),
        sa.Column("captured_at", _INSTANT),
        sa.Column("rows", sa.BigInteger, nullable=False),
        sa.Column(
            "blob_sha256",
            sa.Text,
            sa.ForeignKey("blobs.sha256", name="fk_contest_standings_blob_sha256"),
            nullable=False,
        ),
        sa.PrimaryKeyConstraint("contest_id", "kind", "captured_at", name="pk_contest_standings"),
    )
    op.add_column("captures", sa.Column("contest", sa.Text))


def downgrade() -> None:
    """Standings and obligations are forgotten; captures stay."""
    op.drop_column("captures", "contest")
    op.drop_table("contest_standings")
    op.drop_table("obligations")

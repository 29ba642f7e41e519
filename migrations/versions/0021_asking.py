"""What asking learns: how an endpoint was served, when an answer began, what ran; a run that is refused has failed."""

import sqlalchemy as sa
from alembic import op

revision: str = "0021"
down_revision: str | None = "0020"

_STATES = ("active", "paused", "retired")


def upgrade() -> None:
    """Rows stay as they are."""
    op.add_column("samples", sa.Column("first_token_ms", sa.Float))
    op.add_column("samples", sa.Column("fingerprint", sa.Text))
    op.add_column("endpoints", sa.Column("price_cached", sa.Numeric))
    op.add_column("endpoints", sa.Column("served_at", sa.DateTime(timezone=True)))
    op.add_column("endpoints", sa.Column("silent_slices", sa.BigInteger, nullable=False, server_default=sa.text("0")))
    _allow((*_STATES, "failed"))


def downgrade() -> None:
    """Runs that failed are paused."""
    op.execute("UPDATE runs SET state = 'paused' WHERE state = 'failed'")
    _allow(_STATES)
    for name in ("silent_slices", "served_at", "price_cached"):
        op.drop_column("endpoints", name)
    for name in ("fingerprint", "first_token_ms"):
        op.drop_column("samples", name)


def _allow(states: tuple[str, ...]) -> None:
    op.drop_constraint("ck_runs_state", "runs")
    named = ", ".join(f"'{state}'" for state in states)
    op.create_check_constraint(op.f("ck_runs_state"), "runs", f"state IN ({named})")

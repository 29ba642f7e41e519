"""Whether a job that the clock woke began, did its work, or failed."""

import sqlalchemy as sa
from alembic import op

revision: str = "0064"
down_revision: str | None = "0063"


def upgrade() -> None:
    """Moments before this are taken as never begun: nothing is known of them."""
    for name in ("begun_at", "done_at"):
        op.add_column("clock_ticks", sa.Column(name, sa.DateTime(timezone=True)))
    op.add_column("clock_ticks", sa.Column("failure", sa.Text))


def downgrade() -> None:
    """Without it."""
    for name in ("failure", "done_at", "begun_at"):
        op.drop_column("clock_ticks", name)

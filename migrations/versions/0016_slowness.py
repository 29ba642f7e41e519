"""A verdict keeps how slow the host was that judged it; of older ones nobody knows."""

import sqlalchemy as sa
from alembic import op

revision: str = "0016"
down_revision: str | None = "0015"


def upgrade() -> None:
    """Nothing is rewritten."""
    op.add_column("verdicts", sa.Column("slowness", sa.Double))


def downgrade() -> None:
    """What was measured is lost."""
    op.drop_column("verdicts", "slowness")

"""How many requests each sample took."""

import sqlalchemy as sa
from alembic import op

revision: str = "0023"
down_revision: str | None = "0022"


def upgrade() -> None:
    """What was sent before was not counted, but for the one that brought each answer."""
    op.add_column("samples", sa.Column("requests", sa.BigInteger(), server_default=sa.text("0"), nullable=False))
    op.execute("UPDATE samples SET requests = greatest(1, inference_attempts) WHERE answered_at IS NOT NULL")


def downgrade() -> None:
    """Forget the count."""
    op.drop_column("samples", "requests")

"""As of which revision the reports over a protocol are wanted at once."""

import sqlalchemy as sa
from alembic import op

revision: str = "0066"
down_revision: str | None = "0065"


def upgrade() -> None:
    """Reports for contamination are made again, for they have more to say of each model."""
    op.add_column("protocols", sa.Column("reports_asked", sa.BigInteger, nullable=False, server_default=sa.text("0")))
    op.execute("DELETE FROM reports WHERE kind = 'contamination'")


def downgrade() -> None:
    """Without it."""
    op.drop_column("protocols", "reports_asked")

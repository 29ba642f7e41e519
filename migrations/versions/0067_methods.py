"""Which revision of the methods boards were last shown by."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy import text

revision: str = "0067"
down_revision: str | None = "0066"


def upgrade() -> None:
    """Boards that have rows were shown by the methods before the first revision."""
    op.add_column("board_state", sa.Column("methods", sa.BigInteger(), nullable=True))
    op.execute(text("UPDATE board_state SET methods = 0 WHERE EXISTS (SELECT FROM runs)"))


def downgrade() -> None:
    """Without it."""
    op.drop_column("board_state", "methods")

"""Since which revision no cell vanished, so that a cube outlives its axes."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy import text

revision: str = "0061"
down_revision: str | None = "0060"


def upgrade() -> None:
    """From now on: whatever cube there is may be of before."""
    op.add_column("board_state", sa.Column("whole_revision", sa.BigInteger(), nullable=True))
    op.execute(text("UPDATE board_state SET whole_revision = revision"))
    op.alter_column("board_state", "whole_revision", nullable=False)


def downgrade() -> None:
    """Every change of axes builds cubes anew."""
    op.drop_column("board_state", "whole_revision")

"""A verdict keeps how slow the host was that judged it, and whether the checker failed on the output."""

import sqlalchemy as sa
from alembic import op

revision: str = "0016"
down_revision: str | None = "0015"


def upgrade() -> None:
    """Nothing is rewritten: of older verdicts nobody knows how slow the host was."""
    op.add_column("verdicts", sa.Column("slowness", sa.Double))
    op.add_column("verdicts", sa.Column("checker_failed", sa.Boolean, nullable=False, server_default=sa.false()))
    op.create_index(
        "ix_verdicts_checker_failed", "verdicts", ["test_set_id"], postgresql_where=sa.text("checker_failed")
    )


def downgrade() -> None:
    """What was measured is lost; verdicts stay as they are."""
    op.drop_index("ix_verdicts_checker_failed", "verdicts")
    op.drop_column("verdicts", "checker_failed")
    op.drop_column("verdicts", "slowness")

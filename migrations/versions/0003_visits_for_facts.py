"""Visits say what they are for: problems, or facts that come apart from them."""

import sqlalchemy as sa
from alembic import op

revision: str = "0003"
down_revision: str | None = "0002"


def upgrade() -> None:
    """Earlier visits were for problems."""
    op.add_column("scrape_runs", sa.Column("purpose", sa.Text, nullable=False, server_default=sa.text("'problems'")))


def downgrade() -> None:
    """Visits for facts are forgotten with the column."""
    op.execute("UPDATE captures SET scrape_run_id = NULL WHERE scrape_run_id IN"
               " (SELECT id FROM scrape_runs WHERE purpose <> 'problems')")  # fmt: skip
    op.execute("DELETE FROM scrape_runs WHERE purpose <> 'problems'")
    op.drop_column("scrape_runs", "purpose")

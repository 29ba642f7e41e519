"""The newest visit of each source and purpose is found by an index, which serves what the one by source did."""

from alembic import op

revision: str = "0063"
down_revision: str | None = "0062"


def upgrade() -> None:
    """Years of visits are not read through for each look at the schedule."""
    op.create_index("ix_scrape_runs_newest", "scrape_runs", ["source_id", "purpose", "id"])
    op.drop_index("ix_scrape_runs_source_id", "scrape_runs")


def downgrade() -> None:
    """By source alone."""
    op.create_index("ix_scrape_runs_source_id", "scrape_runs", ["source_id"])
    op.drop_index("ix_scrape_runs_newest", "scrape_runs")

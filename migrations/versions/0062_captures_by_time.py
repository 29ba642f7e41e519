"""Captures are found by when they came: a day's for the pages, and all in their order for a replay."""

from alembic import op

revision: str = "0062"
down_revision: str | None = "0061"


def upgrade() -> None:
    """Years of them are not read through for each look at a day."""
    op.create_index("ix_captures_fetched", "captures", ["source_id", "fetched_at", "id"])


def downgrade() -> None:
    """Without it."""
    op.drop_index("ix_captures_fetched", "captures")

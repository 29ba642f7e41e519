"""Scores of models on benchmarks of others."""

import sqlalchemy as sa
from alembic import op

from app.db.tables.facts import guard

revision: str = "0056"
down_revision: str | None = "0055"


def upgrade() -> None:
    """None is known yet."""
    op.create_table(
        "external_tables",
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("file_sha256", sa.Text, primary_key=True),
        sa.Column("stored_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("blob_sha256", sa.Text, sa.ForeignKey("blobs.sha256"), nullable=False),
    )
    op.execute(guard("external_tables", ["name", "file_sha256", "blob_sha256"]))


def downgrade() -> None:
    """They are lost."""
    op.drop_table("external_tables")

"""What a maintainer signed of the tests for contamination, so that it may be public."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

from app.db.tables.facts import guard

revision: str = "0041"
down_revision: str | None = "0039"

_COLUMNS = "id run_id data_sha256 body made_at signed_by signed_at"


def upgrade() -> None:
    """Nothing is signed yet. Reports are made anew, since those there are do not say of which data they are."""
    op.create_table(
        "signatures",
        sa.Column("id", sa.BigInteger, sa.Identity(always=False), primary_key=True),
        sa.Column("run_id", sa.BigInteger, sa.ForeignKey("runs.id"), nullable=False),
        sa.Column("data_sha256", sa.Text, nullable=False),
        sa.Column("body", postgresql.JSONB),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("signed_by", sa.Text, nullable=False),
        sa.Column("signed_at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_index("ix_signatures_run_id", "signatures", ["run_id"])
    op.execute(guard("signatures", _COLUMNS.split()))
    op.execute("DELETE FROM reports WHERE kind = 'contamination'")


def downgrade() -> None:
    """Results are public as soon as there are any."""
    op.drop_table("signatures")
    op.execute("DELETE FROM reports WHERE kind = 'contamination'")

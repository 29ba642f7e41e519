"""Responses stored under an Idempotency-Key keep the order of their fields."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision: str = "0074"
down_revision: str | None = "0073"


def upgrade() -> None:
    """Store the text of a response: a repeat is answered with the same bytes."""
    op.alter_column("idempotency", "body", type_=sa.JSON(), postgresql_using="body::json")


def downgrade() -> None:
    """Store its values alone."""
    op.alter_column("idempotency", "body", type_=JSONB(), postgresql_using="body::jsonb")

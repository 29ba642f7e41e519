"""How long after a contest's end a source's operator waits before anything of it is used."""

import sqlalchemy as sa
from alembic import op

revision: str = "0032"
down_revision: str | None = "0031"


def upgrade() -> None:
    """Ten minutes, as it was for every source."""
    op.add_column(
        "sources",
        sa.Column("margin", sa.Interval, nullable=False, server_default=sa.text("'00:10:00'::interval")),
    )


def downgrade() -> None:
    """One margin for all."""
    op.drop_column("sources", "margin")

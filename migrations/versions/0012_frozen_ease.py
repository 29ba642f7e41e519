"""A problem's measured ease is written once for each scenario."""

import sqlalchemy as sa
from alembic import op

revision: str = "0012"
down_revision: str | None = "0011"


def upgrade() -> None:
    """Let there be one value."""
    op.create_index(
        "uq_difficulties_ease", "difficulties", ["problem_id", "scale"], unique=True,
        postgresql_where=sa.text("scale ^@ 'ease/'"),
    )  # fmt: skip


def downgrade() -> None:
    """Take it back, with the values: an older version would show them as a site's difficulty."""
    op.drop_index("uq_difficulties_ease", "difficulties")
    op.execute("DELETE FROM difficulties WHERE scale ^@ 'ease/'")

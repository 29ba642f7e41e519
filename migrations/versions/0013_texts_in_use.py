"""Which text of a problem is asked is said, not told from its number: a source may return to an earlier text."""

import sqlalchemy as sa
from alembic import op

revision: str = "0013"
down_revision: str | None = "0012"


def upgrade() -> None:
    """Until now the newest text of each language was asked."""
    op.add_column(
        "problem_versions", sa.Column("in_use", sa.Boolean(), nullable=False, server_default=sa.text("false"))
    )
    op.execute(
        "UPDATE problem_versions SET in_use = true"
        " WHERE id IN (SELECT max(id) FROM problem_versions GROUP BY problem_id, locale)"
    )
    op.create_index(
        "uq_problem_versions_in_use", "problem_versions", ["problem_id", "locale"], unique=True,
        postgresql_where=sa.text("in_use"),
    )  # fmt: skip


def downgrade() -> None:
    """Take it back."""
    op.drop_index("uq_problem_versions_in_use", "problem_versions")
    op.drop_column("problem_versions", "in_use")

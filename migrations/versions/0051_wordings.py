"""Texts that differ only in white space or markup are told to be one by a digest of their letters."""

import sqlalchemy as sa
from alembic import op

from app.db.tables.facts import fixed_columns, guard

revision: str = "0051"
down_revision: str | None = "0047"
_MAY_CHANGE = "in_use origin seen_at capture_id form entry time_ms memory_mb output_kb examples"


def upgrade() -> None:
    """Digests of texts that are stored are made when the program starts."""
    op.add_column("problem_versions", sa.Column("wording", sa.Text))
    op.create_index("ix_problem_versions_wording", "problem_versions", ["wording", "problem_id"])
    _guard(f"{_MAY_CHANGE} wording")


def downgrade() -> None:
    """Texts are one again where they are the same to the letter."""
    op.drop_index("ix_problem_versions_wording", "problem_versions")
    op.drop_column("problem_versions", "wording")
    _guard(_MAY_CHANGE)


def _guard(may_change: str) -> None:
    names = [str(column["name"]) for column in sa.inspect(op.get_bind()).get_columns("problem_versions")]
    op.execute(guard("problem_versions", fixed_columns(names, may_change.split())))

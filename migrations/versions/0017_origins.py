"""Imported results keep cells that have no verdict."""

import sqlalchemy as sa
from alembic import op

revision: str = "0017"
down_revision: str | None = "0016"

_COUNTS = "ck_imported_results_counts"


def upgrade() -> None:
    """Files that were imported until now left such cells out."""
    for name in ("pending", "judge_errors"):
        op.add_column("imported_results", sa.Column(name, sa.BigInteger, nullable=False, server_default=sa.text("0")))
    op.drop_constraint(op.f(_COUNTS), "imported_results")
    op.create_check_constraint(
        op.f(_COUNTS), "imported_results", "c >= 0 AND c <= n AND pending >= 0 AND judge_errors >= 0"
    )


def downgrade() -> None:
    """Cells without a verdict are left out again."""
    op.execute("DELETE FROM imported_results WHERE n = 0")
    op.drop_constraint(op.f(_COUNTS), "imported_results")
    op.create_check_constraint(op.f(_COUNTS), "imported_results", "c >= 0 AND c <= n AND n > 0")
    for name in ("judge_errors", "pending"):
        op.drop_column("imported_results", name)

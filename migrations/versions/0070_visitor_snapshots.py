"""Visitors freeze boards to cite them."""

from alembic import op

revision: str = "0070"
down_revision: str | None = "0069"

_CHECK = "ck_snapshots_frozen_by"


def upgrade() -> None:
    """Allow one more kind of actor."""
    op.drop_constraint(op.f(_CHECK), "snapshots", type_="check")
    op.create_check_constraint(op.f(_CHECK), "snapshots", "frozen_by IN ('operator', 'maintainer', 'clock', 'visitor')")


def downgrade() -> None:
    """Say that operators froze what visitors did."""
    op.execute("UPDATE snapshots SET frozen_by = 'operator' WHERE frozen_by = 'visitor'")
    op.drop_constraint(op.f(_CHECK), "snapshots", type_="check")
    op.create_check_constraint(op.f(_CHECK), "snapshots", "frozen_by IN ('operator', 'maintainer', 'clock')")

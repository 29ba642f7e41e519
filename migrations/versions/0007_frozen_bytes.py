"""Snapshots keep the bytes that were hashed, and say who froze them and why; the ledger is read by kind and subject."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision: str = "0007"
down_revision: str | None = "0006"


def upgrade() -> None:
    """No version before this one ever froze a board, so no row is in the way."""
    op.drop_column("snapshots", "body")
    op.add_column("snapshots", sa.Column("id", sa.BigInteger, sa.Identity(), nullable=False))
    op.add_column("snapshots", sa.Column("csv_sha256", sa.Text, nullable=False))
    op.add_column("snapshots", sa.Column("frozen_by", sa.Text, nullable=False))
    op.add_column("snapshots", sa.Column("reason", sa.Text, nullable=False))
    op.create_unique_constraint("uq_snapshots_id", "snapshots", ["id"])
    op.create_foreign_key("fk_snapshots_sha256", "snapshots", "blobs", ["sha256"], ["sha256"])
    op.create_foreign_key("fk_snapshots_csv_sha256", "snapshots", "blobs", ["csv_sha256"], ["sha256"])
    op.create_check_constraint(
        op.f("ck_snapshots_frozen_by"), "snapshots", "frozen_by IN ('operator', 'maintainer', 'clock')"
    )
    op.create_index("ix_ledger_kind_id", "ledger", ["kind", "id"])
    op.create_index("ix_ledger_subject_id", "ledger", ["subject", "id"])


def downgrade() -> None:
    """Frozen boards are forgotten; their bytes stay among the blobs."""
    op.execute("DELETE FROM snapshots")
    op.drop_index("ix_ledger_subject_id", "ledger")
    op.drop_index("ix_ledger_kind_id", "ledger")
    op.drop_constraint(op.f("ck_snapshots_frozen_by"), "snapshots", type_="check")
    op.drop_constraint("fk_snapshots_csv_sha256", "snapshots", type_="foreignkey")
    op.drop_constraint("fk_snapshots_sha256", "snapshots", type_="foreignkey")
    op.drop_constraint("uq_snapshots_id", "snapshots", type_="unique")
    for name in ("reason", "frozen_by", "csv_sha256", "id"):
        op.drop_column("snapshots", name)
    op.add_column("snapshots", sa.Column("body", JSONB, nullable=False))

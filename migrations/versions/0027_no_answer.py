"""What an endpoint fails in its vendor's own order may be no_answer; operators' protocols may be ordered."""

import sqlalchemy as sa
from alembic import op

revision: str = "0027"
down_revision: str | None = "0025"

_CHECK = "NOT unanswered OR (raw_sha256 IS NULL AND answer IS NULL)"


def upgrade() -> None:
    """Nobody was shown to have failed before; vendors may order what they could, and nothing else."""
    op.add_column("samples", sa.Column("own_failures", sa.BigInteger(), server_default=sa.text("0"), nullable=False))
    op.add_column("samples", sa.Column("unanswered", sa.Boolean(), server_default=sa.text("false"), nullable=False))
    op.add_column("protocols", sa.Column("orderable", sa.Boolean(), server_default=sa.text("false"), nullable=False))
    op.create_check_constraint(op.f("ck_samples_unanswered"), "samples", _CHECK)


def downgrade() -> None:
    """What was judged without an answer keeps its verdict."""
    op.drop_constraint(op.f("ck_samples_unanswered"), "samples")
    op.drop_column("samples", "unanswered")
    op.drop_column("samples", "own_failures")
    op.drop_column("protocols", "orderable")

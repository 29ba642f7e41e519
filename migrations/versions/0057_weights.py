"""A model names the one it was tuned from, and its size is a number of parameters."""

import sqlalchemy as sa
from alembic import op

revision: str = "0057"
down_revision: str | None = "0056"


def upgrade() -> None:
    """Nothing was kept of either before."""
    op.add_column("models", sa.Column("tuned_from_id", sa.BigInteger(), sa.ForeignKey("models.id")))
    op.create_index(op.f("ix_models_tuned_from_id"), "models", ["tuned_from_id"])
    op.create_check_constraint(op.f("ck_models_tuned_from_id"), "models", "tuned_from_id <> id")
    op.create_check_constraint(op.f("ck_models_size_b"), "models", "size_b > 0 AND size_b < 100000")


def downgrade() -> None:
    """Forget it."""
    op.drop_constraint(op.f("ck_models_size_b"), "models")
    op.drop_constraint(op.f("ck_models_tuned_from_id"), "models")
    op.drop_index(op.f("ix_models_tuned_from_id"), "models")
    op.drop_column("models", "tuned_from_id")

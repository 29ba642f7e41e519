"""Later rounds of settings, and what bounds them."""

import sqlalchemy as sa
from alembic import op

revision: str = "0031"
down_revision: str | None = "0030"

_NEW = ("round", "rounds", "not_before", "judge_s", "reserved_s", "played_at", "asked_again_at")


def upgrade() -> None:
    """Those under way are in their first round."""
    none, empty = sa.text("0"), sa.text("'[]'::jsonb")
    op.add_column("settings", sa.Column("round", sa.BigInteger, nullable=False, server_default=none))
    op.add_column("settings", sa.Column("rounds", sa.dialects.postgresql.JSONB, nullable=False, server_default=empty))
    op.add_column("settings", sa.Column("not_before", sa.DateTime(timezone=True)))
    op.add_column("settings", sa.Column("judge_s", sa.Double, nullable=False, server_default=none))
    op.add_column("settings", sa.Column("reserved_s", sa.Double, nullable=False, server_default=none))
    op.add_column("settings", sa.Column("played_at", sa.DateTime(timezone=True)))
    op.add_column("settings", sa.Column("asked_again_at", sa.DateTime(timezone=True)))
    op.add_column("samples", sa.Column("reserved_tokens", sa.BigInteger))


def downgrade() -> None:
    """The answers of later rounds stay, as children of the earlier ones."""
    op.drop_column("samples", "reserved_tokens")
    for name in _NEW:
        op.drop_column("settings", name)

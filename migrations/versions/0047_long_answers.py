"""How long an answer may take is named or not, what only waits holds no slot, and engines get their settings."""

import sqlalchemy as sa
from alembic import op

revision: str = "0047"
down_revision: str | None = "0044"


def upgrade() -> None:
    """Nobody could name a limit: who has the default of before named none."""
    op.alter_column("endpoints", "timeout_s", nullable=True, server_default=None)
    op.execute("UPDATE endpoints SET timeout_s = NULL WHERE timeout_s = 600")
    op.create_check_constraint(op.f("ck_endpoints_timeout_s"), "endpoints", "timeout_s > 0")
    # Settings of thinking stood where no engine reads them.
    op.execute(
        "UPDATE endpoints SET backend = 'vllm' WHERE weights IS NOT NULL AND backend = 'openai_chat' AND NOT EXISTS ("
        "SELECT FROM endpoints other WHERE other.model_id = endpoints.model_id AND other.backend = 'vllm'"
        " AND other.remote_name = endpoints.remote_name)"
    )
    op.add_column("endpoints", sa.Column("aside", sa.Boolean, nullable=False, server_default=sa.text("false")))


def downgrade() -> None:
    """A limit that nobody named is the default of before."""
    op.drop_column("endpoints", "aside")
    op.execute("UPDATE endpoints SET backend = 'openai_chat' WHERE weights IS NOT NULL AND backend = 'vllm'")
    op.drop_constraint(op.f("ck_endpoints_timeout_s"), "endpoints")
    op.execute("UPDATE endpoints SET timeout_s = 600 WHERE timeout_s IS NULL")
    op.alter_column("endpoints", "timeout_s", nullable=False, server_default=sa.text("600"))

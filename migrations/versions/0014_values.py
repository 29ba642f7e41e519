"""Answers that are values are judged without a program being run: nothing limits it."""

from alembic import op

revision: str = "0014"
down_revision: str | None = "0013"


def _allow(*modes: str) -> None:
    allowed = ", ".join(f"'{mode}'" for mode in modes)
    op.execute("ALTER TABLE verdicts DROP CONSTRAINT ck_verdicts_limit_mode")
    op.execute(f"ALTER TABLE verdicts ADD CONSTRAINT ck_verdicts_limit_mode CHECK (limit_mode IN ({allowed}))")


def upgrade() -> None:
    """Let a verdict say so."""
    _allow("cgroup", "rlimit", "none")


def downgrade() -> None:
    """Take it back: an older version knows only verdicts on programs that were run."""
    op.execute("UPDATE verdicts SET limit_mode = 'rlimit' WHERE limit_mode = 'none'")
    _allow("cgroup", "rlimit")

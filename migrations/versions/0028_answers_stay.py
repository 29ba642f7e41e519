"""The database refuses to change what a sample asks, and its answer once there is one."""

from alembic import op

from app.db.tables.facts import ANSWERS_TRIGGER, TRIGGER, guard

revision: str = "0028"
down_revision: str | None = "0027"

_PLACE = ("id", "run_id", "problem_id", "problem_version_id", "item", "ordinal", "parent_id")
_ANSWER = (
    "answer", "answered_at", "cost_usd", "fingerprint", "finish_reason", "first_token_ms", "followed_format",
    "latency_ms", "prompt_sha256", "provenance", "raw_sha256", "reasoning", "response", "served_model", "tokens_answer",
    "tokens_cached", "tokens_input", "tokens_reasoning", "unanswered",
)  # fmt: skip
_ANSWERED = (
    "(OLD.answered_at IS NOT NULL OR OLD.state IN ('answered', 'grading', 'graded', 'stuck'))"
    " AND NOT OLD.provenance ? 'carried_over_from'"
)


def upgrade() -> None:
    """Rows stay as they are."""
    op.execute(guard("samples", _PLACE))
    op.execute(guard("samples", _ANSWER, ANSWERS_TRIGGER, _ANSWERED))


def downgrade() -> None:
    """Let answers be changed again."""
    for trigger in (TRIGGER, ANSWERS_TRIGGER):
        op.execute(f"DROP TRIGGER {trigger} ON samples")

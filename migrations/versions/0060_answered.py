"""Answers that wait to be judged are found in their order, by their problem and by their run."""

from alembic import op
from sqlalchemy import text

revision: str = "0060"
down_revision: str | None = "0059"

_COLUMNS = {
    "ix_samples_answered": "id",
    "ix_samples_answered_problem": "problem_id",
    "ix_samples_answered_run": "run_id",
}


def upgrade() -> None:
    """Of the few that wait, so that whoever is judged already costs nothing."""
    for name, column in _COLUMNS.items():
        op.create_index(name, "samples", [column], postgresql_where=text("state = 'answered'"))


def downgrade() -> None:
    """Without them."""
    for name in _COLUMNS:
        op.drop_index(name, "samples")

"""Small indexes over when answers came and were judged, for maintainers' charts by the hour."""

from alembic import op

revision: str = "0071"
down_revision: str | None = "0070"


def upgrade() -> None:
    """Rows lie in about the order of their times, so an index of ranges is enough and takes no room."""
    op.create_index("ix_samples_answered_at", "samples", ["answered_at"], postgresql_using="brin")
    op.create_index("ix_verdicts_judged_at", "verdicts", ["judged_at"], postgresql_using="brin")


def downgrade() -> None:
    """Without them."""
    op.drop_index("ix_verdicts_judged_at", "verdicts")
    op.drop_index("ix_samples_answered_at", "samples")

"""When a run's first prompt left, and whether a maintainer made the run void."""

import sqlalchemy as sa
from alembic import op

revision: str = "0036"
down_revision: str | None = "0035"


def upgrade() -> None:
    """What was ordered and ended unpublished before this was known to bind nobody, so it takes no place."""
    for name in ("sent_at", "voided_at"):
        op.add_column("runs", sa.Column(name, sa.DateTime(timezone=True)))
    op.execute(
        "UPDATE runs r SET sent_at = s.first FROM (SELECT run_id, min(coalesce(first_tried_at, answered_at)) AS first "
        "FROM samples GROUP BY run_id) s WHERE s.run_id = r.id AND r.origin = 'own' AND s.first IS NOT NULL "
        "AND (r.public OR NOT EXISTS (SELECT FROM submissions o WHERE o.run_id = r.id "
        "AND o.state IN ('cancelled', 'failed')))"
    )


def downgrade() -> None:
    """The newest trial stands again."""
    for name in ("voided_at", "sent_at"):
        op.drop_column("runs", name)

"""Which samples failed by their endpoint and wait for another try, or were given up: boards ask for their runs."""

import sqlalchemy as sa
from alembic import op

revision: str = "0065"
down_revision: str | None = "0064"


def upgrade() -> None:
    """Few samples are in it."""
    failing = sa.text("state = 'gave_up' OR (state IN ('pending', 'inferring') AND own_failures > 0)")
    op.create_index("ix_samples_failing", "samples", ["run_id"], postgresql_where=failing)


def downgrade() -> None:
    """Without it."""
    op.drop_index("ix_samples_failing", "samples")

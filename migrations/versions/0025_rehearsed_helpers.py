"""Checkers and interactors that no reference has tried are tried before answers count."""

from alembic import op

revision: str = "0025"
down_revision: str | None = "0024"

# Of these tests a program could choose that nothing is said of it: answers wait until they have been tried.
_PROVE = """
UPDATE test_sets SET proof = 'waiting', attempts = 0
WHERE proof = 'unproven' AND (interactor IS NOT NULL OR checker_kind IN ('testlib', 'kattis'))
"""


def upgrade() -> None:
    """Have them tried."""
    op.execute(_PROVE)


def downgrade() -> None:
    """What has been tried by then stays."""

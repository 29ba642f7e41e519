"""Problems yield inputs, bugs and reviews, too."""

import sqlalchemy as sa
from alembic import op

revision: str = "0055"
down_revision: str | None = "0051"


def upgrade() -> None:
    """Problems that have yielded what was known before yield the rest; what they have yielded stays."""
    _kinds("'execution', 'execution_input', 'test_output', 'bug_fix', 'review'")
    op.execute(
        "UPDATE derivations SET derived_at = NULL, attempts = 0 FROM problems "
        "WHERE current_test_set_id = test_set_id AND derived_at IS NOT NULL"
    )


def downgrade() -> None:
    """What was not known before is lost."""
    op.execute("DELETE FROM derived_items WHERE kind NOT IN ('execution', 'test_output')")
    op.execute("UPDATE derivations SET derived_at = since WHERE derived_at IS NULL")
    _kinds("'execution', 'test_output'")


def _kinds(names: str) -> None:
    op.drop_constraint(op.f("ck_derived_items_kind"), "derived_items")
    op.create_check_constraint(op.f("ck_derived_items_kind"), "derived_items", sa.text(f"kind IN ({names})"))

"""Problems have a validator of inputs, and yield wrong programs to be broken."""

import sqlalchemy as sa
from alembic import op

revision: str = "0058"
down_revision: str | None = "0057"
_BEFORE = "'execution', 'execution_input', 'test_output', 'bug_fix', 'review'"


def upgrade() -> None:
    """Problems that have yielded what was known before yield the rest; what they have yielded stays."""
    _kinds("programs", "'reference', 'wrong', 'validator'")
    _kinds("derived_items", f"{_BEFORE}, 'hack'")
    op.execute(
        "UPDATE derivations SET derived_at = NULL, attempts = 0 FROM problems "
        "WHERE current_test_set_id = test_set_id AND derived_at IS NOT NULL"
    )


def downgrade() -> None:
    """What was not known before is lost."""
    op.execute("DELETE FROM derived_items WHERE kind = 'hack'")
    op.execute("DELETE FROM programs WHERE kind = 'validator'")
    op.execute("UPDATE derivations SET derived_at = since WHERE derived_at IS NULL")
    _kinds("derived_items", _BEFORE)
    _kinds("programs", "'reference', 'wrong'")


def _kinds(table: str, names: str) -> None:
    op.drop_constraint(op.f(f"ck_{table}_kind"), table)
    op.create_check_constraint(op.f(f"ck_{table}_kind"), table, sa.text(f"kind IN ({names})"))

"""Where tests come from: one of four origins, and what wrote them down; programs that
only prove them; and which sources may be sent to models."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

from app.db.tables.facts import TRIGGER, fixed_columns, guard

revision: str = "0029"
down_revision: str | None = "0028"

_ORIGINS = "IN ('official', 'package', 'references', 'consensus')"
# `testgen` made them from references; all others came whole with the problem: with a package, the house league, a set.
_ORIGIN = "UPDATE test_sets SET origin = CASE WHEN brought_by = 'generated' THEN 'references' ELSE 'package' END"
_BEFORE = "lease_token lease_until attempts proof proof_detail"
_MAY_CHANGE = f"{_BEFORE} origin setters brought_by"


def upgrade() -> None:
    """What was stored as the origin says who wrote the tests down; the origin follows from it."""
    op.execute(f"DROP TRIGGER {TRIGGER} ON test_sets")
    op.alter_column("test_sets", "origin", new_column_name="brought_by", server_default=sa.text("''"))
    op.add_column("test_sets", sa.Column("origin", sa.Text))
    op.add_column(
        "test_sets",
        sa.Column("setters", postgresql.ARRAY(sa.Text), nullable=False, server_default=sa.text("'{}'")),
    )
    op.execute(_ORIGIN)
    op.execute("UPDATE test_sets SET brought_by = 'testgen' WHERE brought_by = 'generated'")
    op.alter_column("test_sets", "origin", nullable=False)
    op.create_check_constraint(op.f("ck_test_sets_origin"), "test_sets", f"origin {_ORIGINS}")
    op.create_check_constraint(
        op.f("ck_test_sets_setters"), "test_sets", "(origin = 'consensus') = (cardinality(setters) > 0)"
    )
    _guard("test_sets", _MAY_CHANGE)
    op.add_column("programs", sa.Column("secret", sa.Boolean, nullable=False, server_default=sa.text("false")))
    _guard("programs", "")
    op.add_column("sources", sa.Column("send_statements", sa.Boolean, nullable=False, server_default=sa.text("true")))


def downgrade() -> None:
    """The words that were stored before, and for tests of origins that there were not, the origin's.

    Secret programs go: an older version might send them to models.
    """
    op.drop_column("sources", "send_statements")
    op.execute(f"DROP TRIGGER {TRIGGER} ON programs")
    op.execute("DELETE FROM programs WHERE secret")
    op.drop_column("programs", "secret")
    _guard("programs", "")
    op.execute(f"DROP TRIGGER {TRIGGER} ON test_sets")
    op.drop_constraint(op.f("ck_test_sets_setters"), "test_sets")
    op.drop_constraint(op.f("ck_test_sets_origin"), "test_sets")
    op.execute("UPDATE test_sets SET brought_by = 'generated' WHERE brought_by = 'testgen'")
    op.execute("UPDATE test_sets SET brought_by = origin WHERE brought_by = ''")
    op.drop_column("test_sets", "setters")
    op.drop_column("test_sets", "origin")
    op.alter_column("test_sets", "brought_by", new_column_name="origin", server_default=None)
    _guard("test_sets", _BEFORE)


def _guard(table: str, may_change: str) -> None:
    names = [str(column["name"]) for column in sa.inspect(op.get_bind()).get_columns(table)]
    op.execute(guard(table, fixed_columns(names, may_change.split())))

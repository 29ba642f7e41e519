"""An answer is to a text of its own problem and judged by tests of it, and so is the making of tests."""

import sqlalchemy as sa
from alembic import op

from app.db.tables.facts import OWN_TESTS_FUNCTION, OWN_TESTS_TRIGGER, own_tests

revision: str = "0035"
down_revision: str | None = "0034"

_KEYS = (
    ("samples", "problem_version_id", "problem_versions"),
    ("settings", "problem_version_id", "problem_versions"),
    ("settings", "test_set_id", "test_sets"),
)
_TABLES = ("verdicts", "rejudged_samples")


def upgrade() -> None:
    """Rows that mix two problems stay, since nobody can say which of the two was meant; new ones are refused."""
    for table, column, parent in _KEYS:
        op.drop_constraint(f"fk_{table}_{column}", table)
        name = f"fk_{table}_{column}_problem_id"
        op.create_foreign_key(
            op.f(name), table, parent, [column, "problem_id"], ["id", "problem_id"], postgresql_not_valid=True
        )
        child, of = (sa.table(name, *map(sa.column, ("id", "problem_id", column))) for name in (table, parent))
        mixed = sa.select(sa.exists().where(of.c.id == child.c[column], of.c.problem_id != child.c.problem_id))
        if not op.get_bind().scalar(mixed):
            op.execute(f"ALTER TABLE {table} VALIDATE CONSTRAINT {name}")
    op.execute(OWN_TESTS_FUNCTION)
    for table in _TABLES:
        op.execute(own_tests(table))


def downgrade() -> None:
    """Any text and any tests will do."""
    for table in _TABLES:
        op.execute(f"DROP TRIGGER {OWN_TESTS_TRIGGER} ON {table}")
    op.execute("DROP FUNCTION refuse_tests_of_another_problem()")
    for table, column, parent in _KEYS:
        op.drop_constraint(f"fk_{table}_{column}_problem_id", table)
        op.create_foreign_key(op.f(f"fk_{table}_{column}"), table, parent, [column], ["id"])

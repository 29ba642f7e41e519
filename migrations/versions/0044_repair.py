"""The beginning of a wrong answer to a public test, which whoever repairs it is told."""

import sqlalchemy as sa
from alembic import op

from app.db.tables.facts import fixed, guard

revision: str = "0044"
down_revision: str | None = "0041"


def upgrade() -> None:
    """Verdicts of before did not keep it."""
    op.add_column("verdicts", sa.Column("got", sa.Text()))
    _guard()


def downgrade() -> None:
    """What was kept is lost."""
    op.execute("DROP TRIGGER facts_stay ON verdicts")
    op.drop_column("verdicts", "got")
    _guard()


def _guard() -> None:
    names = [column["name"] for column in sa.inspect(op.get_bind()).get_columns("verdicts")]
    op.execute(guard("verdicts", fixed(names, {"counts"})))

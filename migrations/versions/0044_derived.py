"""What is derived of published problems, and the beginning of a wrong answer, which whoever repairs it is told."""

import sqlalchemy as sa
from alembic import op

from app.db.tables.facts import fixed_columns, guard

revision: str = "0044"
down_revision: str | None = "0041"
_JSON = sa.dialects.postgresql.JSONB


def upgrade() -> None:
    """Verdicts of before did not keep what was wrong; nothing was derived."""
    op.add_column("verdicts", sa.Column("got", sa.Text()))
    _guard("verdicts", "counts")
    op.create_table(
        "derivations",
        sa.Column("test_set_id", sa.BigInteger, sa.ForeignKey("test_sets.id"), primary_key=True),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.Column("derived_at", sa.DateTime(timezone=True)),
        sa.Column("attempts", sa.BigInteger, nullable=False, server_default=sa.text("0")),
        sa.Column("lease_token", sa.Text),
        sa.Column("lease_until", sa.DateTime(timezone=True)),
    )
    op.create_table(
        "derived_items",
        sa.Column("test_set_id", sa.BigInteger, sa.ForeignKey("derivations.test_set_id"), primary_key=True),
        sa.Column("kind", sa.Text, primary_key=True),
        sa.Column("number", sa.BigInteger, primary_key=True),
        sa.Column("facts", _JSON, nullable=False),
        sa.Column("expected", sa.Text, nullable=False),
        sa.Column("checker", _JSON, nullable=False),
        sa.Column("returns", sa.Text, nullable=False),
        sa.Column("measured", _JSON, nullable=False, server_default=sa.text("'{}'::jsonb")),
        sa.Column("program_id", sa.BigInteger, sa.ForeignKey("programs.id")),
        sa.Column("sample_id", sa.BigInteger, sa.ForeignKey("samples.id")),
        sa.CheckConstraint("kind IN ('execution', 'test_output')", name=op.f("ck_derived_items_kind")),
    )
    for name in ("program_id", "sample_id"):
        op.create_index(
            f"ix_derived_items_{name}", "derived_items", [name], postgresql_where=sa.text(f"{name} IS NOT NULL")
        )
    _guard("derived_items", "")


def downgrade() -> None:
    """What was kept is lost."""
    op.drop_table("derived_items")
    op.drop_table("derivations")
    op.execute("DROP TRIGGER facts_stay ON verdicts")
    op.drop_column("verdicts", "got")
    _guard("verdicts", "counts")


def _guard(table: str, may_change: str) -> None:
    names = [str(column["name"]) for column in sa.inspect(op.get_bind()).get_columns(table)]
    op.execute(guard(table, fixed_columns(names, may_change.split())))

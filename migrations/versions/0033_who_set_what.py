"""Which vendors' models made a problem's tests, and which are drawn to make them; what a person added to them."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

from app.db.tables.facts import TRIGGER, fixed_columns, guard

revision: str = "0033"
down_revision: str | None = "0032"

_BEFORE = "lease_token lease_until attempts proof proof_detail origin setters brought_by"
_VENDORS = """
UPDATE test_sets SET vendors = ARRAY(
    SELECT DISTINCT vendor FROM setters WHERE setters.name = ANY (test_sets.setters) ORDER BY vendor
) WHERE origin = 'consensus'
"""
# Before there was a draw everybody was asked, and may go on.
_DRAWN = """
UPDATE settings SET drawn_at = since, drawn = ARRAY(
    SELECT DISTINCT vendor FROM setters WHERE setters.removed_at IS NULL ORDER BY vendor
) WHERE state = 'asking'
"""


def upgrade() -> None:
    """What is stored was made by setters that are known by name, and none changes its vendor."""
    op.execute(f"DROP TRIGGER {TRIGGER} ON test_sets")
    op.add_column(
        "test_sets",
        sa.Column("vendors", postgresql.ARRAY(sa.Text), nullable=False, server_default=sa.text("'{}'")),
    )
    op.execute(_VENDORS)
    for name in ("drawn", "silent"):
        op.add_column(
            "settings", sa.Column(name, postgresql.ARRAY(sa.Text), nullable=False, server_default=sa.text("'{}'"))
        )
    op.add_column("settings", sa.Column("drawn_at", sa.DateTime(timezone=True)))
    op.execute(_DRAWN)
    op.create_table(
        "given_pieces",
        sa.Column("id", sa.BigInteger, sa.Identity(always=False), primary_key=True),
        sa.Column("problem_version_id", sa.BigInteger, sa.ForeignKey("problem_versions.id"), nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("language", sa.Text, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("sha256", sa.Text, nullable=False),
        sa.Column("given_by", sa.Text, nullable=False),
        sa.Column("given_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("kind IN ('reference', 'wrong', 'input', 'checker')", name=op.f("ck_given_pieces_kind")),
        sa.UniqueConstraint("problem_version_id", "kind", "sha256"),
    )
    _guard("given_pieces", "")
    _guard("test_sets", f"{_BEFORE} vendors")


def downgrade() -> None:
    """Setters' names tell their vendors, everybody is asked, and what a person added goes."""
    op.drop_table("given_pieces")
    for name in ("drawn", "silent", "drawn_at"):
        op.drop_column("settings", name)
    op.execute(f"DROP TRIGGER {TRIGGER} ON test_sets")
    op.drop_column("test_sets", "vendors")
    _guard("test_sets", _BEFORE)


def _guard(table: str, may_change: str) -> None:
    names = [str(column["name"]) for column in sa.inspect(op.get_bind()).get_columns(table)]
    op.execute(guard(table, fixed_columns(names, may_change.split())))

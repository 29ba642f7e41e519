"""No answers of endpoints in their vendors' own orders; operators' protocols in orders; dated prices."""

import sqlalchemy as sa
from alembic import op

from app.db.tables.facts import TRIGGER, guard

revision: str = "0027"
down_revision: str | None = "0025"

_CHECK = "NOT unanswered OR (raw_sha256 IS NULL AND answer IS NULL)"
# Of earlier prices only those of now are known, and when they were given.
_PRESENT = """
INSERT INTO prices (endpoint_id, since, input, cached, output)
SELECT id, coalesce(price_on::timestamptz, created_at), price_input, price_cached, price_output FROM endpoints
WHERE coalesce(price_input, price_cached, price_output) IS NOT NULL
"""


def upgrade() -> None:
    """Nobody was shown to have failed before; vendors may order what they could, and nothing else."""
    op.add_column("samples", sa.Column("own_failures", sa.BigInteger(), server_default=sa.text("0"), nullable=False))
    op.add_column("samples", sa.Column("unanswered", sa.Boolean(), server_default=sa.text("false"), nullable=False))
    op.add_column("protocols", sa.Column("orderable", sa.Boolean(), server_default=sa.text("false"), nullable=False))
    op.create_table(
        "prices",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), primary_key=True),
        sa.Column("endpoint_id", sa.BigInteger(), sa.ForeignKey("endpoints.id"), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        *(sa.Column(name, sa.Numeric()) for name in ("input", "cached", "output")),
        sa.UniqueConstraint("endpoint_id", "since"),
    )
    op.execute(_PRESENT)
    op.execute(guard("prices", ["id", "endpoint_id", "since", "input", "cached", "output"]))
    op.create_check_constraint(op.f("ck_samples_unanswered"), "samples", _CHECK)


def downgrade() -> None:
    """What was judged without an answer keeps its verdict."""
    op.drop_constraint(op.f("ck_samples_unanswered"), "samples")
    op.drop_column("samples", "unanswered")
    op.drop_column("samples", "own_failures")
    op.execute(f"DROP TRIGGER {TRIGGER} ON prices")
    op.drop_table("prices")
    op.drop_column("protocols", "orderable")

"""Where public rows stood last, and the lines of the ledger whose effect on them nobody has looked at."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision: str = "0039"
down_revision: str | None = "0037"


def upgrade() -> None:
    """A cell is marked, so that somebody looks where the rows stand now."""
    op.create_table(
        "score_causes",
        sa.Column("line_id", sa.BigInteger(), sa.ForeignKey("ledger.id", name="fk_score_causes_line_id_ledger")),
        sa.PrimaryKeyConstraint("line_id", name="pk_score_causes"),
    )
    op.create_table(
        "public_scores",
        sa.Column(
            "protocol_id", sa.BigInteger(), sa.ForeignKey("protocols.id", name="fk_public_scores_protocol_id_protocols")
        ),
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("configuration", sa.Text(), nullable=False),
        sa.Column("place", JSONB(), nullable=False),
        sa.PrimaryKeyConstraint("protocol_id", "model", "configuration", name="pk_public_scores"),
    )
    op.execute("INSERT INTO dirty_cells (run_id, problem_id, item) SELECT run_id, problem_id, item FROM cells LIMIT 1")


def downgrade() -> None:
    """Forget them."""
    op.drop_table("public_scores")
    op.drop_table("score_causes")

"""Which problems left for which endpoints, and reports over cells."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision: str = "0009"
down_revision: str | None = "0008"

_KNOWN = """
INSERT INTO exposures (endpoint_id, problem_id, sent_at)
SELECT r.endpoint_id, s.problem_id, min(coalesce(s.answered_at, s.first_tried_at))
FROM samples s JOIN runs r ON r.id = s.run_id
WHERE r.endpoint_id IS NOT NULL AND coalesce(s.answered_at, s.first_tried_at) IS NOT NULL
GROUP BY r.endpoint_id, s.problem_id
"""


def upgrade() -> None:
    """What was sent until now is known from the answers: no later than they came."""
    op.create_table(
        "exposures",
        sa.Column("endpoint_id", sa.BigInteger, sa.ForeignKey("endpoints.id", name="fk_exposures_endpoint_id")),
        sa.Column("problem_id", sa.BigInteger, sa.ForeignKey("problems.id", name="fk_exposures_problem_id")),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("endpoint_id", "problem_id", name="pk_exposures"),
    )
    op.create_index("ix_exposures_sent_at", "exposures", ["sent_at"])
    op.create_table(
        "reports",
        sa.Column("kind", sa.Text),
        sa.Column("protocol_id", sa.BigInteger, sa.ForeignKey("protocols.id", name="fk_reports_protocol_id")),
        sa.Column("revision", sa.BigInteger, nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("took_s", sa.Float, nullable=False),
        sa.Column("body", JSONB, nullable=False),
        sa.PrimaryKeyConstraint("kind", "protocol_id", name="pk_reports"),
    )
    op.execute(_KNOWN)


def downgrade() -> None:
    """Reports can be made again; what was sent is then known from the answers alone."""
    op.drop_table("reports")
    op.drop_table("exposures")

"""A run is bound, and its endpoint's sendings count, by an answer; gateways that serve models of several vendors."""

import sqlalchemy as sa
from alembic import op

revision: str = "0073"
down_revision: str | None = "0071"

_INSTANT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Bind the runs that were answered in the order of their first prompts, as they were bound before."""
    op.add_column("runs", sa.Column("bound_at", _INSTANT))
    op.add_column("endpoints", sa.Column("answering_since", _INSTANT))
    op.execute(
        "UPDATE runs r SET bound_at = r.sent_at WHERE r.sent_at IS NOT NULL AND EXISTS "
        "(SELECT 1 FROM samples s WHERE s.run_id = r.id AND s.answered_at IS NOT NULL)"
    )
    op.execute(
        "UPDATE endpoints e SET answering_since = a.since FROM (SELECT r.endpoint_id, "
        "min(coalesce(r.sent_at, s.first_tried_at, s.answered_at)) AS since FROM runs r "
        "JOIN samples s ON s.run_id = r.id WHERE s.answered_at IS NOT NULL GROUP BY r.endpoint_id) a "
        "WHERE a.endpoint_id = e.id"
    )
    op.create_table(
        "gateways",
        sa.Column("address", sa.Text, primary_key=True),
        sa.Column("path_segment", sa.BigInteger),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("stated_by", sa.Text, nullable=False),
        sa.Column("stated_at", _INSTANT, nullable=False),
        sa.CheckConstraint("path_segment >= 1", name="ck_gateways_path_segment"),
    )


def downgrade() -> None:
    """Bind runs by their first prompts again."""
    op.drop_table("gateways")
    op.drop_column("endpoints", "answering_since")
    op.drop_column("runs", "bound_at")

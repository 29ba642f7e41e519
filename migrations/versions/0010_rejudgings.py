"""Rejudgings have a life: answers to judge again, approvals, and the revisions of judges."""

import sqlalchemy as sa
from alembic import op

from app.domain.rejudging.scope import lineage

revision: str = "0010"
down_revision: str | None = "0009"

_INSTANT = sa.DateTime(timezone=True)
_NOW = sa.text("now()")


def _key(column: str, table: str, of: str, *, nullable: bool = False) -> sa.Column[int]:
    name = f"fk_{table}_{column}"
    return sa.Column(column, sa.BigInteger, sa.ForeignKey(f"{of}.id", name=name), nullable=nullable)


def upgrade() -> None:
    """Nothing was judged again before, so a row that is there was only proposed."""
    op.add_column("rejudgings", sa.Column("state", sa.Text, nullable=False, server_default=sa.text("'proposed'")))
    op.add_column("rejudgings", sa.Column("state_since", _INSTANT, nullable=False, server_default=_NOW))
    op.alter_column("rejudgings", "state_since", server_default=None)
    states = "state IN ('proposed', 'judging', 'predicted', 'committed', 'dropped')"
    op.create_check_constraint(op.f("ck_rejudgings_state"), "rejudgings", states)
    op.create_table(
        "rejudged_samples",
        _key("rejudging_id", "rejudged_samples", "rejudgings"),
        _key("sample_id", "rejudged_samples", "samples"),
        _key("test_set_id", "rejudged_samples", "test_sets"),
        _key("old_verdict_id", "rejudged_samples", "verdicts"),
        _key("new_verdict_id", "rejudged_samples", "verdicts", nullable=True),
        sa.Column("state", sa.Text, nullable=False, server_default=sa.text("'waiting'")),
        sa.Column("lease_token", sa.Text),
        sa.Column("lease_until", _INSTANT),
        sa.Column("attempts", sa.BigInteger, nullable=False, server_default=sa.text("0")),
        sa.Column("error", sa.Text),
        sa.PrimaryKeyConstraint("rejudging_id", "sample_id", name="pk_rejudged_samples"),
        sa.CheckConstraint("state IN ('waiting', 'judged', 'left_over')", name="ck_rejudged_samples_state"),
    )
    op.create_index("ix_rejudged_samples_state", "rejudged_samples", ["rejudging_id", "state"])
    queue = ["rejudging_id", "test_set_id", "sample_id"]
    waiting = sa.text("state = 'waiting'")
    op.create_index("ix_rejudged_samples_waiting", "rejudged_samples", queue, postgresql_where=waiting)
    held = sa.text("lease_token IS NOT NULL")
    op.create_index("ix_rejudged_samples_lease", "rejudged_samples", ["lease_until"], postgresql_where=held)
    op.create_table(
        "rejudging_approvals",
        _key("rejudging_id", "rejudging_approvals", "rejudgings"),
        _key("user_id", "rejudging_approvals", "users"),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("at", _INSTANT, nullable=False),
        sa.PrimaryKeyConstraint("rejudging_id", "user_id", name="pk_rejudging_approvals"),
    )
    known = op.create_table(
        "grader_revisions",
        sa.Column("revision", sa.Text, nullable=False),
        sa.Column("lineage", sa.Text, nullable=False),
        sa.Column("first_at", _INSTANT, nullable=False),
        sa.PrimaryKeyConstraint("revision", name="pk_grader_revisions"),
    )
    # The judges of verdicts that are there already are old acquaintances: only a new one is worth a proposal.
    connection = op.get_bind()
    seen = sa.text("SELECT grader_revision, min(judged_at) FROM verdicts GROUP BY grader_revision")
    rows = [{"revision": name, "lineage": lineage(name), "first_at": first} for name, first in connection.execute(seen)]
    if rows:
        connection.execute(sa.insert(known), rows)


def downgrade() -> None:
    """What was judged again and committed stays; the others are forgotten with the answers they were to judge."""
    op.drop_table("grader_revisions")
    op.drop_table("rejudging_approvals")
    op.drop_table("rejudged_samples")
    op.drop_constraint(op.f("ck_rejudgings_state"), "rejudgings")
    op.drop_column("rejudgings", "state_since")
    op.drop_column("rejudgings", "state")

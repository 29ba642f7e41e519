"""Organisations dispute verdicts, cutoffs and exposures of their models."""

import sqlalchemy as sa
from alembic import op

revision: str = "0079"
down_revision: str | None = "0078"

_CHECKS = {
    "subject": "subject IN ('problem', 'verdict', 'cutoff', 'exposure')",
    "problem": "(subject = 'problem') = (problem_id IS NOT NULL)",
    "organisation": "(subject = 'problem') = (organisation_id IS NULL)",
    "model": "(subject = 'problem') = (model_id IS NULL)",
    "sample": "(subject = 'verdict') = (sample_id IS NOT NULL)",
}
_COLUMNS = ("public_id", "subject", "organisation_id", "model_id", "sample_id", "evidence")


def upgrade() -> None:
    """Let a report be about more than a problem."""
    op.add_column("disputes", sa.Column("public_id", sa.Text, unique=True))
    op.add_column("disputes", sa.Column("subject", sa.Text, nullable=False, server_default=sa.text("'problem'")))
    for name, table in (("organisation_id", "organisations"), ("model_id", "models"), ("sample_id", "samples")):
        op.add_column("disputes", sa.Column(name, sa.BigInteger, sa.ForeignKey(f"{table}.id")))
    op.add_column("disputes", sa.Column("evidence", sa.Text))
    op.alter_column("disputes", "problem_id", nullable=True)
    for name, rule in _CHECKS.items():
        op.create_check_constraint(op.f(f"ck_disputes_{name}"), "disputes", rule)
    op.create_index(op.f("ix_disputes_organisation_id"), "disputes", ["organisation_id"])
    for column in ("model_id", "sample_id"):
        op.create_index(
            f"ix_disputes_{column}", "disputes", [column], postgresql_where=sa.text(f"{column} IS NOT NULL")
        )


def downgrade() -> None:
    """Forget what organisations disputed."""
    op.execute("DELETE FROM disputes WHERE subject <> 'problem'")
    for column in _COLUMNS:
        op.drop_column("disputes", column)
    op.execute("ALTER TABLE disputes DROP CONSTRAINT IF EXISTS ck_disputes_problem")
    op.alter_column("disputes", "problem_id", nullable=False)

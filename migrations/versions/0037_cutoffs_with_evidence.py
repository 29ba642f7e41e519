"""Cutoffs count once their evidence was accepted, and vendors' own words wait for that."""

import sqlalchemy as sa
from alembic import op

revision: str = "0037"
down_revision: str | None = "0036"

# `stays`: what maintainers entered with an address, and what is shipped. A vendor's own words are accepted where a
# maintainer edited them since.
_MOVED = """
CREATE TEMPORARY TABLE moved ON COMMIT DROP AS
SELECT id, slug, organisation_id, shown, stays, cutoff_evidence AS evidence, said AS old_on,
       CASE WHEN cutoff_on IS NULL AND released_on IS NOT NULL THEN 'release_date' ELSE cutoff_basis END AS old_basis,
       ours AS released_on, coalesce(ours, registered) AS new_on,
       CASE WHEN ours IS NULL THEN 'registered' ELSE 'released' END AS new_basis
FROM (
    SELECT m.*, coalesce(m.cutoff_on, m.released_on) AS said, (m.created_at AT TIME ZONE 'UTC')::date AS registered,
           CASE WHEN m.organisation_id IS NULL THEN m.released_on END AS ours,
           EXISTS (SELECT FROM runs r WHERE r.model_id = m.id AND r.public) AS shown,
           m.cutoff_on IS NOT NULL AND (m.demo OR (
               coalesce(m.cutoff_evidence, '') ~ '^https?://[^[:space:]/]+[.][^[:space:]/]+(/[^[:space:]]*)?$'
               AND (m.organisation_id IS NULL OR EXISTS (SELECT FROM cutoff_edits e WHERE e.model_id = m.id))
           )) AS stays
    FROM models m
) AS known
"""


def upgrade() -> None:
    """Of dates without evidence the next basis counts; each model that moves by this has a line that says so."""
    op.create_table(
        "declarations",
        sa.Column("id", sa.BigInteger, sa.Identity(always=False), primary_key=True),
        sa.Column("model_id", sa.BigInteger, sa.ForeignKey("models.id"), nullable=False),
        sa.Column("released_on", sa.Date),
        sa.Column("cutoff_on", sa.Date),
        sa.Column("evidence", sa.Text),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("decided_at", sa.DateTime(timezone=True)),
        sa.Column("decided_by", sa.Text),
        sa.Column("reason", sa.Text),
        sa.CheckConstraint(
            "state IN ('waiting', 'accepted', 'refused', 'replaced')", name=op.f("ck_declarations_state")
        ),
    )
    op.create_index("ix_declarations_model_id", "declarations", ["model_id"])
    op.create_index(
        "one_waiting", "declarations", ["model_id"], unique=True, postgresql_where=sa.text("state = 'waiting'")
    )
    op.execute(_MOVED)
    op.execute(
        "INSERT INTO declarations (model_id, released_on, cutoff_on, evidence, state, made_at) "
        "SELECT m.id, m.released_on, m.cutoff_on, m.cutoff_evidence, 'waiting', m.created_at FROM models m "
        "JOIN moved USING (id) WHERE m.organisation_id IS NOT NULL AND NOT stays AND old_on IS NOT NULL"
    )
    op.execute(
        "INSERT INTO ledger (at, kind, subject, reason, before, after) SELECT now(), 'model.cutoff', slug, "
        "'no evidence of its cutoff was accepted', "
        "jsonb_build_object('date', old_on, 'basis', old_basis, 'evidence', evidence), "
        "jsonb_build_object('date', new_on, 'basis', new_basis, 'evidence', NULL) "
        "FROM moved WHERE NOT stays AND shown AND old_on IS DISTINCT FROM new_on ORDER BY id"
    )
    op.execute(
        "INSERT INTO cutoff_edits (model_id, old_on, old_basis, new_on, new_basis, evidence, actor, at) "
        "SELECT id, old_on, old_basis, new_on, new_basis, NULL, 'system', now() "
        "FROM moved WHERE NOT stays AND old_on IS DISTINCT FROM new_on ORDER BY id"
    )
    op.execute(
        "UPDATE models m SET cutoff_on = NULL, cutoff_evidence = NULL, released_on = moved.released_on "
        "FROM moved WHERE moved.id = m.id AND NOT stays"
    )
    op.execute(
        "UPDATE models SET cutoff_evidence = 'shipped with Tidemark' WHERE demo AND cutoff_on IS NOT NULL "
        "AND coalesce(cutoff_evidence, '') !~ '[^[:space:]]'"
    )
    op.drop_column("models", "cutoff_basis")
    op.create_check_constraint(
        op.f("ck_models_cutoff_evidence"),
        "models",
        "cutoff_on IS NULL OR coalesce(cutoff_evidence, '') ~ '[^[:space:]]'",
    )


def downgrade() -> None:
    """What waits is lost; what was accepted is declared."""
    op.drop_constraint(op.f("ck_models_cutoff_evidence"), "models")
    op.add_column("models", sa.Column("cutoff_basis", sa.Text, nullable=False, server_default="unknown"))
    op.execute("UPDATE models SET cutoff_basis = 'declared' WHERE cutoff_on IS NOT NULL")
    op.alter_column("models", "cutoff_basis", server_default=None)
    op.create_check_constraint(
        op.f("ck_models_cutoff_basis"),
        "models",
        "cutoff_basis IN ('declared', 'release_date', 'estimated', 'unknown')",
    )
    op.drop_table("declarations")

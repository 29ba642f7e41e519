"""A limit that a source does not state is unknown, and a training dates no task."""

import sqlalchemy as sa
from alembic import op

revision: str = "0018"
down_revision: str | None = "0017"


def upgrade() -> None:
    """Where nothing was published yet, limits that no page stated are unknown again: they stood as 2 s and 256 MB.

    Published problems keep the limits that their answers were judged by.
    """
    for name in ("time_ms", "memory_mb"):
        op.alter_column("problem_versions", name, existing_type=sa.Integer, nullable=True)
    op.add_column("sources", sa.Column("states_limits", sa.Boolean, nullable=False, server_default=sa.true()))
    op.execute("UPDATE sources SET states_limits = false WHERE slug = 'leetcode' AND kind = 'site'")
    op.execute(
        "UPDATE problem_versions v SET time_ms = NULL, memory_mb = NULL FROM captures c, problems p, sources s"
        " WHERE c.id = v.capture_id AND p.id = v.problem_id AND s.id = p.source_id AND p.state <> 'published'"
        " AND v.time_ms = 2000 AND v.memory_mb = 256"
        """ AND (NOT s.states_limits OR c.findings @> '[{"code": "missing_limits"}]')"""
    )
    _forget_trainings()


def _forget_trainings() -> None:
    """Tasks that a daily training of AtCoder dated have no date, until the contest they were first used in is read."""
    op.execute(
        "CREATE TEMPORARY TABLE trainings ON COMMIT DROP AS SELECT c.id, c.starts_at FROM contests c"
        " JOIN sources s ON s.id = c.source_id WHERE s.slug = 'atcoder' AND c.external_id ILIKE 'adt!_%' ESCAPE '!'"
    )
    op.execute(
        "CREATE TEMPORARY TABLE trained ON COMMIT DROP AS SELECT p.id FROM problems p"
        " JOIN trainings t ON t.id = p.contest_id WHERE p.released_on >= t.starts_at"
    )
    op.execute("UPDATE contests SET kind = 'training' WHERE id IN (SELECT id FROM trainings)")
    op.execute(
        "UPDATE obligations SET state = 'closed', reason = 'a training dates nothing', settled_at = now()"
        " WHERE state = 'open' AND contest_id IN (SELECT id FROM trainings)"
    )
    op.execute(
        "INSERT INTO ledger (at, kind, subject, reason)"
        " SELECT now(), 'problem.quarantined', 'atcoder/' || external_id, 'no release date' FROM problems"
        " WHERE state = 'published' AND NOT canary AND id IN (SELECT id FROM trained)"
    )
    op.execute(
        "UPDATE problems SET released_on = NULL, state = CASE state WHEN 'published' THEN 'held' ELSE state END,"
        " hold_reason = CASE WHEN state IN ('published', 'held') THEN 'no release date' END"
        " WHERE id IN (SELECT id FROM trained)"
    )
    op.execute("UPDATE problems SET contest_id = NULL WHERE contest_id IN (SELECT id FROM trainings)")
    op.execute(
        "UPDATE board_state SET revision = revision + 1, axes_revision = revision + 1"
        " WHERE EXISTS (SELECT FROM trained)"
    )


def downgrade() -> None:
    """Unknown limits are what they were taken for; tasks stay undated until their contests are read."""
    op.execute(
        "UPDATE problem_versions SET time_ms = coalesce(time_ms, 2000), memory_mb = coalesce(memory_mb, 256)"
        " WHERE time_ms IS NULL OR memory_mb IS NULL"
    )
    for name in ("time_ms", "memory_mb"):
        op.alter_column("problem_versions", name, existing_type=sa.Integer, nullable=False)
    op.drop_column("sources", "states_limits")

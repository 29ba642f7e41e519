"""The database refuses to change facts; a problem's text and tests are its own; parents find their children."""

import sqlalchemy as sa
from alembic import op

from app.db.tables.facts import FUNCTION, TRIGGER, fixed_columns, guard

revision: str = "0020"
down_revision: str | None = "0019"

# The tables of facts as they are now, and what may change in them.
_MAY_CHANGE = {
    "audit_log": "",
    "blobs": "",
    "captures": "scrape_run_id kind contest http_status classification headers findings records shape review "
    "fetched_at",
    "contest_standings": "",
    "cutoff_edits": "",
    "difficulties": "",
    "exposures": "",
    "grader_revisions": "",
    "human_fields": "stored_at",
    "imported_results": "",
    "ledger": "",
    "problem_versions": "in_use origin seen_at capture_id form entry time_ms memory_mb output_kb examples",
    "programs": "",
    "protocols": "slug title fingerprint body revision_of",
    "rejudging_approvals": "",
    "rejudgings": "state state_since predicted actual",
    "snapshots": "",
    "test_sets": "lease_token lease_until attempts proof proof_detail",
    "tests": "",
    "verdicts": "counts",
}
# Keys of other tables by which the database looks for children when a row is deleted; empty ones are left out.
_INDICES = {
    "samples": ("parent_id", "raw_sha256"),
    "captures": ("body_sha256",),
    "problem_versions": ("capture_id",),
    "rejudged_samples": ("old_verdict_id", "new_verdict_id"),
}
# What a problem uses that is another one's is replaced by its own; a problem without is held.
_OWN = """
WITH own AS (
    SELECT p.id,
        CASE WHEN v.problem_id <> p.id THEN (
            SELECT o.id FROM problem_versions o WHERE o.problem_id = p.id
            ORDER BY o.in_use DESC, o.locale <> 'en', o.id LIMIT 1
        ) ELSE p.current_version_id END AS version,
        CASE WHEN t.problem_id <> p.id THEN (
            SELECT o.id FROM test_sets o WHERE o.problem_id = p.id AND o.proof <> 'refuted' ORDER BY o.id DESC LIMIT 1
        ) ELSE p.current_test_set_id END AS tests
    FROM problems p
    LEFT JOIN problem_versions v ON v.id = p.current_version_id
    LEFT JOIN test_sets t ON t.id = p.current_test_set_id
    WHERE v.problem_id <> p.id OR t.problem_id <> p.id
), judged AS (SELECT *, version IS NULL OR tests IS NULL AS lacking FROM own)
UPDATE problems p SET current_version_id = j.version, current_test_set_id = j.tests,
    state = CASE WHEN p.state = 'published' AND j.lacking THEN 'held' ELSE p.state END,
    hold_reason = CASE WHEN p.state = 'published' AND j.lacking THEN 'it has no text or no tests of its own'
                  ELSE p.hold_reason END
FROM judged j WHERE j.id = p.id
"""
_KEYS = (("current_version_id", "problem_versions"), ("current_test_set_id", "test_sets"))


def upgrade() -> None:
    """Rows stay as they are, but for problems that used another one's text or tests."""
    op.execute(_OWN)
    for column, table in _KEYS:
        op.create_unique_constraint(op.f(f"uq_{table}_id_problem_id"), table, ["id", "problem_id"])
        op.drop_constraint(f"fk_problems_{column}", "problems")
        op.create_foreign_key(op.f(f"fk_problems_{column}_id"), "problems", table, [column, "id"], ["id", "problem_id"])
    for table, columns in _INDICES.items():
        for column in columns:
            op.create_index(f"ix_{table}_{column}", table, [column], postgresql_where=sa.text(f"{column} IS NOT NULL"))
    op.execute(FUNCTION)
    inspector = sa.inspect(op.get_bind())
    for table, may_change in _MAY_CHANGE.items():
        names = [str(column["name"]) for column in inspector.get_columns(table)]
        op.execute(guard(table, fixed_columns(names, may_change.split())))


def downgrade() -> None:
    """Let facts be changed again."""
    for table in _MAY_CHANGE:
        op.execute(f"DROP TRIGGER {TRIGGER} ON {table}")
    op.execute("DROP FUNCTION refuse_changed_fact()")
    for table, columns in _INDICES.items():
        for column in columns:
            op.drop_index(f"ix_{table}_{column}", table)
    for column, table in _KEYS:
        op.drop_constraint(f"fk_problems_{column}_id", "problems")
        op.create_foreign_key(op.f(f"fk_problems_{column}"), "problems", table, [column], ["id"])
        op.drop_constraint(f"uq_{table}_id_problem_id", table)

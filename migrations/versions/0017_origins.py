"""Texts know where and when they were seen; imported results keep cells that have no verdict."""

import sqlalchemy as sa
from alembic import op

revision: str = "0017"
down_revision: str | None = "0016"

_COUNTS = "ck_imported_results_counts"
_ORIGINS = "IN ('suite', 'page', 'package')"

_SEEN = """
UPDATE problem_versions v SET seen_at = coalesce(k.fetched_at, v.created_at), origin = CASE
    WHEN v.capture_id IS NOT NULL THEN 'page'
    WHEN EXISTS (SELECT FROM test_sets t WHERE t.problem_id = v.problem_id AND t.origin LIKE '% package') THEN 'package'
    ELSE 'suite' END
FROM problem_versions w LEFT JOIN captures k ON k.id = w.capture_id WHERE w.id = v.id
"""
_NAMED = """
UPDATE problems p SET named_by = CASE
    WHEN EXISTS (SELECT FROM problem_versions v WHERE v.problem_id = p.id AND v.in_use AND v.origin = 'package')
    THEN 'package'
    WHEN s.kind = 'site' AND p.state <> 'catalogued' THEN 'page'
    ELSE 'suite' END
FROM sources s WHERE s.id = p.source_id
"""
# What a package said of flags was kept as any import's.
_FLAGS = """
UPDATE problems SET flag_words = (
    SELECT jsonb_agg(CASE word ->> 'kind' WHEN {old} THEN jsonb_set(word, '{{kind}}', to_jsonb({new}::text))
                     ELSE word END ORDER BY place)
    FROM jsonb_array_elements(flag_words) WITH ORDINALITY AS told (word, place))
WHERE named_by = 'package' AND flag_words <> '[]'
"""


def upgrade() -> None:
    """Files that were imported until now left such cells out. What is in use stays so until a text is seen again."""
    for name in ("pending", "judge_errors"):
        op.add_column("imported_results", sa.Column(name, sa.BigInteger, nullable=False, server_default=sa.text("0")))
    op.drop_constraint(op.f(_COUNTS), "imported_results")
    op.create_check_constraint(
        op.f(_COUNTS), "imported_results", "c >= 0 AND c <= n AND pending >= 0 AND judge_errors >= 0"
    )
    op.add_column("problem_versions", sa.Column("seen_at", sa.DateTime(timezone=True)))
    op.add_column("problem_versions", sa.Column("origin", sa.Text))
    op.add_column("problems", sa.Column("named_by", sa.Text, nullable=False, server_default=sa.text("'suite'")))
    op.execute(_SEEN)
    op.execute(_NAMED)
    op.execute(_FLAGS.format(old="'import'", new="'package'"))
    op.alter_column("problem_versions", "origin", nullable=False)
    op.create_check_constraint(op.f("ck_problem_versions_origin"), "problem_versions", f"origin {_ORIGINS}")
    op.create_check_constraint(op.f("ck_problems_named_by"), "problems", f"named_by {_ORIGINS}")


def downgrade() -> None:
    """Cells without a verdict are left out again, and the text that was seen last counts."""
    op.execute(_FLAGS.format(old="'package'", new="'import'"))
    op.drop_constraint(op.f("ck_problems_named_by"), "problems")
    op.drop_constraint(op.f("ck_problem_versions_origin"), "problem_versions")
    op.drop_column("problems", "named_by")
    op.drop_column("problem_versions", "origin")
    op.drop_column("problem_versions", "seen_at")
    op.execute("DELETE FROM imported_results WHERE n = 0")
    op.drop_constraint(op.f(_COUNTS), "imported_results")
    op.create_check_constraint(op.f(_COUNTS), "imported_results", "c >= 0 AND c <= n AND n > 0")
    for name in ("judge_errors", "pending"):
        op.drop_column("imported_results", name)

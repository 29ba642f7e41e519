"""Cells from facts: one statement computes a cell from verdicts, for an update and for a rebuild."""

from sqlalchemy import text

from app.db.kernel.session import Session
from app.domain.asking.retry_policy import MAX_SUBMISSION_WAIT

# The cells to update, and their new values; both tables live for one transaction. They are
# analysed once filled, because the planner assumes that an unknown temporary table is tiny.
_TABLES = """
CREATE TEMPORARY TABLE IF NOT EXISTS cell_scope
    (run_id bigint, problem_id bigint, item bigint) ON COMMIT DELETE ROWS;
CREATE TEMPORARY TABLE IF NOT EXISTS cell_facts
    (run_id bigint, problem_id bigint, item bigint, n bigint, c bigint, pending bigint, judge_errors bigint)
    ON COMMIT DELETE ROWS;
TRUNCATE cell_scope, cell_facts
"""

# A lock serialises aggregations, so that marks can be taken up to an id: a join with a list of picked marks took
# quadratic time whenever the planner expected few.
_LOCK = "SELECT pg_advisory_xact_lock(hashtext('dirty_cells'))"
_LAST_MARK = "SELECT max(id) FROM (SELECT id FROM dirty_cells ORDER BY id LIMIT :limit) AS oldest"
_TAKE_DIRTY = """
WITH taken AS (DELETE FROM dirty_cells WHERE id <= :last RETURNING run_id, problem_id, item)
INSERT INTO cell_scope SELECT run_id, problem_id, item FROM taken
"""

_TAKE_ALL = """
INSERT INTO cell_scope SELECT run_id, problem_id, item FROM samples
UNION SELECT run_id, problem_id, item FROM imported_results
"""

# A sample counts under the version in use of its locale and the current test set of its problem;
# imported runs have their cells in their file. If tests run beside programs, they do so for all of
# them, so their verdicts count whichever way they end: no program can choose what counts. One
# statement for an update and for a rebuild, so that the two cannot differ.
_FACTS = """
WITH scope AS MATERIALIZED (SELECT DISTINCT run_id, problem_id, item FROM cell_scope)
INSERT INTO cell_facts
SELECT s.run_id, s.problem_id, s.item,
       count(v.id),
       count(v.id) FILTER (WHERE v.verdict = 'accepted'),
       count(*) FILTER (WHERE v.id IS NULL AND s.state NOT IN ('gave_up', 'stuck')),
       count(*) FILTER (WHERE s.state = 'stuck')
FROM scope
JOIN samples s USING (run_id, problem_id, item)
JOIN problem_versions asked ON asked.id = s.problem_version_id AND asked.in_use
JOIN problems p ON p.id = s.problem_id
LEFT JOIN verdicts v ON v.sample_id = s.id AND v.test_set_id = p.current_test_set_id
    AND v.counts AND v.verdict <> 'judge_error'
GROUP BY s.run_id, s.problem_id, s.item
UNION ALL
SELECT i.run_id, i.problem_id, i.item, i.n, i.c, i.pending, i.judge_errors
FROM scope
JOIN imported_results i USING (run_id, problem_id, item)
"""

_WRITE = """
INSERT INTO cells (run_id, problem_id, item, n, c, pending, judge_errors, revision)
SELECT run_id, problem_id, item, n, c, pending, judge_errors, :revision FROM cell_facts
ON CONFLICT (run_id, problem_id, item) DO UPDATE SET
    n = excluded.n, c = excluded.c, pending = excluded.pending,
    judge_errors = excluded.judge_errors, revision = excluded.revision
WHERE (cells.n, cells.c, cells.pending, cells.judge_errors)
    IS DISTINCT FROM (excluded.n, excluded.c, excluded.pending, excluded.judge_errors)
"""

# A cell whose facts are gone (a new version of the text, not yet planned) is no cell.
_REMOVE = """
DELETE FROM cells USING cell_scope s
WHERE (cells.run_id, cells.problem_id, cells.item) = (s.run_id, s.problem_id, s.item)
  AND NOT EXISTS (SELECT 1 FROM cell_facts f WHERE f.run_id = s.run_id AND f.problem_id = s.problem_id
                  AND f.item = s.item)
"""

_HAS_LATE_ANSWERS = """
SELECT EXISTS (
    SELECT 1 FROM cell_scope c
    JOIN submissions o ON o.run_id = c.run_id
    JOIN problems p ON p.id = c.problem_id
    JOIN samples s ON (s.run_id, s.problem_id, s.item) = (c.run_id, c.problem_id, c.item)
    WHERE s.answered_at > greatest(o.created_at, p.found_at) + :wait
)
"""


def _count(session: Session, statement: str, **values: int) -> int:
    result = session.execute(text(statement), values)
    return int(result.rowcount)  # type: ignore[attr-defined]  # results of INSERT and DELETE count rows


def take_dirty(session: Session, limit: int) -> int:
    """Move about `limit` marks of changed cells into this transaction's scope, and return how many.

    Other transactions wait to take marks until this one ends.
    """
    session.execute(text(_TABLES))
    session.execute(text(_LOCK))
    last = session.scalar(text(_LAST_MARK), {"limit": limit})
    return 0 if last is None else _count(session, _TAKE_DIRTY, last=last)


def take_all(session: Session) -> None:
    """Delete every cell, and take all cells that have facts into this transaction's scope."""
    session.execute(text(_TABLES))
    session.execute(text("DELETE FROM cells"))
    session.execute(text(_TAKE_ALL))


def update_cells(session: Session, revision: int) -> bool:
    """Recompute the cells in scope from the facts, and return True if some were removed."""
    session.execute(text("ANALYZE cell_scope"))
    session.execute(text(_FACTS))
    session.execute(text("ANALYZE cell_facts"))
    session.execute(text(_WRITE), {"revision": revision})
    return _count(session, _REMOVE) > 0


def has_late_answers(session: Session) -> bool:
    """Return whether a submission answered a problem in scope too late, so that it counts as served before."""
    return bool(session.scalar(text(_HAS_LATE_ANSWERS), {"wait": MAX_SUBMISSION_WAIT}))


def mark_problem(session: Session, problem_id: int) -> None:
    """Mark every cell of a problem as changed, after new text or new tests."""
    session.execute(
        text("INSERT INTO dirty_cells (run_id, problem_id, item) "
             "SELECT DISTINCT run_id, problem_id, item FROM samples WHERE problem_id = :id"),
        {"id": problem_id},
    )  # fmt: skip


def mark_run(session: Session, run_id: int) -> None:
    """Mark every cell of an imported run as changed."""
    session.execute(
        text("INSERT INTO dirty_cells (run_id, problem_id, item) "
             "SELECT run_id, problem_id, item FROM imported_results WHERE run_id = :id"),
        {"id": run_id},
    )  # fmt: skip

"""Cells from facts: one statement makes a cell from verdicts, whether for one or for all of them."""

from sqlalchemy import text

from app.db.kernel.session import Session
from app.domain.asking.patience import LONGEST_WAIT

# What is being brought up to date, and what it comes to; both live for one transaction. They are
# analysed once filled, for the planner takes an unknown temporary table to be tiny.
_TABLES = """
CREATE TEMPORARY TABLE IF NOT EXISTS cell_scope
    (run_id bigint, problem_id bigint, item bigint) ON COMMIT DELETE ROWS;
CREATE TEMPORARY TABLE IF NOT EXISTS cell_facts
    (run_id bigint, problem_id bigint, item bigint, n bigint, c bigint, pending bigint, judge_errors bigint)
    ON COMMIT DELETE ROWS;
TRUNCATE cell_scope, cell_facts
"""

# Who counts takes turns, so that marks can be taken up to a number: joined to a list of picked ones, they were taken
# in quadratic time whenever the planner believed that there were few.
_TURN = "SELECT pg_advisory_xact_lock(hashtext('dirty_cells'))"
_UP_TO = "SELECT max(id) FROM (SELECT id FROM dirty_cells ORDER BY id LIMIT :limit) AS oldest"
_TAKE_DIRTY = """
WITH taken AS (DELETE FROM dirty_cells WHERE id <= :last RETURNING run_id, problem_id, item)
INSERT INTO cell_scope SELECT run_id, problem_id, item FROM taken
"""

_TAKE_ALL = """
INSERT INTO cell_scope SELECT run_id, problem_id, item FROM samples
UNION SELECT run_id, problem_id, item FROM imported_results
"""

# A sample counts under the version in use of its locale and the current test set of its problem;
# imported runs bring their cells in their file. Where tests run beside programs, they do so for all of
# them, so their verdicts count whichever way they end: no program chooses what it is counted on. One
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

_LATE = """
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
    """Move about `limit` marks of changed cells into this transaction's scope; returns how many marks.

    Nobody else takes marks until the transaction ends.
    """
    session.execute(text(_TABLES))
    session.execute(text(_TURN))
    last = session.scalar(text(_UP_TO), {"limit": limit})
    return 0 if last is None else _count(session, _TAKE_DIRTY, last=last)


def take_all(session: Session) -> None:
    """Drop every cell and take all that have facts into this transaction's scope."""
    session.execute(text(_TABLES))
    session.execute(text("DELETE FROM cells"))
    session.execute(text(_TAKE_ALL))


def update_cells(session: Session, revision: int) -> bool:
    """Make the cells in scope again from the facts; True when some of them are no more."""
    session.execute(text("ANALYZE cell_scope"))
    session.execute(text(_FACTS))
    session.execute(text("ANALYZE cell_facts"))
    session.execute(text(_WRITE), {"revision": revision})
    return _count(session, _REMOVE) > 0


def some_came_late(session: Session) -> bool:
    """Whether a vendor's order answered one of those in scope later than it may wait: its run was served that."""
    return bool(session.scalar(text(_LATE), {"wait": LONGEST_WAIT}))


def mark_problem(session: Session, problem_id: int) -> None:
    """Say that every cell of a problem may have changed: new text or new tests."""
    session.execute(
        text("INSERT INTO dirty_cells (run_id, problem_id, item) "
             "SELECT DISTINCT run_id, problem_id, item FROM samples WHERE problem_id = :id"),
        {"id": problem_id},
    )  # fmt: skip


def mark_run(session: Session, run_id: int) -> None:
    """Say that every cell of an imported run may have changed."""
    session.execute(
        text("INSERT INTO dirty_cells (run_id, problem_id, item) "
             "SELECT run_id, problem_id, item FROM imported_results WHERE run_id = :id"),
        {"id": run_id},
    )  # fmt: skip

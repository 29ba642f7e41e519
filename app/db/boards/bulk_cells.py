"""Millions of synthetic cells, and their means by SQL alone: the baseline of `./tidemark perf boards`."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import text

from app.db.kernel.session import Session
from app.db.runs.runs import ensure_protocol
from app.domain.asking.protocols import Protocol
from app.domain.cube.facts import RunFact
from app.domain.problems import ProblemFact

_FIELDS = 8
_ROW = np.dtype([("fields", ">i2"), *((f"{kind}{n}", kind) for n in range(_FIELDS) for kind in (">i4", ">i8"))])
_SIGNATURE, _END = b"PGCOPY\n\xff\r\n\0" + bytes(8), b"\xff\xff"
# Twenty million rows are checked and indexed at once, not one by one.
_BEFORE = (
    "SET LOCAL session_replication_role = replica",
    "SET LOCAL maintenance_work_mem = '512MB'",
    "SET LOCAL statement_timeout = 0",
    "ALTER TABLE cells DROP CONSTRAINT pk_cells",
    "DROP INDEX ix_cells_revision",
    "ALTER TABLE cells SET UNLOGGED",
    "ALTER TABLE cells SET (autovacuum_enabled = false)",  # its work would be measured too
)
_AFTER = (
    "ALTER TABLE cells ADD CONSTRAINT pk_cells PRIMARY KEY (run_id, problem_id, item)",
    "CREATE INDEX ix_cells_revision ON cells (revision)",
    "ANALYZE cells",
)
_MEANS = """
SELECT c.run_id, avg(c.c::float8 / c.n), stddev(c.c::float8 / c.n), count(*)
FROM cells c JOIN measured_problems p ON p.id = c.problem_id
WHERE c.n > 0 AND p.day >= :first AND p.day < :last
  AND (cardinality(CAST(:platforms AS text[])) = 0 OR p.platform = ANY(CAST(:platforms AS text[])))
  AND (cardinality(CAST(:levels AS text[])) = 0 OR p.level = ANY(CAST(:levels AS text[])))
GROUP BY c.run_id
"""


def fill(session: Session, protocol: Protocol, problems: Sequence[ProblemFact], runs: Sequence[RunFact]) -> int:
    """Insert problems and runs under their ids, and a table of the facts that the SQL means need.

    Return the id of the runs' protocol.
    """
    protocol_id = ensure_protocol(session, protocol).id
    session.execute(text("INSERT INTO sources (slug, name, kind) VALUES ('measured', 'Measured', 'suite')"))
    session.execute(text("CREATE TABLE measured_problems (id bigint PRIMARY KEY, day date, platform text, level text)"))
    session.execute(
        text(
            "INSERT INTO problems (id, source_id, external_id, title, state, released_on) OVERRIDING SYSTEM VALUE "
            "SELECT :id, id, :slug, '', 'found', :released_on FROM sources WHERE slug = 'measured'"
        ),
        [{"id": problem.id, "slug": problem.slug, "released_on": problem.released_on} for problem in problems],
    )
    session.execute(
        text("INSERT INTO measured_problems VALUES (:id, :day, :platform, :level)"),
        [
            {"id": problem.id, "day": problem.day, "platform": problem.platform, "level": problem.level}
            for problem in problems
        ],
    )
    session.execute(
        text(
            "WITH made AS (INSERT INTO models (slug, name, created_at) VALUES (:slug, '', '2000-01-01') RETURNING id) "
            "INSERT INTO runs (id, model_id, protocol_id, state, origin) OVERRIDING SYSTEM VALUE "
            "SELECT :id, id, :protocol, 'active', 'own' FROM made"
        ),
        [{"slug": run.model, "id": run.id, "protocol": protocol_id} for run in runs],
    )
    return protocol_id


def load(
    session: Session, problem_ids: Sequence[int], columns: Iterable[tuple[int, NDArray[Any], NDArray[Any]]]
) -> None:
    """Write (run, n, c) for every problem, in the problems' order, as cells of revision 1."""
    for statement in _BEFORE:
        session.execute(text(statement))
    problem = np.array(problem_ids)
    driver: Any = session.connection().connection.driver_connection
    with driver.cursor() as cursor, cursor.copy("COPY cells FROM STDIN (FORMAT BINARY)") as copy:
        copy.write(_SIGNATURE)
        for run, n, c in columns:
            copy.write(_encoded(run, problem, n, c))
        copy.write(_END)
    for statement in _AFTER:
        session.execute(text(statement))


def _encoded(run: int, problem: NDArray[Any], n: NDArray[Any], c: NDArray[Any]) -> bytes:
    rows = np.zeros(problem.size, dtype=_ROW)
    rows["fields"] = _FIELDS
    for place in range(_FIELDS):
        rows[f">i4{place}"] = 8
    for place, values in enumerate((run, problem, 0, n, c, 0, 0, 1)):
        rows[f">i8{place}"] = values
    return rows.tobytes()


def bump_cell(session: Session, run_id: int, problem_id: int, revision: int) -> None:
    """Add one verdict to a cell, as the aggregation would."""
    values = {"run": run_id, "problem": problem_id, "revision": revision}
    session.execute(
        text("UPDATE cells SET n = 11, c = 5, revision = :revision WHERE run_id = :run AND problem_id = :problem"),
        values,
    )


def means(session: Session, selection: Mapping[str, Any]) -> dict[int, float]:
    """Return each run's mean over the problems of days [first, last) on these platforms and levels, by GROUP BY."""
    session.execute(text("SET LOCAL statement_timeout = 0"))
    return {row[0]: row[1] for row in session.execute(text(_MEANS), selection)}

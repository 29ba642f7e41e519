"""The daily audit of problems reads every cell there is, and holds no more of them than their rates."""

import tracemalloc

from factories import World
from sqlalchemy import text

from app.db.kernel.session import Session
from app.services.problems import quarantine

RUNS, PROBLEMS = 60, 2000

MANY = f"""
SET LOCAL session_replication_role = replica;
INSERT INTO problems (source_id, external_id, title, released_on, state, current_version_id, current_test_set_id)
    SELECT s.id, 'many' || g, 'Many', timestamptz '2026-01-01Z', 'published', 1, 1
    FROM sources s, generate_series(1, {PROBLEMS}) g WHERE s.slug = 'house';
INSERT INTO runs (model_id, protocol_id, configuration_key, state, origin)
    SELECT r.model_id, r.protocol_id, 'many' || g, 'active', 'own' FROM runs r, generate_series(1, {RUNS}) g;
INSERT INTO cells
    SELECT r.id, p.id, 0, 1, (r.place * {PROBLEMS} > p.place * {RUNS})::int, 0, 0, 1  -- no problem is a suspect
    FROM (SELECT id, row_number() OVER (ORDER BY id) AS place FROM runs WHERE starts_with(configuration_key, 'many')) r,
         (SELECT id, row_number() OVER (ORDER BY id) AS place FROM problems WHERE starts_with(external_id, 'many')) p;
SET LOCAL session_replication_role = origin;
"""


def test_an_audit_holds_rates_and_no_rows(session: Session) -> None:
    world = World(session)
    world.run("orion")
    world.problem("one")
    session.flush()
    for statement in MANY.split(";\n"):
        session.execute(text(statement))
    tracemalloc.start()
    quarantine.audit(session, world.now)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    of_rates = 8 * (RUNS + 1) * (PROBLEMS + 1)
    assert peak < 20 * of_rates, "rows of the database would take twice as much, and more the more there are"

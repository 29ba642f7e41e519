"""What a populated database becomes: limits that were never stated, and tasks that a training dated."""

from datetime import UTC, datetime

from sqlalchemy import text

from app.db.kernel.migrate import downgrade, upgrade
from app.db.kernel.session import make_engine

THEN = datetime(2026, 5, 5, tzinfo=UTC)

CONTEST = """INSERT INTO contests (source_id, external_id, title, state, starts_at, ends_at)
    SELECT id, :name, :name, 'ended', :at, :at FROM sources WHERE slug = 'atcoder'"""
DEBT = """INSERT INTO obligations (contest_id, purpose, due_at, late_at)
    SELECT id, 'problems', :at, :at FROM contests WHERE external_id = :name"""
PROBLEM = """INSERT INTO problems (source_id, external_id, title, state, hold_reason, released_on, contest_id)
    SELECT s.id, :name, :name, 'found', NULL, c.starts_at, c.id FROM contests c JOIN sources s ON s.id = c.source_id
    WHERE c.external_id = :contest"""
CAPTURE = """INSERT INTO captures (source_id, url, kind, classification, headers, findings, records, fetched_at)
    SELECT id, :url, 'task', 'ok', '{}', CAST(:findings AS jsonb), 1, :at FROM sources WHERE slug = :source"""
VERSION = """INSERT INTO problem_versions (problem_id, locale, statement_sha256, title, statement, form, time_ms,
    memory_mb, output_kb, capture_id)
    SELECT p.id, 'en', p.external_id, '', 'x', 'stdin', :time, 256, 1, c.id FROM problems p, captures c
    WHERE p.external_id = :name AND c.url = :url"""
TESTS = """INSERT INTO test_sets (problem_id, tests_sha256, checker_kind, checker, origin, proof)
    SELECT id, external_id, 'tokens', '{}', 'x', 'proven' FROM problems WHERE external_id = :name"""
PUBLISH = """UPDATE problems p SET state = 'published', current_version_id = v.id, current_test_set_id = t.id
    FROM problem_versions v, test_sets t WHERE v.problem_id = p.id AND t.problem_id = p.id AND p.external_id = :name"""
MISSING = '[{"code": "missing_limits"}]'


def test_what_was_taken_for_known_is_unknown_again(fresh_database: str) -> None:
    engine = make_engine(fresh_database)
    downgrade(fresh_database, "0016")
    with engine.begin() as connection:

        def do(statement: str, **values: object) -> None:
            connection.execute(text(statement), {"at": THEN, **values} if ":at" in statement else values)

        for source in ("atcoder", "leetcode"):
            do("INSERT INTO sources (slug, name, kind) VALUES (:slug, :slug, 'site')", slug=source)
        for name in ("adt_all_20260505_1", "abc901", "adtech2026"):
            do(CONTEST, name=name)
            do(DEBT, name=name)
        pages = (
            # name, contest, what its page lacked, its time limit, whether it is published
            ("trained", "adt_all_20260505_1", "[]", 2000, False),
            ("shown", "adt_all_20260505_1", "[]", 2000, True),
            ("own", "abc901", "[]", 2000, True),
            ("bare", "abc901", MISSING, 2000, False),
            ("judged", "abc901", MISSING, 2000, True),
            ("timed", "adtech2026", MISSING, 1500, False),
        )
        for name, contest, findings, time, published in pages:
            do(PROBLEM, name=name, contest=contest)
            do(CAPTURE, url=name, findings=findings, source="atcoder")
            do(VERSION, name=name, url=name, time=time)
            do(TESTS, name=name)
            if published:
                do(PUBLISH, name=name)
        before = connection.execute(text("SELECT axes_revision FROM board_state")).scalar_one()
    upgrade(fresh_database)
    with engine.begin() as connection:
        rows = connection.execute(
            text(
                "SELECT p.external_id, p.state, p.released_on IS NOT NULL, p.contest_id IS NOT NULL, v.time_ms"
                " FROM problems p JOIN problem_versions v ON v.problem_id = p.id"
            )
        )
        assert {row[0]: tuple(row[1:]) for row in rows} == {
            "trained": ("found", False, False, 2000),
            "shown": ("held", False, False, 2000),
            "own": ("published", True, True, 2000),
            "bare": ("found", True, True, None),
            "judged": ("published", True, True, 2000),
            "timed": ("found", True, True, 1500),
        }
        assert connection.execute(text("SELECT subject, reason FROM ledger")).all() == [
            ("atcoder/shown", {"code": "hold.no_date"})
        ]
        kinds = connection.execute(
            text("SELECT c.external_id, c.kind, o.state FROM contests c JOIN obligations o ON o.contest_id = c.id")
        )
        assert {row[0]: tuple(row[1:]) for row in kinds} == {
            "adt_all_20260505_1": ("training", "closed"), "abc901": (None, "open"), "adtech2026": (None, "open"),
        }  # fmt: skip
        assert connection.execute(text("SELECT axes_revision FROM board_state")).scalar_one() > before
        states = connection.execute(text("SELECT slug, states_limits FROM sources"))
        assert {row[0]: row[1] for row in states} == {"atcoder": True, "leetcode": False}
    downgrade(fresh_database, "0016")
    upgrade(fresh_database)
    engine.dispose()

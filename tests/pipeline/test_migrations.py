"""The schema: every migration goes up, down and up again, and says what the tables say."""

import json
from dataclasses import asdict

import pytest
from alembic import command
from factories import World
from sqlalchemy import Connection, inspect, select, text, update
from sqlalchemy.exc import IntegrityError
from support.facts import facts_may_change

from app.db.kernel.migrate import config, downgrade, upgrade
from app.db.kernel.session import Session, make_engine
from app.db.runs import runs
from app.db.tables import DirtyCell, Problem, ProblemVersion, Sample, TestSet, VerdictRow
from app.domain.asking.protocols import HOUSE
from app.domain.judging.verdicts import Verdict
from app.domain.states import SampleState

NOON = "2026-11-01 12:00:00+00:00"


def test_up_down_up_without_drift(fresh_database: str) -> None:
    """From nothing; on its way up it holds what older states held."""
    engine = make_engine(fresh_database)
    full = set(inspect(engine).get_table_names())
    downgrade(fresh_database, "base")
    assert set(inspect(engine).get_table_names()) == {"alembic_version"}
    upgrade(fresh_database, "0001")
    with engine.begin() as connection:
        protocols_of_an_older_state(connection)
    upgrade(fresh_database, "0005")
    with engine.begin() as connection:
        published_without_topics(connection)
    upgrade(fresh_database, "0013")
    with engine.begin() as connection:
        rows = connection.execute(text("SELECT fingerprint FROM protocols WHERE slug = 'other'"))
        assert rows.scalars().all() == ["other"]
    upgrade(fresh_database)
    assert set(inspect(engine).get_table_names()) == full
    command.check(config(fresh_database))  # raises when tables and migrations differ
    with Session(engine) as session:
        protocols_are_the_ones_used_now(session)
        found = session.execute(text("SELECT external_id, topics, tags FROM problems ORDER BY external_id")).all()
    assert [tuple(row) for row in found] == [
        ("1/A", ["dynamic-programming"], ["dp", "*special"]), ("1/B", [], ["dp"]), ("1/C", [], []),
    ]  # fmt: skip
    engine.dispose()


def protocols_of_an_older_state(connection: Connection) -> None:
    then = {name: value for name, value in asdict(HOUSE).items() if name != "prerequisite"}  # there was none yet
    older = {**then, "covers": {"sources": ["house"], "forms": ["stdin", "function"]}}
    other = {**then, "slug": "other", "covers": {"sources": ["house"], "forms": ["stdin"]}}
    insert = text("INSERT INTO protocols (slug, title, fingerprint, body) VALUES (:slug, '', :slug, :body)")
    for body in (older, other):
        connection.execute(insert, {"slug": body["slug"], "body": json.dumps(body)})


def protocols_are_the_ones_used_now(session: Session) -> None:
    [kept] = session.scalars(text("SELECT id FROM protocols WHERE slug = 'house'"))
    row = runs.ensure_protocol(session, HOUSE)
    assert (row.id, row.revision_of) == (kept, None)
    covers = json.loads(json.dumps(asdict(HOUSE.covers)))
    assert row.body["covers"] == {name: value for name, value in covers.items() if name != "tags"}  # it has none


def published_without_topics(connection: Connection) -> None:
    connection.execute(text("ALTER TABLE problems DROP CONSTRAINT ck_problems_published"))
    connection.execute(text("INSERT INTO sources (slug, name, kind) VALUES ('codeforces', 'Codeforces', 'site')"))
    for name, state, tags in (
        ("1/A", "published", ["dp", "*special"]),
        ("1/B", "found", ["dp"]),
        ("1/C", "published", []),
    ):
        connection.execute(
            text(
                "INSERT INTO problems (source_id, external_id, title, state, tags)"
                " SELECT id, :name, :name, :state, :tags FROM sources WHERE slug = 'codeforces'"
            ),
            {"name": name, "state": state, "tags": tags},
        )


def test_the_newest_text_of_each_language_stays_in_use(fresh_database: str) -> None:
    engine = make_engine(fresh_database)
    with engine.begin() as connection, Session(connection) as session:
        world = World(session)
        one, other = world.problem("a", statement="1"), world.problem("b", statement="2")
        for problem, text_, locale in ((one, "3", "en"), (one, "4", "zh"), (other, "5", "en"), (one, "6", "en")):
            world.version(problem, statement=text_, locale=locale)
        session.flush()
    downgrade(fresh_database, "0012")
    upgrade(fresh_database)
    with engine.begin() as connection:
        kept = connection.execute(text("SELECT statement FROM problem_versions WHERE in_use ORDER BY statement"))
        assert kept.scalars().all() == ["4", "5", "6"]
    engine.dispose()


def test_a_populated_database_gets_its_guards_and_own_texts_and_tests(fresh_database: str) -> None:
    """Its texts know where they were seen; what a program had judged beside itself is proven and judged anew."""
    engine = make_engine(fresh_database)
    with engine.begin() as connection, Session(connection) as session, facts_may_change(session):
        world = World(session)
        one, other, bare = (world.problem(name, statement=name) for name in "abc")
        run = world.run(world.model("m"))
        world.answer(run, one)
        session.flush()
        ids = {problem.external_id: problem.id for problem in (one, other, bare)}
        own = (other.current_version_id, other.current_test_set_id)
        seen_somewhere(world)
        judged_beside_itself(world)
    downgrade(fresh_database, "0016")
    with engine.begin() as connection:
        mixed = "current_version_id = a.current_version_id, current_test_set_id = a.current_test_set_id"
        connection.execute(
            text(f"UPDATE problems p SET {mixed} FROM problems a WHERE a.id = :a AND p.id IN (:b, :c)"), ids
        )
        gone = "(SELECT id FROM test_sets WHERE problem_id = :c)"
        for table, key in (("tests", "test_set_id"), ("test_sets", "id")):
            connection.execute(text(f"DELETE FROM {table} WHERE {key} IN {gone}"), {"c": ids["c"]})
    upgrade(fresh_database)
    with engine.begin() as connection:
        rows = connection.execute(
            text("SELECT id, state, current_version_id, current_test_set_id FROM problems ORDER BY id")
        ).all()
        assert {row.id: row.state for row in rows if row.id in ids.values()} == {
            ids["a"]: "published", ids["b"]: "published", ids["c"]: "held"
        }  # fmt: skip
        assert [(row.current_version_id, row.current_test_set_id) for row in rows if row.id == ids["b"]] == [own]
    with Session(engine) as session:
        texts_know_where_they_were_seen(session)
        what_ran_beside_is_judged_anew(session)
    changes = (("verdicts", "verdict = 'wrong_answer'"), ("samples", "answer = ''"), ("samples", "item = 7"))
    for table, changed in changes:
        with engine.connect() as connection, pytest.raises(IntegrityError, match=f"a fact is not changed: {table}"):
            connection.execute(text(f"UPDATE {table} SET {changed}"))
    engine.dispose()


def seen_somewhere(world: World) -> None:
    for name, origin in (("seen-a", "Polygon package"), ("seen-b", "lcb-problems"), ("seen-c", "test")):
        made = world.problem(name)
        made.flag_words = [{"kind": "import", "at": NOON, "whole": True, "flags": []}]
        world.session.execute(
            text("UPDATE test_sets SET brought_by = :origin WHERE problem_id = :id"),
            {"origin": origin, "id": made.id},
        )
    world.session.execute(
        text(
            "INSERT INTO captures (source_id, url, kind, classification, records, fetched_at)"
            " SELECT source_id, '', 'task', 'ok', 1, :noon FROM problems WHERE external_id = 'seen-c'"
        ),
        {"noon": NOON},
    )
    world.session.execute(
        text("UPDATE problem_versions SET capture_id = (SELECT id FROM captures) WHERE problem_id = :id"),
        {"id": made.id},
    )


def texts_know_where_they_were_seen(session: Session) -> None:
    found = session.execute(
        text(
            "SELECT p.named_by, v.origin, v.seen_at = CASE WHEN v.capture_id IS NULL THEN v.created_at"
            " ELSE :noon END, p.flag_words -> 0 ->> 'kind'"
            " FROM problems p JOIN problem_versions v ON v.problem_id = p.id"
            " WHERE p.external_id LIKE 'seen-%' ORDER BY p.external_id"
        ),
        {"noon": NOON},
    ).all()
    assert [tuple(row) for row in found] == [
        ("package", "package", True, "package"), ("suite", "suite", True, "import"), ("suite", "page", True, "import"),
    ]  # fmt: skip


def judged_beside_itself(world: World) -> None:
    inside, outside = world.problem("inside"), world.problem("outside")
    world.session.execute(update(ProblemVersion).where(ProblemVersion.problem_id == inside.id).values(form="unittest"))
    sample = world.answer(world.run("tern"), inside, None, state=SampleState.GRADED)
    world.verdict(sample, inside, Verdict.ACCEPTED, in_process=True)
    world.answer(world.run("gull"), outside)
    world.session.flush()


def what_ran_beside_is_judged_anew(session: Session) -> None:
    both = select(Problem).where(Problem.external_id.in_(("inside", "outside"))).order_by(Problem.external_id)
    inside, outside = session.scalars(both).all()
    assert (inside.state, outside.state) == ("published", "published")
    for problem, proof, state, counts in ((inside, "waiting", "answered", False), (outside, "proven", "graded", True)):
        assert session.scalars(select(TestSet.proof).where(TestSet.problem_id == problem.id)).all() == [proof]
        sample = session.scalars(select(Sample).where(Sample.problem_id == problem.id)).one()
        assert sample.state == state
        assert session.scalars(select(VerdictRow.counts).where(VerdictRow.sample_id == sample.id)).all() == [counts]
    assert session.scalars(select(DirtyCell.problem_id)).all() == [inside.id]


def test_an_answer_that_mixed_two_problems_stays_and_no_other_is_added(fresh_database: str) -> None:
    engine = make_engine(fresh_database)
    with engine.begin() as connection, Session(connection) as session:
        world = World(session)
        one, other = world.problem("a"), world.problem("b")
        world.answer(world.run(world.model("m")), one)
        session.flush()
        version = other.current_version_id
    downgrade(fresh_database, "0033")
    mixed = text(
        "INSERT INTO samples (run_id, problem_id, problem_version_id, ordinal, state)"
        " SELECT run_id, problem_id, :version, 5 + count(*) OVER () + ordinal, 'pending' FROM samples LIMIT 1"
    )
    with engine.begin() as connection:
        connection.execute(mixed, {"version": version})
    upgrade(fresh_database)
    with engine.connect() as connection:
        assert connection.scalar(text("SELECT count(*) FROM samples")) == 2
        assert connection.scalars(
            text("SELECT conrelid::regclass::text FROM pg_constraint WHERE NOT convalidated")
        ).all() == ["samples"]
        with pytest.raises(IntegrityError, match="fk_samples_problem_version_id_problem_id"):
            connection.execute(mixed, {"version": version})
    engine.dispose()


def test_what_decides_without_a_reference_is_tried_before_more_is_judged(fresh_database: str) -> None:
    """And tests get the origin of what wrote them down, on the same way up."""
    engine = make_engine(fresh_database)
    words = ("Kattis package", "house league generator", "lcb-problems", "generated")
    with engine.begin() as connection, Session(connection) as session, facts_may_change(session):
        world = World(session)
        ids = [world.problem(word).current_test_set_id for word in words]
        made = {name: world.problem(name).current_test_set_id for name in ("talks", "checked", "compared", "proven")}
        for name, values in (
            ("talks", {"proof": "unproven", "interactor": {"program": "", "protocol": "testlib"}}),
            ("checked", {"proof": "unproven", "checker_kind": "kattis", "attempts": 3}),
            ("compared", {"proof": "unproven"}),
            ("proven", {"interactor": {"program": "", "protocol": "testlib"}}),
        ):
            session.execute(update(TestSet).where(TestSet.id == made[name]).values(**values))
    downgrade(fresh_database, "0025")
    with engine.begin() as connection:
        connection.execute(text("SET LOCAL session_replication_role = replica"))
        for test_set_id, word in zip(ids, words, strict=True):
            connection.execute(text("UPDATE test_sets SET origin = :w WHERE id = :id"), {"w": word, "id": test_set_id})
    downgrade(fresh_database, "0024")
    upgrade(fresh_database)
    with Session(engine) as session:
        proofs = {row.id: (row.proof, row.attempts) for row in session.scalars(select(TestSet))}
    found = {name: proofs[number] for name, number in made.items() if number is not None}
    assert found["talks"] == found["checked"] == ("waiting", 0)
    assert (found["compared"][0], found["proven"][0]) == ("unproven", "proven")
    origins = text("SELECT origin, brought_by, setters FROM test_sets ORDER BY id LIMIT 4")
    with engine.begin() as connection:
        assert [tuple(row) for row in connection.execute(origins)] == [
            ("package", "Kattis package", []), ("package", "house league generator", []),
            ("package", "lcb-problems", []), ("references", "testgen", []),
        ]  # fmt: skip
    with engine.connect() as connection, pytest.raises(IntegrityError, match="a fact is not changed: test_sets"):
        connection.execute(text("UPDATE test_sets SET tests_sha256 = ''"))
    downgrade(fresh_database, "0025")
    with engine.begin() as connection:
        below = text("SELECT origin FROM test_sets ORDER BY id LIMIT 4")
        assert connection.execute(below).scalars().all() == list(words)
    engine.dispose()


def test_dates_without_evidence_count_no_more_and_it_is_said(fresh_database: str) -> None:
    engine = make_engine(fresh_database)
    downgrade(fresh_database, "0036")
    card, made = "https://example.com/card", "2026-05-05 12:00:00+00:00"
    with engine.begin() as connection:
        connection.execute(text("INSERT INTO organisations (id, slug, name) VALUES (7, 'acme', 'Acme')"))
        connection.execute(text("INSERT INTO protocols (slug, title, fingerprint, body) VALUES ('p', '', 'p', '{}')"))
        for slug, owner, released, cutoff, basis, evidence, demo in (
            ("shipped", None, "2026-01-01", "2025-06-30", "declared", None, True),
            ("entered", None, None, "2025-06-30", "declared", card, False),
            ("bare", None, "2026-01-01", "2001-01-01", "declared", None, False),
            ("blank", None, None, "2001-01-01", "declared", "https://   ", False),
            ("listed", None, None, "2023-04-30", "estimated", "the board file's release_date", False),
            ("vendors", 7, "2001-01-01", "2001-01-01", "declared", card, False),
            ("looked-at", 7, None, "2025-06-30", "declared", card, False),
            ("silent", 7, None, None, "unknown", None, False),
        ):
            connection.execute(
                text(
                    "INSERT INTO models (slug, name, organisation_id, released_on, cutoff_on, cutoff_basis, "
                    "cutoff_evidence, demo, created_at) VALUES (:slug, :slug, :owner, :released, :cutoff, :basis, "
                    ":evidence, :demo, :made)"
                ),
                {"slug": slug, "owner": owner, "released": released, "cutoff": cutoff, "basis": basis,
                 "evidence": evidence, "demo": demo, "made": made},
            )  # fmt: skip
        connection.execute(
            text(
                "INSERT INTO cutoff_edits (model_id, new_on, new_basis, evidence, actor, at) "
                "SELECT id, cutoff_on, 'declared', cutoff_evidence, 'operator', created_at FROM models "
                "WHERE slug = 'looked-at'"
            )
        )
        connection.execute(
            text(
                "INSERT INTO runs (model_id, protocol_id, state, origin) "
                "SELECT m.id, p.id, 'active', 'own' FROM models m, protocols p WHERE m.slug <> 'blank'"
            )
        )
    upgrade(fresh_database)
    with engine.connect() as connection:
        rows = connection.execute(text("SELECT slug, cutoff_on, released_on FROM models"))
        dates = {row.slug: tuple(day and day.isoformat() for day in row[1:]) for row in rows}
        told = connection.execute(text("SELECT subject, before, after FROM ledger ORDER BY subject")).all()
        edits = connection.execute(
            text("SELECT slug, new_basis FROM cutoff_edits e JOIN models m ON m.id = e.model_id WHERE actor = 'system'")
        )
        assert {tuple(row) for row in edits} == {
            ("bare", "released"), ("blank", "registered"), ("listed", "registered"), ("vendors", "registered"),
            ("silent", "registered"),
        }  # fmt: skip
        waits = connection.execute(text("SELECT cutoff_on, evidence, state FROM declarations")).all()
        shipped = connection.scalar(text("SELECT cutoff_evidence FROM models WHERE slug = 'shipped'"))
    assert dates == {
        "shipped": ("2025-06-30", "2026-01-01"), "entered": ("2025-06-30", None), "bare": (None, "2026-01-01"),
        "blank": (None, None), "listed": (None, None), "vendors": (None, None), "looked-at": ("2025-06-30", None),
        "silent": (None, None),
    }  # fmt: skip
    assert [row.subject for row in told] == ["bare", "listed", "silent", "vendors"]
    assert told[0].before == {"date": "2001-01-01", "basis": "declared", "evidence": None}
    assert told[0].after == {"date": "2026-01-01", "basis": "released", "evidence": None}
    assert [(row.cutoff_on.isoformat(), row.evidence, row.state) for row in waits] == [("2001-01-01", card, "waiting")]
    assert shipped == "shipped with Tidemark"
    engine.dispose()

"""Protocols of a living database: what is covered grows, what is asked otherwise is another revision, nothing is lost.

`at_0013.json` holds every row of a database that version 0013 of the schema and its code had made, with the board that
this code showed and the hash under which it froze it.
"""

import hashlib
import json
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from factories import World
from pipeline.flow import NOW, answer_all, standing
from sqlalchemy import event, func, select, text

from app.db.kernel import revision
from app.db.kernel.migrate import downgrade, upgrade
from app.db.kernel.session import Session, make_engine
from app.db.runs import runs as store
from app.db.tables import ProtocolRow, Run, Sample, Source, Submission
from app.domain.asking.protocols import (
    BUILT_IN_PROTOCOLS,
    FRESH,
    HOUSE,
    Protocol,
    ProtocolScope,
    Sampling,
    renew_protocol,
)
from app.domain.boards.board import BoardQuery
from app.domain.errors import Conflict
from app.domain.exports import as_imported, known_protocol
from app.domain.scenarios import shipped_protocols
from app.domain.sources.kinds import SourceKind
from app.domain.states import RunState
from app.services.boards import board_views, snapshots
from app.services.boards.board_views import CubeStore
from app.services.runs import plan

BEFORE: dict[str, Any] = json.loads((Path(__file__).parent / "at_0013.json").read_text(encoding="utf-8"))
QUERY = BoardQuery(board="codegen", protocol="fresh")
PRESETS = {
    "livecodebench": "d5e802277230cbe0", "codeelo-4k": "76fe9bae5e940b8d", "codeelo-32k": "d07c635b6649d808",
    "codeelo-4k-python": "2e3e7e93686888f0", "codeelo-32k-python": "9ea3fa1180c462bb",
    "codeelo-4k-open": "09218d29f1671818", "codeelo-32k-open": "dadab4ee371285d0",
    "house-codeelo": "3a9bf3e7ddbfa4b0", "house-codeelo-open": "23abc0b1305b3e76",
    "bigcodebench": "2d22c05a6e6223e3", "coco": "2d22c05a6e6223e3", "code3": "89018061e758003a",
}  # fmt: skip
OTHERWISE = replace(FRESH, prompt_revision=2)


@pytest.fixture
def cubes(tmp_path: Path) -> CubeStore:
    return CubeStore(tmp_path)


@pytest.fixture
def old_database(fresh_database: str) -> str:
    """A database at 0013, filled with those rows."""
    downgrade(fresh_database, "0013")
    engine = make_engine(fresh_database)
    with engine.begin() as connection:
        connection.execute(text("SET session_replication_role = replica"))  # the tables come in no order
        connection.execute(text("DELETE FROM board_state"))
        for name, rows in BEFORE["tables"].items():
            filled = (
                f"INSERT INTO {name} OVERRIDING SYSTEM VALUE SELECT * FROM jsonb_populate_recordset(NULL::{name}, :r)"
            )
            connection.execute(text(filled), {"r": json.dumps(rows)})
            if "id" in rows[0]:
                highest = f"SELECT setval(pg_get_serial_sequence('{name}', 'id'), max(id)) FROM {name}"
                connection.execute(text(highest))
        connection.execute(text("SET session_replication_role = DEFAULT"))
    engine.dispose()
    return fresh_database


def stored(url: str) -> list[Any]:
    engine = make_engine(url)
    with engine.begin() as connection:
        rows = connection.execute(text("SELECT to_jsonb(p) FROM protocols p ORDER BY id")).scalars().all()
    engine.dispose()
    return list(rows)


def shown(session: Session, cubes: CubeStore, protocol: str = "fresh") -> dict[str, Any]:
    query = replace(QUERY, protocol=protocol)
    return json.loads(json.dumps(board_views.board_json(board_views.board(session, query, cubes))))  # type: ignore[no-any-return]


# What is told since, and who would be first of contests drawn again, which is not told of under ten any more.
LATER = {
    "tests", "prospective", "started_by", "served", "registered_at", "lag_days", "rank_resampled", "p_first",
    "rank_overlap", "pass_at", "unknown_model", "cutoff", "unranked", "columns", "paired", "weights",
}  # fmt: skip


def without_later(board: dict[str, Any]) -> dict[str, Any]:
    """A board's JSON as it was before boards told where tests come from, who made them, who began a run, and by how
    much a subsample differs."""
    kept = {name: value for name, value in board.items() if name not in ("test_origins", "clean_window")}
    for name in ("filters", "facets"):
        kept[name] = {key: value for key, value in board[name].items() if key not in LATER}
    kept["precision"] = {key: value for key, value in board["precision"].items() if key != "subsample"}
    kept["rows"] = [
        {key: value for key, value in row.items() if key not in LATER and not key.startswith("without_own")}
        | {f"rank_{end}": place for end, place in (row.get("rank_overlap") or {}).items()}  # as ranges were then
        for row in board["rows"]
    ]
    return kept


def test_a_database_of_before_keeps_its_board_its_links_and_its_runs(old_database: str, cubes: CubeStore) -> None:
    engine = make_engine(old_database)
    with engine.begin() as connection:  # a file may have brought a site as a suite: it was covered by its name
        connection.execute(text("UPDATE sources SET kind = 'suite' WHERE slug = 'atcoder'"))
    upgrade(old_database)
    with engine.begin() as connection:  # nobody had said when its models were trained, and such are not ranked any more
        said = {"on": date(2020, 1, 1), "by": "https://example.com/card"}
        connection.execute(text("UPDATE models SET cutoff_on = :on, cutoff_evidence = :by"), said)
    with Session(engine) as session:
        before = revision.current(session)
        plan.ensure_protocols(session)  # as every start does
        session.commit()
        row = session.scalars(select(ProtocolRow).where(ProtocolRow.slug == "fresh")).one()
        [old] = BEFORE["tables"]["protocols"]
        assert (row.id, row.revision_of, row.fingerprint) == (old["id"], None, FRESH.fingerprint)
        assert session.scalars(select(Source.kind).where(Source.slug == "atcoder")).one() == SourceKind.SITE
        assert revision.current(session) == before, "the migration wrote what this version would write"
        board = without_later(BEFORE["board"])
        assert without_later(shown(session, cubes)) == board
        frozen = snapshots.find(session, BEFORE["snapshot"])
        assert (frozen.board, frozen.query) == ("codegen", (("protocol", "fresh"),))
        bare = snapshots.frozen_json(session, BEFORE["snapshot"]).replace(BEFORE["snapshot"].encode(), b"")
        assert hashlib.sha256(bare.replace(b'"snapshot":""', b'"snapshot":null')).hexdigest() == BEFORE["snapshot"]
        again = snapshots.freeze(session, QUERY, cubes, NOW, "operator", "after")
        assert without_later(json.loads(snapshots.frozen_json(session, again))) | {"snapshot": None} == board
    engine.dispose()


def test_a_database_of_before_is_planned_on_for_the_same_runs(old_database: str) -> None:
    upgrade(old_database)
    engine = make_engine(old_database)
    with Session(engine) as session:
        asked = set(session.execute(select(Sample.run_id, Sample.problem_id)).all())
        assert plan.plan_samples(session, NOW) == 0, "nothing is asked twice"
        world = World(session, FRESH)
        world._made = 100  # the numbers before are those of the rows that are here
        site = Source(slug="dozen", name="Dozen", kind=SourceKind.SITE)
        suite = Source(slug="fixed", name="Fixed", kind=SourceKind.SUITE)
        session.add_all([site, suite])
        session.flush()
        world._sources = {each.slug: each for each in (site, suite)}
        new = world.problem("d1", source="dozen", day=date(2026, 6, 1))
        world.problem("f1", source="fixed", day=date(2026, 6, 1))
        session.flush()
        runs = set(session.scalars(select(Run.id)))
        assert len(runs) == 2
        assert plan.plan_samples(session, NOW) == 2
        now = session.execute(select(Sample.run_id, Sample.problem_id)).all()
        assert set(now) == asked | {(run, new.id) for run in runs}
        assert len(now) == len(set(now))
    engine.dispose()


def test_going_back_writes_what_the_version_before_wrote(old_database: str) -> None:
    before = stored(old_database)
    upgrade(old_database)
    assert stored(old_database) != before
    downgrade(old_database, "0013")
    assert stored(old_database) == before == BEFORE["tables"]["protocols"]


def test_files_of_before_name_protocols_that_are_known() -> None:
    [old] = BEFORE["tables"]["protocols"]
    assert known_protocol("fresh", old["fingerprint"]) == FRESH
    assert known_protocol("house", old["fingerprint"]) is None


def test_what_is_covered_is_no_part_of_the_fingerprint_and_all_else_is() -> None:
    assert replace(FRESH, slug="x", title="y", covers=ProtocolScope()).fingerprint == FRESH.fingerprint
    others: list[Protocol] = [
        replace(FRESH, **change)
        for change in (
            {"scenario": "x"}, {"style": "x"}, {"language": "x"}, {"locale": "x"}, {"prompt_revision": 2},
            {"sampling": replace(FRESH.sampling, n=2)}, {"sampling": replace(FRESH.sampling, temperature=0.3)},
            {"grading_policy": 2}, {"time_factor": 2.0}, {"recorded": True}, {"imported": True}, {"system": ""},
            {"sampling": Sampling(top_k=5)}, {"sampling": Sampling(repetition_penalty=1.1)},
            {"sampling": Sampling(stop=("x",))}, {"sampling": Sampling(seed=1)}, {"practice": True},
        )
    ]  # fmt: skip
    assert len({each.fingerprint for each in (FRESH, *others)}) == 1 + len(others)
    named = as_imported(FRESH)
    assert replace(named, slug="x").fingerprint != named.fingerprint, "only its name says how others made it"


def test_the_fingerprints_that_files_and_databases_hold_stay() -> None:
    """A new field must not change these: where it says what was always so, the fingerprint leaves it out."""
    assert {each.slug: each.fingerprint[:16] for each in BUILT_IN_PROTOCOLS} == {
        "house": "0fe81d69cf27c921", "house-code3": "b2d5a1abe0461945", "fresh": "960729e213f41d65",
        "practice": "7ed9b6537724261e",
        "lcb": "ec77f679f98c77ff", "lcb-repair": "9ee97237cba40b2c", "lcb-recorded": "5763cfd6f6147458",
        "lcb-test-output": "a0e0dbc5872c0b5e", "lcb-execution": "ebff81dffa9d5600",
        "lcb-execution-cot": "79052e951f0e991b", **PRESETS,
    }  # fmt: skip


def test_more_may_be_covered_at_any_time(session: Session, cubes: CubeStore) -> None:
    world = World(session, replace(FRESH, covers=ProtocolScope(sources=("atcoder",))))
    for slug in ("atcoder", "leetcode"):
        world.problem(slug, source=slug)
    standing(session, "tern", protocol=world.protocol)
    assert session.scalar(select(func.count()).select_from(Sample)) == 1
    row = store.ensure_protocol(session, world.protocol)
    assert shown(session, cubes)["problems"] == 1
    assert store.ensure_protocol(session, FRESH) is row
    assert plan.plan_samples(session, NOW) == 1
    assert session.scalar(select(func.count()).select_from(Sample)) == 2
    assert shown(session, cubes)["problems"] == 2


def test_what_is_asked_otherwise_is_another_revision_and_the_old_rows_stay(session: Session, cubes: CubeStore) -> None:
    world = World(session, FRESH)
    world.answer(world.run("orion"), world.problem("a", source="atcoder"))
    world.count()
    standing(session, "tern", protocol=FRESH)
    before = shown(session, cubes)
    old = store.ensure_protocol(session, FRESH)
    asked = session.scalar(select(func.count()).select_from(Sample))

    new = store.ensure_protocol(session, OTHERWISE)
    assert (new.slug, new.revision_of, new.fingerprint) == ("fresh", None, OTHERWISE.fingerprint)
    name = f"fresh-{FRESH.fingerprint[:8]}"
    assert (old.slug, old.revision_of, old.fingerprint) == (name, "fresh", FRESH.fingerprint)
    left = shown(session, cubes, name)
    assert left["protocol"] == name
    assert [(each["model"], each["score"], each["n_problems"]) for each in left["rows"]] == [
        (each["model"], each["score"], each["n_problems"]) for each in before["rows"]
    ]
    assert shown(session, cubes)["rows"] == []
    assert plan.plan_samples(session, NOW) == 0
    assert answer_all(session) == 0, "nothing is asked by the rules of now under the name of those before"
    assert session.scalar(select(func.count()).select_from(Sample)) == asked
    runs = session.scalars(select(Run)).all()
    assert {each.state for each in runs} == {RunState.PAUSED}
    with pytest.raises(Conflict, match="fresh now has another revision"):
        store.resume(session, runs[0].id)
    standing(session, "tern", protocol=OTHERWISE)
    assert session.scalar(select(func.count()).select_from(Sample)) == (asked or 0) + 1

    assert store.ensure_protocol(session, FRESH) is old, "a version that is taken back finds its rows"
    assert {each.state for each in runs} == {RunState.ACTIVE}
    again = shown(session, cubes)
    assert [each | {"run": 0} for each in again["rows"]] == [each | {"run": 0} for each in before["rows"]]
    assert new.slug == f"fresh-{OTHERWISE.fingerprint[:8]}"


def test_a_run_that_a_person_paused_stays_so(session: Session) -> None:
    world = World(session, FRESH)
    run = world.run("orion")
    store.pause(session, run.id, "too dear")
    store.ensure_protocol(session, OTHERWISE)
    store.ensure_protocol(session, FRESH)
    assert (run.state, run.state_reason) == (RunState.PAUSED, "too dear")


def test_a_stored_protocol_says_nothing_that_earlier_versions_cannot_read(session: Session) -> None:
    before = {"n", "temperature", "top_p", "max_tokens"}
    row = store.ensure_protocol(session, FRESH)
    assert set(row.body["sampling"]) == before
    assert "system" not in row.body
    sampling = replace(FRESH.sampling, top_k=20, stop=("###", "\n\n"), seed=7)
    own = replace(FRESH, slug="own", sampling=sampling, system="")
    assert store.read_protocol(store.ensure_protocol(session, own).body) == own


def test_what_operators_made_is_revised_with_what_it_was_made_of() -> None:
    own = replace(FRESH, slug="own", sampling=replace(FRESH.sampling, temperature=1.0))
    assert renew_protocol(own, BUILT_IN_PROTOCOLS) == own
    assert renew_protocol(own, (*BUILT_IN_PROTOCOLS, OTHERWISE)) == replace(own, prompt_revision=2)
    assert renew_protocol(own, (*BUILT_IN_PROTOCOLS, replace(HOUSE, grading_policy=3))) == replace(
        own, grading_policy=3
    )
    assert renew_protocol(own, (replace(OTHERWISE, style="other"), replace(OTHERWISE, scenario="other"))) == own


def test_a_start_revises_what_operators_made(session: Session) -> None:
    old = replace(FRESH, slug="own", sampling=replace(FRESH.sampling, n=3), prompt_revision=0)
    row = store.ensure_protocol(session, old)
    plan.ensure_protocols(session)
    session.refresh(row)
    assert row.revision_of == "own"
    now = session.scalars(select(ProtocolRow).where(ProtocolRow.slug == "own")).one()
    assert store.read_protocol(now.body) == replace(old, prompt_revision=1)


def test_a_start_breaks_on_no_protocol(session: Session) -> None:
    for protocol in BUILT_IN_PROTOCOLS:
        row = store.ensure_protocol(session, replace(protocol, prompt_revision=7))
        row.body = {**row.body, "a_field_of_before": True}
    session.flush()
    plan.ensure_protocols(session)
    for protocol in BUILT_IN_PROTOCOLS:
        kept = session.scalars(select(ProtocolRow).where(ProtocolRow.slug == protocol.slug)).one()
        assert store.read_protocol(kept.body) == protocol
    earlier = session.scalars(select(ProtocolRow).where(ProtocolRow.revision_of.is_not(None))).all()
    assert {store.read_protocol(each.body).prompt_revision for each in earlier} == {7}
    assert len(earlier) == len(BUILT_IN_PROTOCOLS)


def test_the_same_way_of_asking_may_cover_two_sets_apart(session: Session) -> None:
    one, other = (replace(HOUSE, slug=slug, covers=ProtocolScope(sources=(slug,))) for slug in ("one", "other"))
    assert one.fingerprint == other.fingerprint
    assert store.ensure_protocol(session, one).id != store.ensure_protocol(session, other).id


def test_orders_of_which_nothing_was_asked_are_asked_as_now(session: Session) -> None:
    world = World(session, FRESH)
    before = store.ensure_protocol(session, FRESH)
    run, owner = world.run("orion"), store.ensure_organisation(session, "acme", "Acme")
    served = {
        "backend": "openai_chat",
        "remote_name": "orion",
        "base_url": "http://127.0.0.1:9/v1",
        "max_concurrency": 1,
    }
    endpoint = store.ensure_endpoint(session, run.model_id, served)
    values = {"organisation_id": owner.id, "endpoint_id": endpoint.id, "protocol_id": before.id, "configuration": {},
              "continuous": True, "visibility": "public", "owner": "us", "state_since": NOW,
              "created_at": NOW}  # fmt: skip
    queued = Submission(public_id="sub_1", state="queued", **values)
    begun = Submission(public_id="sub_2", state="generating", run_id=run.id, **values)
    session.add_all([queued, begun])
    session.flush()
    now = store.ensure_protocol(session, OTHERWISE)
    session.refresh(queued)
    session.refresh(begun)
    assert (queued.protocol_id, begun.protocol_id) == (now.id, before.id)


def test_protocols_that_are_new_or_as_they_were_take_no_question_each(session: Session) -> None:
    """Whoever starts a run, and every start of an installation, makes sure of all of them."""
    asked: list[str] = []
    connection = session.connection()
    event.listen(connection, "before_cursor_execute", lambda *given: asked.append(given[2]))
    plan.ensure_protocols(session)
    session.flush()
    assert len(asked) <= 4, asked
    assert {store.read_protocol(row.body) for row in store.asked_protocols(session)} == set(
        shipped_protocols().values()
    )
    asked.clear()
    plan.ensure_protocols(session)
    session.flush()
    assert len(asked) <= 2, asked
    changed = session.scalars(select(ProtocolRow).where(ProtocolRow.slug == HOUSE.slug)).one()
    changed.body = {**changed.body, "title": "Of another version"}
    session.flush()
    plan.ensure_protocols(session)
    assert store.read_protocol(changed.body).title == HOUSE.title

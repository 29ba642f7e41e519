"""Facts are added and deleted, never changed: the database refuses it, whoever asks."""

import re
from collections.abc import Mapping
from contextlib import nullcontext
from datetime import UTC, datetime
from typing import Any

import pytest
from factories import World
from sqlalchemy import ColumnElement, func, not_, select, text, update
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.exc import IntegrityError
from support.rules import ROOT

from app.db.kernel.session import Session
from app.db.tables import Capture, ConsensusRow, Problem, RejudgedSample, Rejudging, Sample, VerdictRow
from app.db.tables.base import Base
from app.db.tables.facts import ANSWER, CHANGING, FACTS, TRIGGER, fixed_columns
from app.domain.states import SampleState

ADR = ROOT / "docs" / "decisions" / "facts" / "0013-the-database-keeps-facts.md"


def test_every_table_is_declared_and_every_guard_is_what_is_declared(session: Session) -> None:
    tables = Base.metadata.tables
    assert sorted([*FACTS, *CHANGING]) == sorted(tables), "each table holds facts, or rows that change"
    guarded = session.execute(
        text(
            "SELECT c.relname, array_agg(a.attname ORDER BY a.attnum) FROM pg_trigger g"
            " JOIN pg_class c ON c.oid = g.tgrelid"
            " JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = ANY(g.tgattr)"
            " WHERE g.tgname = :name GROUP BY c.relname"
        ),
        {"name": TRIGGER},
    )
    assert {name: set(columns) for name, columns in guarded} == {
        name: set(fixed_columns(tables[name].columns.keys(), may_change)) for name, may_change in FACTS.items()
    }


def test_what_may_change_are_columns_that_there_are() -> None:
    for name, may_change in FACTS.items():
        assert may_change <= set(Base.metadata.tables[name].columns.keys()), name


def test_the_decision_lists_the_same_tables_and_columns() -> None:
    rows = re.findall(r"^\| `(\w+)` \|(.*)\|$", ADR.read_text(encoding="utf-8"), re.MULTILINE)
    listed = {table: frozenset(re.findall(r"`(\w+)`", columns)) for table, columns in rows}
    assert listed == FACTS


@pytest.fixture
def world(session: Session) -> World:
    return World(session)


@pytest.fixture
def verdict(session: Session, world: World) -> VerdictRow:
    world.answer(world.run(world.model("m")), world.problem("a"))
    session.flush()
    return session.scalars(select(VerdictRow)).one()


def changes(session: Session, table: type[Base], values: Mapping[str, Any]) -> list[str]:
    """Of columns and other values for them those that the table takes, each by itself, as if they were no facts."""
    taken = []
    for name, value in values.items():
        try:
            with session.begin_nested():
                session.execute(update(table).values({name: value}).execution_options(synchronize_session=False))
        except IntegrityError as refused:
            if f"a fact is not changed: {table.__tablename__}" not in str(refused):
                raise
        else:
            taken.append(name)
    return taken


def test_no_column_of_a_verdict_changes(session: Session, verdict: VerdictRow) -> None:
    columns = VerdictRow.__table__.columns
    values: dict[str, Any] = {
        "verdict": "memory_limit", "limit_mode": "cgroup", "outcomes": [1], "judged_at": func.now(),
    }  # fmt: skip
    for column in columns:
        if column.type.python_type is str:
            values.setdefault(column.key, "x")
        elif column.type.python_type is bool:
            values.setdefault(column.key, ~column)
        else:
            values.setdefault(column.key, func.coalesce(column, 0) + 1)
    assert changes(session, VerdictRow, values) == ["counts"]


def test_what_stands_beside_the_facts_may_change_and_facts_may_go(session: Session, verdict: VerdictRow) -> None:
    verdict.counts = False
    session.flush()
    session.execute(update(VerdictRow).values(counts=True, verdict=VerdictRow.verdict))  # the same value is no change
    session.execute(update(Sample).values(state="stuck", error="the judge failed"))
    session.delete(verdict)
    session.flush()
    assert session.scalar(select(func.count()).select_from(VerdictRow)) == 0


def test_a_capture_is_seen_again_but_keeps_where_it_was_seen(session: Session) -> None:
    world = World(session)
    source = world.problem("a").source_id
    capture = Capture(
        source_id=source, url="https://a.invalid/", kind="k", classification="ok", records=1, fetched_at=func.now()
    )
    session.add(capture)
    session.flush()
    capture.classification, capture.records, capture.review = "format_changed", 2, "expected"
    session.flush()
    with pytest.raises(IntegrityError, match="a fact is not changed: captures"):
        session.execute(update(Capture).values(url="https://b.invalid/"))


def _another(column: ColumnElement[Any]) -> Any:
    """A value that no row has in a column of this kind."""
    if isinstance(column.type, JSONB):
        return {"other": 1}
    if column.type.python_type is bool:
        return not_(column)
    others = {str: "x", float: 0.125, datetime: datetime(2020, 1, 1, tzinfo=UTC)}
    return others.get(column.type.python_type, -77)


_SAMPLE = Sample.__table__.columns


def test_an_answer_stays_as_it_came(session: Session, verdict: VerdictRow) -> None:
    names = sorted(ANSWER | set(fixed_columns(_SAMPLE.keys(), FACTS["samples"])))
    assert changes(session, Sample, {name: _another(_SAMPLE[name]) for name in names}) == []


@pytest.mark.parametrize("state", [SampleState.PENDING, SampleState.INFERRING, SampleState.GAVE_UP])
def test_a_sample_without_an_answer_gets_one_but_never_asks_something_else(
    session: Session, state: SampleState
) -> None:
    world = World(session)
    sample = world.answer(world.run(world.model("m")), world.problem("a"), None, state=state, answered_at=None)
    session.execute(update(Sample).values(state="answered", answer="x", response="x", tokens_input=3))
    with pytest.raises(IntegrityError, match="a fact is not changed: samples"):
        session.execute(update(Sample).where(Sample.id == sample.id).values(ordinal=7))


@pytest.mark.parametrize("column", ["current_version_id", "current_test_set_id"])
def test_a_problem_uses_no_text_and_no_tests_of_another(session: Session, column: str) -> None:
    world = World(session)
    one, other = world.problem("a"), world.problem("b")
    session.flush()
    with pytest.raises(IntegrityError, match=column):
        session.execute(update(Problem).where(Problem.id == one.id).values({column: getattr(other, column)}))


def test_no_answer_is_to_a_text_of_another_problem(session: Session, world: World, verdict: VerdictRow) -> None:
    other = world.problem("b")
    sample = session.get_one(Sample, verdict.sample_id)
    mixed = Sample(run_id=sample.run_id, problem_id=sample.problem_id, problem_version_id=other.current_version_id,
                   ordinal=9, state="pending")  # fmt: skip
    session.add(mixed)
    with pytest.raises(IntegrityError, match="fk_samples_problem_version_id_problem_id"):
        session.flush()


def test_no_answer_is_judged_by_tests_of_another_problem(session: Session, world: World, verdict: VerdictRow) -> None:
    other = world.problem("b")
    verdict.counts = False
    session.flush()
    values = {column.key: getattr(verdict, column.key) for column in VerdictRow.__table__.columns if column.key != "id"}
    session.add(VerdictRow(**(values | {"test_set_id": other.current_test_set_id})))
    with pytest.raises(IntegrityError, match="these tests are of another problem than the answer: verdicts"):
        session.flush()


@pytest.mark.parametrize("own", [False, True])
def test_nor_judged_again_by_them(session: Session, world: World, verdict: VerdictRow, own: bool) -> None:
    tests = verdict.test_set_id if own else world.problem("b").current_test_set_id
    rejudging = Rejudging(scope={}, reason="x", actor="x", state_since=func.now(), created_at=func.now())
    session.add(rejudging)
    session.flush()
    session.add(
        RejudgedSample(
            rejudging_id=rejudging.id, sample_id=verdict.sample_id, test_set_id=tests, old_verdict_id=verdict.id
        )
    )
    refused = pytest.raises(IntegrityError, match="another problem than the answer: rejudged_samples")
    with nullcontext() if own else refused:
        session.flush()


@pytest.mark.parametrize("column", ["problem_version_id", "test_set_id"])
def test_tests_are_made_for_a_text_of_their_own_problem(session: Session, column: str) -> None:
    world = World(session)
    one, other = world.problem("a"), world.problem("b")
    own = {"problem_version_id": one.current_version_id, "test_set_id": one.current_test_set_id}
    mixed = {"problem_version_id": other.current_version_id, "test_set_id": other.current_test_set_id}[column]
    session.add(ConsensusRow(problem_id=one.id, state="asking", since=func.now(), **(own | {column: mixed})))
    with pytest.raises(IntegrityError, match=f"fk_settings_{column}"):
        session.flush()


# Keys that no index begins with, and why nothing waits for that. Of the first ones the plan passes over the few values
# before them in an index; the others are in tables with few rows, or their parents are never deleted.
_PASSED_OVER = {
    "cells.problem_id", "exposures.problem_id", "imported_results.problem_id", "rejudged_samples.sample_id",
    "rejudging_approvals.user_id", "reports.protocol_id", "samples.problem_version_id", "settings.test_set_id",
    "verdicts.rejudging_id",
}  # fmt: skip
_SEARCHED_WHOLE = {
    "contest_standings.blob_sha256", "dirty_cells.problem_id", "dirty_cells.run_id", "endpoint_probes.protocol_id",
    "external_tables.blob_sha256", "human_fields.blob_sha256",
    "login_links.user_id", "rejudged_samples.test_set_id", "snapshots.csv_sha256", "submissions.endpoint_id",
    "submissions.protocol_id", "users.organisation_id", "web_sessions.user_id",
}  # fmt: skip


def test_children_are_found_by_an_index_where_tables_grow(session: Session) -> None:
    """By the plan of the search that the database makes when a parent is deleted; a new key needs one, or a line."""
    keys = session.execute(
        text(
            "SELECT c.conrelid::regclass::text, array_agg(quote_ident(a.attname) ORDER BY k.place),"
            " array_agg(format_type(a.atttypid, NULL) ORDER BY k.place),"
            " EXISTS (SELECT 1 FROM pg_index i WHERE i.indrelid = c.conrelid AND i.indkey[0] = c.conkey[1])"
            " FROM pg_constraint c CROSS JOIN LATERAL unnest(c.conkey) WITH ORDINALITY k(number, place)"
            " JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.number"
            " WHERE c.contype = 'f' GROUP BY c.oid ORDER BY 1, 2"
        )
    ).all()
    assert len(keys) > 70
    session.execute(text("SET LOCAL enable_seqscan = off"))  # by which a table without rows would be read
    begun, passed_over, whole = set[str](), set[str](), set[str]()
    for table, columns, kinds, begins in keys:
        wanted = " AND ".join(f"{name} = (SELECT NULL::{kind})" for name, kind in zip(columns, kinds, strict=True))
        plan = "\n".join(session.scalars(text(f"EXPLAIN SELECT 1 FROM ONLY {table} WHERE {wanted} FOR KEY SHARE")))
        found = begun if begins else passed_over
        (found if "Index Cond" in plan else whole).add(f"{table}.{columns[0]}")
    assert passed_over - begun == _PASSED_OVER
    assert whole == _SEARCHED_WHOLE
    # What is searched when answers, verdicts, captures and their bodies go by retention.
    assert begun >= {
        "captures.body_sha256", "problem_versions.capture_id", "rejudged_samples.new_verdict_id",
        "rejudged_samples.old_verdict_id", "samples.parent_id", "samples.raw_sha256", "verdicts.sample_id",
    }  # fmt: skip

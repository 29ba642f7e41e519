"""Reasons of before are read once: ours become codes, other text stays, and a way back says what stood there."""

import json
from importlib import import_module
from typing import Any

import pytest
from sqlalchemy import Connection, text
from sqlalchemy.exc import IntegrityError

from app.db.kernel.migrate import downgrade, upgrade
from app.db.kernel.session import Session, make_engine
from app.db.tables import LedgerEntry, Problem
from app.domain.methods import METHODS
from app.domain.reasons import SENTENCES, Reason, reason_from_json

migration = import_module("migrations.versions.0068_reasons")

SAID = {
    "no full tests: 3 public samples only": Reason("hold.no_tests", {"n": 3}),
    "no full tests: programs contradict each other": Reason("hold.unset", cause="programs contradict each other"),
    "its time and memory limits are not known": Reason("hold.no_limits", {"what": "time and memory limits are"}),
    "needs a graph, sound, which is not here": Reason("hold.needs", cause="a graph, sound"),
    "better models do worse on it: discrimination -0.35, at most -0.12": Reason(
        "hold.audit", cause=Reason("discrimination", {"value": "-0.35", "upper": "-0.12"})
    ),
    "tests refuted: a\nb": Reason("hold.refuted", cause="a\nb"),
    "published": Reason("published"),
    "imported: lcb-board": Reason("imported", {"what": "lcb-board"}),
    "other tests (package): imported from package": Reason(
        "other_tests", {"what": "package"}, Reason("imported_from", {"what": "package"})
    ),
    "given up: our fault: OSError": Reason("given_up", cause=Reason("our_fault", cause="OSError")),
    "3 findings: no_samples": Reason("findings", {"n": 3}, "no_samples"),
    "the list cannot be read: format_changed: no row": Reason(
        "list_unread", cause=Reason("format_changed", cause="no row")
    ),
    "no answer came within 14 days: refused": Reason("in_vain_after", {"n": 14}, "refused"),
    "the daily budget of Demo is used up: $1.00 of $1.50 are spent, and the next call may cost $0.60": Reason(
        "budget_spent", {"spent": "$1.00", "limit": "$1.50", "usd": "$0.60"},
        Reason("vendor_daily_budget", {"what": "Demo"}),
    ),
    "; ".join(METHODS.values()): Reason("several", cause=tuple(map(Reason, METHODS))),
    f"{METHODS['paired_gaps']}; by hand": Reason("several", cause=(Reason("paired_gaps"), "by hand")),
    **dict.fromkeys(
        ("published by hand", "imported: from somewhere", "It needs care", "its tests are wrong", "submission 3")
    ),
}  # fmt: skip


@pytest.mark.parametrize("said", SAID)
def test_a_sentence_is_read(said: str) -> None:
    value = migration.read_reason(said)
    reason, known = reason_from_json(value), SAID[said]
    assert reason == said, "the English stays byte for byte"
    assert isinstance(value, str) == (known is None)
    assert known is None or repr(_parts(reason)) == repr(_parts(known))


def _parts(reason: Any) -> Any:
    if isinstance(reason, tuple):
        return [_parts(part) for part in reason]
    return (reason.code, dict(reason.params), _parts(reason.cause)) if isinstance(reason, Reason) else reason


def test_it_writes_no_code_that_is_not_known() -> None:
    assert migration._SENTENCES.keys() <= SENTENCES.keys()


def test_rows_go_there_and_back(fresh_database: str) -> None:
    engine = make_engine(fresh_database)
    downgrade(fresh_database, "0067")
    with engine.begin() as connection:
        connection.execute(text("INSERT INTO sources (slug, name, kind) VALUES ('atcoder', 'AtCoder', 'site')"))
        for place, said in enumerate(SAID):
            _store(connection, place, said)
    upgrade(fresh_database)
    with Session(engine) as session:
        for rows in (session.query(Problem.hold_reason, Problem.id), session.query(LedgerEntry.reason, LedgerEntry.id)):
            read = [reason for reason, _ in rows.order_by(text("id"))]
            assert read == list(SAID)
            assert [isinstance(reason, Reason) for reason in read] == [value is not None for value in SAID.values()]
        marks = session.query(Problem).order_by(Problem.id)
        assert [reason_from_json(problem.audit_flags["quarantine"]) for problem in marks] == list(SAID)
    with engine.begin() as connection, pytest.raises(IntegrityError, match="a fact is not changed: ledger"):
        connection.execute(text("UPDATE ledger SET reason = to_jsonb('x'::text)"))
    downgrade(fresh_database, "0067")
    with engine.begin() as connection:
        for query in ("hold_reason FROM problems", "audit_flags ->> 'quarantine' FROM problems", "reason FROM ledger"):
            assert list(connection.scalars(text(f"SELECT {query} ORDER BY id"))) == list(SAID)
        with pytest.raises(IntegrityError, match="a fact is not changed: ledger"):
            connection.execute(text("UPDATE ledger SET reason = 'x'"))
    engine.dispose()


def _store(connection: Connection, place: int, said: str) -> None:
    connection.execute(
        text(
            "INSERT INTO problems (source_id, external_id, title, state, hold_reason, audit_flags) "
            "SELECT id, :name, :name, 'held', :said, CAST(:flags AS jsonb) FROM sources WHERE slug = 'atcoder'"
        ),
        {"name": str(place), "said": said, "flags": json.dumps({"quarantine": said})},
    )
    connection.execute(
        text("INSERT INTO ledger (at, kind, subject, reason) VALUES (now(), 'problem.added', 'x', :said)"),
        {"said": said},
    )

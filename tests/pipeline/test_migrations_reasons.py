"""Reasons of before are read once: ours become codes, other text stays, and a way back says what stood there."""

import json
from importlib import import_module
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import IntegrityError

from app.db.kernel.migrate import downgrade, upgrade
from app.db.kernel.session import Session, make_engine
from app.db.tables import ConsensusRow, LedgerEntry, Problem, TestSet
from app.domain.methods import METHODS
from app.domain.reasons import Reason, reason_from_json, text_reason
from app.domain.sentences import SENTENCES

migration = import_module("migrations.versions.0068_reasons")
later = import_module("migrations.versions.0069_more_reasons")

PROBLEM = """INSERT INTO problems (source_id, external_id, title, state, hold_reason)
    SELECT id, :name, :name, :state, CAST(:reason AS jsonb) FROM sources WHERE slug = 'atcoder' RETURNING id"""
VERSION = """INSERT INTO problem_versions (problem_id, locale, statement_sha256, title, statement, form, time_ms,
    memory_mb, output_kb, starter_code, examples, in_use, origin)
    VALUES (:problem, 'en', CAST(:problem AS text), '', 'Add.', 'stdin', 1, 1, 1, '{}', '[]', true, 'page')
    RETURNING id"""
TESTS = """INSERT INTO test_sets (problem_id, tests_sha256, checker_kind, checker, origin, proof, proof_detail)
    VALUES (:problem, CAST(:problem AS text), 'tokens', '{}', 'official', 'refuted', CAST(:detail AS jsonb))"""
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
def test_stored_sentence_becomes_the_reason_that_says_the_same(said: str) -> None:
    value = migration.read_reason(said)
    reason, known = reason_from_json(value), SAID[said]
    assert reason == said, "the English stays byte for byte"
    assert isinstance(value, str) == (known is None)
    assert known is None or repr(_parts(reason)) == repr(_parts(known))


def _parts(reason: Any) -> Any:
    if isinstance(reason, tuple):
        return [_parts(part) for part in reason]
    return (
        (reason.code, dict(sorted(reason.params.items())), _parts(reason.cause))
        if isinstance(reason, Reason)
        else reason
    )


def test_it_writes_no_code_that_is_not_known() -> None:
    assert migration.SENTENCES.keys() <= SENTENCES.keys()


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


HELPER = Reason("checker", cause=Reason("ended_with", cause="exit code 1 KeyError"))
# Texts of makers, proofs, judges and endpoints, with their reasons; None for texts that stay.
SAID_LATER: dict[str, Reason | None] = {
    "validators of no vendors could be used; two are needed": Reason("few_validators", cause=Reason("no_vendors")),
    "2 solutions of 3 vendors are left; 3 of two are needed": Reason(
        "few_solutions", {"n": 2, "least": 3}, Reason("vendors", {"n": 3})
    ),
    "programs contradict each other on 4 small inputs, and nothing says who is right, and its setters were asked again "
    "2 times": Reason("asked_again_times", {"n": 2}, Reason("disputed_inputs", {"n": 4})),
    "there is no test; its bound is reached: 7 of 7 calls are used up": Reason(
        "several", cause=(Reason("no_test"), Reason("calls_spent", {"spent": "7", "limit": "7"}))
    ),
    "the mutation score 0.50 is below 0.75": Reason("low_mutation_score", {"value": "0.50", "least": "0.75"}),
    "reference a.py gets WA on test 2 of 9": Reason(
        "reference_gets_on", {"what": "a.py", "verdict": "WA", "n": 2, "total": 9}
    ),
    "HelperFailed: the checker failed: exit code 1 KeyError": Reason("judge_failed", {"what": "HelperFailed"}, HELPER),
    "MachineBusy: the interactor: the machine was busy: 90 ms without a CPU, of 100 ms": Reason(
        "judge_failed", {"what": "MachineBusy"},
        Reason("interactor_waits", cause=Reason("machine_busy", {"without": 90, "total": 100})),
    ),
    "judging ended its worker 3 times": Reason("ended_worker", {"n": 3}),
    "answered 402: no money left": Reason("answered_with", {"n": 402}, "no money left"),
    "our network failed: did not answer within 600 s": Reason(
        "our_network", cause=Reason("no_reply", {"seconds": "600"})
    ),
    "its secret was lost with our key; register it again": Reason("secret_lost"),
    "x.example resolves to an address that is not public (loopback)": Reason(
        "not_public", {"what": "x.example"}, "loopback"
    ),
    **dict.fromkeys(("the checker is odd", "failed: by hand", "ok", "a, b", "answered 7", "MyNote: x", "4 vendors")),
}  # fmt: skip
OLDER: dict[str, Reason | None] = {
    "no full tests: there is no test": Reason("hold.unset", cause=Reason("no_test")),
    "2 findings: missing_id, drop": Reason(
        "findings", {"n": 2},
        Reason("listed", cause=(Reason("found.missing_id", cause="missing_id"), Reason("found.drop", cause="drop"))),
    ),
    "could not be read: blocked 3, login 1": Reason(
        "pages_unread",
        cause=Reason(
            "listed",
            cause=(Reason("pages", {"n": 3}, Reason("page.blocked")), Reason("pages", {"n": 1}, Reason("page.login"))),
        ),
    ),
    "answered 401: bad key": Reason("answered_with", {"n": 401}, "bad key"),
}  # fmt: skip


@pytest.mark.parametrize("said", SAID_LATER | OLDER)
def test_a_later_sentence_is_read(said: str) -> None:
    value, known = later.read_reason(said), (SAID_LATER | OLDER)[said]
    assert reason_from_json(value) == said, "the English stays byte for byte"
    assert repr(_parts(reason_from_json(value))) == repr(said if known is None else _parts(known))


def test_later_codes_are_known_and_said_alike() -> None:
    sentences = later._SENTENCES | later._SAID_ONLY
    differing = {code for code, sentence in sentences.items() if SENTENCES[code] != sentence}
    assert differing == {"shams_pass"}, "reworded since; stored rows have the words of then"


def test_later_rows_go_there_and_back(fresh_database: str) -> None:
    engine = make_engine(fresh_database)
    downgrade(fresh_database, "0068")
    with engine.begin() as connection:
        connection.execute(text("INSERT INTO sources (slug, name, kind) VALUES ('atcoder', 'AtCoder', 'site')"))
        for place, said in enumerate(SAID_LATER):
            _store_consensus(connection, place, said)
        for place, said in enumerate(OLDER, start=100):
            _store_problem(connection, place, migration.read_reason(said))
    before = _later_rows(engine)
    upgrade(fresh_database)
    with Session(engine) as session:
        rows = session.query(ConsensusRow).order_by(ConsensusRow.id).all()
        known = [repr(_parts(known or text_reason(said))) for said, known in SAID_LATER.items()]
        assert [repr(_parts(row.reason)) for row in rows] == known
        assert [repr(_parts(text_reason(reason_from_json(row.rounds[0]["reason"])))) for row in rows] == known
        sets = session.query(TestSet).order_by(TestSet.id).all()
        assert [repr(_parts(text_reason(reason_from_json(row.proof_detail["reason"])))) for row in sets] == known
        holds = session.query(Problem.hold_reason).where(Problem.hold_reason.is_not(None)).order_by(Problem.id)
        assert [repr(_parts(reason)) for (reason,) in holds] == [repr(_parts(reason)) for reason in OLDER.values()]
    downgrade(fresh_database, "0068")
    assert _later_rows(engine) == before
    engine.dispose()


def _later_rows(engine: Engine) -> list[list[Any]]:
    queries = (
        "reason FROM settings", "rounds FROM settings", "proof_detail FROM test_sets",
        "hold_reason #>> '{cause}' FROM problems WHERE hold_reason IS NOT NULL",
    )  # fmt: skip
    with engine.begin() as connection:
        return [list(connection.scalars(text(f"SELECT {query} ORDER BY id"))) for query in queries]


def _store_problem(connection: Connection, place: int, reason: Any = None) -> Any:
    state, stored = ("found", None) if reason is None else ("held", json.dumps(reason))
    about = {"name": str(place), "state": state, "reason": stored}
    return connection.scalar(text(PROBLEM), about)


def _store_consensus(connection: Connection, place: int, said: str) -> None:
    problem = _store_problem(connection, place)
    version = connection.scalar(text(VERSION), {"problem": problem})
    connection.execute(
        text(
            "INSERT INTO settings (problem_id, problem_version_id, state, since, ended_at, reason, rounds) "
            "VALUES (:problem, :version, 'held', now(), now(), :said, CAST(:rounds AS jsonb))"
        ),
        {"problem": problem, "version": version, "said": said, "rounds": json.dumps([{"reason": said, "back": []}])},
    )
    connection.execute(text(TESTS), {"problem": problem, "detail": json.dumps({"reason": said, "references": 1})})

"""Rows of the public export, in a fixed order. Hidden tests and statements are never exported."""

import json
from collections.abc import Iterator
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, collate, func, select
from sqlalchemy.orm import InstrumentedAttribute

from app.db.boards import cells, run_registrations
from app.db.kernel.session import Session
from app.db.tables import (
    CellRow,
    Contest,
    LedgerEntry,
    Model,
    Problem,
    ProblemVersion,
    ProtocolRow,
    Run,
    Sample,
    Source,
    TestSet,
    VerdictRow,
)
from app.db.tables import TestRow as Tests
from app.domain.exports import Value
from app.domain.states import ProblemState

_CHUNK_ROWS = 2000
# Problems that boards may show; held and unreleased ones stay private.
_SHOWN_STATES = (ProblemState.PUBLISHED, ProblemState.CATALOGUED, ProblemState.WITHDRAWN)

Line = dict[str, Value]


def _by_code_point(column: InstrumentedAttribute[str]) -> ColumnElement[str]:
    """Return the column in code point order, which does not depend on a server's language."""
    return collate(column, "C")


_RUN_KEY = (
    Model.slug.label("model"), Run.configuration_key.label("configuration"), ProtocolRow.slug.label("protocol"),
    Run.trial,
)  # fmt: skip
_PROBLEM_KEY = (Source.slug.label("source"), Problem.external_id)
_ORDER = (
    _by_code_point(ProtocolRow.slug), _by_code_point(Model.slug), _by_code_point(Run.configuration_key), Run.trial,
    _by_code_point(Source.slug), _by_code_point(Problem.external_id),
)  # fmt: skip


def cell_rows(session: Session, protocol: str | None = None) -> Iterator[Line]:
    """Yield the cells of public runs on the problems of their protocol's boards, with all facts that a board needs."""
    for fact in sorted(cells.protocols(session), key=lambda protocol: protocol.slug):
        if protocol in (None, fact.slug):
            yield from _cells(session, fact)


def _cells(session: Session, fact: cells.ProtocolFact) -> Iterator[Line]:
    problems = {problem.id: problem for problem in cells.problems(session, fact)}
    runs = session.scalars(select(Run.id).where(Run.protocol_id == fact.id, Run.public)).all()
    registrations = run_registrations.registrations(session, runs)
    query = (
        select(
            *_RUN_KEY, *_PROBLEM_KEY, CellRow.item, CellRow.n, CellRow.c, CellRow.pending, CellRow.judge_errors,
            Run.id.label("run_id"), Problem.id.label("problem_id"), Problem.title, Problem.released_on,
            Source.name.label("source_name"), Source.kind.label("source_kind"), Source.demo.label("source_demo"),
            ProtocolRow.fingerprint.label("protocol_fingerprint"), Run.state.label("run_state"), Run.origin,
            Run.provenance, Model.name.label("model_name"), Model.organisation_name.label("organisation"),
            Model.released_on.label("model_released_on"), Model.cutoff_on, Model.cutoff_evidence,
            Model.created_at.label("registered_at"), Model.link, Model.open_weights, Model.size_b, Model.demo,
        )
        .join(Run, Run.id == CellRow.run_id)
        .join(Model, Model.id == Run.model_id)
        .join(ProtocolRow, ProtocolRow.id == Run.protocol_id)
        .join(Problem, Problem.id == CellRow.problem_id)
        .join(Source, Source.id == Problem.source_id)
        .where(Run.id.in_(runs))
        .order_by(*_ORDER, CellRow.item)
    )  # fmt: skip
    for line in _lines(session, query):
        if line["problem_id"] in problems:
            problem = problems[line.pop("problem_id")]
            provenance = line.pop("provenance")
            registration, created = registrations[line.pop("run_id")], datetime.fromisoformat(line.pop("registered_at"))
            accepted, released = _day(line["cutoff_on"]), _day(line["model_released_on"])
            on, basis = registration.cutoff(accepted, released, created)
            problem_facts = {"level": problem.level, "tests_origin": problem.tests, "cluster": problem.cluster}
            cutoff_facts = {
                "cutoff_on": on.isoformat(),
                "cutoff_basis": basis,
                "cutoff_in_file": provenance.get("cutoff_in_file"),
            }
            yield {**line, **problem_facts, **cutoff_facts, "n_inferred": bool(provenance.get("n_inferred", False))}


def problem_rows(session: Session) -> Iterator[Line]:
    """Yield problems that boards may show, with digests of the version and test set in use, never contents."""
    counts = select(Tests.test_set_id, func.count().label("tests")).group_by(Tests.test_set_id).subquery()
    query = (
        select(
            *_PROBLEM_KEY, Problem.id.label("problem_id"), Problem.title, Problem.url,
            Contest.external_id.label("contest"), Problem.released_on, Problem.state, Problem.tags, Problem.flags,
            ProblemVersion.locale, ProblemVersion.form, ProblemVersion.statement_sha256, ProblemVersion.time_ms,
            ProblemVersion.memory_mb, TestSet.checker_kind.label("checker"), counts.c.tests, TestSet.tests_sha256,
            TestSet.origin.label("tests_origin"), TestSet.setters, TestSet.brought_by.label("tests_brought_by"),
            TestSet.proof, Source.demo,
        )
        .join(Source, Source.id == Problem.source_id)
        .outerjoin(Contest, Contest.id == Problem.contest_id)
        .outerjoin(ProblemVersion, ProblemVersion.id == Problem.current_version_id)
        .outerjoin(TestSet, TestSet.id == Problem.current_test_set_id)
        .outerjoin(counts, counts.c.test_set_id == TestSet.id)
        .where(Problem.canary.is_(False), Problem.state.in_(_SHOWN_STATES))
        .order_by(_by_code_point(Source.slug), _by_code_point(Problem.external_id))
    )  # fmt: skip
    levels = cells.levels(session)
    for line in _lines(session, query):
        yield {**line, "level": levels.get(line.pop("problem_id"))}


def sample_rows(session: Session, protocol: str | None = None) -> Iterator[Line]:
    """Yield the answers of public runs to problems that boards may show, each with its counting verdict, if any."""
    counting = and_(
        VerdictRow.sample_id == Sample.id, VerdictRow.counts, VerdictRow.test_set_id == Problem.current_test_set_id
    )
    query = (
        select(
            *_RUN_KEY, *_PROBLEM_KEY, Sample.item, Sample.ordinal, ProblemVersion.locale,
            ProblemVersion.statement_sha256, Sample.state, Sample.unanswered, VerdictRow.verdict,
            VerdictRow.passed, VerdictRow.total, VerdictRow.cpu_ms, VerdictRow.wall_ms, VerdictRow.memory_kb,
            VerdictRow.limit_mode, VerdictRow.slowness, VerdictRow.in_process,
            TestSet.tests_sha256, VerdictRow.grader_revision, VerdictRow.judged_at, Sample.followed_format,
            Sample.finish_reason, Sample.served_model, Sample.fingerprint, Sample.tokens_input, Sample.tokens_cached,
            Sample.tokens_reasoning, Sample.tokens_answer, Sample.cost_usd, Sample.latency_ms, Sample.first_token_ms,
            Sample.answered_at, Sample.prompt_sha256, Sample.answer, Sample.response,
        )
        .join(Run, Run.id == Sample.run_id)
        .join(Model, Model.id == Run.model_id)
        .join(ProtocolRow, ProtocolRow.id == Run.protocol_id)
        .join(Problem, Problem.id == Sample.problem_id)
        .join(Source, Source.id == Problem.source_id)
        .join(ProblemVersion, ProblemVersion.id == Sample.problem_version_id)
        .outerjoin(VerdictRow, counting)
        .outerjoin(TestSet, TestSet.id == VerdictRow.test_set_id)
        .where(Run.public, Problem.canary.is_(False), Problem.state.in_(_SHOWN_STATES))
        .order_by(*_ORDER, Sample.item, Sample.ordinal, Sample.id)
    )  # fmt: skip
    yield from _lines(session, query if protocol is None else query.where(ProtocolRow.slug == protocol))


def _lines(session: Session, query: Select[*tuple[Any, ...]]) -> Iterator[dict[str, Any]]:
    for row in session.execute(query.execution_options(yield_per=_CHUNK_ROWS)).mappings():
        yield {name: _exported(value) for name, value in row.items()}


def _day(text: str | None) -> date | None:
    return None if text is None else date.fromisoformat(text)


def _exported(value: Any) -> Any:
    """Return times and days in ISO 8601 and UTC, and exact decimals as text."""
    if isinstance(value, date):  # an instant is a date, too
        return value.isoformat()
    return str(value) if isinstance(value, Decimal) else value


def ledger_rows(session: Session) -> Iterator[Line]:
    """Yield the public ledger, oldest first."""
    for line in session.scalars(select(LedgerEntry).order_by(LedgerEntry.id).execution_options(yield_per=_CHUNK_ROWS)):
        yield {
            "id": line.id,
            "at": line.at.isoformat(),
            "kind": line.kind,
            "subject": line.subject,
            "reason": line.reason,
            "before": _json(line.before),
            "after": _json(line.after),
        }


def _json(value: Any) -> str | None:
    return None if value is None else json.dumps(value, ensure_ascii=False, sort_keys=True)

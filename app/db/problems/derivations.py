"""Derivations of problems: the queue, the programs that they use, and the derived items."""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import BindParameter, ColumnElement, Select, SQLColumnExpression, func, literal, or_, select, update
from sqlalchemy.dialects.postgresql import insert

from app.db.kernel.instant import NOW
from app.db.kernel.leases import Lease
from app.db.kernel.session import Session
from app.db.kernel.table_aliases import alias
from app.db.tables import (
    Derivation,
    DerivedItem,
    Endpoint,
    Problem,
    ProblemVersion,
    ProgramKind,
    ProgramRow,
    ProtocolRow,
    Run,
    Sample,
    Submission,
    VerdictRow,
)
from app.db.tables import Source as SourceRow
from app.domain.deriving.items import DerivedItemKind, DerivedItemSpec
from app.domain.judging.hacks import SourceCode
from app.domain.judging.verdicts import Verdict
from app.domain.problems import Checker, CheckerKind, Form
from app.domain.states import ProblemState, RunState, SampleState

_FORMS = (Form.FUNCTION, Form.STDIN, Form.CLASS)  # forms with derived items
_OPEN_STATES = (SampleState.PENDING, SampleState.INFERRING, SampleState.ANSWERED, SampleState.GRADING)
MAX_DERIVATION_ATTEMPTS = 3
MAX_PROGRAMS = 16
_MAX_PROGRAM_CHARS = 20_000  # characters of a program


def is_unsolved(
    problem_id: Any, solving: Collection[str], model_id: SQLColumnExpression[int] | None = None
) -> ColumnElement[bool]:
    """Return the condition that an answer to a problem is still to come or to be judged.

    `solving` are the scenarios whose answers are programs for it. With `model_id` only that model counts; without it,
    samples of stopped endpoints are ignored.
    """
    sample, run, protocol = alias(Sample, "unsolved"), alias(Run, "solver"), alias(ProtocolRow, "solved_under")
    version, endpoint = alias(ProblemVersion, "unsolved_version"), alias(Endpoint, "solver_endpoint")
    unsolved = (
        select(sample.id)
        .join(run, run.id == sample.run_id)
        .join(protocol, protocol.id == run.protocol_id)
        .join(version, version.id == sample.problem_version_id)
        .outerjoin(endpoint, endpoint.id == run.endpoint_id)
        .where(sample.problem_id == problem_id, sample.state.in_(_OPEN_STATES), version.in_use)
        .where(run.state == RunState.ACTIVE, ~protocol.body.has_key("practice"))
        .where(protocol.body["scenario"].astext.in_(sorted(solving)))
    )
    if model_id is None:
        return unsolved.where(endpoint.stopped_at.is_(None)).exists()
    return unsolved.where(run.model_id == model_id).exists()


def begin_derivations(session: Session, solving: Collection[str], wanted: ColumnElement[bool], now: datetime) -> None:
    """Queue the derivations of wanted problems that no active run is still to solve."""
    done = select(Derivation.test_set_id).where(Derivation.test_set_id == Problem.current_test_set_id)
    ready = (
        select(Problem.current_test_set_id, literal(now))
        .join(SourceRow, SourceRow.id == Problem.source_id)
        .join(ProblemVersion, ProblemVersion.id == Problem.current_version_id)
        .where(Problem.state == ProblemState.PUBLISHED, Problem.canary.is_(False), SourceRow.send_statements)
        .where(ProblemVersion.form.in_(_FORMS), wanted, ~done.exists(), ~is_unsolved(Problem.id, solving))
        .order_by(Problem.current_test_set_id)
    )
    session.execute(insert(Derivation).from_select(["test_set_id", "since"], ready).on_conflict_do_nothing())


def _is_waiting(now: datetime | BindParameter[datetime]) -> tuple[ColumnElement[bool], ...]:
    free = or_(Derivation.lease_until.is_(None), Derivation.lease_until <= now)
    return Derivation.derived_at.is_(None), Derivation.attempts < MAX_DERIVATION_ATTEMPTS, free


def count_waiting(session: Session, now: datetime) -> int:
    """Return the number of derivations that can be claimed."""
    return session.scalar(_waiting_query(), {NOW.key: now}) or 0


@cache
def _waiting_query() -> Select[int]:
    return select(func.count()).select_from(Derivation).where(*_is_waiting(NOW))


def claim(session: Session, lease: Lease, now: datetime) -> int | None:
    """Lease the next derivation, and return its test set's id, or None if there is none."""
    ids = (
        select(Derivation.test_set_id)
        .where(*_is_waiting(now))
        .order_by(Derivation.test_set_id)
        .limit(1)
        .with_for_update(skip_locked=True)
        .cte("picked")  # evaluated once: a subquery may be scanned again, and then takes more than its limit
    )
    return session.scalar(
        update(Derivation)
        .where(Derivation.test_set_id.in_(select(ids.c.test_set_id)))
        .values(lease_token=lease.token, lease_until=lease.until, attempts=Derivation.attempts + 1)
        .returning(Derivation.test_set_id)
        .execution_options(synchronize_session=False)
    )


class PublicProgram(NamedTuple):
    """A right program that may be public: a reference, or an accepted answer."""

    code: str
    program_id: int | None = None
    sample_id: int | None = None


def public_programs(session: Session, problem_id: int, language: str) -> list[PublicProgram]:
    """Return the right programs of a problem that may be public, references first.

    Secret references are left out, and so are answers of private runs and of submissions.
    """
    programs = session.scalars(
        select(ProgramRow)
        .where(ProgramRow.problem_id == problem_id, ProgramRow.language == language, ProgramRow.secret.is_(False))
        .where(ProgramRow.kind == ProgramKind.REFERENCE, func.length(ProgramRow.code) <= _MAX_PROGRAM_CHARS)
        .order_by(ProgramRow.id)
        .limit(MAX_PROGRAMS)
    )
    ordered = select(Submission.id).where(Submission.run_id == Run.id)
    answers = session.execute(
        select(Sample.id, Sample.answer)
        .join(Run, Run.id == Sample.run_id)
        .join(ProtocolRow, ProtocolRow.id == Run.protocol_id)
        .join(Problem, Problem.id == Sample.problem_id)
        .join(VerdictRow, VerdictRow.sample_id == Sample.id)
        .where(Sample.problem_id == problem_id, Sample.state == SampleState.GRADED, Run.public, ~ordered.exists())
        .where(ProtocolRow.body["language"].astext == language, ProtocolRow.body["scenario"].astext == "codegen")
        .where(VerdictRow.counts, VerdictRow.verdict == Verdict.ACCEPTED)
        .where(VerdictRow.test_set_id == Problem.current_test_set_id, func.length(Sample.answer) <= _MAX_PROGRAM_CHARS)
        .order_by(Sample.id)
        .limit(4 * MAX_PROGRAMS)
    )
    candidates = [
        *(PublicProgram(program.code, program_id=program.id) for program in programs),
        *(PublicProgram(answer, sample_id=number) for number, answer in answers if answer is not None),
    ]
    return list({candidate.code.strip(): candidate for candidate in reversed(candidates)}.values())[::-1][:MAX_PROGRAMS]


def wrong_programs(session: Session, problem_id: int, language: str) -> list[str]:
    """Return the known-wrong programs of a problem that may be public."""
    return list(
        session.scalars(
            select(ProgramRow.code)
            .where(ProgramRow.problem_id == problem_id, ProgramRow.language == language, ProgramRow.secret.is_(False))
            .where(ProgramRow.kind == ProgramKind.WRONG, func.length(ProgramRow.code) <= _MAX_PROGRAM_CHARS)
            .order_by(ProgramRow.id)
            .limit(MAX_PROGRAMS)
        )
    )


def validator(session: Session, problem_id: int) -> SourceCode | None:
    """Return a problem's newest validator of inputs."""
    program = session.scalar(
        select(ProgramRow)
        .where(ProgramRow.problem_id == problem_id, ProgramRow.kind == ProgramKind.VALIDATOR)
        .order_by(ProgramRow.id.desc())
        .limit(1)
    )
    return None if program is None else SourceCode(program.language, program.code)


def record(session: Session, test_set_id: int, token: str, items: Sequence[DerivedItemSpec],
           programs: Sequence[PublicProgram],
           now: datetime) -> bool:  # fmt: skip
    """Store the derived items, and return False, with nothing stored, if the lease no longer holds.

    Kinds that the test set already has get no new items: what was asked stays.
    """
    leased_id = session.scalar(
        update(Derivation)
        .where(Derivation.test_set_id == test_set_id, Derivation.lease_token == token, Derivation.derived_at.is_(None))
        .values(derived_at=now, lease_token=None, lease_until=None)
        .returning(Derivation.test_set_id)
    )
    if leased_id is None:
        return False
    existing_kinds = set(session.scalars(select(DerivedItem.kind).where(DerivedItem.test_set_id == test_set_id)))
    numbers: dict[DerivedItemKind, int] = {}
    for item in (item for item in items if item.kind not in existing_kinds):
        number = numbers[item.kind] = numbers.get(item.kind, -1) + 1
        source = PublicProgram("") if item.program is None else programs[item.program]
        checker = asdict(item.checker)
        session.add(
            DerivedItem(
                test_set_id=test_set_id, kind=item.kind, number=number, facts=dict(item.facts),
                expected=json.dumps(item.expected),
                checker={name: value for name, value in checker.items() if value or isinstance(value, float)},
                returns=item.returns, measured=dict(item.measured), program_id=source.program_id,
                sample_id=source.sample_id,
            )
        )  # fmt: skip
    session.flush()
    return True


def derived_items(session: Session, test_set_id: int, kind: str) -> tuple[DerivedItemSpec, ...]:
    """Return the derived items of a test set and a kind, in order."""
    rows = session.scalars(
        select(DerivedItem)
        .where(DerivedItem.test_set_id == test_set_id, DerivedItem.kind == kind)
        .order_by(DerivedItem.number)
    )
    return tuple(
        DerivedItemSpec(
            DerivedItemKind(row.kind), row.facts, json.loads(row.expected), _checker(row.checker), row.returns
        )
        for row in rows
    )


def _checker(body: Mapping[str, Any]) -> Checker:
    return Checker(**{**body, "kind": CheckerKind(body["kind"])})


def counts(session: Session, test_set_ids: Collection[int], kind: str) -> dict[int, int]:
    """Return the number of items of a kind by test set, without test sets that have none."""
    rows = session.execute(
        select(DerivedItem.test_set_id, func.count())
        .where(DerivedItem.kind == kind, DerivedItem.test_set_id.in_(test_set_ids))
        .group_by(DerivedItem.test_set_id)
    )
    return {row[0]: row[1] for row in rows}

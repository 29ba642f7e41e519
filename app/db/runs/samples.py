"""Samples: claiming and recording. Each state change is one compare-and-set update."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    DateTime,
    Integer,
    Select,
    String,
    and_,
    bindparam,
    case,
    func,
    literal,
    select,
    update,
)
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import aliased
from sqlalchemy.sql.dml import ReturningUpdate

from app.db.kernel.instant import NOW
from app.db.kernel.leases import Lease
from app.db.kernel.session import Session
from app.db.runs.consensus.asking_order import statement_values
from app.db.runs.due_work import GradingFilter, ask_conditions, is_due, urgency
from app.db.tables import (
    DirtyCell,
    Problem,
    ProtocolRow,
    Run,
    Sample,
    VerdictRow,
)
from app.domain.asking.completions import FailureOwner
from app.domain.judging.grading_order import GradingOrder
from app.domain.states import (
    ENDED_ASKER,
    ENDED_JUDGE,
    ENDED_SERVER,
    MAX_GRADING_ATTEMPTS,
    MAX_INFERENCE_ATTEMPTS,
    SampleState,
)

# Every slice and every judge claims, so the statements are built once, with these parameters.
_ClaimStatement = ReturningUpdate[*tuple[Any, ...]]
_ENDPOINT, _LIMIT = bindparam("of_endpoint", type_=BigInteger), bindparam("most", type_=Integer)
_TOKEN, _UNTIL = bindparam("token", type_=String), bindparam("until", type_=DateTime(timezone=True))
_MAX_COUNTED = 200  # waiting answers of a protocol; larger numbers are not told apart


@dataclass(frozen=True, slots=True)
class SampleClaim:
    """A leased sample, with the context that the work needs."""

    id: int
    run_id: int
    problem_id: int
    problem_version_id: int
    item: int
    ordinal: int
    answer: str | None
    parent_id: int | None
    attempts: int
    provenance: Mapping[str, Any]


def claim_for_inference(
    session: Session, endpoint_id: int, lease: Lease, now: datetime, limit: int
) -> list[SampleClaim]:
    """Lease up to `limit` due samples of active runs at this endpoint, in the order to ask them.

    Three quarters are the most urgent; the rest are those planned first. Equally urgent ones come in planned order.
    """
    most = limit - limit // 4
    facts = statement_values(session, now) | {_ENDPOINT.key: endpoint_id}
    claimed = _claim(session, _inference_claim(urgent=True), lease, most, facts)
    if len(claimed) < most:
        return claimed
    return claimed + _claim(session, _inference_claim(urgent=False), lease, limit - most, facts)


@cache
def _inference_claim(*, urgent: bool) -> _ClaimStatement:
    by = (urgency(NOW), Sample.id) if urgent else (Sample.id,)
    ids = (
        select(Sample.id, urgency(NOW).label("urgency"))
        .join(Run, Run.id == Sample.run_id)
        .join(Problem, Problem.id == Sample.problem_id)
        .where(Run.endpoint_id == _ENDPOINT, Sample.inference_attempts < MAX_INFERENCE_ATTEMPTS, *ask_conditions())
        .order_by(*by)
    )
    values = {"reserved_usd": None, "first_tried_at": func.coalesce(Sample.first_tried_at, NOW)}
    return _claim_statement(ids, SampleState.INFERRING, Sample.inference_attempts, values)


def undo_claim(session: Session, sample_ids: Collection[int], now: datetime) -> None:
    """Undo `claim_for_inference` at `now` for samples that are not asked after all."""
    if sample_ids:
        new = case((Sample.first_tried_at == now, None), else_=Sample.first_tried_at)
        less, free = Sample.inference_attempts - 1, {"lease_token": None, "lease_until": None}
        session.execute(
            update(Sample)
            .where(Sample.id.in_(sample_ids))
            .values(state=SampleState.PENDING, inference_attempts=less, first_tried_at=new, **free)
            .execution_options(synchronize_session=False)
        )


def defer_samples(session: Session, reasons: Mapping[int, str], now: datetime, until: datetime) -> None:
    """Undo `claim_for_inference` at `now` for samples that cannot be asked now, each for a reason of ours."""
    undo_claim(session, list(reasons), now)
    for sample_id, reason in reasons.items():
        session.execute(
            update(Sample)
            .where(Sample.id == sample_id)
            .values(not_before=until, error=reason, error_owner=FailureOwner.US)
            .execution_options(synchronize_session=False)
        )


def claim_for_grading(
    session: Session,
    lease: Lease,
    now: datetime,
    gradable: GradingFilter,
    limit: int = 1,
    turn: GradingOrder = GradingOrder.PLANNED,
) -> list[SampleClaim]:
    """Lease up to `limit` answered samples that can be judged, those of this `turn` first."""
    claimed = _claim(session, _grading_claim(gradable, turn), lease, limit, {NOW.key: now})
    if turn is GradingOrder.PLANNED or len(claimed) == limit:
        return claimed
    return claimed + _claim(
        session, _grading_claim(gradable, GradingOrder.PLANNED), lease, limit - len(claimed), {NOW.key: now}
    )


@cache
def _grading_claim(gradable: GradingFilter, turn: GradingOrder) -> _ClaimStatement:
    gradable_now = (
        gradable.has_grader(), Sample.state == SampleState.ANSWERED, Sample.grading_attempts < MAX_GRADING_ATTEMPTS,
        gradable.has_tests(), is_due(NOW),
    )  # fmt: skip

    def of_answers(*columns: Any) -> Select[Any]:
        joined = select(*columns).select_from(Sample).join(Problem, Problem.id == Sample.problem_id)
        runs = joined.join(Run, Run.id == Sample.run_id).join(ProtocolRow, ProtocolRow.id == Run.protocol_id)
        return runs.where(*gradable_now)

    first = _turn_conditions(turn, of_answers)
    ids = of_answers(Sample.id, literal(0).label("urgency")).where(*first).order_by(Sample.id)
    return _claim_statement(ids, SampleState.GRADING, Sample.grading_attempts, {})


def _turn_conditions(turn: GradingOrder, of_answers: Callable[..., Select[Any]]) -> tuple[ColumnElement[bool], ...]:
    """Return the conditions on the answers that a turn takes first.

    Sorting or counting a hundred thousand waiting answers would take as long as judging one.
    """
    if turn is GradingOrder.PLANNED:
        return ()
    if turn is GradingOrder.NEWEST:
        newest = aliased(Problem)
        waits = of_answers(Sample.id).where(Sample.problem_id == newest.id).correlate(newest).exists()
        problem = select(newest.id).where(waits).order_by(newest.released_on.desc().nulls_last(), newest.id).limit(1)
        return (Sample.problem_id == problem.scalar_subquery(),)
    judged, judged_run, fewest = aliased(Sample), aliased(Run), aliased(ProtocolRow)
    waiting = of_answers(Sample.id).where(Run.protocol_id == fewest.id).limit(_MAX_COUNTED).correlate(fewest).lateral()
    counted = select(func.count().label("waiting")).select_from(waiting).correlate(fewest).lateral()
    of_protocol = and_(judged_run.protocol_id == fewest.id, judged.state == SampleState.GRADED)
    begun = (
        select(judged.id).join(judged_run, judged_run.id == judged.run_id).where(of_protocol).correlate(fewest).exists()
    )
    protocol = select(fewest.id).join(counted, counted.c.waiting > 0).order_by(begun, counted.c.waiting, fewest.id)
    return (Run.protocol_id == protocol.limit(1).scalar_subquery(),)


def _claim_statement(
    ids: Select[*tuple[Any, ...]], state: SampleState, attempts: Any, values: Mapping[str, Any]
) -> _ClaimStatement:
    """Return the statement that leases the first of these samples and counts the attempt."""
    picked = ids.limit(_LIMIT).with_for_update(of=Sample, skip_locked=True)
    first = picked.cte("picked")  # evaluated once: a subquery may be scanned again, and then takes more than its limit
    leased = {"state": state, "lease_token": _TOKEN, "lease_until": _UNTIL, attempts.key: attempts + 1}
    return (
        update(Sample)
        .where(Sample.id == first.c.id)
        .values({**leased, **values})
        .returning(
            first.c.urgency, Sample.id, Sample.run_id, Sample.problem_id, Sample.problem_version_id, Sample.item,
            Sample.ordinal, Sample.answer, Sample.parent_id, attempts, Sample.provenance,
        )
        .execution_options(synchronize_session=False)
    )  # fmt: skip


def _claim(
    session: Session, claiming: _ClaimStatement, lease: Lease, most: int, facts: Mapping[str, Any]
) -> list[SampleClaim]:
    rows = session.execute(claiming, {**facts, _TOKEN.key: lease.token, _UNTIL.key: lease.until, _LIMIT.key: most})
    return [SampleClaim(*row[1:]) for row in sorted(rows, key=lambda row: row[:2])]


# Values that a verdict sets on its sample; an unanswered one keeps its endpoint's error.
VERDICT_VALUES: Mapping[str, Any] = {
    "error": case((Sample.unanswered, Sample.error)),
    "error_owner": case((Sample.unanswered, Sample.error_owner)),
    "not_before": None,
}


def record(
    session: Session, sample_id: int, token: str, old: SampleState, new: SampleState, values: dict[str, Any]
) -> bool:
    """Change the state of a leased sample; return False if another worker has the lease now."""
    moved = session.execute(
        update(Sample)
        .where(Sample.id == sample_id, Sample.lease_token == token, Sample.state == old)
        .values(state=new, lease_token=None, lease_until=None, **values)
        .returning(Sample.run_id, Sample.problem_id, Sample.item)
        .execution_options(synchronize_session=False)
    ).first()
    if moved is None:
        return False
    session.add(DirtyCell(run_id=moved.run_id, problem_id=moved.problem_id, item=moved.item))
    return True


def record_all(
    session: Session, token: str, old: SampleState, moves: Mapping[int, tuple[SampleState, dict[str, Any]]]
) -> set[int]:
    """Do `record` for many samples at once, and return those that the token still held.

    `requests` in the values is the number of requests since the last record.
    """
    held = session.execute(
        select(Sample.id, Sample.run_id, Sample.problem_id, Sample.item, Sample.requests)
        .where(Sample.id.in_(moves), Sample.lease_token == token, Sample.state == old)
        .order_by(Sample.id)
        .with_for_update()
    ).all()
    by_columns: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for row in held:
        new, values = moves[row.id]
        if "requests" in values:
            values = values | {"requests": row.requests + values["requests"]}
        free = {"lease_token": None, "lease_until": None}
        by_columns.setdefault(tuple(values), []).append({"row_id": row.id, "state": new, **free, **values})
    connection = session.connection()
    for rows in by_columns.values():
        connection.execute(update(Sample).where(Sample.id == bindparam("row_id")), rows)
    cells = [{"run_id": row.run_id, "problem_id": row.problem_id, "item": row.item} for row in held]
    if cells:
        connection.execute(insert(DirtyCell), cells)
    return {row.id for row in held}


def expire_leases(session: Session, now: datetime) -> dict[str, int]:
    """Requeue samples with expired leases, end those without attempts left, and return the counts by state.

    A call under way may have been sent, so it counts as one request.
    """
    if not session.scalar(_any_expired(), {NOW.key: now}):
        return {}
    overdue = Sample.lease_until < now
    free: dict[str, Any] = {"lease_token": None, "lease_until": None}
    sent = free | {"requests": Sample.requests + 1}
    inferring, grading = Sample.state == SampleState.INFERRING, Sample.state == SampleState.GRADING
    spent_asking = Sample.inference_attempts >= MAX_INFERENCE_ATTEMPTS
    spent_judging = Sample.grading_attempts >= MAX_GRADING_ATTEMPTS
    us = FailureOwner.US
    return {
        "gave_up": move(
            session, [overdue, inferring, spent_asking],
            {"state": SampleState.GAVE_UP, "error": ENDED_ASKER, "error_owner": us} | sent,
        ),
        # A worker's death is no failure of an endpoint, so the patience with it starts again.
        "pending": move(
            session, [overdue, inferring],
            {"state": SampleState.PENDING, "own_failures": 0, "first_tried_at": None} | sent,
        ),
        "stuck": move(
            session, [overdue, grading, spent_judging],
            {"state": SampleState.STUCK, "error": ENDED_JUDGE, "error_owner": us} | free,
        ),
        "answered": move(session, [overdue, grading], {"state": SampleState.ANSWERED} | free),
    }  # fmt: skip


@cache
def _any_expired() -> Select[bool]:
    """Select whether any lease expired; usually none has."""
    return select(select(Sample.id).where(Sample.lease_until < NOW).exists())


def return_slice(session: Session, token: str, *, counts: bool) -> int:
    """Requeue the samples of an ended slice; an attempt that `counts` may have been the last."""
    held = [Sample.lease_token == token, Sample.state == SampleState.INFERRING]
    free: dict[str, Any] = {"lease_token": None, "lease_until": None}
    if not counts:
        less = {"inference_attempts": func.greatest(Sample.inference_attempts - 1, 0)}
        return move(session, held, {"state": SampleState.PENDING} | less | free)
    free["requests"] = Sample.requests + 1  # each call may have been sent
    spent = [*held, Sample.inference_attempts >= MAX_INFERENCE_ATTEMPTS]
    move(
        session,
        spent,
        {"state": SampleState.GAVE_UP, "error": ENDED_SERVER, "error_owner": FailureOwner.US} | free,
    )
    return move(session, held, {"state": SampleState.PENDING} | free)


def clear_rest(session: Session, sample_ids: Collection[int]) -> None:
    """Clear the retry delay of those of these samples that are still pending."""
    waiting = (Sample.id.in_(sample_ids), Sample.state == SampleState.PENDING)
    session.execute(update(Sample).where(*waiting).values(not_before=None).execution_options(synchronize_session=False))


def judge_again(session: Session, problem_id: int, test_set_id: int) -> int:
    """Requeue graded answers of a problem for grading, unless this test set has judged them already."""
    judged = select(VerdictRow.id).where(
        VerdictRow.sample_id == Sample.id, VerdictRow.test_set_id == test_set_id, VerdictRow.counts
    )
    where = [Sample.problem_id == problem_id, Sample.state == SampleState.GRADED, ~judged.exists()]
    return move(session, where, {"state": SampleState.ANSWERED, "grading_attempts": 0})


def judge_stuck(session: Session, problem_id: int, scenarios: Collection[str]) -> int:
    """Requeue stuck answers of a problem for grading, because their expected values now exist."""
    runs = select(Run.id).join(ProtocolRow, ProtocolRow.id == Run.protocol_id)
    runs = runs.where(ProtocolRow.body["scenario"].astext.in_(sorted(scenarios)))
    where = [Sample.problem_id == problem_id, Sample.state == SampleState.STUCK, Sample.run_id.in_(runs)]
    values = {"state": SampleState.ANSWERED, "grading_attempts": 0, "error": None, "error_owner": None}
    return move(session, where, values)


def move(session: Session, where: Sequence[ColumnElement[bool]], values: dict[str, Any]) -> int:
    """Change samples that no other worker holds, mark their cells, and return their number."""
    rows = session.execute(
        update(Sample)
        .where(*where)
        .values(values)
        .returning(Sample.run_id, Sample.problem_id, Sample.item)
        .execution_options(synchronize_session=False)
    ).all()
    session.add_all(DirtyCell(run_id=row.run_id, problem_id=row.problem_id, item=row.item) for row in rows)
    return len(rows)

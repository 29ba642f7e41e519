"""Samples: claiming, recording. Each state change is one compare-and-set update."""

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
from app.db.runs.setting.order import given
from app.db.runs.wanted import Gradable, is_due, to_ask, urgency
from app.db.tables import (
    DirtyCell,
    Problem,
    ProtocolRow,
    Run,
    Sample,
    VerdictRow,
)
from app.domain.asking.completions import FailureOwner
from app.domain.judging.turns import Turn
from app.domain.states import (
    MAX_GRADING_ATTEMPTS,
    MAX_INFERENCE_ATTEMPTS,
    SampleState,
)

# Every slice and every turn of a judge claims: that is put into words once, and these are filled in.
_Claiming = ReturningUpdate[*tuple[Any, ...]]
_ENDPOINT, _MOST = bindparam("of_endpoint", type_=BigInteger), bindparam("most", type_=Integer)
_TOKEN, _UNTIL = bindparam("token", type_=String), bindparam("until", type_=DateTime(timezone=True))
_MANY = 200  # waiting answers of a protocol: beyond, nobody asks how many


@dataclass(frozen=True, slots=True)
class Claimed:
    """A sample under lease, with what the work needs to know of its surroundings."""

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


def claim_for_inference(session: Session, endpoint_id: int, lease: Lease, now: datetime, limit: int) -> list[Claimed]:
    """Lease up to `limit` due samples of active runs at this endpoint, and return them in the order to ask them in.

    The most urgent come first, and a quarter are those planned first: of two equally urgent ones that is the order.
    """
    most = limit - limit // 4
    facts = given(session, now) | {_ENDPOINT.key: endpoint_id}
    taken = _claim(session, _asking(urgent=True), lease, most, facts)
    if len(taken) < most:
        return taken
    return taken + _claim(session, _asking(urgent=False), lease, limit - most, facts)


@cache
def _asking(*, urgent: bool) -> _Claiming:
    by = (urgency(NOW), Sample.id) if urgent else (Sample.id,)
    ids = (
        select(Sample.id, urgency(NOW).label("urgency"))
        .join(Run, Run.id == Sample.run_id)
        .join(Problem, Problem.id == Sample.problem_id)
        .where(Run.endpoint_id == _ENDPOINT, Sample.inference_attempts < MAX_INFERENCE_ATTEMPTS, *to_ask())
        .order_by(*by)
    )
    values = {"reserved_usd": None, "first_tried_at": func.coalesce(Sample.first_tried_at, NOW)}
    return _claiming(ids, SampleState.INFERRING, Sample.inference_attempts, values)


def put_back(session: Session, sample_ids: Collection[int], now: datetime) -> None:
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


def put_off(session: Session, reasons: Mapping[int, str], now: datetime, until: datetime) -> None:
    """Undo `claim_for_inference` at `now` for samples that cannot be asked now, each for a reason of ours."""
    put_back(session, list(reasons), now)
    for sample_id, reason in reasons.items():
        session.execute(
            update(Sample)
            .where(Sample.id == sample_id)
            .values(not_before=until, error=reason, error_owner=FailureOwner.US)
            .execution_options(synchronize_session=False)
        )


def claim_for_grading(
    session: Session, lease: Lease, now: datetime, gradable: Gradable, limit: int = 1, turn: Turn = Turn.PLANNED
) -> list[Claimed]:
    """Lease up to `limit` answered samples that can be judged, those whose turn it is before others."""
    taken = _claim(session, _judging(gradable, turn), lease, limit, {NOW.key: now})
    if turn is Turn.PLANNED or len(taken) == limit:
        return taken
    return taken + _claim(session, _judging(gradable, Turn.PLANNED), lease, limit - len(taken), {NOW.key: now})


@cache
def _judging(gradable: Gradable, turn: Turn) -> _Claiming:
    gradable_now = (
        gradable.by_these(), Sample.state == SampleState.ANSWERED, Sample.grading_attempts < MAX_GRADING_ATTEMPTS,
        gradable.ready(), is_due(NOW),
    )  # fmt: skip

    def of_answers(*columns: Any) -> Select[Any]:
        joined = select(*columns).select_from(Sample).join(Problem, Problem.id == Sample.problem_id)
        runs = joined.join(Run, Run.id == Sample.run_id).join(ProtocolRow, ProtocolRow.id == Run.protocol_id)
        return runs.where(*gradable_now)

    whose = _whose(turn, of_answers)
    ids = of_answers(Sample.id, literal(0).label("urgency")).where(*whose).order_by(Sample.id)
    return _claiming(ids, SampleState.GRADING, Sample.grading_attempts, {})


def _whose(turn: Turn, of_answers: Callable[..., Select[Any]]) -> tuple[ColumnElement[bool], ...]:
    """Which of the answers that can be judged a turn takes before others.

    With a hundred thousand waiting, to sort or to count them all would take as long as to judge one.
    """
    if turn is Turn.PLANNED:
        return ()
    if turn is Turn.NEWEST:
        newest = aliased(Problem)
        waits = of_answers(Sample.id).where(Sample.problem_id == newest.id).correlate(newest).exists()
        problem = select(newest.id).where(waits).order_by(newest.released_on.desc().nulls_last(), newest.id).limit(1)
        return (Sample.problem_id == problem.scalar_subquery(),)
    judged, under, fewest = aliased(Sample), aliased(Run), aliased(ProtocolRow)
    some = of_answers(Sample.id).where(Run.protocol_id == fewest.id).limit(_MANY).correlate(fewest).lateral()
    counted = select(func.count().label("waiting")).select_from(some).correlate(fewest).lateral()
    of_it = and_(under.protocol_id == fewest.id, judged.state == SampleState.GRADED)
    begun = select(judged.id).join(under, under.id == judged.run_id).where(of_it).correlate(fewest).exists()
    protocol = select(fewest.id).join(counted, counted.c.waiting > 0).order_by(begun, counted.c.waiting, fewest.id)
    return (Run.protocol_id == protocol.limit(1).scalar_subquery(),)


def _claiming(ids: Select[*tuple[Any, ...]], state: SampleState, attempts: Any, values: Mapping[str, Any]) -> _Claiming:
    """What leases the first of these samples and counts the attempt."""
    picked = ids.limit(_MOST).with_for_update(of=Sample, skip_locked=True)
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


def _claim(session: Session, claiming: _Claiming, lease: Lease, most: int, facts: Mapping[str, Any]) -> list[Claimed]:
    rows = session.execute(claiming, {**facts, _TOKEN.key: lease.token, _UNTIL.key: lease.until, _MOST.key: most})
    return [Claimed(*row[1:]) for row in sorted(rows, key=lambda row: row[:2])]


# What a verdict leaves on its sample: of one without an answer the words of its endpoint.
JUDGED: Mapping[str, Any] = {
    "error": case((Sample.unanswered, Sample.error)),
    "error_owner": case((Sample.unanswered, Sample.error_owner)),
    "not_before": None,
}


def record(
    session: Session, sample_id: int, token: str, old: SampleState, new: SampleState, values: dict[str, Any]
) -> bool:
    """Move a leased sample on, if the lease token still holds; False means another worker has it now."""
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
    """As `record` for many samples at once; returns which of them the token still held.

    `requests` says how many were sent since the last time.
    """
    held = session.execute(
        select(Sample.id, Sample.run_id, Sample.problem_id, Sample.item, Sample.requests)
        .where(Sample.id.in_(moves), Sample.lease_token == token, Sample.state == old)
        .order_by(Sample.id)
        .with_for_update()
    ).all()
    alike: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for row in held:
        new, values = moves[row.id]
        if "requests" in values:
            values = values | {"requests": row.requests + values["requests"]}
        free = {"lease_token": None, "lease_until": None}
        alike.setdefault(tuple(values), []).append({"row_id": row.id, "state": new, **free, **values})
    connection = session.connection()
    for rows in alike.values():
        connection.execute(update(Sample).where(Sample.id == bindparam("row_id")), rows)
    cells = [{"run_id": row.run_id, "problem_id": row.problem_id, "item": row.item} for row in held]
    if cells:
        connection.execute(insert(DirtyCell), cells)
    return {row.id for row in held}


def expire_leases(session: Session, now: datetime) -> dict[str, int]:
    """Put samples whose lease ran out back in their queue, or poison those past their attempts; how many of each.

    What was being asked may have been sent: that counts as one request.
    """
    if not session.scalar(_died(), {NOW.key: now}):
        return {}
    overdue = Sample.lease_until < now
    unanswered = "the worker died each time it was asked" + f" ({MAX_INFERENCE_ATTEMPTS} attempts)"
    unjudged = f"judging ended its worker {MAX_GRADING_ATTEMPTS} times"
    free: dict[str, Any] = {"lease_token": None, "lease_until": None}
    sent = free | {"requests": Sample.requests + 1}
    inferring, grading = Sample.state == SampleState.INFERRING, Sample.state == SampleState.GRADING
    spent_asking = Sample.inference_attempts >= MAX_INFERENCE_ATTEMPTS
    spent_judging = Sample.grading_attempts >= MAX_GRADING_ATTEMPTS
    us = FailureOwner.US
    return {
        "gave_up": move(
            session, [overdue, inferring, spent_asking],
            {"state": SampleState.GAVE_UP, "error": unanswered, "error_owner": us} | sent,
        ),
        # A worker's death is no failure of an endpoint: patience with it begins anew.
        "pending": move(
            session, [overdue, inferring],
            {"state": SampleState.PENDING, "own_failures": 0, "first_tried_at": None} | sent,
        ),
        "stuck": move(
            session, [overdue, grading, spent_judging],
            {"state": SampleState.STUCK, "error": unjudged, "error_owner": us} | free,
        ),
        "answered": move(session, [overdue, grading], {"state": SampleState.ANSWERED} | free),
    }  # fmt: skip


@cache
def _died() -> Select[bool]:
    """Whether any lease ran out: most often none did."""
    return select(select(Sample.id).where(Sample.lease_until < NOW).exists())


def hand_back(session: Session, token: str, *, counts: bool) -> int:
    """Put the samples of a slice that ended back in their queue; an attempt that `counts` may have been the last."""
    held = [Sample.lease_token == token, Sample.state == SampleState.INFERRING]
    free: dict[str, Any] = {"lease_token": None, "lease_until": None}
    if not counts:
        less = {"inference_attempts": func.greatest(Sample.inference_attempts - 1, 0)}
        return move(session, held, {"state": SampleState.PENDING} | less | free)
    free["requests"] = Sample.requests + 1  # each may have been sent
    died = f"its server died each time it was asked ({MAX_INFERENCE_ATTEMPTS} attempts)"
    spent = [*held, Sample.inference_attempts >= MAX_INFERENCE_ATTEMPTS]
    move(session, spent, {"state": SampleState.GAVE_UP, "error": died, "error_owner": FailureOwner.US} | free)
    return move(session, held, {"state": SampleState.PENDING} | free)


def rest_no_more(session: Session, sample_ids: Collection[int]) -> None:
    """Let these be asked as soon as somebody can, if they still are to be asked."""
    waiting = (Sample.id.in_(sample_ids), Sample.state == SampleState.PENDING)
    session.execute(update(Sample).where(*waiting).values(not_before=None).execution_options(synchronize_session=False))


def judge_again(session: Session, problem_id: int, test_set_id: int) -> int:
    """Put graded answers of a problem back before the judge, unless this test set has judged them already."""
    judged = select(VerdictRow.id).where(
        VerdictRow.sample_id == Sample.id, VerdictRow.test_set_id == test_set_id, VerdictRow.counts
    )
    where = [Sample.problem_id == problem_id, Sample.state == SampleState.GRADED, ~judged.exists()]
    return move(session, where, {"state": SampleState.ANSWERED, "grading_attempts": 0})


def judge_stuck(session: Session, problem_id: int, scenarios: Collection[str]) -> int:
    """Put answers of a problem that could not be judged back before the judge: what they are compared with is there."""
    runs = select(Run.id).join(ProtocolRow, ProtocolRow.id == Run.protocol_id)
    runs = runs.where(ProtocolRow.body["scenario"].astext.in_(sorted(scenarios)))
    where = [Sample.problem_id == problem_id, Sample.state == SampleState.STUCK, Sample.run_id.in_(runs)]
    values = {"state": SampleState.ANSWERED, "grading_attempts": 0, "error": None, "error_owner": None}
    return move(session, where, values)


def move(session: Session, where: Sequence[ColumnElement[bool]], values: dict[str, Any]) -> int:
    """Change samples that nobody else holds, and mark their cells; returns how many."""
    rows = session.execute(
        update(Sample)
        .where(*where)
        .values(values)
        .returning(Sample.run_id, Sample.problem_id, Sample.item)
        .execution_options(synchronize_session=False)
    ).all()
    session.add_all(DirtyCell(run_id=row.run_id, problem_id=row.problem_id, item=row.item) for row in rows)
    return len(rows)

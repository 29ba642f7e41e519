"""Planning: what runs want and lack, how others did on it, and the samples that are asked for."""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import BigInteger, BindParameter, Float, any_, cast, func, literal, select, text
from sqlalchemy import insert as plain_insert
from sqlalchemy.dialects.postgresql import ARRAY, insert

from app.db.kernel.session import Session
from app.db.tables import CellRow, DirtyCell, Problem, ProblemVersion, ProtocolRow, Run, Sample, Source
from app.domain.asking.protocols import Protocol
from app.domain.states import ProblemState, RunState, SampleState


class Wanted(NamedTuple):
    """A problem that a run wants and lacks samples of, with the text it is asked in."""

    problem: int
    version: int
    released: datetime


def take_turn(session: Session) -> None:
    """Plan alone until the transaction ends: two who insert the same samples in different orders would deadlock."""
    session.execute(text("SELECT pg_advisory_xact_lock(hashtext('plan'))"))


def active_runs(session: Session) -> list[tuple[Run, dict[str, Any]]]:
    """Runs of our own to be extended, with the body of their protocol."""
    rows = session.execute(
        select(Run, ProtocolRow.body)
        .join(ProtocolRow, ProtocolRow.id == Run.protocol_id)
        .where(Run.state == RunState.ACTIVE, Run.endpoint_id.is_not(None))
        .order_by(Run.id)
    )
    return [(run, body) for run, body in rows]


def lacking(session: Session, run: Run, protocol: Protocol) -> list[Wanted]:
    """The problems of which the run wants more samples than it has (wanted - existing)."""
    held = (
        select(Sample.problem_version_id, func.count().label("samples"))
        .where(Sample.run_id == run.id, Sample.item == 0, Sample.ordinal < protocol.sampling.n)
        .group_by(Sample.problem_version_id)
        .subquery()
    )
    wanted = (
        select(Problem.id, ProblemVersion.id, Problem.released_on)
        .join(ProblemVersion, ProblemVersion.problem_id == Problem.id)
        .join(Source, Source.id == Problem.source_id)
        .outerjoin(held, held.c.problem_version_id == ProblemVersion.id)
        .where(func.coalesce(held.c.samples, 0) < protocol.sampling.n)
        .where(Problem.state == ProblemState.PUBLISHED, Problem.canary.is_(False))
        .where(ProblemVersion.in_use, ProblemVersion.locale == protocol.locale)
        .where(ProblemVersion.form.in_(protocol.covers.forms))
    )
    if protocol.covers.sources:
        wanted = wanted.where(Source.slug.in_(protocol.covers.sources))
    if run.window_start is not None:
        wanted = wanted.where(Problem.released_on >= run.window_start)
    if run.window_end is not None:
        wanted = wanted.where(Problem.released_on < run.window_end)
    rows = session.execute(wanted)  # what is published has its date
    return [Wanted(problem, version, released) for problem, version, released in rows if released is not None]


def ease(session: Session, run: Run, scenario: str, problem_ids: Collection[int]) -> dict[int, float]:
    """The mean pass rate of the other runs on each of these problems, where any was graded.

    Runs of every protocol of the scenario count: how hard a problem is changes little with language and prompt, and
    the first run of a new protocol has none of its own to go by. Another scenario asks for something else.
    """
    rate = cast(CellRow.c, Float) / CellRow.n
    rows = session.execute(
        select(CellRow.problem_id, func.avg(rate))
        .join(Run, Run.id == CellRow.run_id)
        .join(ProtocolRow, ProtocolRow.id == Run.protocol_id)
        .where(ProtocolRow.body["scenario"].astext == scenario, CellRow.run_id != run.id, CellRow.n > 0)
        .where(CellRow.problem_id == any_(_numbers(problem_ids)))
        .group_by(CellRow.problem_id)
    )
    return {row[0]: row[1] for row in rows}


def ask(session: Session, run: Run, wanted: Sequence[Wanted], ordinals: int) -> int:
    """Insert the samples 0 to `ordinals` - 1 of these problems, in this order; returns how many cells grew.

    Samples are claimed in the order of their ids, so that all of a problem are asked before any of the next.
    """
    rows = (
        func.unnest(_numbers(each.problem for each in wanted), _numbers(each.version for each in wanted))
        .table_valued("problem", "version", with_ordinality="place")
        .render_derived()
    )
    each_ordinal = select(func.generate_series(0, ordinals - 1).label("ordinal")).subquery()
    pending = literal(SampleState.PENDING.value)
    fresh = (
        insert(Sample)
        .from_select(
            ["run_id", "problem_id", "problem_version_id", "item", "ordinal", "state"],
            select(literal(run.id), rows.c.problem, rows.c.version, literal(0), each_ordinal.c.ordinal, pending)
            .join(each_ordinal, text("true"))
            .order_by(rows.c.place, each_ordinal.c.ordinal),
        )
        .on_conflict_do_nothing()
        .returning(Sample.run_id, Sample.problem_id, Sample.item)
        .cte("fresh")
    )
    # A wanted sample is missing coverage until it is graded: its cell must say so.
    marked = (
        plain_insert(DirtyCell)
        .from_select(
            ["run_id", "problem_id", "item"], select(fresh.c.run_id, fresh.c.problem_id, fresh.c.item).distinct()
        )
        .returning(DirtyCell.id)
        .cte("marked")
    )
    return session.scalar(select(func.count()).select_from(marked)) or 0


def _numbers(values: Iterable[int]) -> BindParameter[Sequence[int]]:
    numbers: Sequence[int] = list(values)
    return literal(numbers, ARRAY(BigInteger))

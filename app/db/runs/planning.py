"""Planning: what runs want and lack, how others did on it, and the samples that are asked for."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import (
    BigInteger,
    BindParameter,
    ColumnElement,
    Float,
    Select,
    and_,
    any_,
    cast,
    func,
    literal,
    or_,
    select,
    text,
)
from sqlalchemy import insert as plain_insert
from sqlalchemy.dialects.postgresql import ARRAY, insert

from app.db.kernel.aliases import alias
from app.db.kernel.session import Session
from app.db.problems.derived import is_unsolved
from app.db.runs.children import judged
from app.db.runs.setting.order import is_drawn
from app.db.sources.scope import in_scope
from app.db.tables import (
    CellRow,
    Contest,
    DirtyCell,
    Problem,
    ProblemVersion,
    ProtocolRow,
    Run,
    Sample,
    Setting,
    Source,
    Submission,
)
from app.domain.asking.protocols import Protocol
from app.domain.scenarios import Need, Scenario, solving
from app.domain.states import ENDED_ORDERS, ProblemState, RunState, SampleState


class Wanted(NamedTuple):
    """An item of a problem that a run wants and lacks samples of, with the text it is asked in."""

    problem: int
    version: int
    item: int
    released: datetime


class Covered(NamedTuple):
    """A problem that a protocol covers: the text it is asked in, and its tests in use."""

    problem: int
    version: int
    test_set: int | None
    released: datetime


def take_turn(session: Session) -> bool:
    """Whether to plan now, alone until the transaction ends: two who insert the same samples in different orders would
    deadlock."""
    return bool(session.scalar(text("SELECT pg_try_advisory_xact_lock(hashtext('plan'))")))


def active_runs(session: Session) -> list[tuple[Run, dict[str, Any]]]:
    """Runs of our own to be extended, with the body of their protocol."""
    rows = session.execute(
        select(Run, ProtocolRow.body)
        .join(ProtocolRow, ProtocolRow.id == Run.protocol_id)
        .where(Run.state == RunState.ACTIVE, Run.endpoint_id.is_not(None))
        .order_by(Run.id)
    )
    return [(run, body) for run, body in rows]


def covered(
    session: Session, runs: Iterable[Run], protocol: Protocol, scenario: Scenario, now: datetime
) -> list[Covered]:
    """The problems that any of these runs of one protocol is planned for, whatever it has of them."""
    of_each = _covered(runs, protocol, scenario, now).subquery()
    rows = session.execute(select(of_each.c.id, of_each.c.version, of_each.c.tests, of_each.c.released_on).distinct())
    return [Covered(*row) for row in rows]


def _covered(
    runs: Iterable[Run], protocol: Protocol, scenario: Scenario, now: datetime
) -> Select[int, int, int, int | None, datetime | None]:
    """By run: so that planning takes as many queries as there are protocols."""
    wanted = (
        select(
            Run.id.label("run"),
            Problem.id,
            ProblemVersion.id.label("version"),
            Problem.current_test_set_id.label("tests"),
            Problem.released_on,
        )
        .select_from(ProblemVersion)
        .join(Problem, Problem.id == ProblemVersion.problem_id)
        .join(Source, Source.id == Problem.source_id)
        .outerjoin(Contest, Contest.id == Problem.contest_id)
        .join(Run, Run.id == any_(_numbers(run.id for run in runs)))
        .where(or_(Run.window_start.is_(None), Problem.released_on >= Run.window_start))
        .where(or_(Run.window_end.is_(None), Problem.released_on < Run.window_end))
        .where(Problem.state.in_(sorted(scenario.states)), Problem.canary.is_(False))
        .where(Problem.released_on.is_not(None))  # what is published has its date
        # What is not published may be of a contest that is not over: nobody is asked about it before it is. An order
        # is not asked early: it would wait for tests that may never come. What has none yet is asked once somebody
        # begins to make them, which is bounded for each day.
        .where(or_(Problem.state == ProblemState.PUBLISHED, and_(_is_over(now), ~_is_ordered(), _has_begun())))
        .where(ProblemVersion.in_use, ProblemVersion.locale == protocol.locale, Source.send_statements)
        .where(ProblemVersion.form.in_(protocol.covers.forms), in_scope(protocol.covers))
    )
    if scenario.untested:
        wanted = wanted.where(Problem.current_test_set_id.is_(None), is_drawn(Run.id))
    if Need.DERIVED in scenario.needs:  # shows a solution, and is not sent to who is still to find one
        wanted = wanted.where(~is_unsolved(Problem.id, solving(), Run.model_id))
    return wanted


def _is_ordered() -> ColumnElement[bool]:
    """Whether a run is of an order that has not ended."""
    order = alias(Submission, "placed")
    return select(order.id).where(order.run_id == Run.id, order.state.not_in(sorted(ENDED_ORDERS))).exists()


def _has_begun() -> ColumnElement[bool]:
    """Of a problem: whether it has tests, or they are being made."""
    begun = select(Setting.id).where(Setting.problem_id == Problem.id)
    return or_(Problem.current_test_set_id.is_not(None), begun.exists())


def _is_over(now: datetime) -> ColumnElement[bool]:
    ended = now - Source.margin
    return and_(Problem.released_on <= ended, or_(Contest.id.is_(None), Contest.ends_at <= ended))


def lacking(
    session: Session,
    runs: Sequence[Run],
    protocol: Protocol,
    scenario: Scenario,
    items: Mapping[int, int],
    now: datetime,
) -> dict[int, list[Wanted]]:
    """By run of a protocol, the items of which it wants more samples than it has (wanted - existing).

    `items` says how many a version has; of a scenario that asks once, one that is not named has one.
    """
    held = (
        select(Sample.run_id, Sample.problem_version_id, Sample.item, func.count().label("samples"))
        .where(Sample.run_id == any_(_numbers(run.id for run in runs)), Sample.ordinal < protocol.sampling.n)
        .group_by(Sample.run_id, Sample.problem_version_id, Sample.item)
        .subquery()
    )
    counted = (
        func.unnest(_numbers(items.keys()), _numbers(items.values())).table_valued("version", "size").render_derived()
    )
    problems = _covered(runs, protocol, scenario, now).subquery()
    last = func.coalesce(counted.c.size, 1 if scenario.asks_once else 0) - 1
    number = func.generate_series(cast(0, BigInteger), last).table_valued("item").render_derived().lateral()
    wanted = (
        select(problems.c.run, problems.c.id, problems.c.version, number.c.item, problems.c.released_on)
        .outerjoin(counted, counted.c.version == problems.c.version)
        .join(number, text("true"))
        .outerjoin(
            held,
            and_(
                held.c.run_id == problems.c.run,
                held.c.problem_version_id == problems.c.version,
                held.c.item == number.c.item,
            ),
        )
        .where(func.coalesce(held.c.samples, 0) < protocol.sampling.n)
        .order_by(problems.c.version, number.c.item)
    )
    found: dict[int, list[Wanted]] = {run.id: [] for run in runs}
    for run_id, *item in session.execute(wanted):
        found[run_id].append(Wanted(*item))
    return found


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


def ask(session: Session, run: Run, wanted: Sequence[Wanted], protocol: Protocol) -> int:
    """Insert all samples of these items, in this order; returns how many cells grew.

    Samples are claimed in the order of their ids, so that all of a problem are asked before any of the next. Where the
    protocol has a prerequisite, only the children of parents that were judged.
    """
    rows = (
        func.unnest(*(_numbers(column) for column in zip(*(entry[:3] for entry in wanted), strict=True)))
        .table_valued("problem", "version", "item", with_ordinality="place")
        .render_derived()
    )
    ordinals = select(func.generate_series(0, protocol.sampling.n - 1).label("ordinal")).subquery()
    pending = literal(SampleState.PENDING.value)
    parent = alias(Sample, "parent")
    parent_id = literal(None, BigInteger) if protocol.prerequisite is None else parent.id
    chosen = (
        select(
            literal(run.id), rows.c.problem, rows.c.version, rows.c.item, ordinals.c.ordinal, pending,
            parent_id.label("parent"),
        )
        .select_from(rows)
        .join(ordinals, text("true"))
        .order_by(rows.c.place, ordinals.c.ordinal)
    )  # fmt: skip
    if protocol.prerequisite is not None:
        same = (
            parent.run_id.in_(_parent_runs(run, protocol)), parent.problem_version_id == rows.c.version,
            parent.item == rows.c.item, parent.ordinal == ordinals.c.ordinal,
        )  # fmt: skip
        chosen = chosen.join(parent, and_(*same)).where(judged(parent))
    fresh = (
        insert(Sample)
        .from_select(["run_id", "problem_id", "problem_version_id", "item", "ordinal", "state", "parent_id"], chosen)
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


def _parent_runs(run: Run, protocol: Protocol) -> Select[int]:
    """The run whose answers a run continues: the same trial of the same model and configuration."""
    return (
        select(Run.id)
        .join(ProtocolRow, ProtocolRow.id == Run.protocol_id)
        .where(ProtocolRow.slug == protocol.prerequisite, Run.trial == run.trial)
        .where(Run.model_id == run.model_id, Run.configuration_key == run.configuration_key)
    )


def _numbers(values: Iterable[int]) -> BindParameter[Sequence[int]]:
    numbers: Sequence[int] = list(values)
    return literal(numbers, ARRAY(BigInteger))

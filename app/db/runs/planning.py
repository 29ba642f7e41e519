"""Planning: the items that runs cover and lack, their pass rates, and the new samples."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, Final, NamedTuple

from sqlalchemy import (
    BigInteger,
    BindParameter,
    ColumnElement,
    DateTime,
    Float,
    Integer,
    Select,
    and_,
    any_,
    bindparam,
    cast,
    func,
    literal,
    or_,
    select,
    text,
)
from sqlalchemy import insert as plain_insert
from sqlalchemy.dialects.postgresql import ARRAY, insert

from app.db.kernel.session import Session
from app.db.kernel.table_aliases import alias
from app.db.problems.derivations import is_unsolved
from app.db.runs.child_samples import has_counting_verdict
from app.db.runs.consensus.asking_order import is_drawn
from app.db.runs.due_work import is_text_in_use
from app.db.runs.runs import is_practice
from app.db.sources.scope import in_scope
from app.db.tables import (
    CellRow,
    ConsensusRow,
    Contest,
    DirtyCell,
    Problem,
    ProblemVersion,
    ProtocolRow,
    Run,
    Sample,
    Source,
    Submission,
)
from app.domain.asking.protocols import Protocol, ProtocolScope
from app.domain.scenarios import Need, Scenario, solving_scenarios
from app.domain.states import ENDED_SUBMISSIONS, ProblemState, RunState, SampleState

# A plan queries every protocol, and building such a query takes longer than running it, so it is built once for each
# scope. Only the runs, the instant, and the numbers of samples and items are parameters.
_RUNS: Final = bindparam("runs", type_=ARRAY(BigInteger))
_NOW: Final = bindparam("now", type_=DateTime(timezone=True))
_SAMPLES: Final = bindparam("samples", type_=Integer)
_VERSIONS, _SIZES = (bindparam(name, type_=ARRAY(BigInteger)) for name in ("versions", "sizes"))
_CACHED_QUERIES = 256


class PlanScope(NamedTuple):
    """Facts that decide which problems a run of a protocol is planned for."""

    covers: ProtocolScope
    locale: str
    states: frozenset[ProblemState]
    untested: bool
    derived: bool

    @classmethod
    def of(cls, protocol: Protocol, scenario: Scenario) -> "PlanScope":
        """Return the scope of a protocol."""
        derived = Need.DERIVED in scenario.needs
        return cls(protocol.covers, protocol.locale, frozenset(scenario.states), scenario.untested, derived)


class MissingItem(NamedTuple):
    """An item of a problem that a run lacks samples of, with the text to ask."""

    problem: int
    version: int
    item: int
    released: datetime


class CoveredProblem(NamedTuple):
    """A problem that a protocol covers, with its text to ask and its tests in use."""

    problem: int
    version: int
    test_set: int | None
    released: datetime


def try_lock_planning(session: Session) -> bool:
    """Try to lock planning until the transaction ends.

    Two processes that insert the same samples in different orders would deadlock.
    """
    return bool(session.scalar(text("SELECT pg_try_advisory_xact_lock(hashtext('plan'))")))


def active_runs(session: Session) -> list[tuple[Run, dict[str, Any]]]:
    """Return our own runs to extend, each with the body of its protocol."""
    rows = session.execute(
        select(Run, ProtocolRow.body)
        .join(ProtocolRow, ProtocolRow.id == Run.protocol_id)
        .where(Run.state == RunState.ACTIVE, Run.endpoint_id.is_not(None))
        .order_by(Run.id)
    )
    return [(run, body) for run, body in rows]


def covered_problems(
    session: Session, runs: Iterable[Run], protocol: Protocol, scenario: Scenario, now: datetime
) -> list[CoveredProblem]:
    """Return the problems that any of these runs of one protocol is planned for, whatever samples it has."""
    parameters = {_RUNS.key: [run.id for run in runs], _NOW.key: now}
    rows = session.execute(_covered_by_any(PlanScope.of(protocol, scenario)), parameters)
    return [CoveredProblem(*row) for row in rows]


@lru_cache(_CACHED_QUERIES)
def _covered_by_any(scope: PlanScope) -> Select[int, int, int | None, datetime]:
    of_each = _covered_query(scope).subquery()
    return select(of_each.c.id, of_each.c.version, of_each.c.tests, of_each.c.released_on).distinct()


class RunSnapshot(NamedTuple):
    """Samples of a run for the texts in use, and the problems that it covers, at one instant."""

    samples: int
    covered: list[CoveredProblem]


def snapshot_of_run(session: Session, run: Run, protocol: Protocol, scenario: Scenario, now: datetime) -> RunSnapshot:
    """Return what a run has and covers in one statement: no plan commits between the two."""
    parameters = {_RUNS.key: [run.id], _NOW.key: now}
    rows = session.execute(_snapshot_query(PlanScope.of(protocol, scenario)), parameters).all()
    covered = [
        CoveredProblem(problem, version, test_set, released)
        for _, problem, version, test_set, released in rows
        if problem is not None and version is not None and released is not None
    ]
    return RunSnapshot(rows[0][0], covered)


@lru_cache(_CACHED_QUERIES)
def _snapshot_query(scope: PlanScope) -> Select[int, int | None, int | None, int | None, datetime | None]:
    covered = _covered_query(scope).subquery()
    samples = select(func.count().label("samples")).where(Sample.run_id == any_(_RUNS), is_text_in_use()).subquery()
    columns = (covered.c.id, covered.c.version, covered.c.tests, covered.c.released_on)
    return select(samples.c.samples, *columns).select_from(samples.outerjoin(covered, text("true")))


def _covered_query(scope: PlanScope) -> Select[int, int, int, int | None, datetime | None]:
    """Select the covered problems by run, so that planning needs one query per protocol."""
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
        .join(Run, Run.id == any_(_RUNS))
        .where(or_(Run.window_start.is_(None), Problem.released_on >= Run.window_start))
        .where(or_(Run.window_end.is_(None), Problem.released_on < Run.window_end))
        .where(Problem.state.in_(sorted(scope.states)), Problem.canary.is_(False))
        .where(Problem.released_on.is_not(None))  # published problems always have a date
        # An unpublished problem's contest must be over before models are asked. Submissions do not ask early, because
        # they would wait for tests that may never come. A problem without tests is asked once its consensus has begun,
        # which is limited for each day.
        .where(or_(Problem.state == ProblemState.PUBLISHED, and_(_is_over(), ~_has_open_submission(), _has_begun())))
        .where(ProblemVersion.in_use, ProblemVersion.locale == scope.locale, Source.send_statements)
        .where(ProblemVersion.form.in_(scope.covers.forms), in_scope(scope.covers))
    )
    if scope.untested:
        wanted = wanted.where(Problem.current_test_set_id.is_(None), is_drawn(Run.id))
    if scope.derived:  # the item shows a solution, so models that are still to solve the problem must wait
        wanted = wanted.where(~is_unsolved(Problem.id, solving_scenarios(), Run.model_id))
    return wanted


def _has_open_submission() -> ColumnElement[bool]:
    """Return the condition that a run has an open submission."""
    submission = alias(Submission, "placed")
    return (
        select(submission.id)
        .where(submission.run_id == Run.id, submission.state.not_in(sorted(ENDED_SUBMISSIONS)))
        .exists()
    )


def _has_begun() -> ColumnElement[bool]:
    """Return the condition that a problem has tests, or that its consensus has begun."""
    begun = select(ConsensusRow.id).where(ConsensusRow.problem_id == Problem.id)
    return or_(Problem.current_test_set_id.is_not(None), begun.exists())


def _is_over() -> ColumnElement[bool]:
    ended = _NOW - Source.margin
    return and_(Problem.released_on <= ended, or_(Contest.id.is_(None), Contest.ends_at <= ended))


def missing_items(
    session: Session,
    runs: Sequence[Run],
    protocol: Protocol,
    scenario: Scenario,
    items: Mapping[int, int],
    now: datetime,
) -> dict[int, list[MissingItem]]:
    """Return by run of a protocol the items that need more samples than the run has.

    `items` is the number of items by version; in a scenario that asks once, a version that is not in it has one.
    """
    by_run: dict[int, list[MissingItem]] = {run.id: [] for run in runs}
    parameters = {
        _RUNS.key: list(by_run), _NOW.key: now, _SAMPLES.key: protocol.sampling.n,
        _VERSIONS.key: list(items.keys()), _SIZES.key: list(items.values()),
    }  # fmt: skip
    wanted = _missing_query(PlanScope.of(protocol, scenario), asks_once=scenario.asks_once)
    for run_id, problem, version, item, released in session.execute(wanted, parameters):
        by_run[run_id].append(MissingItem(problem, version, item, released))
    return by_run


@lru_cache(_CACHED_QUERIES)
def _missing_query(scope: PlanScope, *, asks_once: bool) -> Select[int, int, int, int, datetime]:
    existing = (
        select(Sample.run_id, Sample.problem_version_id, Sample.item, func.count().label("samples"))
        .where(Sample.run_id == any_(_RUNS), Sample.ordinal < _SAMPLES)
        .group_by(Sample.run_id, Sample.problem_version_id, Sample.item)
        .subquery()
    )
    counted = func.unnest(_VERSIONS, _SIZES).table_valued("version", "size").render_derived()
    problems = _covered_query(scope).subquery()
    last = func.coalesce(counted.c.size, 1 if asks_once else 0) - 1
    number = func.generate_series(cast(0, BigInteger), last).table_valued("item").render_derived().lateral()
    return (
        select(problems.c.run, problems.c.id, problems.c.version, number.c.item, problems.c.released_on)
        .outerjoin(counted, counted.c.version == problems.c.version)
        .join(number, text("true"))
        .outerjoin(
            existing,
            and_(
                existing.c.run_id == problems.c.run,
                existing.c.problem_version_id == problems.c.version,
                existing.c.item == number.c.item,
            ),
        )
        .where(func.coalesce(existing.c.samples, 0) < _SAMPLES)
        .order_by(problems.c.version, number.c.item)
    )


def mean_pass_rates(session: Session, run: Run, scenario: str, problem_ids: Collection[int]) -> dict[int, float]:
    """Return the mean pass rate of other runs on each of these problems that has graded answers.

    Runs of every protocol of the scenario count, because difficulty changes little with language and prompt, and the
    first run of a new protocol has no others. Other scenarios ask for something else.
    """
    rate = cast(CellRow.c, Float) / CellRow.n
    rows = session.execute(
        select(CellRow.problem_id, func.avg(rate))
        .join(Run, Run.id == CellRow.run_id)
        .join(ProtocolRow, ProtocolRow.id == Run.protocol_id)
        .where(~is_practice(), ProtocolRow.body["scenario"].astext == scenario, CellRow.run_id != run.id, CellRow.n > 0)
        .where(CellRow.problem_id == any_(_id_array(problem_ids)))
        .group_by(CellRow.problem_id)
    )
    return {row[0]: row[1] for row in rows}


def insert_samples(session: Session, run: Run, wanted: Sequence[MissingItem], protocol: Protocol) -> int:
    """Insert all samples of these items, in this order, and return how many cells grew.

    Samples are claimed in the order of their ids, so that all of a problem are asked before the next. If the protocol
    has a prerequisite, only children of judged parents are inserted.
    """
    rows = (
        func.unnest(*(_id_array(column) for column in zip(*(entry[:3] for entry in wanted), strict=True)))
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
        chosen = chosen.join(parent, and_(*same)).where(has_counting_verdict(parent))
    fresh = (
        insert(Sample)
        .from_select(["run_id", "problem_id", "problem_version_id", "item", "ordinal", "state", "parent_id"], chosen)
        .on_conflict_do_nothing()
        .returning(Sample.run_id, Sample.problem_id, Sample.item)
        .cte("fresh")
    )
    # A wanted sample is missing coverage until it is graded, and its cell must count it.
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
    """Select the run that a run continues: the same trial of the same model and configuration."""
    return (
        select(Run.id)
        .join(ProtocolRow, ProtocolRow.id == Run.protocol_id)
        .where(ProtocolRow.slug == protocol.prerequisite, Run.trial == run.trial)
        .where(Run.model_id == run.model_id, Run.configuration_key == run.configuration_key)
    )


def _id_array(values: Iterable[int]) -> BindParameter[Sequence[int]]:
    numbers: Sequence[int] = list(values)
    return literal(numbers, ARRAY(BigInteger))

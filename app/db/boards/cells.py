"""Input of boards: the problems, runs and cells of one protocol, as values."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final, NamedTuple

import numpy as np
from sqlalchemy import ColumnElement, and_, exists, func, or_, select, text

from app.db.boards import run_registrations, trials
from app.db.boards.run_registrations import Registration
from app.db.boards.trials import configuration_label
from app.db.kernel.session import Session
from app.db.problems import difficulties
from app.db.runs import models
from app.db.runs.runs import is_practice, is_ranked, read_protocol
from app.db.sources.scope import in_scope
from app.db.tables import (
    CellRow,
    Contest,
    Endpoint,
    ImportedResult,
    Model,
    Organisation,
    Problem,
    ProblemVersion,
    ProtocolRow,
    Run,
    Sample,
    Setter,
    Source,
    Submission,
    TestSet,
)
from app.domain.asking.protocols import Protocol
from app.domain.consensus.vendors import normalize_vendor
from app.domain.cube.cube import CellArrays
from app.domain.cube.facts import Cell, RunFact, StartedBy, WeightsAccess
from app.domain.known_models import find_known_model
from app.domain.problems import Level, ProblemFact, TestsOrigin
from app.domain.publishing.bands import label_of, level_of
from app.domain.publishing.tags import Topic
from app.domain.scenarios import scenarios
from app.domain.sources.kinds import SourceKind
from app.domain.states import ENDED_SUBMISSIONS, ProblemState, RunOrigin, RunState

_CHUNK_ROWS = 20_000


class ProtocolFact(NamedTuple):
    """A protocol with its id and title."""

    id: int
    slug: str
    title: str
    protocol: Protocol


@dataclass(frozen=True, slots=True)
class PublicRun:
    """A public run, and the reason why boards no longer show it: `retired`, `voided` or empty."""

    fact: RunFact
    gone: str


def protocols(session: Session) -> list[ProtocolFact]:
    """Return every ranked protocol with at least one public run, oldest first."""
    rows = session.execute(
        select(ProtocolRow)
        .where(
            ProtocolRow.id.in_(select(Run.protocol_id).where(Run.public, Run.state != RunState.RETIRED)), is_ranked()
        )
        .order_by(ProtocolRow.id)
    ).scalars()
    return [_protocol_fact(row) for row in rows]


def has_rows(session: Session, slug: str) -> bool:
    """Return whether a protocol has a public run."""
    run = select(Run.id).join(ProtocolRow, ProtocolRow.id == Run.protocol_id)
    run = run.where(ProtocolRow.slug == slug, Run.public, Run.state != RunState.RETIRED)
    return session.scalar(select(run.exists())) or False


def protocol(session: Session, slug: str) -> ProtocolFact | None:
    """Return the protocol with that slug, with or without runs."""
    row = session.scalar(select(ProtocolRow).where(ProtocolRow.slug == slug))
    return None if row is None else _protocol_fact(row)


def _protocol_fact(row: ProtocolRow) -> ProtocolFact:
    return ProtocolFact(row.id, row.slug, row.title, read_protocol(row.body))


def problems(session: Session, protocol: ProtocolFact) -> list[ProblemFact]:
    """Return the problems of a protocol's boards: dated, covered and published, and no canary.

    An imported protocol has the problems of its files, in any state but withdrawn.
    """
    scope = protocol.protocol
    rules: list[ColumnElement[bool]] = []
    if scope.imported:
        in_files = select(ImportedResult.problem_id).join(Run, Run.id == ImportedResult.run_id)
        rules.append(Problem.id.in_(in_files.where(Run.protocol_id == protocol.id)))
        # Imported results count at once, whether we have a problem's text and tests or not.
        rules.append(Problem.state != ProblemState.WITHDRAWN)
    elif scope.recorded:
        answered = select(Sample.problem_id).join(Run, Run.id == Sample.run_id)
        rules.append(Problem.id.in_(answered.where(Run.protocol_id == protocol.id)))
        rules.append(Problem.state == ProblemState.PUBLISHED)
    else:
        rules.append(Problem.state == ProblemState.PUBLISHED)
        rules.append(_covered(scope))
        answered = select(Sample.problem_id).join(Run, Run.id == Sample.run_id).where(Sample.answered_at.is_not(None))
        # Problems that may not be sent are not asked; earlier answers stay.
        rules.append(or_(Source.send_statements, Problem.id.in_(answered.where(Run.protocol_id == protocol.id))))
        scenario = scenarios().get(scope.scenario)
        if scenario is not None and not scenario.asks_once:  # some problems have no item in it
            planned = select(Sample.problem_id).join(Run, Run.id == Sample.run_id)
            rules.append(Problem.id.in_(planned.where(Run.protocol_id == protocol.id)))
    rows = session.execute(
        select(
            Problem.id,
            Source.slug.label("source"),
            Problem.external_id,
            Problem.released_on,
            Contest.external_id.label("contest"),
            Source.demo,
            Source.kind,
            TestSet.origin.label("tests"),
            TestSet.vendors,
        )
        .join(Source, Source.id == Problem.source_id)
        .outerjoin(Contest, Contest.id == Problem.contest_id)
        .outerjoin(TestSet, TestSet.id == Problem.current_test_set_id)
        .where(Problem.canary.is_(False), *rules)
        .order_by(Problem.released_on, Problem.id)
    ).all()
    binned = levels(session, by_label=scope.imported)
    # Imported results must not depend on what we have read since: their problems are clustered by day, and the tests
    # that we have say nothing about them.
    together = _by_day if scope.imported else _by_contest
    return [
        ProblemFact(
            id=row.id,
            slug=f"{row.source}/{row.external_id}",
            platform=row.source,
            released_on=row.released_on,
            cluster=f"{row.source}:{together(row.released_on, row.contest, row.kind, row.external_id)}",
            level=binned.get(row.id),
            demo=row.demo,
            tests=None if scope.imported or row.tests is None else TestsOrigin(row.tests),
            setters=() if scope.imported else tuple(sorted(row.vendors or ())),
        )
        for row in rows
        if row.released_on is not None
    ]


def _by_day(released_on: datetime, *_others: str | None) -> str:
    return released_on.date().isoformat()


def _by_contest(released_on: datetime, contest: str | None, kind: str, problem: str) -> str:
    """Return the cluster key of a problem: its contest, else its day.

    A fixed set is no contest, though all of it came out on one day: each of its problems is a cluster of its own.
    """
    if contest is None and kind == SourceKind.SUITE:
        return f"one:{problem}"
    return contest or _by_day(released_on)


def _covered(scope: Protocol) -> ColumnElement[bool]:
    """Return planning's condition: a text in use in the protocol's locale and forms, from a covered source."""
    written = exists().where(
        ProblemVersion.problem_id == Problem.id,
        ProblemVersion.locale == scope.locale,
        ProblemVersion.form.in_(scope.covers.forms),
        ProblemVersion.in_use,
    )
    return and_(written, in_scope(scope.covers))


def levels(session: Session, *, by_label: bool = False) -> dict[int, Level]:
    """Return the level of each problem, from its newest difficulty on every scale.

    With `by_label`, a problem's label has precedence over its other difficulties.
    """
    newest = difficulties.newest(session)
    sources = session.execute(select(Problem.id, Source.slug).join(Source, Source.id == Problem.source_id))
    by_problem: dict[int, Level] = {}
    for problem_id, source in sources:
        values = newest.get(problem_id, {})
        label = label_of(values) if by_label else None
        level = label or level_of(values, source)
        if level is not None:
            by_problem[problem_id] = level
    return by_problem


def public_runs(session: Session, protocol: ProtocolFact) -> list[PublicRun]:
    """Return every public run of a protocol, trials included, oldest first."""
    rows = session.execute(
        select(Run, Model, Organisation)
        .join(Model, Model.id == Run.model_id)
        .outerjoin(Organisation, Organisation.id == Model.organisation_id)
        .where(Run.protocol_id == protocol.id, Run.public)
        .order_by(Run.id)
    ).all()
    registrations = run_registrations.registrations(session, [run.id for run, _, _ in rows])
    others, beyond = trials.other_trials(session, protocol.id), trials.surplus_runs(session, protocol.id)
    tuned_from = models.base_slugs(session, [model for _, model, _ in rows])
    return [
        describe_run(
            run,
            model,
            protocol.protocol,
            vendor,
            registrations[run.id],
            (run.id not in others, run.id in beyond),
            tuned_from.get(model.id, ""),
        )
        for run, model, vendor in rows
    ]


def public_models(session: Session, protocol_id: int) -> set[str]:
    """Return the slugs of models with a public run under a protocol."""
    rows = select(Model.slug).join(Run, Run.model_id == Model.id).where(Run.protocol_id == protocol_id, Run.public)
    return set(session.scalars(rows))


def describe_run(
    run: Run, model: Model, scope: Protocol, vendor: Organisation | None, registration: Registration,
    flags: tuple[bool, bool], tuned_from: str,
) -> PublicRun:  # fmt: skip
    """Return a run as boards have it; `flags` say if it stands, and if it is one of too many configurations."""
    names = {model.organisation_name, *(() if vendor is None else (vendor.name, vendor.slug))}
    cutoff, basis = registration.cutoff(model.cutoff_on, model.released_on, model.created_at)
    fact = RunFact(
        id=run.id,
        model=model.slug,
        name=model.name,
        organisation=model.organisation_name,
        configuration=configuration_label(run.configuration),
        trial=run.trial,
        language=scope.language,
        imported=run.origin == RunOrigin.IMPORTED,
        demo=model.demo,
        cutoff_on=cutoff,
        cutoff_basis=basis,
        released_on=model.released_on,
        weights=None
        if model.open_weights is None
        else WeightsAccess.OPEN
        if model.open_weights
        else WeightsAccess.CLOSED,
        size_b=model.size_b,
        tuned_from=tuned_from,
        n_inferred=bool(run.provenance.get("n_inferred", False)),
        unmatched=int(run.provenance.get("unmatched", 0)),
        listed_on=date.fromisoformat(listed) if (listed := run.provenance.get("cutoff_in_file")) else None,
        vendors=tuple(sorted({normalize_vendor(name) for name in names} - {""})),
        started_by=registration.started_by,
        registered_at=registration.at,
        served=registration.served,
        stands=flags[0],
        extra=flags[1],
        unknown_model=(
            registration.started_by is StartedBy.FILE
            and model.cutoff_on is None
            and find_known_model(model.name) is None
        ),
    )
    return PublicRun(
        fact=fact,
        gone="voided" if run.voided_at is not None else "retired" if run.state == RunState.RETIRED else "",
    )


def changed_cells(session: Session, protocol_id: int, after: int) -> Iterator[Cell]:
    """Yield the cells of a protocol's public runs with a revision later than `after` (0: all of them)."""
    return _cells(session, protocol_id, CellRow.revision > after)


def cells_of(session: Session, protocol_id: int, problems: Collection[int], runs: Collection[int]) -> Iterator[Cell]:
    """Yield the cells of a protocol's public runs on these problems, and all cells of these public runs."""
    for column, ids in ((CellRow.run_id, runs), (CellRow.problem_id, problems)):
        if ids:
            yield from _cells(session, protocol_id, column.in_(ids))


def _cells(session: Session, protocol_id: int, rule: ColumnElement[bool]) -> Iterator[Cell]:
    columns = (
        CellRow.run_id, CellRow.problem_id, CellRow.n, CellRow.c, CellRow.pending, CellRow.judge_errors, CellRow.item,
    )  # fmt: skip
    of_protocol = select(Run.id).where(Run.protocol_id == protocol_id, Run.public)
    query = select(*columns).where(rule, CellRow.run_id.in_(of_protocol))
    for row in session.execute(query.execution_options(yield_per=_CHUNK_ROWS)):
        yield Cell(*row)


# One row of seven bigints in COPY's binary format: the number of fields, then each one's length and value.
_HEADER_BYTES, _FIELDS = 19, 7
_ROW: Final = np.dtype([("fields", ">i2"), *((f"{kind}{n}", kind) for n in range(_FIELDS) for kind in (">i4", ">i8"))])
_BLOCK_ROWS = 1 << 18


def all_cells(session: Session, protocol_id: int) -> Iterator[CellArrays]:
    """Yield every cell of a protocol's public runs, a few hundred thousand at a time: 20 million in half a minute."""
    names = ", ".join(Cell._fields[2:])
    statement = (
        f"COPY (SELECT run_id, problem_id, {names} FROM cells WHERE run_id IN "  # noqa: S608  # names of columns
        f"(SELECT id FROM runs WHERE protocol_id = {int(protocol_id)} AND public)) TO STDOUT (FORMAT BINARY)"
    )
    # Twenty million rows may take longer than the statement timeout, and then a new host would never get its cube.
    session.execute(text("SET LOCAL statement_timeout = '15min'"))
    driver: Any = session.connection().connection.driver_connection
    buffer = bytearray()
    with driver.cursor() as cursor, cursor.copy(statement) as copied:
        skip = _HEADER_BYTES
        for part in copied:
            buffer += part[skip:]
            skip = max(0, skip - len(part))
            if len(buffer) > _BLOCK_ROWS * _ROW.itemsize:
                yield _cell_arrays(buffer, _BLOCK_ROWS)
                del buffer[: _BLOCK_ROWS * _ROW.itemsize]
    yield _cell_arrays(buffer, len(buffer) // _ROW.itemsize)  # two more bytes mark the end


def _cell_arrays(body: bytearray, rows: int) -> CellArrays:
    table = np.frombuffer(bytes(body[: rows * _ROW.itemsize]), dtype=_ROW)
    return CellArrays(*(table[f">i8{n}"].astype(np.int64) for n in range(_FIELDS)))


def unpublished_variants(session: Session, protocol_id: int) -> dict[str, int]:
    """Return the number of unpublished runs of each model's organisation, by the slugs of the protocol's models.

    The number covers all its models and protocols, so that a vendor cannot hide failures under another slug or
    protocol. It includes private submissions that may still get a run, and no runs of setters or of practice. A model
    without a registered organisation is counted alone.
    """
    group = func.coalesce(Model.organisation_id, -Model.id)
    practice = select(ProtocolRow.id).where(is_practice())
    private_runs = (
        select(group.label("of"))
        .join(Run, Run.model_id == Model.id)
        .where(Run.public.is_(False), Run.id.not_in(select(Setter.run_id)), Run.protocol_id.not_in(practice))
    )
    ordered = (
        select(group.label("of"))
        .join(Endpoint, Endpoint.model_id == Model.id)
        .join(Submission, Submission.endpoint_id == Endpoint.id)
        .where(Submission.run_id.is_(None), Submission.visibility == "private")
        .where(Submission.state.not_in(sorted(ENDED_SUBMISSIONS)), Submission.protocol_id.not_in(practice))
    )
    variants = private_runs.union_all(ordered).subquery()
    private = select(variants.c.of, func.count().label("runs")).group_by(variants.c.of).subquery()
    entered = select(Run.model_id).where(Run.protocol_id == protocol_id)
    rows = session.execute(
        select(Model.slug, private.c.runs).join(private, private.c.of == group).where(Model.id.in_(entered))
    )
    return {row[0]: row[1] for row in rows}


def file_problems(session: Session, protocol: ProtocolFact) -> dict[int, frozenset[int]]:
    """Return the problems of each run's file, by imported results or recorded answers; else an empty dict."""
    if not (protocol.protocol.imported or protocol.protocol.recorded):
        return {}
    table = ImportedResult if protocol.protocol.imported else Sample
    rows = session.execute(
        select(table.run_id, func.array_agg(table.problem_id.distinct()))
        .join(Run, Run.id == table.run_id)
        .where(Run.protocol_id == protocol.id, Run.public)
        .group_by(table.run_id)
    )
    return {row[0]: frozenset(row[1]) for row in rows}


def topics(session: Session, problem_ids: Sequence[int]) -> dict[int, tuple[Topic, ...]]:
    """Return the topics of these problems; problems without a known topic are left out."""
    rows = session.execute(select(Problem.id, Problem.topics).where(Problem.id.in_(problem_ids)))
    return {row.id: tuple(Topic(topic) for topic in row.topics) for row in rows if row.topics}


def database_id(session: Session) -> int:
    """Return a number that identifies this database; a recreated database has another."""
    return int(session.execute(text("SELECT oid FROM pg_database WHERE datname = current_database()")).scalar_one())

"""Public facts behind a number: models, problems, samples, answers."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import NamedTuple

from sqlalchemy import ColumnElement, and_, exists, func, or_, select, true
from sqlalchemy.dialects.postgresql import distinct_on

from app.db.kernel.session import Session
from app.db.runs import due_work
from app.db.runs.due_work import is_text_in_use
from app.db.runs.runs import is_ranked
from app.db.tables import (
    CellRow,
    Contest,
    CutoffEdit,
    Difficulty,
    Endpoint,
    ImportedResult,
    LedgerEntry,
    Model,
    Problem,
    ProblemAlias,
    ProblemVersion,
    ProtocolRow,
    Rejudging,
    Run,
    Sample,
    Source,
    TestSet,
    VerdictRow,
)
from app.db.tables import TestRow as Tests
from app.domain.states import ProblemState, RejudgingState

# Audit flags: the objection to a formerly public problem, and the withdrawal of one that was never public.
QUARANTINE_MARK, REJECTION_MARK = due_work.QUARANTINE_MARK, "rejected"

# States in which a problem is public; found and held ones are not.
PUBLIC_STATES = (ProblemState.PUBLISHED, ProblemState.CATALOGUED, ProblemState.WITHDRAWN)


def is_public() -> ColumnElement[bool]:
    """Return the condition that boards may show a problem.

    Problems with imported rows stay public, whatever a later visit to the site made of them.
    """
    imported = exists().where(ImportedResult.problem_id == Problem.id)
    public = and_(Problem.state.in_(PUBLIC_STATES), ~Problem.audit_flags.has_key(REJECTION_MARK))
    quarantined = and_(Problem.state == ProblemState.HELD, Problem.audit_flags.has_key(QUARANTINE_MARK))
    return and_(or_(public, quarantined, imported), Problem.canary.is_(False))


class RunRow(NamedTuple):
    """A run with its protocol, and its endpoint, if any."""

    run: Run
    protocol: ProtocolRow
    endpoint: Endpoint | None


@dataclass(frozen=True, slots=True)
class ProblemRow:
    """A problem with its source, contest, and the text and tests in use."""

    problem: Problem
    source: Source
    contest: Contest | None
    version: ProblemVersion | None
    test_set: TestSet | None


class CellLine(NamedTuple):
    """One cell of a run with its problem's names."""

    problem_id: int
    source: str
    external_id: str
    title: str
    released_on: datetime | None
    n: int
    c: int
    pending: int
    judge_errors: int


class ProblemAnswer(NamedTuple):
    """One answer to a problem, or one cell of a file for it."""

    run_id: int
    model: str
    name: str
    configuration: dict[str, object]
    protocol: str
    protocol_title: str
    demo: bool
    cutoff_on: date | None
    released_on: date | None
    registered_at: datetime
    imported: bool
    sample_id: int | None
    ordinal: int
    state: str | None
    verdict: str | None
    cpu_ms: float | None
    n: int | None
    c: int | None


class SampleRow(NamedTuple):
    """One answer with everything that its page needs."""

    sample: Sample
    run: Run
    model: Model
    protocol: ProtocolRow
    problem: Problem
    source: Source
    version: ProblemVersion


class VerdictLine(NamedTuple):
    """A verdict, whether it counts under the tests in use, and the reason of its rejudging, if any."""

    verdict: VerdictRow
    current: bool
    rejudged_for: str | None


def model_by_slug(session: Session, slug: str) -> Model | None:
    """Return the model with that slug, if it has a public run of a ranked protocol."""
    ranked = select(Run.id).join(ProtocolRow, ProtocolRow.id == Run.protocol_id).where(is_ranked())
    public_runs = ranked.where(Run.model_id == Model.id, Run.public).exists()
    return session.scalar(select(Model).where(Model.slug == slug, public_runs))


def runs_of_model(session: Session, model_id: int, protocol: str | None = None) -> list[RunRow]:
    """Return the public runs of a model under ranked protocols, or under one, by protocol, newest trial first."""
    query = (
        select(Run, ProtocolRow, Endpoint)
        .join(ProtocolRow, ProtocolRow.id == Run.protocol_id)
        .outerjoin(Endpoint, Endpoint.id == Run.endpoint_id)
        .where(Run.model_id == model_id, Run.public, is_ranked())
        .order_by(ProtocolRow.id, Run.configuration_key, Run.trial.desc())
    )
    rows = session.execute(query if protocol is None else query.where(ProtocolRow.slug == protocol)).all()
    return [RunRow(run, protocol, endpoint) for run, protocol, endpoint in rows]


@dataclass(frozen=True, slots=True)
class RunVoiding:
    """The public ledger's time and reason of a void run."""

    at: datetime
    reason: str


def voided_runs(session: Session, model: str) -> dict[int, RunVoiding]:
    """Return the void runs of a model by id."""
    lines = session.scalars(select(LedgerEntry).where(LedgerEntry.kind == "score.voided", LedgerEntry.subject == model))
    return {line.before["run"]: RunVoiding(line.at, line.reason) for line in lines if line.before is not None}


def cutoff_edits(session: Session, model_id: int) -> list[CutoffEdit]:
    """Return the changes of a model's cutoff, newest first."""
    return list(
        session.scalars(select(CutoffEdit).where(CutoffEdit.model_id == model_id).order_by(CutoffEdit.id.desc()))
    )


def cells_of_run(session: Session, run_id: int) -> list[CellLine]:
    """Return every cell of a run, newest problem first."""
    rows = session.execute(
        select(
            Problem.id, Source.slug, Problem.external_id, Problem.title, Problem.released_on,
            func.sum(CellRow.n), func.sum(CellRow.c), func.sum(CellRow.pending), func.sum(CellRow.judge_errors),
        )
        .select_from(CellRow)
        .join(Problem, Problem.id == CellRow.problem_id)
        .join(Source, Source.id == Problem.source_id)
        .where(CellRow.run_id == run_id, is_public())
        .group_by(Problem.id, Source.slug)
        .order_by(Problem.released_on.desc().nulls_last(), Problem.id.desc())
    ).all()  # fmt: skip
    return [CellLine(*row) for row in rows]


def samples_of_run(session: Session, run_id: int, problem_ids: list[int]) -> dict[int, list[tuple[int, str | None]]]:
    """Return (sample, counting verdict or None) by problem, in the order of their ordinals."""
    rows = session.execute(
        select(Sample.problem_id, Sample.id, VerdictRow.verdict)
        .join(Problem, Problem.id == Sample.problem_id)
        .outerjoin(VerdictRow, _is_counting())
        .where(Sample.run_id == run_id, Sample.problem_id.in_(problem_ids), is_text_in_use())
        .order_by(Sample.problem_id, Sample.item, Sample.ordinal, Sample.id)
    )
    answers: dict[int, list[tuple[int, str | None]]] = {}
    for problem_id, sample_id, verdict in rows:
        answers.setdefault(problem_id, []).append((sample_id, verdict))
    return answers


def first_answers(
    session: Session, run_ids: list[int], problem_ids: list[int]
) -> dict[tuple[int, int], tuple[int, str | None]]:
    """Return the first answer (sample, counting verdict or None) of each run to each problem, by (run, problem)."""
    rows = session.execute(
        select(Sample.run_id, Sample.problem_id, Sample.id, VerdictRow.verdict)
        .join(Problem, Problem.id == Sample.problem_id)
        .outerjoin(VerdictRow, _is_counting())
        .where(Sample.run_id.in_(run_ids), Sample.problem_id.in_(problem_ids), is_text_in_use())
        .ext(distinct_on(Sample.run_id, Sample.problem_id))
        .order_by(Sample.run_id, Sample.problem_id, Sample.item, Sample.ordinal, Sample.id)
    )
    return {(run_id, problem_id): (sample_id, verdict) for run_id, problem_id, sample_id, verdict in rows}


def _is_counting() -> ColumnElement[bool]:
    return and_(
        VerdictRow.sample_id == Sample.id,
        VerdictRow.test_set_id == Problem.current_test_set_id,
        VerdictRow.counts,
    )


def problem_by_name(session: Session, source: str, external_id: str) -> ProblemRow | None:
    """Return a public problem by its source and its external id or an alias."""
    alias = select(ProblemAlias.problem_id).where(
        ProblemAlias.source_id == Source.id, ProblemAlias.alias == external_id
    )
    row = session.execute(
        select(Problem, Source, Contest, ProblemVersion, TestSet)
        .join(Source, Source.id == Problem.source_id)
        .outerjoin(Contest, Contest.id == Problem.contest_id)
        .outerjoin(ProblemVersion, ProblemVersion.id == Problem.current_version_id)
        .outerjoin(TestSet, TestSet.id == Problem.current_test_set_id)
        .where(
            Source.slug == source,
            or_(Problem.external_id == external_id, Problem.id.in_(alias)),
            is_public(),
        )
        .order_by((Problem.external_id == external_id).desc())
        .limit(1)
    ).first()
    return None if row is None else ProblemRow(*row)


def difficulties(session: Session, problem_id: int) -> list[Difficulty]:
    """Return every dated difficulty of a problem, measured ones included, newest first."""
    return list(
        session.scalars(
            select(Difficulty).where(Difficulty.problem_id == problem_id).order_by(Difficulty.observed_at.desc())
        )
    )


def statements(session: Session, problem_id: int) -> dict[str, str]:
    """Return the text in use of a problem in each locale."""
    rows = session.execute(
        select(ProblemVersion.locale, ProblemVersion.statement)
        .where(ProblemVersion.problem_id == problem_id, ProblemVersion.in_use)
        .order_by(ProblemVersion.locale)
    )
    return {row[0]: row[1] for row in rows}


def test_count(session: Session, test_set_id: int) -> int:
    """Return the number of tests of a set."""
    return session.scalar(select(func.count()).where(Tests.test_set_id == test_set_id)) or 0


_RUN_COLUMNS = (
    Run.id.label("run_id"),
    Model.slug.label("model"),
    Model.name.label("name"),
    Run.configuration.label("configuration"),
    ProtocolRow.slug.label("protocol"),
    ProtocolRow.title.label("protocol_title"),
    Model.demo.label("demo"),
    Model.cutoff_on,
    Model.released_on,
    Model.created_at,
)


def answers_to(session: Session, problem_id: int, protocol: str | None = None) -> list[ProblemAnswer]:
    """Return the answers of every public run to a problem, and its cells in files; all, or those under a protocol."""
    under = true() if protocol is None else ProtocolRow.slug == protocol
    own = session.execute(
        select(*_RUN_COLUMNS, Sample.id, Sample.ordinal, Sample.state, VerdictRow.verdict, VerdictRow.cpu_ms)
        .select_from(Sample)
        .join(Problem, Problem.id == Sample.problem_id)
        .join(Run, Run.id == Sample.run_id)
        .join(Model, Model.id == Run.model_id)
        .join(ProtocolRow, ProtocolRow.id == Run.protocol_id)
        .outerjoin(VerdictRow, _is_counting())
        .where(Sample.problem_id == problem_id, Run.public, is_text_in_use(), is_ranked(), under)
        .order_by(ProtocolRow.id, Model.slug, Run.id, Sample.item, Sample.ordinal, Sample.id)
    ).all()
    filed = session.execute(
        select(*_RUN_COLUMNS, ImportedResult.n, ImportedResult.c)
        .select_from(ImportedResult)
        .join(Run, Run.id == ImportedResult.run_id)
        .join(Model, Model.id == Run.model_id)
        .join(ProtocolRow, ProtocolRow.id == Run.protocol_id)
        .where(ImportedResult.problem_id == problem_id, Run.public, under)
        .order_by(ProtocolRow.id, Model.slug, Run.id)
    ).all()
    answered = [
        ProblemAnswer(*row[:10], imported=False, sample_id=row[10], ordinal=row[11], state=row[12], verdict=row[13],
                   cpu_ms=row[14], n=None, c=None)
        for row in own
    ]  # fmt: skip
    return answered + [
        ProblemAnswer(*row[:10], imported=True, sample_id=None, ordinal=0, state=None, verdict=None, cpu_ms=None,
                   n=row[10], c=row[11])
        for row in filed
    ]  # fmt: skip


def sample_by_id(session: Session, sample_id: int) -> SampleRow | None:
    """Return a sample of a public run and a public problem."""
    row = session.execute(
        select(Sample, Run, Model, ProtocolRow, Problem, Source, ProblemVersion)
        .join(Run, Run.id == Sample.run_id)
        .join(Model, Model.id == Run.model_id)
        .join(ProtocolRow, ProtocolRow.id == Run.protocol_id)
        .join(Problem, Problem.id == Sample.problem_id)
        .join(Source, Source.id == Problem.source_id)
        .join(ProblemVersion, ProblemVersion.id == Sample.problem_version_id)
        .where(Sample.id == sample_id, Run.public, is_public(), is_ranked())
    ).first()
    return None if row is None else SampleRow(*row)


def verdicts_of(session: Session, sample_id: int, current_test_set: int | None) -> list[VerdictLine]:
    """Return every verdict on a sample, newest first; those of a rejudging once it is committed."""
    rows = session.execute(
        select(VerdictRow, Rejudging.reason)
        .outerjoin(Rejudging, Rejudging.id == VerdictRow.rejudging_id)
        .where(
            VerdictRow.sample_id == sample_id,
            or_(VerdictRow.rejudging_id.is_(None), Rejudging.state == RejudgingState.COMMITTED),
        )
        .order_by(VerdictRow.id.desc())
    )
    return [VerdictLine(row, row.counts and row.test_set_id == current_test_set, reason) for row, reason in rows]

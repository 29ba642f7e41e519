"""Results behind a number: a model's cells and the answers to a problem."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

from app.db.boards import run_registrations, trials
from app.db.boards.cells import levels
from app.db.boards.trials import configuration_label
from app.db.kernel.session import Session
from app.db.problems import disputes
from app.db.runs import catalogue as store
from app.db.runs import models, sample_failures
from app.db.runs.catalogue import RunVoiding
from app.db.runs.runs import read_protocol
from app.db.tables import Endpoint, Model, Run
from app.domain.composites.ease import EASE_SCALE_PREFIX
from app.domain.consensus.summary import ConsensusSummary, read_summary
from app.domain.cube.facts import CutoffBasis
from app.domain.cutoffs import cutoff_of, is_public_url, read_evidence
from app.domain.errors import NotFound
from app.domain.metrics.spread import Spread, spread
from app.domain.problems import Level, Limits, TestsOrigin, effective_limits
from app.domain.publishing.bands import Rating, level_of, rating_of
from app.domain.publishing.tags import split_tags
from app.domain.states import RunOrigin, RunState
from app.domain.windows import Window, is_exposed
from app.services.problems.publishing import SUITE_FACTS
from app.services.runs import usage
from app.services.runs.cutoffs import CutoffChange, edits
from app.services.runs.usage import RunAnswers

MAX_NAME = 300


@dataclass(frozen=True, slots=True)
class AnswerMark:
    """One answer as a mark: its page and its verdict, None while there is none."""

    sample_id: int
    verdict: str | None


@dataclass(frozen=True, slots=True)
class CellView:
    """Results of a run on one problem: graded, accepted, missing, and the answers themselves."""

    source: str
    external_id: str
    title: str
    released_on: datetime | None
    n: int
    c: int
    pending: int
    judge_errors: int
    exposed: bool
    dots: tuple[AnswerMark, ...]


@dataclass(frozen=True, slots=True)
class RunView:
    """One run of a model with its cells. `standing` is `stands`, or why boards do not show this trial: `later_trial` or
    `voided` (the field `voided` says when and why). `spread` covers all trials that are not void, if this one stands.
    """

    id: int
    protocol: str
    protocol_title: str
    configuration: str
    trial: int
    standing: str
    voided: RunVoiding | None
    spread: Spread | None
    imported: bool
    recorded: bool
    state: str
    state_reason: str | None
    failure: sample_failures.CommonFailure | None  # the commonest one of its unanswered samples
    asked: RunAnswers | None  # None if nothing was asked
    n_inferred: bool
    provenance: Mapping[str, str]
    graded: int
    accepted: int
    pending: int
    judge_errors: int
    cells: tuple[CellView, ...]
    total_cells: int


@dataclass(frozen=True, slots=True)
class ModelView:
    """A model with its runs."""

    slug: str
    name: str
    organisation: str
    demo: bool
    open_weights: bool | None
    size_b: float | None
    tuned_from: str | None
    link: str | None
    released_on: date | None
    cutoff_on: date
    cutoff_basis: CutoffBasis
    cutoff_evidence: str | None
    cutoff_edits: tuple[CutoffChange, ...]
    runs: tuple[RunView, ...]

    @property
    def has_evidence(self) -> bool:
        """True if the evidence of the cutoff is a public address."""
        return is_public_url(self.cutoff_evidence)


@dataclass(frozen=True, slots=True)
class CellFilter:
    """Selection of a model's cells: of each run at most `limit`, after the first `skip`."""

    protocol: str | None = None
    configuration: str | None = None
    window: Window = field(default_factory=Window)
    platforms: tuple[str, ...] = ()
    levels: tuple[Level, ...] = ()
    skip: int = 0
    limit: int = 200


@dataclass(frozen=True, slots=True)
class AnswersView:
    """Answers of one run to a problem; cells of a file have counts and no answers."""

    model: str
    name: str
    configuration: str
    protocol: str
    protocol_title: str
    demo: bool
    imported: bool
    n: int
    c: int
    median_cpu_ms: float | None
    dots: tuple[AnswerMark, ...]


@dataclass(frozen=True, slots=True)
class ReportView:
    """A reader's report about a problem, with its answer if there is one."""

    id: int
    at: datetime
    body: str
    state: str
    answer: str | None
    answered_at: datetime | None


@dataclass(frozen=True, slots=True)
class ProblemView:
    """A problem: metadata always, its text only if the source's policy shows it."""

    source: str
    source_name: str
    external_id: str
    title: str
    titles: Mapping[str, str]
    url: str | None
    state: str
    demo: bool
    contest: str | None
    contest_url: str | None
    released_on: datetime | None
    tags: tuple[str, ...]
    topics: tuple[str, ...]
    other_tags: tuple[str, ...]
    flags: tuple[str, ...]
    level: Level | None
    rating: Rating | None
    difficulties: tuple[tuple[str, float, datetime], ...]
    eases: tuple[tuple[str, float, datetime], ...]
    form: str | None
    time_ms: int | None
    memory_mb: int | None
    judged: Limits  # the site's two if known, else ours
    statements: Mapping[str, str]
    tests: int | None
    tests_origin: TestsOrigin | None
    setters: tuple[str, ...]
    suite: ConsensusSummary | None  # set for a consensus
    rejected: tuple[int, int] | None  # (rejected, tried) wrong programs, from when they were made
    proof: str | None
    checker: str | None
    quarantined: str | None
    reports: tuple["ReportView", ...]
    answers: tuple[AnswersView, ...]


def check_name(value: str) -> str:
    """Return the name if it is possible. Raises NotFound: what cannot be stored cannot be found."""
    if not value or len(value) > MAX_NAME or not value.isprintable():
        raise NotFound("nothing has that name")
    return value


def model(session: Session, slug: str, cells: CellFilter) -> ModelView:
    """Return a model's page, its cells filtered. Raises NotFound."""
    row = store.model_by_slug(session, check_name(slug))
    if row is None:
        raise NotFound(f"there is no model {slug}")
    cutoff, basis = cutoff_of(row.cutoff_on, row.released_on, row.created_at)
    return ModelView(
        slug=row.slug,
        name=row.name,
        organisation=row.organisation_name,
        demo=row.demo,
        open_weights=row.open_weights,
        size_b=row.size_b,
        tuned_from=models.base_slugs(session, [row]).get(row.id),
        link=row.link if row.link and row.link.startswith(("https://", "http://")) else None,
        released_on=row.released_on,
        cutoff_on=cutoff,
        cutoff_basis=basis,
        cutoff_evidence=read_evidence(row.cutoff_evidence),
        cutoff_edits=tuple(edits(session, row)),
        runs=tuple(_runs(session, row, cells)),
    )


def _runs(session: Session, row: Model, cells: CellFilter) -> Iterable[RunView]:
    runs = store.runs_of_model(session, row.id)
    registrations = run_registrations.registrations(session, [row.run.id for row in runs])
    later_trials = {protocol.id: trials.other_trials(session, protocol.id) for _, protocol, _ in runs}
    voids = store.voided_runs(session, row.slug)
    variants: dict[tuple[int, str], list[Mapping[int, float]]] = {}
    shown = []
    for run, protocol_row, endpoint in runs:
        label = configuration_label(run.configuration)
        if cells.protocol not in (None, protocol_row.slug) or cells.configuration not in (None, label):
            continue
        lines = _cell_lines(session, run.id, cells)
        shown.append((run, protocol_row, endpoint, label, lines))
        if run.origin == RunOrigin.OWN and run.voided_at is None:
            rates = {line.problem_id: line.c / line.n for line in lines if line.n}
            variants.setdefault((protocol_row.id, label), []).append(rates)
    failures = sample_failures.commonest_failures(session, [run.id for run, *_rest in shown], public=True)
    for run, protocol_row, endpoint, label, lines in shown:
        state, reason = _state(run, endpoint)
        stands = run.id not in later_trials[protocol_row.id]
        page = lines[cells.skip :][: cells.limit]
        dots = store.samples_of_run(session, run.id, [line.problem_id for line in page])
        scope = read_protocol(protocol_row.body)
        sent = registrations[run.id].exposed
        cutoff = registrations[run.id].cutoff(row.cutoff_on, row.released_on, row.created_at).on
        yield RunView(
            id=run.id,
            protocol=protocol_row.slug,
            protocol_title=protocol_row.title,
            configuration=label,
            trial=run.trial,
            standing="voided" if run.voided_at is not None else "stands" if stands else "later_trial",
            voided=voids.get(run.id),
            spread=spread(variants.get((protocol_row.id, label), ())) if stands else None,
            imported=run.origin == RunOrigin.IMPORTED,
            recorded=scope.recorded,
            state=state.value,
            state_reason=reason,
            failure=failures.get(run.id),
            asked=usage.answers_of_run(session, run.id) if run.origin == RunOrigin.OWN and not scope.recorded else None,
            n_inferred=bool(run.provenance.get("n_inferred", False)),
            provenance=text_values(run.provenance),
            graded=sum(line.n for line in lines),
            accepted=sum(line.c for line in lines),
            pending=sum(line.pending for line in lines),
            judge_errors=sum(line.judge_errors for line in lines),
            cells=tuple(
                _cell(line, dots.get(line.problem_id, []), cutoff, sent=line.problem_id in sent) for line in page
            ),
            total_cells=len(lines),
        )


def _state(run: Run, endpoint: Endpoint | None) -> tuple[RunState, str | None]:
    state = RunState(run.state)
    if endpoint is None or endpoint.stopped_at is None or state.public_state(stopped=True) is state:
        return state, run.state_reason
    return state.public_state(stopped=True), endpoint.stopped_reason


def _cell_lines(session: Session, run_id: int, cells: CellFilter) -> list[store.CellLine]:
    binned = levels(session) if cells.levels else {}
    return [
        line
        for line in store.cells_of_run(session, run_id)
        if (line.released_on is None or cells.window.contains(line.released_on))
        and (not cells.platforms or line.source in cells.platforms)
        and (not cells.levels or binned.get(line.problem_id) in cells.levels)
    ]


def _cell(line: store.CellLine, dots: Sequence[tuple[int, str | None]], cutoff: date | None, *, sent: bool) -> CellView:
    return CellView(
        source=line.source,
        external_id=line.external_id,
        title=line.title,
        released_on=line.released_on,
        n=line.n,
        c=line.c,
        pending=line.pending,
        judge_errors=line.judge_errors,
        exposed=sent or (line.released_on is not None and is_exposed(line.released_on, cutoff)),
        dots=tuple(AnswerMark(sample_id, verdict) for sample_id, verdict in dots),
    )


def text_values(values: Mapping[str, Any]) -> dict[str, str]:
    return {str(name): str(value) for name, value in values.items() if value is not None}


def problem(session: Session, source: str, external_id: str) -> ProblemView:
    """Return a problem's page. Raises NotFound."""
    row = store.problem_by_name(session, check_name(source), check_name(external_id))
    if row is None:
        raise NotFound(f"there is no problem {source}/{external_id}")
    problem, version, tests = row.problem, row.version, row.test_set
    suite_facts = tests.proof_detail.get(SUITE_FACTS) or {} if tests else {}
    rows = store.difficulties(session, problem.id)
    newest = {row.scale: row.value for row in reversed(rows)}
    return ProblemView(
        source=row.source.slug,
        source_name=row.source.name,
        external_id=problem.external_id,
        title=problem.title,
        titles=text_values(problem.titles),
        url=problem.url if problem.url and problem.url.startswith(("https://", "http://")) else None,
        state=problem.state,
        demo=row.source.demo,
        contest=row.contest.title if row.contest else None,
        contest_url=row.contest.url if row.contest else None,
        released_on=problem.released_on,
        tags=tuple(problem.tags),
        topics=tuple(problem.topics),
        other_tags=split_tags(problem.tags).others if problem.topics else tuple(problem.tags),
        flags=tuple(problem.flags),
        level=level_of(newest, row.source.slug),
        rating=rating_of(newest),
        difficulties=tuple(
            (row.scale, row.value, row.observed_at) for row in rows if not row.scale.startswith(EASE_SCALE_PREFIX)
        ),
        eases=tuple(
            (row.scale.removeprefix(EASE_SCALE_PREFIX), row.value, row.observed_at)
            for row in rows
            if row.scale.startswith(EASE_SCALE_PREFIX)
        ),
        form=version.form if version else None,
        time_ms=version.time_ms if version else None,
        memory_mb=version.memory_mb if version else None,
        judged=effective_limits(version.time_ms, version.memory_mb, version.output_kb) if version else Limits(),
        statements=store.statements(session, problem.id) if row.source.show_statements else {},
        tests=store.test_count(session, tests.id) if tests else None,
        tests_origin=TestsOrigin(tests.origin) if tests else None,
        setters=tuple(tests.setters) if tests else (),
        suite=read_summary(suite_facts) if tests and tests.origin == TestsOrigin.CONSENSUS else None,
        rejected=_rejected(suite_facts) if tests else None,
        proof=tests.proof if tests else None,
        checker=("interactor" if tests.interactor else tests.checker_kind) if tests else None,
        quarantined=problem.hold_reason,
        reports=tuple(
            ReportView(dispute.id, dispute.at, dispute.body, dispute.state, dispute.answer, dispute.answered_at)
            for dispute in disputes.of_problem(session, problem.id)
        ),
        answers=tuple(_answers(store.answers_to(session, problem.id))),
    )


def _rejected(suite_facts: Mapping[str, Any]) -> tuple[int, int] | None:
    rejected, passed = (len(suite_facts.get(name) or ()) for name in ("killed", "survived"))
    return (rejected, rejected + passed) if rejected + passed else None


def _answers(lines: Sequence[store.ProblemAnswer]) -> Iterable[AnswersView]:
    groups: dict[int, list[store.ProblemAnswer]] = {}
    for line in lines:
        groups.setdefault(line.run_id, []).append(line)
    for group in groups.values():
        first = group[0]
        judged = [line for line in group if line.verdict is not None and line.verdict != "judge_error"]
        times = sorted(line.cpu_ms for line in judged if line.cpu_ms is not None)
        yield AnswersView(
            model=first.model,
            name=first.name,
            configuration=configuration_label(first.configuration),
            protocol=first.protocol,
            protocol_title=first.protocol_title,
            demo=first.demo,
            imported=first.imported,
            n=(first.n or 0) if first.imported else len(judged),
            c=(first.c or 0) if first.imported else sum(line.verdict == "accepted" for line in judged),
            median_cpu_ms=times[len(times) // 2] if times else None,
            dots=tuple(AnswerMark(line.sample_id, line.verdict) for line in group if line.sample_id is not None),
        )

"""Results behind a number: a model's cells and the answers to a problem."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

from app.db.boards import run_registrations, trials
from app.db.boards.cells import levels
from app.db.boards.trials import configuration_label
from app.db.kernel.session import Session
from app.db.runs import models, sample_failures
from app.db.runs import results as store
from app.db.runs.results import RunVoiding
from app.db.runs.runs import read_protocol
from app.db.tables import Endpoint, Model, Run
from app.domain.cube.facts import CutoffBasis
from app.domain.cutoffs import cutoff_of, is_public_url, read_evidence
from app.domain.errors import NotFound
from app.domain.metrics.spread import Spread, spread
from app.domain.problems import Level
from app.domain.states import RunOrigin, RunState
from app.domain.windows import Window, is_exposed
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
class Tombstone:
    """When a model was withdrawn, by which organisation, and why. It is public."""

    at: datetime
    by: str
    reason: str


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
    withdrawn: Tombstone | None
    runs: tuple[RunView, ...]

    @property
    def has_evidence(self) -> bool:
        """True if the evidence of the cutoff is a public address."""
        return is_public_url(self.cutoff_evidence)


@dataclass(frozen=True, slots=True)
class CellFilter:
    """Selection of a model's runs and their cells: of each run at most `limit`, after the first `skip`."""

    protocol: str | None = None
    configuration: str | None = None
    trial: int | None = None
    window: Window = field(default_factory=Window)
    platforms: tuple[str, ...] = ()
    levels: tuple[Level, ...] = ()
    skip: int = 0
    limit: int = 200


def check_name(value: str) -> str:
    """Return the name if it is possible. Raises NotFound: what cannot be stored cannot be found."""
    if not value or len(value) > MAX_NAME or not value.isprintable():
        raise NotFound("nothing has that name")
    return value


def find_model(session: Session, slug: str) -> Model:
    """Return the model of a page. Raises NotFound."""
    row = store.model_by_slug(session, check_name(slug))
    if row is None:
        raise NotFound(f"there is no model {slug}")
    return row


def model(session: Session, slug: str, cells: CellFilter) -> ModelView:
    """Return a model with those of its runs that are selected. Raises NotFound."""
    row = find_model(session, slug)
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
        withdrawn=tombstone_of(row),
        runs=tuple(_runs(session, row, cells)),
    )


def tombstone_of(model: Model) -> Tombstone | None:
    """Return the tombstone of a withdrawn model."""
    if model.withdrawn_at is None or model.withdrawn_by is None or model.withdrawn_reason is None:
        return None
    return Tombstone(model.withdrawn_at, model.withdrawn_by, model.withdrawn_reason)


def _runs(session: Session, row: Model, cells: CellFilter) -> Iterable[RunView]:
    runs = [
        (*found, configuration_label(found.run.configuration))
        for found in store.runs_of_model(session, row.id, cells.protocol)
        if cells.configuration in (None, configuration_label(found.run.configuration))
    ]
    # The other trials of what is shown are read for its spread.
    needed = {(protocol.id, label) for run, protocol, _, label in runs if cells.trial in (None, run.trial)}
    lines = {
        run.id: _cell_lines(session, run.id, cells)
        for run, protocol, _, label in runs
        if (protocol.id, label) in needed
    }
    variants: dict[tuple[int, str], list[Mapping[int, float]]] = {}
    for run, protocol_row, _endpoint, label in runs:
        if run.id in lines and run.origin == RunOrigin.OWN and run.voided_at is None:
            rates = {line.problem_id: line.c / line.n for line in lines[run.id] if line.n}
            variants.setdefault((protocol_row.id, label), []).append(rates)
    shown = [entry for entry in runs if cells.trial in (None, entry[0].trial)]
    registrations = run_registrations.registrations(session, [run.id for run, *_ in shown])
    later_trials, voids = trials.other_trials_of_model(session, row.id), store.voided_runs(session, row.slug)
    failures = sample_failures.commonest_failures(session, [run.id for run, *_ in shown], public=True)
    for run, protocol_row, endpoint, label in shown:
        state, reason = _state(run, endpoint)
        stands = run.id not in later_trials
        page = lines[run.id][cells.skip :][: cells.limit]
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
            standing=standing_of(run.id, later_trials, voided=run.voided_at is not None),
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
            graded=sum(line.n for line in lines[run.id]),
            accepted=sum(line.c for line in lines[run.id]),
            pending=sum(line.pending for line in lines[run.id]),
            judge_errors=sum(line.judge_errors for line in lines[run.id]),
            cells=tuple(
                _cell(line, dots.get(line.problem_id, []), cutoff, sent=line.problem_id in sent) for line in page
            ),
            total_cells=len(lines[run.id]),
        )


def standing_of(run_id: int, others: Collection[int], *, voided: bool) -> str:
    """Return the standing of a run, as `RunView` has it, if another trial stands for the runs `others`."""
    return "voided" if voided else "later_trial" if run_id in others else "stands"


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

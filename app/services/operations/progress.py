"""Progress of runs, and who may see it."""

from dataclasses import dataclass
from datetime import datetime

from app.db.boards.trials import configuration_label
from app.db.kernel.session import Session
from app.db.operations import progress as store
from app.db.runs import budgets, sample_failures
from app.db.runs.sample_failures import CommonFailure
from app.db.vendors import submissions
from app.domain.asking.eta import RATE_WINDOW, events_per_second, seconds_left
from app.domain.errors import NotFound
from app.domain.states import RunState

_LARGEST_ID = 2**63 - 1  # PostgreSQL's bigint; no larger id exists


@dataclass(frozen=True, slots=True)
class RunProgress:
    """Progress of a run, in samples of the texts in use.

    `answers_per_s` and `verdicts_per_s` are those of the last ten minutes; `eta_s` is the time until none waits, None
    if it is not known. `spent_usd` counts `unpriced` answers, whose cost is not known, as the most they may have cost,
    or as nothing without a price. `over` is True if nothing more happens for now: all is judged or given up, the run
    was ended, or its endpoint was stopped, which pauses it too. A run that its budget paused is not over. `failure` is
    the commonest last failure of its unanswered samples.
    """

    run: int
    model: str
    configuration: str
    protocol: str
    state: str
    state_reason: str | None
    public: bool
    over: bool
    total: int
    waiting: int
    judging: int
    judged: int
    no_answer: int
    failed_vendor: int
    failed_ours: int
    answers_per_s: float | None
    verdicts_per_s: float | None
    eta_s: float | None
    spent_usd: float
    unpriced: int
    failure: CommonFailure | None


def run_progress(session: Session, run_id: int, now: datetime, *, public: bool = False) -> RunProgress:
    """Return the progress of a run. Raises NotFound."""
    line = store.find_run(session, run_id) if 0 < run_id <= _LARGEST_ID else None
    if line is None:
        raise NotFound(f"there is no run {run_id}")
    row, counts = line.run, submissions.progress(session, run_id)
    answers, verdicts = (
        events_per_second(*look(session, run_id, now - RATE_WINDOW), now)
        for look in (store.recent_answers, store.recent_verdicts)
    )
    spent = budgets.spent_by(session, [run_id]).get(run_id)
    stopped = line.endpoint is not None and line.endpoint.stopped_at is not None
    stays = not stopped and (row.state == RunState.ACTIVE or row.needs_usd is not None)
    return RunProgress(
        run=run_id,
        model=line.model,
        configuration=configuration_label(row.configuration),
        protocol=line.protocol,
        state=RunState(row.state).public_state(stopped=stopped).value,
        state_reason=row.state_reason or (line.endpoint.stopped_reason if line.endpoint else None),
        public=row.public,
        over=not counts.judging and (not stays or (counts.total > 0 and not counts.waiting)),
        total=counts.total,
        waiting=counts.waiting,
        judging=counts.judging,
        judged=counts.graded,
        no_answer=counts.unanswered,
        failed_vendor=counts.failed_vendor,
        failed_ours=counts.failed_ours,
        answers_per_s=answers,
        verdicts_per_s=verdicts,
        eta_s=seconds_left(counts.waiting, counts.judging, answers, verdicts),
        spent_usd=0.0 if spent is None else float(spent.usd),
        unpriced=0 if spent is None else spent.unpriced,
        failure=sample_failures.commonest_failures(session, [run_id], public=public).get(run_id),
    )


def visible_progress(session: Session, run_id: int, organisation_id: int | None, now: datetime) -> RunProgress:
    """Return the progress of a public run, or of an organisation's own.

    Raises NotFound for others, as if there were none.
    """
    found = run_progress(session, run_id, now, public=True)
    if found.public or (organisation_id is not None and store.is_run_of_organisation(session, run_id, organisation_id)):
        return found
    raise NotFound(f"there is no run {run_id}")

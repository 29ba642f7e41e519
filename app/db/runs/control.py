"""Runs as operators see them, with the progress and failures of their samples."""

from collections import Counter
from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple

from sqlalchemy import Select, case, func, select, update

from app.db.kernel.session import Session
from app.db.runs.due_work import is_text_in_use
from app.db.runs.sample_failures import is_missing
from app.db.tables import Endpoint, Model, ProtocolRow, Run, Sample, Submission
from app.domain.states import RunState


class EndpointRun(NamedTuple):
    """A run with its names; `endpoint` may be stopped."""

    run: Run
    model: str
    protocol: str
    endpoint: Endpoint


class RunSums(NamedTuple):
    """Totals over the samples of a run. `cost` is None if the cost of an answer is unknown."""

    requests: int
    answers: int
    cost: Decimal | None


@dataclass(frozen=True, slots=True)
class RunFailure:
    """Last failure of unanswered samples of a run: kind, owner, number of samples, most common text."""

    error: str
    owner: str
    count: int
    words: str


def _rows() -> Select[Run, str, str, Endpoint]:
    return (
        select(Run, Model.slug, ProtocolRow.slug, Endpoint)
        .join(Model, Model.id == Run.model_id)
        .join(ProtocolRow, ProtocolRow.id == Run.protocol_id)
        .join(Endpoint, Endpoint.id == Run.endpoint_id)
    )


def all_runs(session: Session) -> list[EndpointRun]:
    """Return all runs with an endpoint, oldest first."""
    return [EndpointRun(*row) for row in session.execute(_rows().order_by(Run.id))]


def find_run(session: Session, run_id: int, *, lock: bool = False) -> EndpointRun | None:
    """Return one run with an endpoint, locked if it is to change."""
    query = _rows().where(Run.id == run_id)
    if lock:
        query = query.with_for_update(of=Run).execution_options(populate_existing=True)
    row = session.execute(query).one_or_none()
    return None if row is None else EndpointRun(*row)


def runs_by_protocol(session: Session) -> dict[int, int]:
    """Return the number of runs of each protocol, without retired ones."""
    rows = session.execute(
        select(Run.protocol_id, func.count()).where(Run.state != RunState.RETIRED).group_by(Run.protocol_id)
    )
    return {row[0]: row[1] for row in rows}


def submission_of_run(session: Session, run_id: int) -> Submission | None:
    """Return the newest submission for a run."""
    query = select(Submission).where(Submission.run_id == run_id).order_by(Submission.id.desc()).limit(1)
    return session.scalar(query)


def private_runs(session: Session) -> frozenset[int]:
    """Return the runs of private submissions."""
    query = select(Submission.run_id).where(Submission.visibility == "private", Submission.run_id.is_not(None))
    return frozenset(run for run in session.scalars(query) if run is not None)


def states(session: Session) -> dict[int, dict[str, int]]:
    """Return run -> number of samples of the texts in use in each state."""
    rows = session.execute(
        select(Sample.run_id, Sample.state, func.count()).where(is_text_in_use()).group_by(Sample.run_id, Sample.state)
    )
    by_run: dict[int, dict[str, int]] = {}
    for run, state, number in rows:
        by_run.setdefault(run, {})[state] = number
    return by_run


def states_of(session: Session, run_id: int) -> dict[str, int]:
    """Return the number of a run's samples of the texts in use in each state."""
    rows = session.execute(
        select(Sample.state, func.count()).where(Sample.run_id == run_id, is_text_in_use()).group_by(Sample.state)
    )
    return {row[0]: row[1] for row in rows}


def sums(session: Session, run_id: int) -> RunSums:
    """Return a run's requests, answers and cost, replaced texts included."""
    answered = func.count(Sample.answered_at)
    # A sum over some of the answers would understate what the run cost.
    cost = case((func.count(Sample.cost_usd) == answered, func.coalesce(func.sum(Sample.cost_usd), 0)))
    requests = func.coalesce(func.sum(Sample.requests), 0)
    row = session.execute(select(requests, answered, cost).where(Sample.run_id == run_id)).one()
    return RunSums(int(row[0]), row[1], row[2])


def failures(session: Session, run_id: int) -> list[RunFailure]:
    """Return the last failures of a run's unanswered samples, the most common first."""
    owner = func.coalesce(Sample.error_owner, "us").label("owner")
    rows = session.execute(
        select(Sample.error, owner, func.count())
        .where(Sample.run_id == run_id, is_missing(), Sample.error.is_not(None), is_text_in_use())
        .group_by(Sample.error, owner)
    )
    details: dict[tuple[str, str], Counter[str]] = {}
    for reason, whose, number in rows:
        kind, _, detail = str(reason).partition(": ")
        details.setdefault((kind, whose), Counter())[detail] += number
    found = [
        RunFailure(kind, whose, counts.total(), min(counts, key=lambda detail: (-counts[detail], detail)))
        for (kind, whose), counts in details.items()
    ]
    return sorted(found, key=lambda failure: (-failure.count, failure.error, failure.owner))


def clear_stop(session: Session, endpoint_id: int) -> None:
    """Clear the stop of an endpoint."""
    mended = update(Endpoint).where(Endpoint.id == endpoint_id).values(stopped_at=None, stopped_reason=None)
    session.execute(mended)

"""Runs under way: listed, paused, resumed, cancelled, voided."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from app.db.boards import trials
from app.db.boards.trials import configuration_label
from app.db.kernel import logs, revision
from app.db.kernel.session import Session
from app.db.runs import control as store
from app.db.runs import local_endpoints, sample_failures
from app.db.runs import runs as run_store
from app.db.runs.control import RunFailure
from app.db.tables import Run
from app.domain.audit_reason import check_reason
from app.domain.errors import Conflict, NotFound
from app.domain.states import (
    ENDED_SUBMISSIONS,
    RUN_MOVES,
    RunState,
    SampleState,
    SubmissionState,
    check_move,
)
from app.services.runs import announcements
from app.services.runs.models import refuse_own_run

_LARGEST_ID = 2**63 - 1  # PostgreSQL's bigint; no larger id exists


@dataclass(frozen=True, slots=True)
class RunSummary:
    """A run in a list, paused also if its endpoint was stopped; `samples` counts those of the texts in use by state.

    `standing` says if boards show this one of its trials, or why not: `stands`, `later_trial`, `voided`, `private`, or
    `unanswered` if no answer came yet.
    """

    id: int
    model: str
    configuration: str
    protocol: str
    trial: int
    state: str
    reason: str | None
    samples: Mapping[str, int]
    standing: str


@dataclass(frozen=True, slots=True)
class RunReport:
    """Progress of a run. `requests` are those that workers have reported; `cost` is in US dollars, None if a price is
    unknown; `engine` is how our weights were served last, None for a run at an endpoint."""

    line: RunSummary
    requests: int
    answers: int
    cost: Decimal | None
    failures: tuple[RunFailure, ...]
    engine: Mapping[str, Any] | None


def runs(session: Session) -> list[RunSummary]:
    """Return every run that asks a model, oldest first."""
    rows, counts, private = store.all_runs(session), store.states(session), store.private_runs(session)
    later_trials = {number: trials.other_trials(session, number) for number in {row.run.protocol_id for row in rows}}
    return [
        _line(row, counts.get(row.run.id, {}), later_trials[row.run.protocol_id], private=row.run.id in private)
        for row in rows
    ]


def report(session: Session, run_id: int) -> RunReport:
    """Return the report of one run. Raises NotFound."""
    row = _row(session, run_id, lock=False)
    sums, prices = store.sums(session, run_id), (row.endpoint.price_input, row.endpoint.price_output)
    is_priced = sums.cost is not None and (sums.answers > 0 or None not in prices)
    servings = local_endpoints.servings(session, {run_id}).get(run_id, [])
    return RunReport(
        line=_line(
            row,
            store.states_of(session, run_id),
            trials.other_trials(session, row.run.protocol_id),
            private=run_id in store.private_runs(session),
        ),
        requests=sums.requests,
        answers=sums.answers,
        cost=sums.cost if is_priced else None,
        failures=tuple(store.failures(session, run_id)),
        engine=servings[-1][1] if servings else None,
    )


def pause(session: Session, run_id: int, reason: str, now: datetime, actor: str = "operator") -> None:
    """Stop asking for a run until it is resumed; workers see it within a second or so.

    A run that a budget paused will then not resume by itself. Raises NotFound, and Conflict if it is neither active nor
    paused by a budget.
    """
    _move(session, run_id, RunState.PAUSED, reason, now, actor)


def cancel(session: Session, run_id: int, reason: str, now: datetime, actor: str = "operator") -> None:
    """End a run for good: nothing more is asked, and boards list it as retired. Its answers stay.

    Its submission is cancelled too, if it has one. Raises NotFound, and Conflict if it has ended already.
    """
    row = _move(session, run_id, RunState.RETIRED, reason, now, actor)
    announcements.announce_withdrawal(session, row.run, row.protocol, check_reason(reason), now)
    revision.mark_axes_changed(session)


def void(session: Session, run_id: int, reason: str, now: datetime, actor: str = "operator") -> int | None:
    """Take a run off the boards for good, with a public line; return the run that stands then, if any.

    Nothing more is asked for it; its answers stay. The next trial stands in its place. Raises NotFound, and Conflict if
    it is already void, stands nowhere, is under an embargo, or is of the actor's own organisation.
    """
    row, words = _row(session, run_id), check_reason(reason)
    run, order = row.run, store.submission_of_run(session, run_id)
    refuse_own_run(session, run_id, actor)
    if run.voided_at is not None:
        raise Conflict(f"run {run_id} is already void")
    if run.bound_at is None:
        raise Conflict(f"run {run_id} has no answer yet, so it stands on no board")
    if order is not None and order.visibility == "private":
        raise Conflict(f"run {run_id} is private, so it stands on no board")
    if order is not None and not run.public and order.embargo_until is not None and order.embargo_until > now:
        raise Conflict(f"run {run_id} is under an embargo until {order.embargo_until.date()}, and a void is public")
    if run.state != RunState.RETIRED:
        _move(session, run_id, RunState.RETIRED, words, now, actor)
    run.voided_at = now
    session.flush()
    about = {"protocol": row.protocol, "configuration": configuration_label(run.configuration)}
    standing = trials.next_standing_trial(session, run)
    before, after = (about | {"run": number, "trial": trial} for number, trial in ((run_id, run.trial), standing))
    logs.write_audit(session, now, actor, "run.voided", _subject(row), words, before, after)
    logs.write_ledger(session, now, announcements.SCORE_VOIDED, row.model, words, before, after)
    revision.mark_axes_changed(session)
    return standing[0]


def resume(session: Session, run_id: int, reason: str, now: datetime, actor: str = "operator") -> None:
    """Resume a run that was paused, has failed, has given samples up, or whose endpoint was stopped.

    Samples given up are tried again, except in a submission, where giving up is a result. Raises NotFound, and Conflict
    if the run was cancelled, its submission is in preflight or has ended without a result, its protocol has another
    revision, or the run is already active.
    """
    row = _row(session, run_id)
    order = store.submission_of_run(session, run_id)
    if order is not None and order.state in ENDED_SUBMISSIONS - {SubmissionState.PUBLISHED}:
        raise Conflict(f"run {run_id} belongs to submission {order.public_id}, which is {order.state}")
    if order is not None and order.state == SubmissionState.PREFLIGHT:
        raise Conflict(f"run {run_id} waits for the preflight of submission {order.public_id}")
    before = {"state": row.run.state, "stopped": row.endpoint.stopped_reason}
    is_held = row.run.state != RunState.ACTIVE or row.endpoint.stopped_at is not None
    if row.run.state != RunState.ACTIVE:
        check_move(RUN_MOVES, RunState(row.run.state), RunState.ACTIVE)
    asked_again = sample_failures.retry_given_up(session, run_id) if order is None else 0
    if not is_held and not asked_again:
        raise Conflict(f"run {run_id} is already active")
    store.clear_stop(session, row.endpoint.id)
    run_store.resume(session, run_id)
    after = {"state": RunState.ACTIVE, "asked_again": asked_again}
    logs.write_audit(session, now, actor, "run.resumed", _subject(row), check_reason(reason), before, after)


def _move(session: Session, run_id: int, new: RunState, reason: str, now: datetime, actor: str) -> store.EndpointRun:
    row, words = _row(session, run_id), check_reason(reason)
    old = RunState(row.run.state)
    if row.run.needs_usd is None or new is not RunState.PAUSED:  # a run that a budget paused stays paused from now on
        check_move(RUN_MOVES, old, new)
    row.run.state, row.run.state_reason, row.run.needs_usd = new, words, None
    session.flush()
    logs.write_audit(session, now, actor, f"run.{new}", _subject(row), words, {"state": old}, {"state": new})
    return row


def _row(session: Session, run_id: int, *, lock: bool = True) -> store.EndpointRun:
    row = store.find_run(session, run_id, lock=lock) if 0 < run_id <= _LARGEST_ID else None
    if row is None:
        raise NotFound(f"there is no run {run_id} that asks a model; `./tidemark run list` lists them")
    return row


def _subject(row: store.EndpointRun) -> str:
    return f"{row.model}/{row.run.id}"


def _standing(run: Run, later_trials: Collection[int], *, private: bool) -> str:
    if run.voided_at is not None:
        return "voided"
    if private:
        return "private"
    return "later_trial" if run.id in later_trials else "unanswered" if run.bound_at is None else "stands"


def _line(
    row: store.EndpointRun, samples: Mapping[str, int], later_trials: Collection[int], *, private: bool
) -> RunSummary:
    reason = row.run.state_reason or row.endpoint.stopped_reason
    shown_state = RunState(row.run.state).public_state(stopped=row.endpoint.stopped_at is not None)
    return RunSummary(
        row.run.id,
        row.model,
        configuration_label(row.run.configuration),
        row.protocol,
        row.run.trial,
        shown_state.value,
        reason,
        {state.value: samples.get(state, 0) for state in SampleState},
        _standing(row.run, later_trials, private=private),
    )

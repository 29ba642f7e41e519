"""Views of the service's health: for maintainers, and the public part of it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from app.db.kernel import logs
from app.db.kernel.session import Session
from app.db.operations import alerts
from app.db.operations import heartbeats as beats
from app.db.operations import status as store
from app.db.operations.backlog import JudgingBacklog
from app.db.operations.status import (
    BrokenSample,
    CaptureCount,
    HeldProblem,
    SourceFreshness,
    StateDepth,
    StoppedEndpoint,
)
from app.db.problems import disputes
from app.db.rejudging import proposals
from app.db.runs.consensus import consensuses
from app.db.sources import monitoring as contests
from app.domain.audit_reason import check_reason
from app.domain.errors import NoObjects
from app.domain.reasons import finding_reason
from app.domain.sources.contest_progress import ContestProgress
from app.domain.sources.records import PageFinding, finding_from_json
from app.domain.sources.schedule import PROBLEMS
from app.services.operations import contest_progress, source_status
from app.services.operations.contest_progress import ContestPace
from app.services.operations.pauses import Pause
from app.services.operations.source_status import SiteView
from app.services.problems.suite_agreement import SuiteAgreement, suite_agreement
from app.services.runs.judge_state import GradingState, Worker, find_judging_backlog, grading_state, workers

QUEUES = ("ingest", "infer", "grade")


@dataclass(frozen=True, slots=True)
class ScrapeView:
    """One visit to a source, named with its facts unless it was for problems."""

    source: str
    state: str
    reason: str | None
    started_at: datetime
    finished_at: datetime | None
    counts: Mapping[str, Any]
    findings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AuditView:
    """One operator's write, or one line of the public ledger."""

    at: datetime
    actor: str
    action: str
    subject: str
    reason: str


@dataclass(frozen=True, slots=True)
class LateContest:
    """A contest whose problems should be here and are not."""

    source: str
    external_id: str
    title: str
    ended_at: datetime


@dataclass(frozen=True, slots=True)
class StatusView:
    """Public status: freshness of sources, queues, grading, and recent changes.

    `languages` are those that live judges offer, each with its toolchain's version. `agreement` says how far suites by
    consensus agreed with better tests. `wait_for_tomorrow` counts problems whose tests setters will not make before the
    next day (UTC), because a daily limit is reached. `hindered` counts workers, by queue, that lack disk space or the
    right time. `unjudged` are answers that have waited longer than they should.
    """

    at: datetime
    sources: tuple[SourceFreshness, ...]
    depths: tuple[StateDepth, ...]
    grading: GradingState
    paused: tuple[str, ...]
    workers: Mapping[str, int]
    hindered: Mapping[str, int]
    unjudged: JudgingBacklog
    languages: Mapping[str, str]
    held: int
    changes: tuple[AuditView, ...]
    late: tuple[LateContest, ...]
    sites: tuple[SiteView, ...]
    contests: tuple[ContestProgress, ...]
    pace: ContestPace
    agreement: SuiteAgreement
    wait_for_tomorrow: int


@dataclass(frozen=True, slots=True)
class MachineryView:
    """Content of the maintainers' page about machinery."""

    at: datetime
    grading: GradingState
    workers: tuple[Worker, ...]
    depths: tuple[StateDepth, ...]
    waiting_proofs: int
    dirty_cells: int
    scrapes: tuple[ScrapeView, ...]
    captures: tuple[CaptureCount, ...]
    broken: tuple[BrokenSample, ...]
    stopped: tuple[StoppedEndpoint, ...]
    audit: tuple[AuditView, ...]


def clear_alarm(session: Session, actor: str, reason: str, now: datetime) -> str:
    """Let grading go on after the canary problem was passed; return the alarm's message.

    Raises NoObjects when no alarm is active.
    """
    message = beats.clear_alarm(session)
    if message is None:
        raise NoObjects("no alarm is active")
    logs.write_audit(session, now, actor, "alarm.clear", "grading", check_reason(reason), before=message)
    return message


def readiness(session: Session, now: datetime, waiting: Sequence[Pause] = ()) -> list[str]:
    """Return why the service is not ready; empty when it is. `waiting` are the present pauses."""
    store.ping(session)
    grading = grading_state(session, now).public
    reasons = [f"work paused: {pause.public}" for pause in waiting]
    reasons += [] if grading.ready else [f"grading paused: {grading.reason}"]
    counts = count_alive(workers(session, now))
    return reasons + [f"no worker of queue {queue} has been heard of lately" for queue in QUEUES if not counts[queue]]


def depths(session: Session) -> list[StateDepth]:
    """Return the number of answers by state."""
    return store.depths(session)


def count_alive(rows: Sequence[Worker]) -> dict[str, int]:
    """Return the number of live workers of each queue."""
    return {queue: sum(1 for worker in rows if worker.queue == queue and not worker.silent) for queue in QUEUES}


def count_hindered(rows: Sequence[Worker]) -> dict[str, int]:
    """Return the number of live workers that lack disk space or the right time, by queue, without zeros."""
    return dict(sorted(Counter(row.queue for row in rows if row.hindrance is not None and not row.silent).items()))


def status(session: Session, now: datetime, waiting: Sequence[Pause] = ()) -> StatusView:
    """Return the public status page; pauses are named by kind alone, since their reasons name folders and programs."""
    all_workers, progress = workers(session, now), contest_progress.contests(session, now)
    return StatusView(
        at=now,
        sources=tuple(store.freshness(session)),
        depths=tuple(store.depths(session)),
        grading=grading_state(session, now).public,
        paused=tuple(pause.code for pause in waiting),
        workers=count_alive(all_workers),
        hindered=count_hindered(all_workers),
        unjudged=find_judging_backlog(session, now),
        languages=_languages(all_workers),
        held=store.held_count(session),
        changes=tuple(
            AuditView(row.at, "", row.kind, row.subject, row.reason) for row in store.ledger_entries(session)
        ),
        late=tuple(
            LateContest(contest.source, contest.external_id, contest.title, contest.ends_at)
            for contest in contests.late_contests(session, now)
        ),
        sites=tuple(source_status.sites(session, now)),
        contests=tuple(progress),
        pace=contest_progress.contest_pace(session, progress, now),
        agreement=suite_agreement(session),
        wait_for_tomorrow=consensuses.count_deferred(session, now),
    )


def _languages(all_workers: Sequence[Worker]) -> dict[str, str]:
    judges = [worker for worker in all_workers if worker.grading == "ready" and not worker.silent]
    return dict(sorted({name: version for worker in judges for name, version in worker.languages.items()}.items()))


@dataclass(frozen=True, slots=True)
class Overview:
    """Head of the maintainers' page: grading, waiting work, and open decisions."""

    grading: GradingState
    paused: tuple[Pause, ...]
    depths: tuple[StateDepth, ...]
    waiting_proofs: int
    held: int
    disputes: int
    rejudgings: int


def overview(session: Session, now: datetime, waiting: Sequence[Pause] = ()) -> Overview:
    """Return the head of the maintainers' page."""
    return Overview(
        grading=grading_state(session, now),
        paused=tuple(waiting),
        depths=tuple(store.depths(session)),
        waiting_proofs=store.waiting_proofs(session),
        held=store.held_count(session),
        disputes=len(disputes.open_lines(session)),
        rejudgings=proposals.open_count(session),
    )


@dataclass(frozen=True, slots=True)
class AlertView:
    """An open alert."""

    id: int
    key: str
    message: str
    raised_at: datetime
    told_at: datetime | None
    snoozed_until: datetime | None


def open_alerts(session: Session) -> tuple[AlertView, ...]:
    """Return open alerts, newest first."""
    return tuple(
        AlertView(alert.id, alert.key, alert.message, alert.raised_at, alert.told_at, alert.snoozed_until)
        for alert in alerts.open_alerts(session)
    )


def held_problems(session: Session) -> tuple[HeldProblem, ...]:
    """Return problems in quarantine, newest first."""
    return tuple(store.held_problems(session))


@dataclass(frozen=True, slots=True)
class DisputeView:
    """A report about a problem, or an organisation's about its model's verdict, cutoff or exposures.

    `subject` is the problem's name, or the model's slug; `sample` is that of the verdict.
    """

    id: int
    about: str
    subject: str
    sample: int | None
    evidence: str | None
    at: datetime
    body: str


def open_disputes(session: Session) -> tuple[DisputeView, ...]:
    """Return reports that wait for an answer, oldest first."""
    return tuple(
        DisputeView(
            line.dispute.id,
            line.dispute.subject,
            line.model or f"{line.source}/{line.external_id}",
            line.dispute.sample_id,
            line.dispute.evidence,
            line.dispute.at,
            line.dispute.body,
        )
        for line in disputes.open_lines(session)
    )


def machinery(session: Session, now: datetime) -> MachineryView:
    """Return the maintainers' page about machinery."""
    return MachineryView(
        at=now,
        grading=grading_state(session, now),
        workers=workers(session, now),
        depths=tuple(store.depths(session)),
        waiting_proofs=store.waiting_proofs(session),
        dirty_cells=store.dirty_cells(session),
        scrapes=tuple(
            ScrapeView(
                line.source if line.run.purpose == PROBLEMS else f"{line.source}: {line.run.purpose}",
                line.run.state,
                line.run.reason,
                line.run.started_at,
                line.run.finished_at,
                line.run.counts,
                tuple(_finding_text(finding_from_json(stored)) for stored in line.run.findings),
            )
            for line in store.scrapes(session)
        ),
        captures=tuple(store.capture_counts(session)),
        broken=tuple(store.broken_samples(session)),
        stopped=tuple(store.stopped_endpoints(session)),
        audit=tuple(
            AuditView(row.at, row.actor, row.action, row.subject, row.reason) for row in store.audit_entries(session)
        ),
    )


def _finding_text(finding: PageFinding) -> str:
    return finding_reason(finding.code, finding.message, finding.subject)

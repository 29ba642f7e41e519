"""What maintainers watch, and what anyone may know of the service's health."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from app.db import heartbeats as beats
from app.db import ops as store
from app.db import ops_log
from app.db.ops import (
    BrokenSample,
    CaptureCount,
    Depth,
    HeldProblem,
    SourceFreshness,
    StoppedEndpoint,
)
from app.db.session import Session
from app.domain.errors import NotFound
from app.domain.schedule import PROBLEMS

# A worker that has done no task for this long is not there: the clock has every worker beat each minute.
SILENT_AFTER = timedelta(minutes=3)
QUEUES = ("ingest", "infer", "grade")


@dataclass(frozen=True, slots=True)
class SelfTest:
    """One trial of the sandbox."""

    name: str
    ok: bool
    detail: str


@dataclass(frozen=True, slots=True)
class Worker:
    """A worker's last word. `grading` is ready, paused, or None for workers that do not grade."""

    name: str
    queue: str
    at: datetime
    silent: bool
    grading: str | None
    reason: str | None
    self_test: tuple[SelfTest, ...]
    languages: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class GradingState:
    """Whether answers are being judged; `reason` is set when they are not.

    `code` is ready, alarm, paused (a judge says why), silent (judges are gone) or unreported (none came yet).
    """

    code: str
    reason: str | None

    @property
    def ready(self) -> bool:
        """Whether answers are being judged."""
        return self.code == "ready"


@dataclass(frozen=True, slots=True)
class ScrapeView:
    """One visit to a source, named with the facts it was for unless it was for problems."""

    source: str
    state: str
    reason: str | None
    started_at: datetime
    finished_at: datetime | None
    counts: Mapping[str, Any]
    findings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AuditView:
    """One operator's write."""

    at: datetime
    actor: str
    action: str
    subject: str
    reason: str


@dataclass(frozen=True, slots=True)
class StatusView:
    """What anyone may know: freshness of sources, queues, whether judging goes on, and what changed lately.

    `languages` are those that a judge heard of lately offers, each with its toolchain's version.
    """

    at: datetime
    sources: tuple[SourceFreshness, ...]
    depths: tuple[Depth, ...]
    grading: GradingState
    workers: Mapping[str, int]
    languages: Mapping[str, str]
    held: int
    changes: tuple[AuditView, ...]


@dataclass(frozen=True, slots=True)
class OpsView:
    """What maintainers see."""

    at: datetime
    grading: GradingState
    workers: tuple[Worker, ...]
    depths: tuple[Depth, ...]
    waiting_proofs: int
    dirty_cells: int
    scrapes: tuple[ScrapeView, ...]
    captures: tuple[CaptureCount, ...]
    held: tuple[HeldProblem, ...]
    broken: tuple[BrokenSample, ...]
    stopped: tuple[StoppedEndpoint, ...]
    audit: tuple[AuditView, ...]


def workers(session: Session, now: datetime) -> tuple[Worker, ...]:
    """Every worker's last word; the alarm of the impossible problem is not a worker."""
    return tuple(
        Worker(
            name=row.worker,
            queue=row.queue,
            at=row.at,
            silent=now - row.at > SILENT_AFTER,
            grading=row.detail.get("grading"),
            reason=row.detail.get("reason"),
            self_test=tuple(
                SelfTest(str(each.get("name")), bool(each.get("ok")), str(each.get("detail") or ""))
                for each in row.detail.get("self_test") or ()
            ),
            languages={str(name): str(said) for name, said in (row.detail.get("languages") or {}).items()},
        )
        for row in store.heartbeats(session)
        if row.worker != beats.ALARM
    )


def grading_state(session: Session, now: datetime) -> GradingState:
    """Judging goes on when no alarm is up and a worker that was heard of lately says its sandbox holds."""
    alarm = beats.alarm(session)
    if alarm is not None:
        return GradingState("alarm", alarm)
    judges = [worker for worker in workers(session, now) if worker.grading is not None]
    if any(worker.grading == "ready" and not worker.silent for worker in judges):
        return GradingState("ready", None)
    paused = [worker for worker in judges if worker.grading == "paused"]
    if paused:
        newest = max(paused, key=lambda worker: worker.at)
        return GradingState("paused", newest.reason or "the sandbox's self-test has not passed")
    if judges:
        return GradingState("silent", "no judge has been heard of lately")
    return GradingState("unreported", "no judge has reported yet")


def clear_alarm(session: Session, actor: str, reason: str, now: datetime) -> str:
    """Let grading go on after the impossible problem was passed; returns what the alarm said.

    Raises NotFound when there is no alarm.
    """
    said = beats.clear_alarm(session)
    if said is None:
        raise NotFound("there is no alarm")
    ops_log.audit(session, now, actor, "alarm.clear", "grading", reason, before=said)
    return said


def readiness(session: Session, now: datetime) -> list[str]:
    """Why the service is not whole; empty when it is."""
    store.ping(session)
    grading = grading_state(session, now)
    reasons = [] if grading.ready else [f"grading paused: {grading.reason}"]
    heard = alive(workers(session, now))
    return reasons + [f"no worker of queue {queue} has been heard of lately" for queue in QUEUES if not heard[queue]]


def depths(session: Session) -> list[Depth]:
    """Answers by state."""
    return store.depths(session)


def alive(found: Sequence[Worker]) -> dict[str, int]:
    """How many workers of each queue were heard of lately."""
    return {queue: sum(1 for each in found if each.queue == queue and not each.silent) for queue in QUEUES}


def status(session: Session, now: datetime) -> StatusView:
    """The public status page."""
    heard = workers(session, now)
    return StatusView(
        at=now,
        sources=tuple(store.freshness(session)),
        depths=tuple(store.depths(session)),
        grading=grading_state(session, now),
        workers=alive(heard),
        languages=_languages(heard),
        held=store.held_count(session),
        changes=tuple(AuditView(row.at, "", row.kind, row.subject, row.reason) for row in store.ledger(session)),
    )


def _languages(heard: Sequence[Worker]) -> dict[str, str]:
    judges = [worker for worker in heard if worker.grading == "ready" and not worker.silent]
    return dict(sorted({name: version for worker in judges for name, version in worker.languages.items()}.items()))


def ops(session: Session, now: datetime) -> OpsView:
    """The maintainers' page."""
    return OpsView(
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
                tuple(_finding(each) for each in line.run.findings),
            )
            for line in store.scrapes(session)
        ),
        captures=tuple(store.capture_counts(session)),
        held=tuple(store.held(session)),
        broken=tuple(store.broken_samples(session)),
        stopped=tuple(store.stopped_endpoints(session)),
        audit=tuple(AuditView(row.at, row.actor, row.action, row.subject, row.reason) for row in store.audit(session)),
    )


def _finding(found: Any) -> str:
    if isinstance(found, Mapping):
        return ": ".join(str(value) for value in found.values())
    return str(found)

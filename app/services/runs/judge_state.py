"""State of grading, from the workers' last heartbeats and the answers that wait."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from app.db.kernel.session import Session
from app.db.operations import backlog
from app.db.operations import heartbeats as beats
from app.db.operations import status as store
from app.db.operations.backlog import JudgingBacklog
from app.db.tables import Heartbeat
from app.domain.reasons import Reason, reason_from_json
from app.services.runs import items

# A worker without a heartbeat for this long is gone: the clock asks each worker for one every minute.
SILENT_AFTER = timedelta(minutes=3)
# A fresh installation judges its whole league in half of this time on two cores. A longer wait is a backlog, which
# alerts and pages call half an hour.
JUDGED_WITHIN = timedelta(minutes=30)


@dataclass(frozen=True, slots=True)
class SelfTest:
    """One trial of the sandbox."""

    name: str
    ok: bool
    detail: str


@dataclass(frozen=True, slots=True)
class Worker:
    """A worker's last heartbeat. `grading` is ready, paused, or None for workers that do not grade.

    `hindrance` is why its machine must not work (a full disk or a wrong clock), as the last worker of its queue there
    reported. `slowness` is the largest measured ratio of its host's times to those that limits are meant for; None if
    nothing was measured. `is_too_slow`: limits can no longer follow that.
    """

    name: str
    queue: str
    at: datetime
    silent: bool
    grading: str | None
    reason: str | None
    self_test: tuple[SelfTest, ...]
    languages: Mapping[str, str]
    hindrance: str | None = None
    slowness: float | None = None
    is_too_slow: bool = False

    @property
    def place(self) -> str:
        """Queue and machine: all its processes there have the same disks."""
        return self.name.partition("/")[0]

    @property
    def host(self) -> str:
        """Name of its machine."""
        return self.place.rpartition("@")[2]


_PUBLIC = {
    "alarm": "a check of the judge failed; a person must look at it",
    "paused": "the sandbox that programs run in did not pass its check",
    "hindered": "the machines of all judges lack room or the right time; judging goes on by itself when they have it",
    "silent": Reason("no_judge"),
    "unreported": Reason("unreported"),
}


@dataclass(frozen=True, slots=True)
class GradingState:
    """State of grading; `reason` is set when answers are not judged.

    `code` is ready, alarm, paused (a judge says why), hindered (no judge has disk space and the right time), silent
    (judges are gone) or unreported (none came yet).
    """

    code: str
    reason: str | None

    @property
    def ready(self) -> bool:
        """True if answers are being judged."""
        return self.code == "ready"

    @property
    def public(self) -> "GradingState":
        """State for everybody: a judge's own words name paths and programs of its machine."""
        return replace(self, reason=_PUBLIC.get(self.code))


def workers(session: Session, now: datetime) -> tuple[Worker, ...]:
    """Return every worker's last heartbeat; the alarm of the canary is not a worker."""
    reported = [_worker(row, now) for row in store.heartbeats(session) if row.worker != beats.ALARM]
    newest: dict[str, Worker] = {}
    for worker in sorted(reported, key=lambda worker: worker.at):
        newest[worker.place] = worker
    return tuple(replace(worker, hindrance=newest[worker.place].hindrance) for worker in reported)


def _worker(row: Heartbeat, now: datetime) -> Worker:
    detail = row.detail
    speed, hindrance = detail.get("slowness") or {}, detail.get(beats.HINDRANCE)
    return Worker(
        name=row.worker,
        queue=row.queue,
        at=row.at,
        silent=now - row.at > SILENT_AFTER,
        grading=detail.get("grading"),
        reason=detail.get("reason"),
        self_test=tuple(
            SelfTest(str(check.get("name")), bool(check.get("ok")), str(check.get("detail") or ""))
            for check in detail.get("self_test") or ()
        ),
        languages={str(name): str(version) for name, version in (detail.get("languages") or {}).items()},
        slowness=max(float(speed["interpreted"]), float(speed["compiled"])) if speed else None,
        is_too_slow=bool(speed.get("is_over")),
        hindrance=None if hindrance is None else reason_from_json(hindrance),
    )


def grading_state(session: Session, now: datetime) -> GradingState:
    """Return the state of grading.

    It is ready when no alarm is up and a live worker reports that its sandbox holds and that it has room.
    """
    alarm = beats.alarm(session)
    if alarm is not None:
        return GradingState("alarm", alarm)
    all_workers = workers(session, now)
    judges = [worker for worker in all_workers if worker.grading is not None]
    ready = [worker for worker in judges if worker.grading == "ready" and not worker.silent]
    if any(worker.hindrance is None for worker in ready):
        return GradingState("ready", None)
    # Also workers before their self-test: without room they get no task that would start it.
    untested = [
        worker for worker in all_workers if worker.queue == "grade" and worker.grading is None and not worker.silent
    ]
    hindered = [worker for worker in (*ready, *untested) if worker.hindrance is not None]
    if hindered:
        return GradingState("hindered", max(hindered, key=lambda worker: worker.at).hindrance)
    paused = [worker for worker in judges if worker.grading == "paused"]
    if paused:
        newest = max(paused, key=lambda worker: worker.at)
        return GradingState("paused", newest.reason or Reason("no_self_test"))
    if judges:
        return GradingState("silent", _PUBLIC["silent"])
    return GradingState("unreported", _PUBLIC["unreported"])


def find_judging_backlog(session: Session, now: datetime) -> JudgingBacklog:
    """Return the answers that could have been judged for longer than `JUDGED_WITHIN`, and were not."""
    return backlog.judging_backlog(session, now, now - JUDGED_WITHIN, items.gradable_answers())

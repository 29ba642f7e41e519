"""Whether answers are being judged, as the workers last said and as the answers show that wait."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from app.db.kernel.session import Session
from app.db.operations import backlog
from app.db.operations import heartbeats as beats
from app.db.operations import ops as store
from app.db.operations.backlog import Unjudged
from app.db.tables import Heartbeat
from app.services.runs import items

# A worker that has done no task for this long is not there: the clock has every worker beat each minute.
SILENT_AFTER = timedelta(minutes=3)
# A fresh installation judges its whole league in half of this time on two cores. What waits longer is a backlog:
# alerts and pages call it half an hour.
JUDGED_WITHIN = timedelta(minutes=30)


@dataclass(frozen=True, slots=True)
class SelfTest:
    """One trial of the sandbox."""

    name: str
    ok: bool
    detail: str


@dataclass(frozen=True, slots=True)
class Worker:
    """A worker's last word. `grading` is ready, paused, or None for workers that do not grade.

    `hindrance` is why its machine must not work, for want of room or the right time: as the last of its queue there
    said.
    `slowness` is how many times as slow its host is as time limits are meant for, the worst of what was measured; None
    if nothing was. `is_too_slow`: its limits cannot follow that any more.
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
        """Its queue and machine: all its processes there have the same disks."""
        return self.name.partition("/")[0]

    @property
    def host(self) -> str:
        """Its machine's name."""
        return self.place.rpartition("@")[2]


_PUBLIC = {
    "alarm": "a check of the judge failed; a person must look at it",
    "paused": "the sandbox that programs run in did not pass its check",
    "hindered": "the machines of all judges lack room or the right time; judging goes on by itself when they have it",
    "silent": "no judge has been heard of lately",
    "unreported": "no judge has reported yet",
}


@dataclass(frozen=True, slots=True)
class GradingState:
    """Whether answers are being judged; `reason` is set when they are not.

    `code` is ready, alarm, paused (a judge says why), hindered (no judge has room on its
    disk), silent (judges are gone) or unreported (none came yet).
    """

    code: str
    reason: str | None

    @property
    def ready(self) -> bool:
        """Whether answers are being judged."""
        return self.code == "ready"

    @property
    def public(self) -> "GradingState":
        """The same as anybody may read it: a judge's own words name paths and programs of its machine."""
        return replace(self, reason=_PUBLIC.get(self.code))


def workers(session: Session, now: datetime) -> tuple[Worker, ...]:
    """Every worker's last word; the alarm of the impossible problem is not a worker."""
    found = [_worker(row, now) for row in store.heartbeats(session) if row.worker != beats.ALARM]
    newest: dict[str, Worker] = {}
    for worker in sorted(found, key=lambda worker: worker.at):
        newest[worker.place] = worker
    return tuple(replace(worker, hindrance=newest[worker.place].hindrance) for worker in found)


def _worker(row: Heartbeat, now: datetime) -> Worker:
    detail = row.detail
    speed = detail.get("slowness") or {}
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
        hindrance=detail.get(beats.HINDRANCE),
    )


def grading_state(session: Session, now: datetime) -> GradingState:
    """Judging goes on when no alarm is up and a worker that was heard of lately says that its sandbox holds and that it
    has room."""
    alarm = beats.alarm(session)
    if alarm is not None:
        return GradingState("alarm", alarm)
    heard = workers(session, now)
    judges = [worker for worker in heard if worker.grading is not None]
    ready = [worker for worker in judges if worker.grading == "ready" and not worker.silent]
    if any(worker.hindrance is None for worker in ready):
        return GradingState("ready", None)
    # Also those whose self-test is still to come: without room they are asked for nothing that would begin it.
    fresh = [worker for worker in heard if worker.queue == "grade" and worker.grading is None and not worker.silent]
    lacking = [worker for worker in (*ready, *fresh) if worker.hindrance is not None]
    if lacking:
        return GradingState("hindered", max(lacking, key=lambda worker: worker.at).hindrance)
    paused = [worker for worker in judges if worker.grading == "paused"]
    if paused:
        newest = max(paused, key=lambda worker: worker.at)
        return GradingState("paused", newest.reason or "the sandbox's self-test has not passed")
    if judges:
        return GradingState("silent", _PUBLIC["silent"])
    return GradingState("unreported", _PUBLIC["unreported"])


def unjudged(session: Session, now: datetime) -> Unjudged:
    """Answers that could have been judged for longer than `JUDGED_WITHIN`, and were not."""
    return backlog.unjudged(session, now, now - JUDGED_WITHIN, items.gradable())

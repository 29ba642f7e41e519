"""Alerts for maintainers: derived from the present state, each cause once."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from app.db.kernel import logs
from app.db.kernel.session import Session
from app.db.operations import alerts as store
from app.db.operations import backlog, due_samples, heartbeats
from app.db.runs import verdicts
from app.db.sources import monitoring
from app.domain.errors import NotFound
from app.domain.reasons import Params, Reason, list_findings
from app.services.operations.gpus import gpu_workers
from app.services.operations.pauses import Pause
from app.services.operations.source_status import is_stale
from app.services.runs.judge_state import Worker, find_judging_backlog, grading_state, workers

# Findings of a calendar that leave due dates of contests unknown.
_CALENDAR_FINDINGS = {"missing_date", "implausible_date", "calendar_unread", "list_cut", "drop"}

# States of visits that raise an alert.
_VISIT_REASONS = {"blocked": "visit_blocked", "failed": "visit_failed"}

# Findings of compared lists: contests in only one of them.
_LIST_FINDINGS = {"contests_missing", "contests_unknown"}

# A contest's problems are here within hours and proven within minutes: unpublished ones then wait for a maintainer.
_TIME_TO_PUBLISH = timedelta(hours=6)
_FORTNIGHT = timedelta(days=14)
# A contest has four to eight problems, and those of the last one may wait: more is a backlog.
_MANY_HELD = 10

# A fault that lasts is posted again after a day, but not a held problem, which harms nothing.
REPEAT_AFTER = timedelta(days=1)
_TOLD_ONCE = "undecided"


@dataclass(frozen=True, slots=True)
class RaisedAlert:
    """A fault, and since when it is known."""

    id: int
    key: str
    message: str
    raised_at: datetime


def update_alerts(
    session: Session, now: datetime, waiting: Sequence[Pause] = (), host: str | None = None
) -> list[RaisedAlert]:
    """Open and end alerts as things are now; return those that are to be posted.

    `waiting` are the present pauses. A paused disk stands for the workers on the same `host`.
    """
    paused = {f"paused:{pause.code}": pause.reason for pause in waiting}
    faults = find_causes(session, now)
    if "paused:disk" in paused:
        faults = {key: words for key, words in faults.items() if key != f"room:{host}"}
    store.update_alerts(session, faults | paused, now)
    session.flush()
    return [
        RaisedAlert(row.id, row.key, row.message, row.raised_at)
        for row in store.alerts_to_send(session, now, REPEAT_AFTER, f"{_TOLD_ONCE}:")
    ]


def raise_uncounted_limits(session: Session, error: str, now: datetime) -> None:
    """Open the alert that limits of requests are not counted; the next check of alerts ends it."""
    store.open_alert_for(session, {"limits": Reason("limits_uncounted", cause=error)}, now)


def find_causes(session: Session, now: datetime) -> dict[str, Reason]:
    """Return every present fault: a key that stays the same as long as it lasts, and its reason."""
    reasons: dict[str, Reason] = {}
    lines = monitoring.sites(session)
    slugs = {site.slug for site in lines if site.enabled}
    for line in (line for line in monitoring.late_contests(session, now, limit=1000) if line.source in slugs):
        name = f"{line.source}/{line.external_id}"
        about: Params = {"what": name, "at": f"{line.ends_at:%Y-%m-%d %H:%M}Z"}
        reasons[f"late:{name}"] = Reason("late_why" if line.reason else "late", about, line.reason)
    reasons |= _undecided_pages(session, slugs, now)
    for site in (line for line in lines if line.enabled):
        if site.last_state in _VISIT_REASONS:
            code = _VISIT_REASONS[site.last_state]
            reasons[f"{site.last_state}:{site.slug}"] = Reason(code, {"what": site.name}, site.last_reason)
        if is_stale(site, now):
            visited: Params = {"what": site.name, "at": f"{site.last_at:%Y-%m-%d %H:%M}Z"}
            reasons[f"stale:{site.slug}"] = Reason("stale", visited)
        unread = sorted(_CALENDAR_FINDINGS & {finding.code for finding in site.findings})
        if unread:
            reasons[f"calendar:{site.slug}"] = Reason("calendar_unread", {"what": site.name}, list_findings(unread))
    reasons |= _list_differences(session) | _unpublished_contests(session, now) | _growing_quarantine(session, now)
    for failed in verdicts.checker_failures(session):
        name = f"{failed.source}/{failed.external_id}"
        reasons[f"checker:{name}"] = Reason("checker_failed", {"what": name, "n": failed.answers})
    grading = grading_state(session, now)
    if grading.code in ("alarm", "paused", "silent"):
        reasons[f"grading:{grading.code}"] = Reason("nothing_judged", cause=grading.reason)
    if grading.ready and (late := find_judging_backlog(session, now)).since is not None:
        about_late: Params = {"n": late.answers, "what": f"{late.since:%Y-%m-%d %H:%M}Z"}
        reasons["grading:backlog"] = Reason("behind", about_late)
    reasons |= _idle_hosts(session, now) | _asking_faults(session, now) | _failing_jobs(session, now)
    return reasons


def _undecided_pages(session: Session, slugs: Collection[str], now: datetime) -> dict[str, Reason]:
    """Return contests that lack only problems whose pages a person has to look at."""
    reasons = {}
    for line in monitoring.open_contests(session):
        if line.source in slugs and line.late_at <= now and line.waits_for_person and line.undecided:
            name = f"{line.source}/{line.external_id}"
            reasons[f"{_TOLD_ONCE}:{name}"] = Reason("undecided", {"what": name, "n": line.undecided}, line.reason)
    return reasons


def _idle_hosts(session: Session, now: datetime) -> dict[str, Reason]:
    """Return hosts whose workers are idle because a disk is full or the clock is wrong."""
    by_host: dict[str, list[Worker]] = {}
    for worker in workers(session, now):
        if worker.hindrance is not None and not worker.silent:
            by_host.setdefault(worker.host, []).append(worker)
    reasons = {}
    for host, idle in by_host.items():
        queues, newest = sorted({worker.queue for worker in idle}), max(idle, key=lambda worker: worker.at)
        about: Params = {"what": f"{host} ({', '.join(queues)})"}
        reasons[f"room:{host}"] = Reason("host_hindered", about, newest.hindrance)
    return reasons


def _failing_jobs(session: Session, now: datetime) -> dict[str, Reason]:
    """Return jobs of the clock that no longer succeed."""
    return {
        f"job:{job}": Reason("job_failed", {"what": job}, why or Reason("worker_ended"))
        for job, why in heartbeats.failing_jobs(session, now).items()
    }


def _asking_faults(session: Session, now: datetime) -> dict[str, Reason]:
    """Return workers that ask nothing while requests wait, and a control host that does not answer."""
    reasons: dict[str, Reason] = {}
    waiting = due_samples.count_due_samples(session, now)
    askers = [worker for worker in workers(session, now) if worker.queue == "infer"]
    if waiting.elsewhere and askers and all(worker.silent for worker in askers):
        last = max(worker.at for worker in askers)
        about: Params = {"at": f"{last:%Y-%m-%d %H:%M}Z", "n": waiting.elsewhere}
        reasons["asking:silent"] = Reason("askers_silent", about)
    for gpu in gpu_workers(session, now) if waiting.here else ():
        if gpu.silent:
            heard: Params = {"what": gpu.name, "at": f"{gpu.at:%Y-%m-%d %H:%M}Z", "n": waiting.here}
            reasons[f"gpu:{gpu.name}"] = Reason("gpu_silent", heard)
        elif gpu.state == "failed":
            reasons[f"gpu:{gpu.name}"] = Reason("gpu_failed", {"what": gpu.name}, gpu.trouble or Reason("unsaid"))
    failed = due_samples.failed_by_our_network(session)
    if failed:
        reasons["control"] = Reason("control_silent", {"n": failed})
    return reasons


def _list_differences(session: Session) -> dict[str, Reason]:
    """Return lists of contests that lack contests of another list."""
    return {
        f"{finding.code}:{line.slug}": Reason("lists", {"what": line.name}, finding.message)
        for line in monitoring.facts_found(session)
        for finding in line.findings
        if finding.code in _LIST_FINDINGS
    }


def _unpublished_contests(session: Session, now: datetime) -> dict[str, Reason]:
    """Return contests of a fortnight without a published problem, each by name even if later ones published some."""
    reasons: dict[str, Reason] = {}
    for contest in backlog.ended_contests(session, now - _FORTNIGHT, now - _TIME_TO_PUBLISH):
        if contest.published or not contest.waiting:
            continue
        reason = backlog.usual_reason(session, contest.contest_id)
        name = f"{contest.source}/{contest.external_id}"
        about: Params = {"what": name, "n": contest.waiting}
        reasons[f"unpublished:{name}"] = Reason("unpublished_why" if reason else "unpublished", about, reason)
    return reasons


def _growing_quarantine(session: Session, now: datetime) -> dict[str, Reason]:
    """Return sources with many held problems."""
    return {
        f"quarantine:{line.source}": Reason("quarantine", {"what": line.name, "n": line.problems}, line.reason)
        for line in backlog.count_held(session, now - _FORTNIGHT)
        if line.problems >= _MANY_HELD
    }


def message(raised: Sequence[RaisedAlert]) -> dict[str, object]:
    """Return the payload of some alerts: a text for people, and each alert with its key for machines."""
    alerts = [{"key": alert.key, "message": alert.message, "since": alert.raised_at.isoformat()} for alert in raised]
    return {"text": "\n".join(alert.message for alert in raised), "alerts": alerts}


def mark_posted(session: Session, alert_ids: list[int], now: datetime) -> None:
    """Record that these alerts were posted."""
    store.mark_sent(session, alert_ids, now)


def snooze(session: Session, alert_id: int, days: int, actor: str, reason: str, now: datetime) -> None:
    """Silence an alert for some days. Raises NotFound when it is not open."""
    until = now + timedelta(days=days)
    if not store.snooze(session, alert_id, until):
        raise NotFound(f"alert {alert_id} is not open")
    logs.write_audit(session, now, actor, "alert.snooze", str(alert_id), reason, None, until.isoformat())

"""Alerts for maintainers: derived from the present state, each cause once."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from app.db.kernel import logs
from app.db.kernel.session import Session
from app.db.operations import alerts as store
from app.db.operations import backlog, due_samples, heartbeats
from app.db.runs import verdicts
from app.db.sources import monitoring
from app.domain.errors import NotFound
from app.services.operations.gpus import gpu_workers
from app.services.operations.pauses import Pause
from app.services.operations.source_status import is_stale
from app.services.runs.judge_state import Worker, find_judging_backlog, grading_state, workers

# Findings of a calendar that leave due dates of contests unknown.
_CALENDAR_FINDINGS = {"missing_date", "implausible_date", "calendar_unread", "list_cut", "drop"}

# States of visits that raise an alert.
_VISIT_WORDS = {"blocked": "last visit blocked", "failed": "last visit failed"}

# Findings of compared lists: contests in only one of them.
_LIST_FINDINGS = {"contests_missing", "contests_unknown"}

# A contest's problems are here within hours and proven within minutes: unpublished ones then wait for a maintainer.
_TIME_TO_PUBLISH = timedelta(hours=6)
_FORTNIGHT = timedelta(days=14)
# A contest has four to eight problems, and those of the last one may wait: more is a backlog.
_MANY_HELD = 10

# A fault that lasts is posted again after a day.
REPEAT_AFTER = timedelta(days=1)


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
        for row in store.alerts_to_send(session, now, REPEAT_AFTER)
    ]


def find_causes(session: Session, now: datetime) -> dict[str, str]:
    """Return every present fault: a key that stays the same as long as it lasts, and a sentence."""
    sentences: dict[str, str] = {}
    lines = monitoring.sites(session)
    slugs = {site.slug for site in lines if site.enabled}
    for line in (line for line in monitoring.late_contests(session, now, limit=1000) if line.source in slugs):
        name = f"{line.source}/{line.external_id}"
        why = f": {line.reason}" if line.reason else ""
        sentences[f"late:{name}"] = f"{name} ended {line.ends_at:%Y-%m-%d %H:%M}Z and its problems are not here{why}"
    for site in (line for line in lines if line.enabled):
        if site.last_state in _VISIT_WORDS:
            sentences[f"{site.last_state}:{site.slug}"] = (
                f"{site.name}: {_VISIT_WORDS[site.last_state]}: {site.last_reason}"
            )
        if is_stale(site, now):
            sentences[f"stale:{site.slug}"] = f"{site.name} was last visited {site.last_at:%Y-%m-%d %H:%M}Z"
        unread = sorted(_CALENDAR_FINDINGS & {str(finding.get("code")) for finding in site.findings})
        if unread:
            sentences[f"calendar:{site.slug}"] = (
                f"{site.name}: its calendar could not be read whole: {', '.join(unread)}"
            )
    sentences |= _list_differences(session) | _unpublished_contests(session, now) | _growing_quarantine(session, now)
    for failed in verdicts.checker_failures(session):
        name = f"{failed.source}/{failed.external_id}"
        sentences[f"checker:{name}"] = (
            f"{name}: its checker or interactor failed on {failed.answers} answers, which count as wrong; "
            "if it is at fault, mend the package and rejudge"
        )
    grading = grading_state(session, now)
    if grading.code in ("alarm", "paused", "silent"):
        sentences[f"grading:{grading.code}"] = f"nothing is judged: {grading.reason}"
    if grading.ready and (late := find_judging_backlog(session, now)).since is not None:
        sentences["grading:backlog"] = (
            "judging falls behind though judges say that they are ready; answers that wait longer than half an hour: "
            f"{late.answers}, the first since {late.since:%Y-%m-%d %H:%M}Z"
        )
    return sentences | _idle_hosts(session, now) | _asking_faults(session, now) | _failing_jobs(session, now)


def _idle_hosts(session: Session, now: datetime) -> dict[str, str]:
    """Return hosts whose workers are idle because a disk is full or the clock is wrong."""
    by_host: dict[str, list[Worker]] = {}
    for worker in workers(session, now):
        if worker.hindrance is not None and not worker.silent:
            by_host.setdefault(worker.host, []).append(worker)
    sentences = {}
    for host, idle in by_host.items():
        queues, newest = sorted({worker.queue for worker in idle}), max(idle, key=lambda worker: worker.at)
        sentences[f"room:{host}"] = f"workers on {host} ({', '.join(queues)}) do nothing: {newest.hindrance}"
    return sentences


def _failing_jobs(session: Session, now: datetime) -> dict[str, str]:
    """Return jobs of the clock that no longer succeed."""
    return {
        f"job:{job}": f"the job {job} failed and has not succeeded since: {why or 'its worker was ended meanwhile'}"
        for job, why in heartbeats.failing_jobs(session, now).items()
    }


def _asking_faults(session: Session, now: datetime) -> dict[str, str]:
    """Return workers that ask nothing while requests wait, and a control host that does not answer."""
    sentences: dict[str, str] = {}
    waiting = due_samples.count_due_samples(session, now)
    askers = [worker for worker in workers(session, now) if worker.queue == "infer"]
    if waiting.elsewhere and askers and all(worker.silent for worker in askers):
        last = max(worker.at for worker in askers)
        sentences["asking:silent"] = (
            f"no inference worker has been heard of since {last:%Y-%m-%d %H:%M}Z; requests waiting: {waiting.elsewhere}"
        )
    for gpu in gpu_workers(session, now) if waiting.here else ():
        if gpu.silent:
            sentences[f"gpu:{gpu.name}"] = (
                f"GPU worker {gpu.name} was last heard of {gpu.at:%Y-%m-%d %H:%M}Z; "
                f"requests waiting for weights of our own: {waiting.here}"
            )
        elif gpu.state == "failed":
            sentences[f"gpu:{gpu.name}"] = (
                f"GPU worker {gpu.name} serves nothing: {gpu.trouble or 'it does not say why'}"
            )
    failed = due_samples.failed_by_our_network(session)
    if failed:
        sentences["control"] = (
            "the control host did not answer when endpoints failed, so that our network is taken to be at fault; "
            f"requests waiting: {failed}; look at TIDEMARK_CONTROL_URL and at the network"
        )
    return sentences


def _list_differences(session: Session) -> dict[str, str]:
    """Return lists of contests that lack contests of another list."""
    return {
        f"{finding['code']}:{line.slug}": f"{line.name}: two lists of contests differ: {finding['message']}"
        for line in monitoring.facts_found(session)
        for finding in line.findings
        if finding.get("code") in _LIST_FINDINGS
    }


def _unpublished_contests(session: Session, now: datetime) -> dict[str, str]:
    """Return contests of a fortnight without a published problem, each by name even if later ones published some."""
    sentences: dict[str, str] = {}
    for contest in backlog.ended_contests(session, now - _FORTNIGHT, now - _TIME_TO_PUBLISH):
        if contest.published or not contest.waiting:
            continue
        reason = backlog.usual_reason(session, contest.contest_id)
        why = f", most often: {reason}" if reason else ""
        name = f"{contest.source}/{contest.external_id}"
        sentences[f"unpublished:{name}"] = (
            f"{name} ended and nothing of it was published; problems waiting: {contest.waiting}{why}"
        )
    return sentences


def _growing_quarantine(session: Session, now: datetime) -> dict[str, str]:
    """Return sources with many held problems."""
    return {
        f"quarantine:{line.source}": (
            f"{line.name}: quarantine grows; problems held in two weeks: {line.problems}, most often: {line.reason}"
        )
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

"""Upkeep: checks that the clock starts while the plot in `tasks.py` goes on, and reports made from its results."""

import socket
from datetime import timedelta

from structlog import get_logger

from app.db.operations import heartbeats
from app.services.boards.snapshots import freeze_due
from app.services.evidence import reports
from app.services.operations import access, alerts, vendor_news
from app.services.operations.pauses import pauses
from app.services.problems import publishing, quarantine
from app.services.runs import endpoint_secrets
from app.services.vendors import webhook_deliveries
from workers.context import Context, context, now, start_turn, task
from workers.grading.disagreements import find_disagreement
from workers.grading.proofs import find_passed_canary
from workers.lease_renewal import write_heartbeat
from workers.notify import MonitorHeartbeat, post, send_messages
from workers.readiness import ready_judge

log = get_logger(__name__)


@task("self_test")
def self_test() -> None:
    """Test the sandbox again, so that a change of the machine is noticed within minutes."""
    if ready_judge(context(), fresh=True) is not None:
        context().wake("grade")


@task("canary")
def canary() -> None:
    """Try the impossible problems: any pass stops grading everywhere until a person has looked."""
    ctx = context()
    judge = ready_judge(ctx)
    if judge is None:
        return
    for job in ctx.commit(publishing.canary_jobs, now()):
        alarm = find_passed_canary(judge, job.problem, job.programs)
        if alarm is not None:
            ctx.commit(heartbeats.raise_alarm, alarm, now())


@task("watch")
def watch() -> None:
    """Check for alerts and report each once, in the log and to the operator's webhook; then send a heartbeat."""
    ctx = context()
    waiting = pauses(ctx.commit(endpoint_secrets.reported_lost, ctx.vault), ctx.settings.shortage())
    raised, url = ctx.commit(alerts.update_alerts, now(), waiting, socket.gethostname()), ctx.settings.alert_webhook
    failure = post(url.get_secret_value(), alerts.message(raised)) if raised and url is not None else None
    if failure is not None:  # the next run reports it again
        log.error("alert.not_sent", reason=failure, alerts=len(raised))
        return
    for alert in raised:
        log.warning("alert.raised", key=alert.key, message=alert.message)
    ctx.commit(alerts.mark_posted, [alert.id for alert in raised], now())
    heartbeat_url = ctx.settings.heartbeat_url
    if heartbeat_url is not None and (reason := ctx.part(_monitor).send(heartbeat_url.get_secret_value())) is not None:
        log.error("heartbeat.not_taken", reason=reason)


def _monitor(_ctx: Context) -> MonitorHeartbeat:
    return MonitorHeartbeat()


@task("audit")
def audit_problems() -> None:
    """Quarantine problems on which better models certainly do worse."""
    context().commit(quarantine.audit, now())


@task("agree")
def compare_accepted(first: int = 1) -> None:
    """Run accepted programs on inputs that no test has; quarantine a problem on which two disagree.

    Problems are processed by id from `first` on, a piece at a time.
    """
    ctx, more = context(), start_turn()
    while more() and (judge := ready_judge(ctx)) is not None:
        if not (ids := ctx.commit(quarantine.next_problem_ids, first)):
            break
        job = ctx.commit(quarantine.next_comparison, ids)
        first = ids.stop if job is None else job.problem_id + 1
        found = None if job is None else find_disagreement(judge, job.problem, job.programs, job.inputs)
        if job is not None and found is not None:
            ctx.commit(quarantine.record_disagreement, job, found.given, found.programs, found.answers, now())
    ctx.wake_next_turn("agree", first, unless=more() or judge is None)


@task("freeze")
def freeze_boards() -> None:
    """Freeze every board's default view once a week, if it changed."""
    context().commit(freeze_due, context().cubes, now())


@task("report")
def make_reports() -> None:
    """Recompute long analyses whose cells have changed, such as tests for contamination, one at a time."""
    ctx, more = context(), start_turn()
    while more() and (work := ctx.commit(reports.claim_due_report, ctx.cubes, now())) is not None:
        ctx.commit(reports.store_report, work, work.make(), now())
    ctx.wake_next_turn("report", unless=more())


@task("notify")
def notify_vendors() -> None:
    """Send vendors' webhooks what is due; whoever does not receive it gets it again later."""
    ctx, more = context(), start_turn()
    ctx.commit(vendor_news.record_news, now())
    while more() and (messages := ctx.commit(webhook_deliveries.claim_messages, now(), ctx.vault)):
        results = send_messages(messages, now(), ctx.settings.endpoint_allow)
        ctx.commit(webhook_deliveries.record_results, results, now())


@task("tidy")
def tidy() -> None:
    """Delete expired sessions and login links, stored answers that can no longer be repeated, and old events."""
    context().commit(access.delete_expired, now())
    context().commit(webhook_deliveries.delete_old_events, now())


@task("beat")
def beat(queue: str) -> None:
    """Record that this queue's workers run tasks, or why this machine must not."""
    ctx = context()
    detail = ctx.commit(endpoint_secrets.key_report, ctx.vault) if queue == "infer" else None
    hindrance = ctx.hindrance()
    if hindrance is not None:
        log.warning("worker.hindered", queue=queue, reason=str(hindrance))
    write_heartbeat(ctx, queue, detail)
    ctx.commit(heartbeats.delete_old, now(), timedelta(hours=1))

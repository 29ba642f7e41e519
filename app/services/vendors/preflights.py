"""Preflights of orders: no prompt is sent before the order's endpoint has passed a probe."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from app.db.kernel.session import Session
from app.db.tables import Endpoint, EndpointProbe, Run, Submission
from app.db.vendors import probes as store
from app.domain.probing.checks import ProbeOrigin, ProbeResult, failure_reason, first_failure
from app.domain.reasons import Reason, storable_reason
from app.services.vendors.probes import next_attempt_at, read_checks, settings_digest

# A probe that passed spares orders of the endpoint under the same protocol and configuration another one.
PASS_COUNTS_FOR = timedelta(hours=1)
_MAX_REASON_CHARS = 1000


@dataclass(frozen=True, slots=True)
class PreflightWait:
    """The reason why an order's first prompt waits, and the owner of the next step."""

    owner: str
    reason: Reason


def check_preflight(session: Session, submission: Submission, now: datetime) -> PreflightWait | None:
    """Return why the first prompt of an order waits, and ask for a probe that is due; None if it need not wait.

    An order that was sent a prompt before waits no more.
    """
    if _was_sent(session, submission):
        return None
    endpoint = session.get_one(Endpoint, submission.endpoint_id)
    last = _last_probe(session, submission, endpoint)
    if last is not None and last.result == ProbeResult.PASSED and _is_recent(last, now):
        return None
    wait = PreflightWait("us", Reason("preflight_waits")) if last is None else _wait_after(last)
    due_at = None if last is None else next_attempt_at(last)
    if due_at is None or due_at <= now:
        _request(session, submission, last, now)
    return wait


def request_recovery(session: Session, submission: Submission, now: datetime) -> None:
    """Ask for a probe of a stopped endpoint that is due: if it passes, the endpoint is asked again."""
    endpoint = session.get_one(Endpoint, submission.endpoint_id)
    last = _last_probe(session, submission, endpoint)
    due_at = None if last is None or last.finished_at is None else next_attempt_at(last) or last.finished_at + _REST
    if due_at is None or due_at <= now:
        _request(session, submission, last, now)


def retry_preflight(session: Session, submission: Submission, now: datetime) -> None:
    """Ask for the probe of an order now, whenever it was due."""
    if not _was_sent(session, submission):
        endpoint = session.get_one(Endpoint, submission.endpoint_id)
        _request(session, submission, _last_probe(session, submission, endpoint), now)


def is_over(session: Session, submission: Submission) -> bool:
    """Return True if an order that was sent nothing has a probe's result that is newer than its state."""
    if submission.run_id is None or _was_sent(session, submission):
        return False
    last = store.newest_finished(session, submission.endpoint_id, submission.protocol_id, submission.configuration)
    return last is not None and last.finished_at is not None and last.finished_at > submission.state_since


def _was_sent(session: Session, submission: Submission) -> bool:
    return submission.run_id is not None and session.get_one(Run, submission.run_id).sent_at is not None


def _last_probe(session: Session, submission: Submission, endpoint: Endpoint) -> EndpointProbe | None:
    """Return the newest result for the order under the endpoint's present settings."""
    last = store.newest_finished(session, endpoint.id, submission.protocol_id, submission.configuration)
    return last if last is not None and last.settings_sha256 == settings_digest(endpoint) else None


def _is_recent(probe: EndpointProbe, now: datetime) -> bool:
    return probe.finished_at is not None and now - probe.finished_at <= PASS_COUNTS_FOR


def _wait_after(last: EndpointProbe) -> PreflightWait:
    if last.result == ProbeResult.FAULTED:
        return PreflightWait("us", Reason("preflight_faulted", cause=last.fault or ""))
    failed = first_failure(read_checks(last))
    if last.result == ProbeResult.PASSED or failed is None:
        return PreflightWait("us", Reason("preflight_waits"))
    reason = failure_reason(failed)
    return PreflightWait("vendor", reason if len(reason) <= _MAX_REASON_CHARS else _shortened(reason))


def _shortened(reason: Reason) -> Reason:
    return Reason("preflight_failed", reason.params, storable_reason(str(reason.cause), _MAX_REASON_CHARS))


def _request(session: Session, submission: Submission, last: EndpointProbe | None, now: datetime) -> None:
    """Ask for a probe unless one of the endpoint is not finished: then it is asked for at the next step."""
    endpoint = store.lock_probed(session, submission.endpoint_id)
    if store.open_probe(session, endpoint.id) is not None:
        return
    failed_before = last is not None and last.result != ProbeResult.PASSED
    store.add_probe(
        session, submission.organisation_id, endpoint.id, submission.protocol_id, submission.configuration,
        ProbeOrigin.ORDER, now, attempt=last.attempt + 1 if last is not None and failed_before else 1,
    )  # fmt: skip


# A stopped endpoint that passed a probe, and was stopped again, is probed again after this.
_REST = timedelta(minutes=10)

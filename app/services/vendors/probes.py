"""Probes of vendors' endpoints: asked for by a vendor or an order, made by a worker, and read."""

import hashlib
import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Annotated, Any, Literal

from pydantic import Field

from app.db.kernel import logs
from app.db.kernel.session import Session
from app.db.runs import endpoints
from app.db.runs import runs as run_store
from app.db.tables import Endpoint, EndpointProbe, ProtocolRow
from app.db.vendors import probes as store
from app.db.vendors import submissions
from app.domain.asking.completions import EndpointSpec, RunCheck
from app.domain.asking.configuration import convert_configuration
from app.domain.asking.protocols import BUILT_IN_PROTOCOLS, FRESH, Protocol, Sampling
from app.domain.errors import Conflict, InvalidInput, NotFound, Unavailable, UnknownName
from app.domain.probing.checks import (
    PATIENT_PROBE_S,
    REQUEST_PROBE_S,
    CheckResult,
    CheckStatus,
    EndpointCheck,
    ProbeOrigin,
    ProbeReport,
    ProbeResult,
)
from app.domain.reasons import Reason, reason_from_json, reason_to_json, storable_reason
from app.services.runs import inference
from app.services.runs.endpoint_secrets import Vault


@dataclass(frozen=True, slots=True)
class EndpointFailure:
    """The newest failure of a real request that the endpoint was sent, in its own words."""

    at: Annotated[datetime | None, Field(description="when it was last tried; null while that is not known")]
    reason: str
    owner: str


@dataclass(frozen=True, slots=True)
class ProbeAnswer:
    """A probe of an endpoint of yours: whether an order could be answered there, and what to change if not."""

    object: Literal["probe"]
    id: str
    endpoint: int
    state: Annotated[Literal["waiting", "running", "finished"], Field(description="waiting: for a worker")]
    origin: Annotated[str, Field(description="`request`: you asked for it; `order`: an order waits for it")]
    protocol: Annotated[str, Field(description="the protocol whose limits were tried")]
    configuration: dict[str, str | bool | int | float]
    result: Annotated[
        str | None, Field(description="`passed`, `failed`, or `faulted` if we failed to make it; null before its end")
    ]
    fault: Annotated[str | None, Field(description="why we failed to make it")]
    checks: Annotated[list[CheckResult], Field(description="each check in its order, once the probe is finished")]
    requests: Annotated[int, Field(description="requests that were sent for it; none holds a problem that counts")]
    requested_at: datetime
    finished_at: datetime | None
    next_at: Annotated[datetime | None, Field(description="when an order that waits for it is tried again by itself")]
    last_failure: Annotated[
        EndpointFailure | None, Field(description="the newest failure of a real request to the endpoint")
    ]


# Probes of one organisation that are not finished.
MAX_OPEN_PROBES = 8


@dataclass(frozen=True, slots=True)
class ProbeJob:
    """A probe that a worker is to make under a lease."""

    id: int
    token: str
    endpoint: EndpointSpec
    sampling: Sampling
    configuration: Mapping[str, Any]
    limit_s: float
    settings_sha256: str


@dataclass(frozen=True, slots=True)
class NewProbe:
    """A vendor's request for a probe: under which protocol's limits and in which configuration."""

    endpoint_id: int
    protocol: str = FRESH.slug
    configuration: Mapping[str, Any] = field(default_factory=dict)


def request_probe(
    session: Session, organisation_id: int, new: NewProbe, key: str, now: datetime, check: RunCheck
) -> ProbeAnswer:
    """Ask for a probe of an own endpoint; a repeat under the same Idempotency-Key returns the same probe.

    Raises NotFound, InvalidInput for an unknown protocol or setting or a key of another request, and Conflict while
    another probe of the endpoint is not finished, or too many are open.
    """
    if submissions.own_endpoint(session, organisation_id, new.endpoint_id) is None:
        raise NotFound(f"you have no endpoint {new.endpoint_id}")
    endpoint = store.lock_probed(session, new.endpoint_id)
    protocol_id, protocol = _asked_protocol(session, new.protocol)
    configuration = convert_configuration(new.configuration)
    check(inference.spec_of(endpoint, None), protocol.sampling, configuration)
    subject = (endpoint.id, protocol_id, configuration)
    row = store.probe_of_key(session, organisation_id, key)
    if row is not None:
        if (row.endpoint_id, row.protocol_id, row.configuration) != subject:
            raise InvalidInput("this Idempotency-Key was already used for another request", pointer="/Idempotency-Key")
        return _view(session, row, now)
    if (row := store.open_probe(session, endpoint.id)) is not None:
        raise Conflict(f"endpoint {endpoint.id} is being probed already (probe {row.public_id}): wait for its result")
    if store.count_open(session, organisation_id) >= MAX_OPEN_PROBES:
        raise Conflict(f"{MAX_OPEN_PROBES} of your probes are not finished: wait for their results")
    row = store.add_probe(session, organisation_id, *subject, ProbeOrigin.REQUEST, now, key=key)
    return _view(session, row, now)


def _asked_protocol(session: Session, slug: str) -> tuple[int, Protocol]:
    """Return a protocol under which models are asked, with its id. Raises UnknownName."""
    known = {protocol.slug: protocol for protocol in BUILT_IN_PROTOCOLS if not (protocol.imported or protocol.recorded)}
    if slug in known:
        return run_store.ensure_protocol(session, known[slug]).id, known[slug]
    rows = {row.slug: row for row in run_store.asked_protocols(session) if row.orderable}
    if slug not in rows:
        raise UnknownName("protocol", slug, [*known, *rows])
    return rows[slug].id, run_store.read_protocol(rows[slug].body)


def read_probe(session: Session, organisation_id: int, endpoint_id: int, now: datetime) -> ProbeAnswer:
    """Return the newest probe of an own endpoint. Raises NotFound if there is no such endpoint, or no probe of it."""
    if submissions.own_endpoint(session, organisation_id, endpoint_id) is None:
        raise NotFound(f"you have no endpoint {endpoint_id}")
    row = store.newest_probe(session, endpoint_id)
    if row is None:
        raise NotFound(f"endpoint {endpoint_id} was not probed yet")
    return _view(session, row, now)


def read_requested(session: Session, organisation_id: int, key: str, now: datetime) -> ProbeAnswer:
    """Return the probe that was asked for under an Idempotency-Key. Raises NotFound."""
    row = store.probe_of_key(session, organisation_id, key)
    if row is None:
        raise NotFound("the probe is gone")
    return _view(session, row, now)


def count_waiting(session: Session, now: datetime) -> int:
    """Return the number of probes that wait for a worker."""
    return store.count_waiting(session, now)


def claim_probe(session: Session, now: datetime, vault: Vault) -> ProbeJob | None:
    """Take the next probe to make; None if none waits. Probes whose secret cannot be opened end as our fault."""
    while (row := store.claim_probe(session, now)) is not None:
        endpoint = session.get_one(Endpoint, row.endpoint_id)
        protocol = run_store.read_protocol(session.get_one(ProtocolRow, row.protocol_id).body)
        patient = row.origin == ProbeOrigin.ORDER and row.attempt > 1
        limit_s = PATIENT_PROBE_S if patient else REQUEST_PROBE_S
        row.settings_sha256 = settings_digest(endpoint)
        try:
            spec = inference.spec_of(endpoint, vault)
        except Unavailable:
            _finish(row, ProbeReport((), 0, Reason("secret_lost")), now)
            session.flush()
            continue
        row.lease_token = secrets.token_hex(16)
        row.lease_until = now + timedelta(seconds=limit_s + _LEASE_MARGIN_S)
        session.flush()
        return ProbeJob(
            row.id, row.lease_token, spec, protocol.sampling, row.configuration, limit_s, row.settings_sha256
        )
    return None


def record_probe(session: Session, job: ProbeJob, report: ProbeReport, now: datetime) -> bool:
    """Store the report of a probe; False if the lease no longer holds.

    An endpoint that was stopped and passes is asked again, if its settings are still those that passed. What it is sent
    counts from the first time that it answered the probe of an order.
    """
    row = store.lock_leased(session, job.id, job.token)
    if row is None:
        return False
    _finish(row, report, now)
    if report.result is ProbeResult.PASSED and report.requests and row.origin == ProbeOrigin.ORDER:
        endpoints.note_answering(session, row.endpoint_id, now)  # before any prompt
    endpoint = store.lock_probed(session, row.endpoint_id)
    healed = endpoint.stopped_at is not None and settings_digest(endpoint) == job.settings_sha256
    if report.result is ProbeResult.PASSED and healed:
        endpoint.stopped_at, endpoint.stopped_reason = None, None
        run_store.revive(session, endpoint.id)
        actor, why = f"org:{row.organisation_id}", Reason("probe_passed")
        logs.write_audit(session, now, actor, "endpoint.resumed", str(endpoint.id), why)
    return True


def _finish(row: EndpointProbe, report: ProbeReport, now: datetime) -> None:
    row.finished_at, row.result, row.requests = now, report.result, report.requests
    row.lease_token = row.lease_until = None
    row.fault = None if report.fault is None else storable_reason(report.fault, _MAX_TEXT_CHARS)
    row.checks = [
        {
            "check": check.check,
            "status": check.status,
            "evidence": _reason_json(check.evidence),
            "fix": _reason_json(check.fix),
        }
        for check in report.checks
    ]


def _reason_json(reason: str | None) -> Any:
    return None if reason is None else reason_to_json(storable_reason(reason, _MAX_TEXT_CHARS))


def read_checks(row: EndpointProbe) -> list[CheckResult]:
    """Return the stored checks of a probe."""
    return [
        CheckResult(
            EndpointCheck(check["check"]),
            CheckStatus(check["status"]),
            None if check["evidence"] is None else reason_from_json(check["evidence"]),
            None if check["fix"] is None else reason_from_json(check["fix"]),
        )
        for check in row.checks
    ]


def settings_digest(endpoint: Endpoint) -> str:
    """Return the digest of everything about an endpoint that a request depends on; a new secret changes it."""
    sealed = None if endpoint.secret_encrypted is None else endpoint.secret_encrypted.hex()
    facts = (endpoint.backend, endpoint.base_url, endpoint.remote_name, sealed, endpoint.timeout_s, endpoint.extra)
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()


def next_attempt_at(row: EndpointProbe) -> datetime | None:
    """Return when an order's probe is made again by itself; None after one that passed."""
    if row.finished_at is None or row.result == ProbeResult.PASSED:
        return None
    times: int = 2 ** min(row.attempt - 1, 10)
    return row.finished_at + min(_FIRST_WAIT * times, _LONGEST_WAIT)


def _view(session: Session, row: EndpointProbe, now: datetime) -> ProbeAnswer:
    endpoint = session.get_one(Endpoint, row.endpoint_id)
    running = row.lease_until is not None and row.lease_until > now
    waits = row.origin == ProbeOrigin.ORDER
    return ProbeAnswer(
        object="probe",
        id=row.public_id,
        endpoint=row.endpoint_id,
        state="finished" if row.finished_at is not None else "running" if running else "waiting",
        origin=row.origin,
        protocol=store.protocol_slug(session, row.protocol_id),
        configuration=row.configuration,
        result=row.result,
        fault=row.fault,
        checks=read_checks(row),
        requests=row.requests,
        requested_at=row.requested_at,
        finished_at=row.finished_at,
        next_at=next_attempt_at(row) if waits else None,
        last_failure=_last_failure(session, endpoint),
    )


def _last_failure(session: Session, endpoint: Endpoint) -> EndpointFailure | None:
    if endpoint.stopped_at is not None:
        return EndpointFailure(endpoint.stopped_at, endpoint.stopped_reason or Reason("endpoint_stopped"), "vendor")
    failure = store.newest_failure(session, endpoint.id)
    return None if failure is None else EndpointFailure(*failure)


_MAX_TEXT_CHARS = 800
_LEASE_MARGIN_S = 30.0
# An order's failed probe is made again after these waits, each twice as long as the one before.
_FIRST_WAIT, _LONGEST_WAIT = timedelta(minutes=1), timedelta(hours=2)

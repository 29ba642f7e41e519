"""Vendors' orders: models, endpoints, and submissions that become runs.

A submission is registered before anything is asked, and always has an owner of the next step and a
deadline; `advance` moves it on and is called by the sweep.
"""

import hashlib
import json
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

from structlog import get_logger

from app.db.kernel import logs, revision
from app.db.kernel.session import Session
from app.db.operations import access as access_store
from app.db.runs import runs as run_store
from app.db.tables import Endpoint, IdempotencyRow, Model, Run, Submission
from app.db.vendors import submissions as store
from app.domain.asking.protocols import BUILT_IN
from app.domain.cube.facts import CutoffBasis
from app.domain.errors import Conflict, InvalidInput, NotFound
from app.domain.imports import ImportedModel, is_plausible
from app.domain.states import SubmissionState
from app.domain.windows import midnight
from app.services.runs import announce, plan
from app.services.runs.secrets import Vault

log = get_logger(__name__)

DEFAULT_CONCURRENCY = 8

# How long a submission may stay in a state before it is stalled, with its owner.
DEADLINES = {
    SubmissionState.QUEUED: timedelta(hours=24),
    SubmissionState.PREFLIGHT: timedelta(hours=1),
    SubmissionState.GENERATING: timedelta(days=7),
    SubmissionState.JUDGING: timedelta(days=2),
}


@dataclass(frozen=True, slots=True)
class NewModel:
    """What a vendor says of a model."""

    slug: str
    name: str
    released_on: date | None = None
    cutoff_on: date | None = None
    cutoff_evidence: str | None = None
    link: str | None = None


@dataclass(frozen=True, slots=True)
class NewEndpoint:
    """Where a model is served; `secret` is sealed at once and never shown again. None: nothing was said of it."""

    model: str
    backend: str
    remote_name: str
    base_url: str
    secret: str | None = None
    max_concurrency: int | None = None
    price_input: Decimal | None = None
    price_output: Decimal | None = None


@dataclass(frozen=True, slots=True)
class NewSubmission:
    """An order: an endpoint's model in one configuration under a protocol, over a window or continuously."""

    endpoint_id: int
    protocol: str
    configuration: Mapping[str, Any]
    window_start: datetime | None = None
    window_end: datetime | None = None
    continuous: bool = False
    public: bool = True
    embargo_until: datetime | None = None


def create_model(session: Session, organisation_id: int, new: NewModel, now: datetime) -> Model:
    """Register a model. Raises Conflict when the slug is taken, InvalidInput for days that cannot be true."""
    for day, pointer in ((new.released_on, "/released_on"), (new.cutoff_on, "/cutoff/date")):
        if day is not None and not is_plausible(midnight(day), now):
            raise InvalidInput("a model's days lie between the year 2000 and a year from now", pointer=pointer)
    if store.model_by_slug(session, new.slug) is not None:
        raise Conflict(f"the slug {new.slug} is taken")
    organisation = run_store.organisation(session, organisation_id)
    imported = ImportedModel(
        slug=new.slug,
        name=new.name,
        organisation=organisation.name,
        released_on=new.released_on,
        cutoff_on=new.cutoff_on,
        cutoff_basis=CutoffBasis.DECLARED if new.cutoff_on else CutoffBasis.UNKNOWN,
        cutoff_evidence=new.cutoff_evidence,
        link=new.link,
    )
    model = run_store.ensure_model(session, imported, now)
    model.organisation_id = organisation_id
    logs.audit(session, now, f"org:{organisation_id}", "model.created", new.slug, "vendor API")
    return model


def create_endpoint(session: Session, organisation_id: int, new: NewEndpoint, now: datetime, vault: Vault) -> Endpoint:
    """Register where a model is served, or say more of an endpoint that is registered; its stop is over then.

    The address was checked by the caller. What is not given stays as it is. Raises NotFound, Conflict when another
    address is given though there is an open order or an answer, InvalidInput when one is given without the secret.
    """
    model = store.own_model(session, organisation_id, new.model)
    if model is None:
        raise NotFound(f"no model {new.model} of yours")
    said = _said(new, now, vault)
    endpoint = store.locked_endpoint(session, model.id, new.backend, new.remote_name)
    if endpoint is None:
        first = {"backend": new.backend, "remote_name": new.remote_name, "max_concurrency": DEFAULT_CONCURRENCY}
        endpoint = run_store.ensure_endpoint(session, model.id, {**first, **said})
    else:
        _check_address(session, endpoint, new)
        for name, value in said.items():
            setattr(endpoint, name, value)
        session.flush()
    subject = f"{model.slug}/{endpoint.id}"
    logs.audit(session, now, f"org:{organisation_id}", "endpoint.written", subject, "vendor API")
    return endpoint


def _said(new: NewEndpoint, now: datetime, vault: Vault) -> dict[str, Any]:
    """The columns of an endpoint that a registration says something of."""
    priced = new.price_input is not None or new.price_output is not None
    given = {
        "secret_encrypted": vault.seal(new.secret) if new.secret else None,
        "max_concurrency": new.max_concurrency,
        "price_input": new.price_input,
        "price_output": new.price_output,
        "price_on": now.date() if priced else None,
    }
    fixed = {"base_url": new.base_url, "trusted": False, "stopped_at": None, "stopped_reason": None}
    return fixed | {name: value for name, value in given.items() if value is not None}


def _check_address(session: Session, endpoint: Endpoint, new: NewEndpoint) -> None:
    """One name stands for one deployment, from its first order on."""
    if endpoint.base_url == new.base_url:
        return
    known = f"endpoint {endpoint.id} is registered at another base_url"
    if store.was_asked(session, endpoint.id):
        raise Conflict(f"{known} and was asked there: register the new address under a model of its own")
    if store.has_open_order(session, endpoint.id):
        raise Conflict(f"{known} and has an open order: cancel that first")
    if endpoint.secret_encrypted is not None and new.secret is None:
        raise InvalidInput(f"{known}: its secret goes to no other address, so give it again", pointer="/secret")


def submit(session: Session, organisation_id: int, new: NewSubmission, now: datetime) -> Submission:
    """Pre-register an order and queue it. Raises NotFound and InvalidInput."""
    endpoint = store.own_endpoint(session, organisation_id, new.endpoint_id)
    if endpoint is None:
        raise NotFound(f"no endpoint {new.endpoint_id} of yours")
    protocol = next((each for each in BUILT_IN if each.slug == new.protocol), None)
    if protocol is None or protocol.imported or protocol.recorded:
        raise InvalidInput(f"no protocol {new.protocol} to submit under", pointer="/protocol")
    if new.continuous == (new.window_end is not None):
        raise InvalidInput("give the end of a window, or continuous", pointer="/window")
    row = run_store.ensure_protocol(session, protocol)
    submission = Submission(
        public_id=f"sub_{secrets.token_hex(12)}",
        organisation_id=organisation_id,
        endpoint_id=endpoint.id,
        protocol_id=row.id,
        configuration=dict(new.configuration),
        window_start=midnight(now.date()) if new.continuous else new.window_start,
        window_end=new.window_end,
        continuous=new.continuous,
        visibility="public" if new.public else "private",
        embargo_until=new.embargo_until,
        state=SubmissionState.VALIDATING,
        state_since=now,
        state_deadline=now + DEADLINES[SubmissionState.QUEUED],
        owner="us",
        created_at=now,
    )
    session.add(submission)
    session.flush()
    store.move(session, submission, SubmissionState.QUEUED, now)
    logs.audit(session, now, f"org:{organisation_id}", "submission.created", submission.public_id, "vendor API")
    return submission


def cancel(session: Session, organisation_id: int, public_id: str, now: datetime) -> Submission:
    """Cancel an order; its run stops. Raises NotFound, and Conflict when it has ended."""
    submission = get(session, organisation_id, public_id)
    store.move(session, submission, SubmissionState.CANCELLED, now, state_deadline=None, state_reason="by the vendor")
    if submission.run_id is not None:
        run_store.pause(session, submission.run_id, "its submission was cancelled")
    logs.audit(session, now, f"org:{organisation_id}", "submission.cancelled", public_id, "vendor API")
    return submission


def get(session: Session, organisation_id: int, public_id: str) -> Submission:
    """An order of this organisation. Raises NotFound."""
    # Text that the database cannot hold names nothing.
    submission = store.own_submission(session, organisation_id, public_id) if public_id.isprintable() else None
    if submission is None:
        raise NotFound("no such submission of yours")
    return submission


def list_submissions(session: Session, organisation_id: int, before: int | None, limit: int) -> list[Submission]:
    """This organisation's orders, newest first, older than the row `before`."""
    return store.of_organisation(session, organisation_id, before, limit)


def progress(session: Session, submission: Submission) -> store.Progress | None:
    """How far an order's run has come; None before it has one."""
    return None if submission.run_id is None else store.progress(session, submission.run_id)


def advance(session: Session, now: datetime) -> int:
    """Move every active submission as far as the facts allow; returns how many moved.

    Each is moved on its own: one that we fail at stays where it is, with the reason, and is tried again next time.
    """
    return sum(_advance_alone(session, submission, now) for submission in store.unfinished(session))


def _advance_alone(session: Session, submission: Submission, now: datetime) -> bool:
    try:
        with session.begin_nested():
            moved = _advance(session, submission, now)
            if not moved and submission.state != SubmissionState.STALLED:
                submission.state_reason = None  # a fault of before is over
            return moved
    except Exception as fault:  # whatever it is, the other orders go on
        log.exception("submission.failed", submission=submission.public_id)
        if submission.state != SubmissionState.STALLED:  # that keeps its own reason and owner
            submission.owner, submission.state_reason = "us", f"a fault of ours was logged: {type(fault).__name__}"
            session.flush()
        return False


def _advance(session: Session, submission: Submission, now: datetime) -> bool:
    endpoint = session.get_one(Endpoint, submission.endpoint_id)
    state = SubmissionState(submission.state)
    if state is SubmissionState.STALLED:
        if endpoint.stopped_at is not None or (submission.owner == "us" and not _is_done(session, submission)):
            return False
        _to(session, submission, SubmissionState.QUEUED, now)
        return True
    if endpoint.stopped_at is not None and state is not SubmissionState.EMBARGOED:
        _stall(session, submission, "vendor", endpoint.stopped_reason or "the endpoint was stopped", now)
        return True
    if submission.state_deadline is not None and submission.state_deadline <= now:
        _stall(session, submission, "us", f"{state} took longer than promised", now)
        return True
    step = _STEPS.get(state)
    return step is not None and step(session, submission, now)


def _stall(session: Session, submission: Submission, owner: str, reason: str, now: datetime) -> None:
    store.move(session, submission, SubmissionState.STALLED, now, owner=owner, state_reason=reason, state_deadline=None)


def _is_done(session: Session, submission: Submission) -> bool:
    """Whether all that was late has come after all."""
    done = progress(session, submission)
    return done is not None and done.total > 0 and not (done.waiting or done.judging)


def _to(session: Session, submission: Submission, new: SubmissionState, now: datetime) -> None:
    limit, begins = DEADLINES.get(new), now
    if new is SubmissionState.GENERATING and submission.window_end is not None:
        begins = max(now, submission.window_end)  # problems come until the window closes
    store.move(
        session, submission, new, now, owner="us", state_reason=None, state_deadline=begins + limit if limit else None
    )


def _start(session: Session, submission: Submission, now: datetime) -> bool:
    """Queued: make the run, hidden until the order is published."""
    _to(session, submission, SubmissionState.PREFLIGHT, now)
    if submission.run_id is None:
        endpoint = session.get_one(Endpoint, submission.endpoint_id)
        # A run of its own: an order neither hides nor redoes what an earlier one published.
        run = run_store.add_trial(
            session, endpoint.model_id, endpoint.id, submission.protocol_id, submission.configuration
        )
        run.window_start, run.window_end = submission.window_start, submission.window_end
        submission.run_id = run.id
    run_store.resume(session, submission.run_id)
    _to(session, submission, SubmissionState.GENERATING, now)
    return True


def _generated(session: Session, submission: Submission, now: datetime) -> bool:
    assert submission.run_id is not None  # made when it was queued
    done = store.progress(session, submission.run_id)
    open_window = submission.window_end is not None and submission.window_end > now
    run = session.get_one(Run, submission.run_id)
    if done.total == 0 or done.waiting or open_window or plan.lacks(session, run):
        return False
    _to(session, submission, SubmissionState.JUDGING, now)
    return True


def _judged(session: Session, submission: Submission, now: datetime) -> bool:
    assert submission.run_id is not None  # made when it was queued
    done = store.progress(session, submission.run_id)
    if done.judging or done.waiting:  # a text that was replaced meanwhile is asked anew
        return False
    if submission.embargo_until is not None and submission.embargo_until > now:
        _to(session, submission, SubmissionState.EMBARGOED, now)
    else:
        _publish(session, submission, now)
    return True


def _disclosed(session: Session, submission: Submission, now: datetime) -> bool:
    if submission.embargo_until is not None and submission.embargo_until > now:
        return False
    _publish(session, submission, now)
    return True


def _publish(session: Session, submission: Submission, now: datetime) -> None:
    _to(session, submission, SubmissionState.PUBLISHED, now)
    run = session.get_one(Run, submission.run_id)
    run.public = submission.visibility == "public"
    if not submission.continuous:
        run_store.pause(session, run.id, "its window was ordered and is done")
    if run.public:
        announce.announce_runs(session, [run.id], f"submission {submission.public_id}", now)
    revision.axes_changed(session)


_STEPS: Mapping[SubmissionState, Callable[[Session, Submission, datetime], bool]] = {
    SubmissionState.QUEUED: _start,
    SubmissionState.GENERATING: _generated,
    SubmissionState.JUDGING: _judged,
    SubmissionState.EMBARGOED: _disclosed,
}


def recalled(session: Session, organisation_id: int, key: str, body: object) -> tuple[int, dict[str, Any]] | None:
    """The stored response of an Idempotency-Key. Raises InvalidInput when it came with another body."""
    row = access_store.recall(session, organisation_id, key)
    if row is None:
        return None
    if row.request_sha256 != _digest(body):
        raise InvalidInput("this Idempotency-Key was used with another request", pointer="/Idempotency-Key")
    return row.status, row.body


def remember(
    session: Session, organisation_id: int, key: str, body: object, status: int, answer: dict[str, Any], now: datetime
) -> None:
    """Keep a response for its key. Raises Conflict when the same key is being answered at this moment."""
    row = IdempotencyRow(
        organisation_id=organisation_id,
        key=key,
        request_sha256=_digest(body),
        status=status,
        body=answer,
        created_at=now,
    )
    if not access_store.remember(session, row):
        raise Conflict("a request with this Idempotency-Key is in progress")


def _digest(body: object) -> str:
    return hashlib.sha256(json.dumps(body, sort_keys=True, default=str).encode()).hexdigest()

"""Start of a run: its model, endpoint, protocol and configuration, and its forecast."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from app.db.kernel import logs, revision
from app.db.kernel.session import Session
from app.db.runs import endpoints as endpoint_store
from app.db.runs import models as model_store
from app.db.runs import protocol_revisions
from app.db.runs import runs as run_store
from app.db.tables import Endpoint, Model, ProtocolRow, Run
from app.domain.asking.completions import RunCheck
from app.domain.asking.configuration import convert_configuration
from app.domain.asking.protocols import Protocol
from app.domain.asking.weights import Weights
from app.domain.audit_reason import check_reason
from app.domain.errors import Conflict, InvalidInput, NotFound
from app.domain.imports import ImportedModel
from app.domain.scenarios import Scenario, scenarios
from app.domain.states import RunState
from app.services.runs import announcements, inference, local_weights, models, plan
from app.services.runs.control import endpoints
from app.services.runs.control.endpoints import NewEndpoint
from app.services.runs.control.forecast import Forecast, forecast
from app.services.runs.endpoint_secrets import Vault


@dataclass(frozen=True, slots=True)
class RunRequest:
    """A maintainer's request for a run. Without `endpoint` and `weights` the model is asked where it is served already.

    `facts` describe the model: an unknown model is added with them, a known one must agree. Without them it must be
    known.
    """

    model: str
    protocol: str
    reason: str
    endpoint: NewEndpoint | None = None
    weights: Weights | None = None
    configuration: Mapping[str, Any] = field(default_factory=dict)
    facts: ImportedModel | None = None


@dataclass(frozen=True, slots=True)
class StartedRun:
    """A run that was started, or goes on.

    `is_local` is True if GPU workers ask it; `before` are the runs it continues, in order.
    """

    run: int
    model: str
    protocol: str
    forecast: Forecast
    is_new: bool
    is_local: bool
    before: tuple["StartedRun", ...] = ()


def start(
    session: Session, order: RunRequest, now: datetime, vault: Vault, check: RunCheck, actor: str = "operator"
) -> StartedRun:
    """Start a standing run, or find the active one; a cancelled one is followed by another trial.

    Also starts the runs whose answers it continues. The caller has checked the address. A caller that only wants the
    forecast rolls back. Raises InvalidInput, NotFound for unknown names, Conflict if the model, its endpoint or a run
    of it contradicts the request.
    """
    reason = check_reason(order.reason)
    order = replace(order, configuration=convert_configuration(order.configuration))
    plan.ensure_protocols(session)
    row, protocol, scenario = _protocol(session, order.protocol)
    before: tuple[StartedRun, ...] = ()
    if protocol.prerequisite is not None:
        last_before = start(session, replace(order, protocol=protocol.prerequisite), now, vault, check, actor)
        before = (*last_before.before, replace(last_before, before=()))
    model = _model(session, order, reason, now, actor)
    endpoint = _endpoint(session, model, order, now, vault)
    check(inference.spec_of(endpoint, None), protocol.sampling, order.configuration)
    last = announcements.last_run(session)
    run = _run(session, model, endpoint, row, order)
    is_new = run.id > last
    if is_new:
        revision.mark_axes_changed(session)
        announcements.announce_runs(session, [run.id], reason, now)
    logs.write_audit(
        session, now, actor, "run.started", f"{model.slug}/{run.id}", reason,
        after={"run": run.id, "endpoint": endpoint.id, "protocol": row.slug, "configuration": run.configuration},
    )  # fmt: skip
    expected = forecast(session, run, endpoint, protocol, scenario, now)
    return StartedRun(run.id, model.slug, row.slug, expected, is_new, endpoint.weights is not None, before)


def _protocol(session: Session, slug: str) -> tuple[ProtocolRow, Protocol, Scenario]:
    """Return a protocol under which models are asked, with its scenario."""
    row = run_store.protocol_by_slug(session, slug)
    if row is None:
        raise NotFound(f"there is no protocol {slug}; `./tidemark protocol list` lists them")
    protocol_revisions.check_asked(session, row.id)
    protocol = run_store.read_protocol(row.body)
    if protocol.imported or protocol.recorded or protocol.scenario not in scenarios():
        raise InvalidInput(f"no model is asked under the protocol {slug}", pointer="/protocol")
    if protocol.practice:
        raise InvalidInput(f"{slug} is for practice orders of vendors, which count nowhere", pointer="/protocol")
    return row, protocol, scenarios()[protocol.scenario]


def _model(session: Session, order: RunRequest, reason: str, now: datetime, actor: str) -> Model:
    model, facts = model_store.lock_model(session, order.model), order.facts
    if model is None and facts is None:
        raise NotFound(f"there is no model {order.model}; add it with `./tidemark model add`")
    if model is None and facts is not None:
        models.add(session, facts, reason, now, actor)
        model = model_store.lock_model(session, order.model)
    elif model is not None and facts is not None:
        _check_facts(model, facts)
    assert model is not None  # found, or added just now
    return model


def _check_facts(model: Model, facts: ImportedModel) -> None:
    """Refuse facts that contradict a known model: a cutoff must not change unnoticed at a start."""
    checks = (
        ("organisation", facts.organisation, model.organisation_name),
        ("release date", facts.released_on, model.released_on),
        ("cutoff", facts.cutoff_on, model.cutoff_on),
        ("evidence", facts.cutoff_evidence, model.cutoff_evidence),
        ("link", facts.link, model.link),
    )
    for name, stated, present in checks:
        if stated and stated != present:
            raise Conflict(
                f"{model.slug} already has the {name} {present or '-'}; leave it out (`./tidemark model cutoff` "
                "changes a cutoff)"
            )


def _endpoint(session: Session, model: Model, order: RunRequest, now: datetime, vault: Vault) -> Endpoint:
    if order.endpoint is not None and order.weights is not None:
        raise InvalidInput("give an endpoint or weights of our own, not both")
    if order.weights is not None:
        return local_weights.register(session, model, order.weights)
    if order.endpoint is not None and model.organisation_id is not None:
        raise Conflict(
            f"{model.slug} belongs to a vendor, who registers its endpoint; leave the endpoint out, or run it under a "
            "model of your own"
        )
    if order.endpoint is not None:
        return endpoints.register(session, model, order.endpoint, now, vault)
    registered = endpoint_store.of_model(session, model.id)
    if not registered:
        raise InvalidInput(f"{model.slug} has no endpoint yet: give its endpoint or its weights")
    if len(registered) > 1:
        names = ", ".join(f"{row.remote_name} ({row.backend})" for row in registered)
        raise InvalidInput(f"{model.slug} is served in several places: {names}; give the endpoint")
    if registered[0].stopped_at is not None:
        raise Conflict(f"the endpoint of {model.slug} was stopped: {registered[0].stopped_reason}; give it again")
    return registered[0]


def _run(session: Session, model: Model, endpoint: Endpoint, protocol: ProtocolRow, order: RunRequest) -> Run:
    """Return the standing run, or a new trial if there is none or maintainers cancelled theirs."""
    run = run_store.standing_run(session, model.id, protocol.id, order.configuration)
    if run is None:
        run = run_store.add_trial(session, model.id, endpoint.id, protocol.id, order.configuration)
        run.public = True
        session.flush()
    elif run.endpoint_id != endpoint.id:
        raise Conflict(f"{model.slug} has run {run.id} under {protocol.slug} at another endpoint; cancel it first")
    elif run.state != RunState.ACTIVE:
        why = f": {run.state_reason}" if run.state_reason else ""
        raise Conflict(f"run {run.id} is {run.state}{why}; resume it with `./tidemark run resume {run.id}`")
    return run

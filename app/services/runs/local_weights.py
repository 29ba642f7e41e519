"""Weights that we serve ourselves: their waiting samples, and the outcome of a slice."""

from dataclasses import replace
from datetime import datetime, timedelta

from app.db.kernel.leases import LeaseKind, new_lease
from app.db.kernel.session import Session
from app.db.runs import local_endpoints, samples
from app.db.runs import runs as run_store
from app.db.tables import Endpoint, Model
from app.domain.asking.weights import (
    GPU_QUEUE_PREFIX,
    DueWeights,
    ServingSetup,
    Weights,
    check_weights,
    dump_weights,
    load_weights,
)
from app.domain.consensus.limits import CONSENSUS_LIMITS, ConsensusLimits
from app.domain.errors import Conflict
from app.services.runs import inference, judge_state

SLICE_SAMPLES = 512  # an engine works on hundreds at once; with fewer it would be idle between slices
BACKEND = "vllm"  # every engine accepts its settings; the worker uses its own engine's back end


def waiting_weights(session: Session, now: datetime) -> list[DueWeights]:
    """Return the local endpoints that have samples due."""
    return [
        DueWeights(line.endpoint.id, _weights(line.endpoint), line.servers)
        for line in local_endpoints.due_endpoints(session, now)
    ]


def _weights(endpoint: Endpoint) -> Weights:
    assert endpoint.weights is not None
    return load_weights(endpoint.weights, endpoint.serving)


def gpu_queues(session: Session, now: datetime) -> list[str]:
    """Return the queues of live GPU workers."""
    all_workers = judge_state.workers(session, now)
    return sorted(
        {worker.queue for worker in all_workers if worker.queue.startswith(GPU_QUEUE_PREFIX) and not worker.silent}
    )


def open_slice(
    session: Session, chosen: DueWeights, served: ServingSetup, now: datetime, duration: timedelta,
    limit: int = SLICE_SAMPLES,
    bounds: ConsensusLimits = CONSENSUS_LIMITS,
) -> inference.LeasedSlice | None:  # fmt: skip
    """Take the next samples of weights that are being served, and record how; None when nothing is due any more.

    Only samples are taken, not the endpoint: each worker asks a server of its own, so that several may serve one model.
    """
    endpoint = local_endpoints.endpoint(session, chosen.endpoint_id)
    if endpoint is None or _weights(endpoint) != chosen.weights:
        return None
    lease = new_lease(now, duration, LeaseKind.SAMPLES)
    work = inference.fill_slice(session, endpoint, inference.spec_of(endpoint, None), lease, now, limit, bounds)
    if work is not None:
        local_endpoints.record_serving(session, set(work.runs), served, now)
    return work


def extend_slice(
    session: Session,
    work: inference.LeasedSlice,
    now: datetime,
    duration: timedelta,
    bounds: ConsensusLimits = CONSENSUS_LIMITS,
) -> inference.LeasedSlice | None:
    """Take the next samples of weights that a slice asks, under its own lease; None when nothing is due."""
    endpoint = local_endpoints.endpoint(session, work.endpoint.id)
    if endpoint is None:
        return None
    return inference.fill_slice(
        session, endpoint, work.endpoint, replace(work.lease, until=now + duration), now, SLICE_SAMPLES, bounds
    )


def close_slice(session: Session, work: inference.LeasedSlice, *, counts: bool) -> int:
    """Put unanswered samples back; return their number. `counts`: the server died, which counts as an attempt for each.

    Otherwise a prompt that ends its server would be asked for ever. Samples that failed with a dead server rest only
    until another is ready: the worker itself waits before it starts one.
    """
    if counts:
        samples.clear_rest(session, set(work.requests))
    return samples.return_slice(session, work.lease.token, counts=counts)


def register(session: Session, model: Model, weights: Weights) -> Endpoint:
    """Return the endpoint at which GPU workers serve a model's weights; settings may change until the first answer.

    Raises InvalidInput for weights that no engine can load, Conflict if the model is served otherwise already.
    """
    check_weights(weights)
    existing = local_endpoints.of_model(session, model.id, BACKEND, weights.name)
    if existing is not None and existing.weights is None:
        raise Conflict(f"{model.slug} is served at an address under this name")
    if existing is not None and _weights(existing) != weights and local_endpoints.has_answers(session, existing.id):
        raise Conflict(f"{model.slug} has answered with other weights or settings; serve these under another name")
    values = {"backend": BACKEND, "remote_name": weights.name, "base_url": "", "weights": weights.path,
              "serving": dump_weights(weights), "max_concurrency": min(1024, weights.max_running * 3 // 2),
              "stopped_at": None, "stopped_reason": None}  # fmt: skip
    return run_store.ensure_endpoint(session, model.id, values)

"""Weights that we serve ourselves: their waiting samples, and the outcome of a slice."""

from dataclasses import replace
from datetime import datetime, timedelta

from app.db.kernel.leases import Leased, new_lease
from app.db.kernel.session import Session
from app.db.runs import local, samples
from app.db.runs import runs as run_store
from app.db.tables import Endpoint, Model
from app.domain.asking.weights import GPU_QUEUES, Served, Waiting, Weights, body, check, read
from app.domain.errors import Conflict
from app.domain.setting.bounds import BOUNDS, Bounds
from app.services.runs import infer, judge_state

SLICE = 512  # an engine works on hundreds at once; with fewer it would be idle between slices
BACKEND = "vllm"  # every engine accepts its settings; the worker uses its own engine's back end


def waiting(session: Session, now: datetime) -> list[Waiting]:
    """Return the local endpoints that have samples due."""
    return [Waiting(line.endpoint.id, _weights(line.endpoint), line.servers) for line in local.waiting(session, now)]


def _weights(endpoint: Endpoint) -> Weights:
    assert endpoint.weights is not None
    return read(endpoint.weights, endpoint.serving)


def devices(session: Session, now: datetime) -> list[str]:
    """Return the queues of live GPU workers."""
    all_workers = judge_state.workers(session, now)
    return sorted({worker.queue for worker in all_workers if worker.queue.startswith(GPU_QUEUES) and not worker.silent})


def open_slice(
    session: Session, chosen: Waiting, served: Served, now: datetime, duration: timedelta, limit: int = SLICE,
    bounds: Bounds = BOUNDS,
) -> infer.Slice | None:  # fmt: skip
    """Take the next samples of weights that are being served, and record how; None when nothing is due any more.

    Only samples are taken, not the endpoint: each worker asks a server of its own, so that several may serve one model.
    """
    endpoint = local.endpoint(session, chosen.endpoint_id)
    if endpoint is None or _weights(endpoint) != chosen.weights:
        return None
    lease = new_lease(now, duration, Leased.SAMPLES)
    work = infer.fill_slice(session, endpoint, infer.spec_of(endpoint, None), lease, now, limit, bounds)
    if work is not None:
        local.note(session, set(work.runs), served, now)
    return work


def more(
    session: Session, work: infer.Slice, now: datetime, duration: timedelta, bounds: Bounds = BOUNDS
) -> infer.Slice | None:
    """Take the next samples of weights that a slice asks, under its own lease; None when nothing is due."""
    endpoint = local.endpoint(session, work.endpoint.id)
    if endpoint is None:
        return None
    return infer.fill_slice(
        session, endpoint, work.endpoint, replace(work.lease, until=now + duration), now, SLICE, bounds
    )


def close_slice(session: Session, work: infer.Slice, *, counts: bool) -> int:
    """Put unanswered samples back; return their number. `counts`: the server died, which counts as an attempt for each.

    Otherwise a prompt that ends its server would be asked for ever. Samples that failed with a dead server rest only
    until another is ready: the worker itself waits before it starts one.
    """
    if counts:
        samples.rest_no_more(session, set(work.requests))
    return samples.hand_back(session, work.lease.token, counts=counts)


def register(session: Session, model: Model, weights: Weights) -> Endpoint:
    """Return the endpoint at which GPU workers serve a model's weights; settings may change until the first answer.

    Raises InvalidInput for weights that no engine can load, Conflict if the model is served otherwise already.
    """
    check(weights)
    existing = local.of_model(session, model.id, BACKEND, weights.name)
    if existing is not None and existing.weights is None:
        raise Conflict(f"{model.slug} is served at an address under this name")
    if existing is not None and _weights(existing) != weights and local.was_asked(session, existing.id):
        raise Conflict(f"{model.slug} has answered with other weights or settings; serve these under another name")
    values = {"backend": BACKEND, "remote_name": weights.name, "base_url": "", "weights": weights.path,
              "serving": body(weights), "max_concurrency": min(1024, weights.max_running * 3 // 2),
              "stopped_at": None, "stopped_reason": None}  # fmt: skip
    return run_store.ensure_endpoint(session, model.id, values)

"""The service's state as JSON, and the probes and metrics for operators' monitors."""

from dataclasses import asdict
from typing import Any

from fastapi import APIRouter, Request
from fastapi.encoders import jsonable_encoder
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Gauge, generate_latest
from starlette.responses import JSONResponse, Response
from structlog import get_logger

from app.api.deps import Now, ReadSession, State
from app.api.description import file_response, json_response
from app.api.schemas.public import ServiceLiveness, ServiceReadiness
from app.db.kernel.errors import DatabaseDown
from app.db.kernel.session import Session
from app.domain.sources.contest_progress import ContestProgress
from app.services.boards import board_views
from app.services.operations import contest_progress, gpus, health_views
from app.services.operations.health_views import StatusView
from app.services.operations.pauses import pauses
from app.services.runs import judge_state

log = get_logger(__name__)
router = APIRouter(tags=["public"])


@router.get("/api/v1/status", operation_id="get_status", responses=json_response(StatusView))
def status(state: State, session: ReadSession, now: Now) -> Any:
    """Return the state of the service: freshness of sources, queues, judging, and paused work."""
    return jsonable_encoder(asdict(health_views.status(session, now, state.pauses(session))))


@router.get(
    "/api/v1/status/contests", operation_id="list_contests", responses=json_response(tuple[ContestProgress, ...])
)
def contests(session: ReadSession, now: Now) -> Any:
    """List the last contests, newest first: the steps of each on its way to the board, and what of it is held."""
    return jsonable_encoder([asdict(contest) for contest in contest_progress.contests(session, now)])


@router.get(
    "/healthz", operation_id="get_liveness", response_model=dict[str, str], responses=json_response(ServiceLiveness)
)
async def healthz() -> ServiceLiveness:
    """Answer while the process runs. This does not check the database, the broker or anything else that it needs."""
    return {"status": "up"}


@router.get(
    "/readyz",
    operation_id="get_readiness",
    responses=json_response(ServiceReadiness)
    | json_response(ServiceReadiness, 503, "Something is missing; the body says what."),
)
def readyz(state: State, now: Now) -> JSONResponse:
    """Check the whole service: database, broker, workers and judging. 503 if something is missing."""
    try:
        with state.sessions() as session:
            reasons = health_views.readiness(session, now, state.pauses(session)) + board_views.readiness(
                session, state.cubes
            )
    except DatabaseDown:  # its message names hosts and users, so it is only logged
        log.exception("database.down")
        reasons = ["the database does not answer"]
        reasons += [f"work paused: {pause.public}" for pause in pauses(None, state.shortage())]
    if not state.broker_alive():
        reasons.append("the broker does not answer")
    body: ServiceReadiness = {"status": "not ready" if reasons else "ready", "reasons": reasons}
    return JSONResponse(body, status_code=503 if reasons else 200, headers={"Cache-Control": "no-store"})


@router.get("/metrics", operation_id="get_metrics", response_class=Response, responses=file_response("text/plain"))
def metrics(request: Request, state: State, now: Now) -> Response:
    """Return metrics in Prometheus' text format: requests of all processes of this site, and queues in the database."""
    registry = CollectorRegistry()
    registry.register(request.app.state.measures)
    try:
        with state.sessions() as session:
            _add_queue_metrics(session, now, registry)
            _add_gpu_metrics(session, now, registry)
        up = 1
    except DatabaseDown:
        up = 0
    Gauge("tidemark_database_up", "Whether the database answered.", registry=registry).set(up)
    return Response(generate_latest(registry), media_type=CONTENT_TYPE_LATEST)


def _add_queue_metrics(session: Session, now: Now, registry: CollectorRegistry) -> None:
    samples = Gauge("tidemark_samples", "Answers by state.", ["state"], registry=registry)
    oldest = Gauge("tidemark_samples_oldest_seconds", "Age of the oldest answer.", ["state"], registry=registry)
    for depth in health_views.depths(session):
        samples.labels(depth.state).set(depth.count)
        oldest.labels(depth.state).set((now - depth.oldest).total_seconds() if depth.oldest else 0)
    grading = Gauge("tidemark_grading_ready", "Whether answers are being judged.", registry=registry)
    grading.set(judge_state.grading_state(session, now).ready)
    late = judge_state.find_judging_backlog(session, now)
    bound = f"{judge_state.JUDGED_WITHIN.seconds // 60} minutes"
    unjudged = Gauge("tidemark_unjudged", f"Answers that a judge has left for over {bound}.", registry=registry)
    unjudged.set(late.answers)
    first = Gauge("tidemark_unjudged_seconds", "How long the first of these has waited.", registry=registry)
    first.set((now - late.since).total_seconds() if late.since else 0)
    workers = judge_state.workers(session, now)
    slowness = Gauge("tidemark_grading_slowness", "What time limits are multiplied by.", ["worker"], registry=registry)
    for worker in workers:
        if worker.slowness is not None and not worker.silent:
            slowness.labels(worker.name).set(worker.slowness)
    alive = Gauge("tidemark_workers", "Workers heard of lately.", ["queue"], registry=registry)
    for queue, count in health_views.count_alive(workers).items():
        alive.labels(queue).set(count)
    hindered = Gauge(
        "tidemark_workers_hindered", "Workers whose disk is full or whose clock is wrong.", ["queue"], registry=registry
    )
    for queue, count in (dict.fromkeys(health_views.QUEUES, 0) | health_views.count_hindered(workers)).items():
        hindered.labels(queue).set(count)
    Gauge("tidemark_board_revision", "Revision of the cells.", registry=registry).set(board_views.revision(session))


def _add_gpu_metrics(session: Session, now: Now, registry: CollectorRegistry) -> None:
    """Add what GPU workers reported of themselves lately."""
    descriptions = {
        "running": "Requests that the server works on.",
        "waiting": "Requests that wait within the server.",
        "cache": "Share of the server's cache in use.",
        "tokens_per_s": "Tokens made a second.",
        "restarts": "How often its servers died or did not start.",
    }
    labels = ["worker", "model"]
    gauges = {
        name: Gauge(f"tidemark_gpu_{name}", description, labels, registry=registry)
        for name, description in descriptions.items()
    }
    for worker in gpus.gpu_workers(session, now):
        for name, gauge in gauges.items():
            value = getattr(worker, name)
            if value is not None and not worker.silent:
                gauge.labels(worker.name, worker.model or "").set(value)

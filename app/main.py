"""The site's entry point: one FastAPI application with the pages, the API and the health probes, in a few processes."""

import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import UTC, datetime
from typing import Any, Final

import uvicorn
from anyio.to_thread import current_default_thread_limiter
from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from redis import Redis
from redis.exceptions import RedisError
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import DEFAULT_EXCLUDED_CONTENT_TYPES, GZipMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from structlog import get_logger
from structlog.contextvars import get_contextvars

from app import forks
from app.api import board_files, boards, evidence, ledger, problem_json, public, ratings, runs, snapshots, vendors
from app.api.connections import TimeLimitedProtocol
from app.api.description import DescribedApp
from app.api.events import EventHub
from app.api.http import REQUEST_ID, SECURITY_HEADERS, SecurityMiddleware
from app.api.metrics import RequestMetrics
from app.api.shared_responses import PackedResponse, SharedResponses, SharingRules
from app.api.vendors.context import VendorContext
from app.computation_slots import ComputationSlots
from app.config import Settings
from app.db.kernel.errors import DatabaseDown
from app.db.kernel.session import Engine, make_engine, make_sessionmaker
from app.domain.errors import TidemarkError, Unavailable
from app.log import configure_logging
from app.memory import freeze_memory
from app.rate_limits import RateLimiter
from app.response_cache import ResponseCache
from app.services.boards import board_views
from app.services.boards.board_views import CubeStore
from app.services.operations import alerts
from app.services.operations.web_state import WebState
from app.services.runs.endpoint_secrets import Vault
from web.authentication import COOKIE
from web.context import locale_of, page_of
from web.i18n import negotiate_locale
from web.pages.board import board_page
from web.pages.errors import error_page
from web.render import AGE_SLOT, age_notice
from web.site import SHARED_PAGES, routes
from workers.broker import Waker, make_app

log = get_logger(__name__)

# Handlers that run at once, in all processes of the site together. Each may hold a connection; a process keeps half
# of its own open, and a pool opens as many again when they are needed.
HANDLER_THREADS = 40
# Content types that are compressed already: doing it again takes time and saves nothing.
COMPRESSED_TYPES = (*DEFAULT_EXCLUDED_CONTENT_TYPES, "application/vnd.apache.parquet", "application/zip")

# Uvicorn's options.
SERVER_OPTIONS: Final[Mapping[str, Any]] = {
    "http": TimeLimitedProtocol,
    "ws": "none",
    "log_config": None,
    "access_log": False,
    "server_header": False,
    "date_header": True,
    "timeout_graceful_shutdown": 3,  # an open stream must not hold up the end
    "h11_max_incomplete_event_size": 32 * 1024,
    "timeout_keep_alive": 30,
}


def create_app(settings: Settings | None = None, processes: int = 1) -> FastAPI:
    """Return the application over given settings (the environment's if None), as one of `processes` processes.

    Nothing is opened yet: no connection, thread or event loop.
    """
    settings = settings or Settings()
    threads = max(HANDLER_THREADS // processes, 1)
    engine = make_engine(settings.database_url, pool_size=(threads + 1) // 2)
    wake = Waker(make_app(settings.redis_url))
    state = WebState(
        sessions=make_sessionmaker(engine),
        cubes=CubeStore(settings.state_dir / "cubes"),
        now=lambda: datetime.now(UTC),
        broker_alive=_broker_probe(settings),
        wake=wake,
        public_url=settings.public_url.rstrip("/"),
        vault=Vault(settings.key_or_none()),
        shortage=settings.shortage,
    )
    app = DescribedApp(
        title="Tidemark",
        version="1",
        description="Leaderboards over any window of contest dates, and what stands behind them.",
        servers=[{"url": state.public_url}],
        openapi_url="/api/v1/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=_lifespan_of(engine, threads),
    )
    app.state.web = state
    app.state.settings = settings
    app.state.measures = RequestMetrics(processes)
    app.state.rate_limiter = _rate_limiter(app, settings)
    # The other threads are for requests that are answered at once, however many visitors ask for boards.
    app.state.computation_slots = ComputationSlots(max(threads // 2, 1))
    app.state.response_cache = ResponseCache[PackedResponse](_board_state(app), builders=max(threads // 2, 1))
    app.state.runs = EventHub(runs.make_update_reader(state))
    app.state.vendors = VendorContext(vault=state.vault, allow=settings.endpoint_allow, wake=wake)
    # Files of a board first: a board's own route would take their endings for part of its name.
    faces = (board_files, boards, ratings, evidence, snapshots, ledger, public, runs)
    for router in (*(face.router for face in faces), *vendors.ROUTERS):
        # Extended and not included: each route would be built once more at the first request.
        app.router.routes.extend(router.routes)
    app.router.routes.extend(routes())
    _answer_errors(app)
    app.add_middleware(GZipMiddleware, minimum_size=600, compresslevel=6, exclude_content_types=COMPRESSED_TYPES)
    app.add_middleware(SharedResponses, cache=app.state.response_cache, sharing=_sharing(), routes=app.router.routes)
    app.add_middleware(SecurityMiddleware, measures=app.state.measures)
    return app


def _lifespan_of(engine: Engine, threads: int) -> Callable[[FastAPI], AbstractAsyncContextManager[None]]:
    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        current_default_thread_limiter().total_tokens = threads
        yield
        engine.dispose()

    return lifespan


def _board_state(app: FastAPI) -> Callable[[], Awaitable[Hashable]]:
    """Return a reader of the state that boards are made from; it gives None if the database does not answer."""

    def read() -> Hashable:
        state: WebState = app.state.web
        with state.sessions() as session:
            return board_views.page_state(session, state.now())

    async def read_in_thread() -> Hashable:
        try:
            return await run_in_threadpool(read)
        except DatabaseDown:  # making the answer then raises it for the visitor
            return None

    return read_in_thread


def _sharing() -> SharingRules:
    """Return the answers that are the same for all visitors who are not signed in; health and metrics are not."""
    by_state: dict[Callable[..., Any], bool] = {handler: handler is board_page for handler in SHARED_PAGES}
    for face in (board_files, boards, ratings, evidence, snapshots, ledger, public):
        for route in face.router.routes:
            if isinstance(route, APIRoute) and route.path.startswith("/api/") and route.methods == {"GET"}:
                by_state[route.endpoint] = face is board_files or route.endpoint in (boards.board, boards.board_csv)
    return SharingRules(by_state, _opens_tab, _locale, AGE_SLOT, age_notice, COOKIE)


def _opens_tab(query: bytes) -> bool:
    """Return True for a query of a board's tab: ratings and skills change without the board."""
    return b"tab=" in query


def _locale(path: str, accept_language: str) -> str:
    return "" if path.startswith("/api/") or locale_of(path) is not None else negotiate_locale(accept_language)


def _broker_probe(settings: Settings) -> Callable[[], bool]:
    client = Redis.from_url(settings.plain_redis_url(), socket_timeout=2, socket_connect_timeout=2)

    def alive() -> bool:
        try:
            return bool(client.ping())
        except (RedisError, OSError):
            return False

    return alive


def _rate_limiter(app: FastAPI, settings: Settings) -> RateLimiter:
    client = Redis.from_url(settings.plain_redis_url(), socket_timeout=0.25, socket_connect_timeout=0.25)

    def raise_alert(error: str) -> None:
        state: WebState = app.state.web
        try:
            with state.sessions.begin() as session:
                alerts.raise_uncounted_limits(session, error, state.now())
        except DatabaseDown as down:  # the request that asks it next says so
            log.warning("alert.not_stored", error=str(down).splitlines()[0])

    return RateLimiter(client, settings.rate_limits(), raise_alert)


def _answer_errors(app: FastAPI) -> None:
    """Answer each kind of failure with a page or with problem+json, whichever the caller reads."""

    def ours(request: Request, error: Exception) -> Response:
        assert isinstance(error, TidemarkError)  # registered for it below
        status = problem_json.status_of(error)
        if status == 500:
            log.error("request.failed", path=request.url.path, exc_info=error)
        return (
            problem_json.error_response(error) if _wants_json(request) else error_page(page_of(request), status, error)
        )

    def database_down(request: Request, error: Exception) -> Response:
        log.error("database.down", path=request.url.path, error=str(error).splitlines()[0])
        return ours(request, Unavailable("the database does not answer"))

    def http(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)  # registered for it below
        if _wants_json(request):
            return problem_json.http_error_response(error)
        answer = error_page(page_of(request), error.status_code)
        answer.headers.update(error.headers or {})
        return answer

    def invalid(_request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)  # registered for it below
        return problem_json.validation_response(error)

    def gone(_request: Request, _error: Exception) -> Response:
        return Response(status_code=400)  # not received: the client left, or was cut off, before its body arrived

    def unexpected(request: Request, error: Exception) -> Response:
        log.error("request.failed", path=request.url.path, exc_info=error)
        answer = problem_json.internal_error() if _wants_json(request) else error_page(page_of(request), 500)
        # This response does not pass through Guard.
        answer.headers.update({**SECURITY_HEADERS, REQUEST_ID: get_contextvars().get("request_id", "")})
        return answer

    app.add_exception_handler(TidemarkError, ours)
    app.add_exception_handler(HTTPException, http)
    app.add_exception_handler(RequestValidationError, invalid)
    for kind in DatabaseDown:
        app.add_exception_handler(kind, database_down)
    app.add_exception_handler(ClientDisconnect, gone)
    app.add_exception_handler(Exception, unexpected)


def _wants_json(request: Request) -> bool:
    path, accept = request.url.path, request.headers.get("accept", "")
    if path.startswith("/api/") or path in {"/healthz", "/readyz", "/metrics"}:
        return True
    return "json" in accept and "text/html" not in accept


def server_options(settings: Settings) -> dict[str, Any]:
    """Return uvicorn's options for an installation, with the proxies whose `X-Forwarded-For` is trusted."""
    # A socket that listens at `::` reports an IPv4 proxy by its mapped address.
    mapped = (
        f"::ffff:{network.network_address}/{96 + network.prefixlen}"
        for network in settings.proxies
        if network.version == 4
    )
    return {**SERVER_OPTIONS, "forwarded_allow_ips": [*map(str, settings.proxies), *mapped]}


def main() -> None:
    """Serve the site as the settings say, until told to stop."""
    settings = Settings()
    configure_logging(settings)
    processes = settings.web_processes if forks.IS_SAFE else 1
    app = create_app(settings, processes)
    freeze_memory()
    if processes == 1:
        uvicorn.run(app, host=settings.host, port=settings.port, **server_options(settings))
        return
    with _listening(settings.host, settings.port) as listener:
        log.info("site.listening", host=settings.host, port=listener.getsockname()[1], processes=processes)

        def serve(process: int) -> None:
            app.state.measures.select_process(process)
            uvicorn.Server(uvicorn.Config(app, **server_options(settings))).run(sockets=[listener])

        forks.run_processes(processes, "web", serve)


def _listening(host: str, port: int) -> socket.socket:
    """Return a socket that every process of the site accepts from: a free process takes the next connection."""
    # Without the protocol number, accepted connections would delay small packets.
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError as taken:
        listener.close()
        raise SystemExit(f"cannot listen on {host} port {port}: {taken.strerror}") from taken
    return listener


if __name__ == "__main__":
    main()

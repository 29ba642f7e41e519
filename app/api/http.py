"""Middleware for every response: security and cache headers, request limits, HEAD, and request counts."""

import re
import time
from collections.abc import Iterator, MutableMapping
from typing import Any, Final
from uuid import uuid4

from starlette.exceptions import HTTPException
from starlette.routing import Match
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from structlog.contextvars import bind_contextvars

from app.api.metrics import METHODS, RequestMetrics
from app.api.problem_json import CURRENT_REQUEST, RequestFacts, error_response, problem_response
from app.domain.addresses import visitor_key
from app.rate_limits import RATE_LIMITS, LimitReached, RateLimiter, rate_limit_headers

MAX_BODY_BYTES = 1024 * 1024
MAX_QUERY_BYTES = 16 * 1024
MAX_PATH_CHARS = 2048
_TOO_LARGE = f"a request may hold at most {MAX_BODY_BYTES} bytes"

CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
SECURITY_HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "X-Frame-Options": "DENY",
}
REQUEST_ID: Final = "X-Request-ID"
_PLAIN_ID = re.compile(rb"[A-Za-z0-9._-]{1,64}")
_SECURITY_DEFAULTS = [(name.lower().encode(), value.encode()) for name, value in SECURITY_HEADERS.items()]


class SecurityMiddleware:
    """ASGI middleware for security headers, HEAD (answered as GET without a body), and limits on the request's size.

    Each response has an `X-Request-ID`, which every log event of its request carries: the caller's own if it is a plain
    word, else a new one.

    A response without a Cache-Control must be revalidated on every use, and must not be stored if a key was sent.

    A response to a request that a limit counts says how much of the limit is left.

    A redirect names a path and never a host, and a 405 lists every method that its address takes.
    """

    def __init__(self, app: ASGIApp, measures: RequestMetrics) -> None:
        self._app = app
        self._measures = measures

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started, status, head = time.monotonic(), 500, scope["method"] == "HEAD"
        request_id = _request_id(scope)
        bind_contextvars(request_id=request_id)  # the task's own context, so errors logged after this call have it
        CURRENT_REQUEST.set(RequestFacts(request_id, f"{scope['app'].state.web.public_url}/errors"))
        scope.setdefault("state", {})

        async def answer(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                id_header = (REQUEST_ID.lower().encode(), request_id.encode())
                message["headers"] = [
                    *_correct_headers(message, inner),
                    *_default_headers(message, scope),
                    *rate_limit_headers(scope["state"].get(RATE_LIMITS, ())),
                    id_header,
                ]
            elif head:
                message["body"] = b""
            await send(message)

        inner: MutableMapping[str, Any] = {**scope, "method": "GET"} if head else scope
        try:
            refusal = _find_refusal(scope) or _find_limit(scope)
            if refusal is not None:
                await refusal(scope, receive, answer)
            else:
                await self._app(inner, _LimitedBody(receive), answer)
        finally:
            self._measures.count_request(inner, status, time.monotonic() - started)


def _request_id(scope: Scope) -> str:
    for name, value in scope["headers"]:
        if name == REQUEST_ID.lower().encode() and _PLAIN_ID.fullmatch(value):
            return str(value.decode())
    return uuid4().hex


def _correct_headers(message: Message, scope: MutableMapping[str, Any]) -> Iterator[tuple[bytes, bytes]]:
    for name, value in message.get("headers", []):
        if name == b"location":
            yield name, _local_path(value)
        elif name == b"allow" and message["status"] == 405:
            yield name, ", ".join(_allowed_methods(scope)).encode()
        else:
            yield name, value


def _local_path(location: bytes) -> bytes:
    # The router builds the address from the Host header, which the caller controls. All our redirects stay on this
    # site; two slashes at the start would name a host again.
    scheme, absolute, rest = location.partition(b"://")
    path = rest.partition(b"/")[2] if absolute and scheme in {b"http", b"https"} else location
    return b"/" + path.lstrip(b"/")


def _allowed_methods(scope: MutableMapping[str, Any]) -> list[str]:
    def accepts(method: str) -> bool:
        request = {**scope, "method": method}
        return any(route.matches(request)[0] is Match.FULL for route in scope["app"].routes)

    return [method for method in METHODS if accepts("GET" if method == "HEAD" else method)]


def _default_headers(message: Message, scope: Scope) -> list[tuple[bytes, bytes]]:
    given = {name.lower(): value for name, value in message.get("headers", [])}
    present = set(given)
    if b"frame-ancestors *" in given.get(b"content-security-policy", b""):
        present.add(b"x-frame-options")  # it would forbid what the policy allows
    with_key = any(name == b"authorization" for name, _value in scope["headers"])
    caches = (b"cache-control", b"no-store" if with_key else b"no-cache")
    return [(name, value) for name, value in (*_SECURITY_DEFAULTS, caches) if name not in present]


def _find_refusal(scope: Scope) -> ASGIApp | None:
    lengths = [value for name, value in scope["headers"] if name == b"content-length"]
    if any(not value.isdigit() or int(value[:20]) > MAX_BODY_BYTES for value in lengths):
        return problem_response(413, _TOO_LARGE, code="too_large")
    if len(scope["query_string"]) > MAX_QUERY_BYTES or len(scope["path"]) > MAX_PATH_CHARS:
        return problem_response(413, "the address is too long", code="too_large")
    return None


def _find_limit(scope: Scope) -> ASGIApp | None:
    """Return the answer to a request with an unknown key from an address that sent too many of them."""
    keys = [value for name, value in scope["headers"] if name == b"authorization"]
    if keys and scope.get("client"):
        try:
            limiter: RateLimiter = scope["app"].state.rate_limiter
            key = keys[0].decode("latin-1").partition(" ")[2].strip()
            limiter.check_blocked(key, visitor_key(scope["client"][0]))
        except LimitReached as limit:
            scope["state"][RATE_LIMITS] = (limit.count,)
            return error_response(limit)
    return None


class _LimitedBody:
    """A receive callable that raises 413 when a body, with or without a declared length, exceeds the limit."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._seen = 0

    async def __call__(self) -> Message:
        message = await self._receive()
        if message["type"] == "http.request":
            self._seen += len(message.get("body", b""))
            if self._seen > MAX_BODY_BYTES:
                raise HTTPException(413, _TOO_LARGE)
        return message

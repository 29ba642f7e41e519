"""One call on the wire: send it, read a bounded body, and say what a refusal means."""

import asyncio
import math
import ssl
import time
import zlib
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from email.utils import parsedate_to_datetime
from functools import cache

import httpx

from app.domain.addresses import Network
from app.domain.asking.completions import Completion, EndpointSpec, FailureOwner, InferenceRequest, Retry
from app.domain.errors import AddressRefused, InvalidInput
from workers.inference.backends import Backend, HttpCall, Refusal, Unreadable
from workers.inference.echoes import clean_answer, clean_words
from workers.net import PinnedTransport

_CONNECTIONS = 8  # per httpx client: the cost of a request grows with the size of its pool
_CONNECT_S = 10.0
_MOST_BYTES = 16 * 1024 * 1024  # a response larger than this is not read to its end
_LONGEST_WAIT_S = 24 * 3600.0
_REASON_CHARS = 300

_WRONG_ADDRESS_OR_KEY = frozenset({401, 402, 403, 404, 405, 410})
_PASSING = frozenset({408, 409, 425, 429})


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why a call brought no completion; `wait_s` is the endpoint's own word on when to come back."""

    reason: str
    retry: Retry
    owner: FailureOwner = FailureOwner.VENDOR
    rate_limited: bool = False
    wait_s: float | None = None


@dataclass(slots=True)
class Shard:
    """One httpx client and how many of its connections are busy."""

    client: httpx.AsyncClient = field(repr=False)
    busy: int = 0


@asynccontextmanager
async def shards(endpoint: EndpointSpec, allow: Sequence[Network], connections: int) -> AsyncIterator[list[Shard]]:
    """Clients of at most 8 connections each, enough for `connections`, closed at the end."""
    tls = _authorities()
    async with AsyncExitStack() as stack:
        clients: list[Shard] = []
        for _ in range(math.ceil(connections / _CONNECTIONS)):
            client = httpx.AsyncClient(
                transport=_transport(endpoint, allow, tls),
                timeout=httpx.Timeout(None, connect=_CONNECT_S),  # the whole call has one timeout, in `ask_once`
                headers={"user-agent": "tidemark", "accept-encoding": "identity"},
                follow_redirects=False,
                trust_env=False,
            )
            clients.append(Shard(await stack.enter_async_context(client)))
        yield clients


@cache
def _authorities() -> ssl.SSLContext:
    """Whom all clients of this process trust; reading the list takes 30 ms."""
    return httpx.create_ssl_context()


def _transport(endpoint: EndpointSpec, allow: Sequence[Network], tls: ssl.SSLContext) -> httpx.AsyncBaseTransport:
    if endpoint.trusted:
        limits = httpx.Limits(max_connections=_CONNECTIONS, max_keepalive_connections=_CONNECTIONS)
        return httpx.AsyncHTTPTransport(verify=tls, trust_env=False, limits=limits)
    return PinnedTransport(tls, allow=allow, connections=_CONNECTIONS)


async def ask_once(
    client: httpx.AsyncClient,
    backend: Backend,
    endpoint: EndpointSpec,
    request: InferenceRequest,
    *,
    timeout_s: float,
    clock: Callable[[], datetime],
) -> Completion | Trouble:
    """Send one request once and read its answer within `timeout_s`; every failure comes back as Trouble.

    Neither a reason nor an answer holds the endpoint's secret, whatever the endpoint or a library put into it.
    """
    try:
        call = backend.build(endpoint, request)
        async with asyncio.timeout(timeout_s):
            reply = await _post(client, call)
    except (TimeoutError, httpx.TimeoutException):
        return Trouble(f"did not answer within {timeout_s:g} s", Retry.LATER)
    except (AddressRefused, InvalidInput) as refused:
        return Trouble(_redact(str(refused), endpoint), Retry.STOP)
    except (httpx.LocalProtocolError, httpx.InvalidURL, httpx.UnsupportedProtocol, UnicodeError):
        # Raised before anything is sent; their messages quote the headers, hence the secret.
        return Trouble("the address or the secret cannot be sent in an HTTP request", Retry.STOP)
    except httpx.ConnectError as error:
        return Trouble(_redact(f"cannot be reached: {error}", endpoint), Retry.LATER)
    except httpx.HTTPError as error:
        return Trouble(f"broke the connection ({type(error).__name__})", Retry.LATER)
    if isinstance(reply, Trouble):
        return reply
    return _read_reply(reply, backend, endpoint, clock)


@dataclass(frozen=True, slots=True)
class _Reply:
    status: int
    headers: httpx.Headers
    body: bytes
    latency_ms: float


async def _post(client: httpx.AsyncClient, call: HttpCall) -> _Reply | Trouble:
    started = time.perf_counter()
    async with client.stream("POST", call.url, headers=dict(call.headers), content=call.body) as response:
        chunks: list[bytes] = []
        size = 0
        async for chunk in response.aiter_raw():
            chunks.append(chunk)
            size += len(chunk)
            if size > _MOST_BYTES:
                return Trouble(f"answered more than {_MOST_BYTES >> 20} MiB", Retry.LATER)
        latency_ms = (time.perf_counter() - started) * 1000
    body = _decoded(b"".join(chunks), response.headers.get("content-encoding", "identity"))
    if body is None:
        return Trouble("answered in an encoding nobody asked for", Retry.LATER)
    return _Reply(response.status_code, response.headers, body, latency_ms)


def _decoded(body: bytes, encoding: str) -> bytes | None:
    """The plain body, at most as large as a response may be; None when it is none.

    Plain bodies are asked for; gzip is read all the same, since some gateways always send it.
    """
    if encoding.strip().lower() in ("", "identity"):
        return body
    if encoding.strip().lower() != "gzip":
        return None
    try:
        unzip = zlib.decompressobj(wbits=31)
        plain = unzip.decompress(body, _MOST_BYTES)
    except zlib.error:
        return None
    return plain if unzip.eof else None


def _read_reply(
    reply: _Reply, backend: Backend, endpoint: EndpointSpec, clock: Callable[[], datetime]
) -> Completion | Trouble:
    if 200 <= reply.status < 300:
        parsed = backend.parse(reply.body, reply.latency_ms)
        if isinstance(parsed, Unreadable):
            return Trouble(_redact(parsed.reason, endpoint), Retry.LATER)
        return clean_answer(parsed, endpoint.secret)
    if 300 <= reply.status < 400:
        return Trouble(f"answered a redirect ({reply.status}); redirects are not followed", Retry.STOP)
    refusal = backend.parse_error(reply.body)
    detail = f": {refusal.message}" if refusal.message else ""
    reason = _redact(f"answered {reply.status}{detail}", endpoint)
    retry = _what_next(reply.status, refusal)
    wait_s = _retry_after(reply.headers, clock) if retry is Retry.LATER else None
    return Trouble(reason, retry, rate_limited=retry is Retry.LATER and reply.status == 429, wait_s=wait_s)


def _what_next(status: int, refusal: Refusal) -> Retry:
    if refusal.exhausted or status in _WRONG_ADDRESS_OR_KEY:
        return Retry.STOP
    return Retry.LATER if status in _PASSING or status >= 500 else Retry.NEVER


def _retry_after(headers: httpx.Headers, clock: Callable[[], datetime]) -> float | None:
    """Seconds to wait, from `retry-after-ms`, or `retry-after` in seconds or as an HTTP date; None if neither."""
    for name, scale in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            seconds = float(headers.get(name, "")) * scale
        except ValueError:
            continue
        if math.isfinite(seconds):
            return min(max(0.0, seconds), _LONGEST_WAIT_S)
    try:
        then = parsedate_to_datetime(headers.get("retry-after", ""))
        return min(max(0.0, (then - clock()).total_seconds()), _LONGEST_WAIT_S)
    except (ValueError, TypeError, OverflowError):  # TypeError: a date without a zone
        return None


def _redact(text: str, endpoint: EndpointSpec) -> str:
    plain = clean_words(text, endpoint.secret)
    return plain if len(plain) <= _REASON_CHARS else plain[: _REASON_CHARS - 1] + "…"

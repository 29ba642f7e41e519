"""One call on the wire: send it, read a bounded body, and decide what a refusal means."""

import asyncio
import math
import re
import ssl
import zlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass, replace
from datetime import datetime
from email.utils import parsedate_to_datetime
from functools import cache

import aiohttp
import httpx

from app.domain.addresses import Network
from app.domain.asking.completions import (
    Completion,
    EndpointSpec,
    FailureOwner,
    FinishReason,
    InferenceRequest,
    Retry,
)
from app.domain.errors import AddressRefused, InvalidInput, NotFound
from app.domain.reasons import Params, Reason, error_reason, map_text
from workers.inference.backends import Backend, HttpCall, RecordedBody, Refusal, UnreadableResponse
from workers.inference.backends._completion import EMPTY_ANSWER_TOKENS
from workers.inference.redaction import clean_answer, clean_words
from workers.net import CONNECT_S, HostClient, connection_reason, open_host, refusal_in

_MAX_BODY_BYTES = 16 * 1024 * 1024  # a response larger than this is not read to its end
_MAX_STREAM_BYTES = 64 * 1024 * 1024  # a stream is longer than the same answer in one body
_SILENCE_S = 60.0  # a stream that began and is silent for this long has died, whatever the limit of the call
# Limits by default: to begin a stream or to answer at once, and for a whole stream.
_BEGIN_S, _STREAM_S = 600.0, 3600.0
_MARK_BYTES = 64  # at least the length of a token's mark, which may be split between two chunks
_RETRY_AFTER_MAX_S = 3600.0
_MAX_REASON_CHARS = 300
_UNIT_S = {"h": 3600.0, "m": 60.0, "s": 1.0, "ms": 0.001}
_DURATION_PART = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)(ms|[hms])")
_DURATION = re.compile(rf"(?:{_DURATION_PART.pattern}){{1,4}}")

_WRONG_ADDRESS_OR_KEY = frozenset({401, 402, 403, 404, 405, 410})
_TEMPORARY = frozenset({408, 409, 425, 429})


@dataclass(frozen=True, slots=True)
class CallFailure:
    """The reason why a call brought no completion; `wait_s` is the wait that the endpoint asked for, in seconds.

    `replied`: a whole response came, so that no network is to blame.
    """

    reason: str
    retry: Retry
    owner: FailureOwner = FailureOwner.VENDOR
    rate_limited: bool = False
    wait_s: float | None = None
    replied: bool = False


# One answer, or the answers to a request for several, in their order.
Reply = Completion | CallFailure | tuple[Completion | CallFailure, ...]


def open_endpoint(
    backend: Backend, endpoint: EndpointSpec, allow: Sequence[Network], connections: int
) -> AbstractAsyncContextManager[HostClient | None]:
    """Open a client of an endpoint's host; None for recorded answers, which need no call.

    Raises AddressRefused for a base URL that may never be called.
    """
    if backend.locate is not None:
        return nullcontext()
    return open_host(
        endpoint.base_url, _trusted_authorities(), allow=allow, connections=connections, trusted=endpoint.trusted
    )


@cache
def _trusted_authorities() -> ssl.SSLContext:
    """Return the certificate authorities that all clients of this process trust; reading the list takes 30 ms."""
    return httpx.create_ssl_context()


async def ask_once(
    way: HostClient | None,
    backend: Backend,
    endpoint: EndpointSpec,
    request: InferenceRequest,
    *,
    timeout_s: float | None = None,
    clock: Callable[[], datetime],
) -> Reply:
    """Send one request once and read its answer; every failure comes back as Trouble.

    A request for several answers has one reply, which may hold fewer, or failures beside answers.

    The call may take `timeout_s`. By default an answer that is not streamed may take ten minutes, and a stream an hour.
    A stream that has begun and is then silent for a minute is given up earlier. Neither a reason nor an answer holds
    the endpoint's secret, whatever the endpoint or a library put into it. `way` is None for recorded answers only.

    A server of our own weights that refuses a request is asked once more without the token limit: engines refuse a
    limit that the context has no room for behind the prompt, and then the room is the limit.
    """
    result = await _ask(way, backend, endpoint, request, timeout_s, clock)
    if endpoint.own and isinstance(result, CallFailure) and result.retry in (Retry.NEVER, Retry.RUN):
        return await _ask(way, backend, replace(endpoint, limits_tokens=False), request, timeout_s, clock)
    return result


async def _ask(
    way: HostClient | None,
    backend: Backend,
    endpoint: EndpointSpec,
    request: InferenceRequest,
    timeout_s: float | None,
    clock: Callable[[], datetime],
) -> Reply:
    call = _prepare(backend, endpoint, request)
    if isinstance(call, CallFailure):
        return call
    if isinstance(call, RecordedBody):
        return _read_reply(_Response(200, {}, call.body, 0.0, None), backend, endpoint, clock, request)
    assert way is not None  # the back end makes calls
    limit = _Limit(timeout_s)
    try:
        async with asyncio.timeout(limit.seconds) as limit.timer:
            reply = await _post(way, call, backend.token, limit)
    except TimeoutError as late:
        if isinstance(late, aiohttp.ConnectionTimeoutError):
            return CallFailure(Reason("no_connection", {"seconds": f"{CONNECT_S:g}"}), Retry.LATER)
        return CallFailure(Reason("no_reply", {"seconds": f"{limit.seconds:g}"}), Retry.LATER)
    except _SilentStream as silent:
        return CallFailure(error_reason(silent), Retry.LATER)
    except AddressRefused as refused:
        return CallFailure(error_reason(refused), Retry.STOP)
    except aiohttp.ClientError as error:
        return _connection_failure(error, endpoint)
    except (UnicodeError, ValueError):  # a key or a URL that no HTTP request can carry
        return CallFailure(Reason("unsendable"), Retry.STOP)
    if isinstance(reply, CallFailure):
        return reply
    result = _read_reply(reply, backend, endpoint, clock, request)
    return replace(result, replied=True) if isinstance(result, CallFailure) else result


def _prepare(
    backend: Backend, endpoint: EndpointSpec, request: InferenceRequest
) -> HttpCall | RecordedBody | CallFailure:
    """Return the call to send. An unsendable request is our fault; only the endpoint's settings stop the endpoint."""
    try:
        return backend.call(endpoint, request)
    except InvalidInput as refused:
        retry = Retry.STOP if (refused.pointer or "").startswith("/extra") else Retry.RUN
        return CallFailure(_redact(Reason("bad_request", cause=str(refused)), endpoint), retry, FailureOwner.US)
    except NotFound as missing:  # no recorded answer
        return CallFailure(str(missing), Retry.NEVER, FailureOwner.US)


def _connection_failure(error: aiohttp.ClientError, endpoint: EndpointSpec) -> CallFailure:
    """Return the failure of a connection, by its cause."""
    refused = refusal_in(error)
    if refused is not None:
        return CallFailure(error_reason(refused), Retry.STOP)
    if isinstance(error, aiohttp.InvalidURL):
        return CallFailure(Reason("no_url"), Retry.STOP)
    return CallFailure(_redact(connection_reason(error), endpoint), Retry.LATER)


class _SilentStream(Exception):
    """A stream that fell silent."""

    def __init__(self, seconds: float, *, began: bool) -> None:
        super().__init__(Reason("silent_stream" if began else "silent", {"seconds": f"{seconds:g}"}))


class _Limit:
    """The time limit of one call; by default a stream may take longer than a single answer."""

    def __init__(self, named_s: float | None) -> None:
        self.seconds = named_s or _BEGIN_S
        self.silence_s = self.seconds  # between two pieces of a stream that has not begun
        self.timer = asyncio.timeout(None)
        self._named = named_s is not None

    def extend_for_stream(self, since: float) -> None:
        """Extend the default limit for a stream, whose request was sent at this moment of the loop."""
        if not self._named:
            self.seconds = _STREAM_S
            self.timer.reschedule(since + self.seconds)


@dataclass(frozen=True, slots=True)
class _Response:
    status: int
    headers: Mapping[str, str]
    body: bytes
    latency_ms: float
    first_token_ms: float | None


async def _post(way: HostClient, call: HttpCall, token: re.Pattern[bytes], limit: _Limit) -> _Response | CallFailure:
    for value in call.headers.values():
        value.encode("ascii")
    seconds = asyncio.get_running_loop().time
    started = seconds()
    async with way.post(call.url, call.headers, call.body) as response:
        streams = response.headers.get("content-type", "").startswith("text/event-stream")
        most = _MAX_STREAM_BYTES if streams else _MAX_BODY_BYTES
        if streams:
            limit.extend_for_stream(started)
        first_ms = None
        read = bytearray()  # not a list of pieces: of a byte or two each, they would take fifty times the memory
        tail = b"\n"
        while chunk := await _next_chunk(response, limit, began=first_ms is not None):
            read += chunk
            # Keep-alive comments and the opening of an answer are no tokens.
            if streams and first_ms is None:
                if token.search(tail + chunk):
                    first_ms = (seconds() - started) * 1000
                tail = (tail + chunk)[-_MARK_BYTES:]
            if len(read) > most:
                return CallFailure(Reason("large_reply", {"n": most >> 20}), Retry.LATER, replied=True)
        latency_ms = (seconds() - started) * 1000
    body = _decode(bytes(read), response.headers.get("content-encoding", "identity"))
    if body is None:
        return CallFailure(Reason("odd_encoding"), Retry.LATER, replied=True)
    return _Response(response.status, response.headers, body, latency_ms, first_ms)


async def _next_chunk(response: aiohttp.ClientResponse, limit: _Limit, *, began: bool) -> bytes:
    """Return the next bytes of a body, empty at its end. Raises _SilentStream if a stream sends nothing more."""
    silence_s = _SILENCE_S if began else limit.silence_s
    try:
        async with asyncio.timeout(silence_s) as silence:
            return await response.content.readany()
    except TimeoutError:
        if silence.expired():
            raise _SilentStream(silence_s, began=began) from None
        raise


def _decode(body: bytes, encoding: str) -> bytes | None:
    """Return the plain body, at most as large as a response may be; None if it cannot be decoded.

    Plain bodies are requested; gzip is read as well, since some gateways always send it.
    """
    if encoding.strip().lower() in ("", "identity"):
        return body
    if encoding.strip().lower() != "gzip":
        return None
    try:
        unzip = zlib.decompressobj(wbits=31)
        plain = unzip.decompress(body, _MAX_BODY_BYTES)
    except zlib.error:
        return None
    return plain if unzip.eof else None


def _read_reply(
    reply: _Response, backend: Backend, endpoint: EndpointSpec, clock: Callable[[], datetime], request: InferenceRequest
) -> Reply:
    if 200 <= reply.status < 300:
        if request.answers == 1 or backend.several is None:
            return _answer(backend.parse(reply.body, reply.latency_ms), reply, endpoint, request)
        parsed = backend.several(reply.body, reply.latency_ms, request.answers)
        replies = tuple(_answer(answer, reply, endpoint, request) for answer in parsed)
        return replies if any(isinstance(answer, Completion) for answer in replies) else replies[0]
    if 300 <= reply.status < 400:
        return CallFailure(Reason("redirects", {"n": reply.status}), Retry.STOP)
    refusal = backend.parse_error(reply.body)
    status: Params = {"n": reply.status}
    words = Reason("answered_with", status, refusal.message) if refusal.message else Reason("answered", status)
    reason = _redact(words, endpoint)
    retry = _retry_of(reply.status, refusal)
    wait_s = _retry_after(reply.headers, clock) if retry is Retry.LATER else None
    return CallFailure(reason, retry, rate_limited=retry is Retry.LATER and reply.status == 429, wait_s=wait_s)


def _answer(
    parsed: Completion | UnreadableResponse, reply: _Response, endpoint: EndpointSpec, request: InferenceRequest
) -> Completion | CallFailure:
    if (
        isinstance(parsed, UnreadableResponse)
        and parsed.empty is not None
        and _wrote_nothing(parsed.empty, endpoint, request)
    ):
        parsed = parsed.empty
    if isinstance(parsed, UnreadableResponse):
        return CallFailure(_redact(parsed.reason, endpoint), Retry.LATER, replied=True)
    return clean_answer(replace(parsed, first_token_ms=reply.first_token_ms), endpoint.secret)


def _wrote_nothing(empty: Completion, endpoint: EndpointSpec, request: InferenceRequest) -> bool:
    """Return whether the model itself wrote nothing visible, though tokens were counted.

    An engine of our own loses nothing and leaves out special tokens: weights must not be able to cause retries with
    these. Elsewhere a stop of the protocol may be all that was written, and is left out; a token has at least one byte.
    """
    stop = max((len(word.encode()) for word in request.sampling.stop), default=0)
    ended = empty.finish_reason is FinishReason.STOP and stop > 0
    return endpoint.own or (ended and (empty.usage.answer or 0) <= EMPTY_ANSWER_TOKENS + stop)


def _retry_of(status: int, refusal: Refusal) -> Retry:
    if refusal.exhausted or refusal.of_key or status in _WRONG_ADDRESS_OR_KEY:
        return Retry.STOP
    if status in _TEMPORARY or status >= 500:
        return Retry.LATER
    return Retry.NEVER if refusal.of_prompt else Retry.RUN


def _retry_after(headers: Mapping[str, str], clock: Callable[[], datetime]) -> float | None:
    """Return the seconds to wait, from `retry-after-ms`, `retry-after` (seconds or an HTTP date), or a limit's reset.

    None if no header says so.
    """
    for name, scale in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            seconds = float(headers.get(name, "")) * scale
        except ValueError:
            continue
        if math.isfinite(seconds):
            return min(max(0.0, seconds), _RETRY_AFTER_MAX_S)
    try:
        then = parsedate_to_datetime(headers.get("retry-after", ""))
        return min(max(0.0, (then - clock()).total_seconds()), _RETRY_AFTER_MAX_S)
    except (ValueError, TypeError, OverflowError):  # TypeError: a date without a zone
        return _reset_after(headers)


def _reset_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds until the last used-up limit is reset, from OpenAI's headers (`1m30.5s`, `20ms`)."""
    waits = [
        sum(float(number) * _UNIT_S[unit] for number, unit in _DURATION_PART.findall(reset))
        for limit in ("requests", "tokens")
        if headers.get(f"x-ratelimit-remaining-{limit}", "").strip() == "0"
        and _DURATION.fullmatch(reset := headers.get(f"x-ratelimit-reset-{limit}", "").strip())
    ]
    return min(max(waits), _RETRY_AFTER_MAX_S) if waits else None


def _redact(reason: str, endpoint: EndpointSpec) -> str:
    plain = map_text(reason, lambda text: clean_words(text, endpoint.secret))
    cause = plain.cause if isinstance(plain, Reason) else None
    if len(plain) <= _MAX_REASON_CHARS:
        return plain
    if isinstance(plain, Reason) and isinstance(cause, str):  # the endpoint's own words are cut, not ours
        most = len(cause) - (len(plain) - _MAX_REASON_CHARS) - 1
        return Reason(plain.code, plain.params, cause[:most] + "…")
    return str(plain)[: _MAX_REASON_CHARS - 1] + "…"

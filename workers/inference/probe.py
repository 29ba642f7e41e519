"""Probe of an endpoint: a few requests by the same code as real ones, with questions that count nowhere."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import Any, Final

import aiohttp

from app.domain.addresses import Network
from app.domain.asking.completions import (
    Completion,
    EndpointSpec,
    FailureOwner,
    InferenceRequest,
    Message,
    Prompt,
    Retry,
)
from app.domain.asking.extraction import extract_code
from app.domain.asking.protocols import Sampling
from app.domain.errors import AddressRefused
from app.domain.probing.checks import ProbeReport
from app.domain.probing.diagnosis import ProbeCall, ProbeTarget, judge_calls
from app.domain.reasons import error_reason
from workers.inference.backends import Backend, HttpCall, named_backend
from workers.inference.backends._request import should_stream
from workers.inference.redaction import clean_words
from workers.inference.wire import CallFailure, ask_once, open_endpoint
from workers.net import HostClient

PLAIN_PROMPT: Final = Prompt((Message("user", "Reply with the one word: ready"),))
PRACTICE_PROMPT: Final = Prompt(
    (
        Message(
            "user",
            "Write a Python program that reads two integers from one line of standard input and prints their sum. "
            "Answer with the program alone, in one block fenced by ```python and ```.",
        ),
    )
)
_BARE_TOKENS: Final = 256
_OMITTED: Final = ("temperature", "top_p", "seed", "n")
# The share of a probe's time that its first request may take.
_FIRST_SHARE: Final = 0.6
_MIN_CALL_S: Final = 1.0


@dataclass(frozen=True, slots=True)
class _ResponseHead:
    """The head of one HTTP response."""

    status: int
    content_type: str
    date: str


class _ObservedClient(HostClient):
    """A client that keeps the heads of the responses; everything else is the wrapped client's."""

    def __init__(self, inner: HostClient) -> None:
        self._inner = inner
        self.sent = 0
        self.head: _ResponseHead | None = None

    @asynccontextmanager
    async def post(self, url: str, headers: Mapping[str, str], body: bytes) -> AsyncIterator[aiohttp.ClientResponse]:
        """Send one POST by the wrapped client."""
        self.sent += 1
        async with self._inner.post(url, headers, body) as response:
            read = response.headers.get
            self.head = _ResponseHead(response.status, read("content-type", ""), read("date", ""))
            yield response


def probe_endpoint(
    endpoint: EndpointSpec,
    sampling: Sampling,
    configuration: Mapping[str, Any],
    *,
    limit_s: float,
    clock: Callable[[], datetime],
    allow: Sequence[Network] = (),
) -> ProbeReport:
    """Probe an endpoint with at most four requests in about `limit_s` seconds; nothing is tried twice.

    The requests are those of a run under this sampling and configuration, but for their questions.
    """
    return asyncio.run(_probe(endpoint, sampling, configuration, limit_s=limit_s, clock=clock, allow=allow))


async def _probe(
    endpoint: EndpointSpec,
    sampling: Sampling,
    configuration: Mapping[str, Any],
    *,
    limit_s: float,
    clock: Callable[[], datetime],
    allow: Sequence[Network],
) -> ProbeReport:
    backend = named_backend(endpoint.backend)
    sampling = replace(sampling, n=1)
    target = _target(backend, endpoint, sampling, configuration, limit_s)
    try:
        async with open_endpoint(backend, endpoint, allow, connections=1) as way:
            assert way is not None  # vendors register no recorded answers
            return await _Probe(backend, endpoint, _ObservedClient(way), target, clock, limit_s).run(
                sampling, configuration
            )
    except AddressRefused as refused:
        return ProbeReport(judge_calls(target, ProbeCall(failure=error_reason(refused))), 0)


def _target(
    backend: Backend, endpoint: EndpointSpec, sampling: Sampling, configuration: Mapping[str, Any], limit_s: float
) -> ProbeTarget:
    base = endpoint.base_url.rstrip("/")
    call = backend.call(endpoint, InferenceRequest(0, PLAIN_PROMPT, sampling, 0))
    url = call.url if isinstance(call, HttpCall) else base
    path = url[len(base) :] if url.startswith(f"{base}/") else "/" + "/".join(url.split("/")[-2:])
    fields = [name for name in ("temperature", "top_p", "top_k", "repetition_penalty", "stop", "seed")
              if getattr(sampling, name) not in (None, ())]  # fmt: skip
    return ProbeTarget(
        url=clean_words(url, endpoint.secret)[:500],
        path=clean_words(path.partition("?")[0], endpoint.secret)[:100],
        remote_name=clean_words(endpoint.remote_name, endpoint.secret),
        has_key=endpoint.secret is not None,
        max_tokens=sampling.max_tokens,
        fields=(*fields, *configuration),
        streams=should_stream(endpoint, sampling),
        limit_s=limit_s * _FIRST_SHARE,
    )


class _Probe:
    """The requests of one probe, one after the other."""

    def __init__(
        self,
        backend: Backend,
        endpoint: EndpointSpec,
        client: _ObservedClient,
        target: ProbeTarget,
        clock: Callable[[], datetime],
        limit_s: float,
    ) -> None:
        self._backend, self._endpoint, self._client = backend, endpoint, client
        self._target, self._clock = target, clock
        self._first_s, self._ends = limit_s * _FIRST_SHARE, time.monotonic() + limit_s
        self._fault: str | None = None

    async def run(self, sampling: Sampling, configuration: Mapping[str, Any]) -> ProbeReport:
        """Ask the plain question, and by its outcome what tells more."""
        plain = await self._ask(self._endpoint, PLAIN_PROMPT, sampling, configuration)
        bare = unlimited = practice = None
        if plain.refuses_request:
            simple = Sampling(max_tokens=_BARE_TOKENS)
            without = replace(
                self._endpoint, limits_tokens=False, extra={**self._endpoint.extra, "omit": list(_OMITTED)}
            )
            bare = await self._ask(without, PLAIN_PROMPT, simple, {})
            if bare.completion is not None and self._endpoint.limits_tokens:
                unlimited = await self._ask(
                    replace(self._endpoint, limits_tokens=False), PLAIN_PROMPT, sampling, configuration
                )
        if plain.completion is not None:
            streaming = replace(self._endpoint, extra={**self._endpoint.extra, "stream": True})
            practice = await self._ask(streaming, PRACTICE_PROMPT, sampling, configuration)
        checks = judge_calls(self._target, plain, practice, bare, unlimited)
        return ProbeReport(checks, self._client.sent, self._fault)

    async def _ask(
        self, endpoint: EndpointSpec, prompt: Prompt, sampling: Sampling, configuration: Mapping[str, Any]
    ) -> ProbeCall:
        self._client.head = None
        request = InferenceRequest(0, prompt, sampling, sampling.seed, configuration)
        left_s = max(self._ends - time.monotonic(), _MIN_CALL_S)
        limit_s = min(left_s, self._first_s, endpoint.timeout_s or left_s)
        reply = await ask_once(self._client, self._backend, endpoint, request, timeout_s=limit_s, clock=self._clock)
        if isinstance(reply, tuple):
            reply = reply[0]
        return self._read(reply)

    def _read(self, reply: Completion | CallFailure) -> ProbeCall:
        head = self._client.head or _ResponseHead(0, "", "")
        streamed = head.content_type.startswith("text/event-stream")
        status, skew_s = head.status or None, self._skew_s(head.date)
        if isinstance(reply, Completion):
            code = extract_code(reply.text, "python").code
            return ProbeCall(reply, None, status, streamed=streamed, skew_s=skew_s, program=code is not None)
        if reply.owner is FailureOwner.US:
            self._fault = reply.reason
        return ProbeCall(
            None,
            reply.reason,
            status,
            is_html=head.content_type.startswith("text/html"),
            streamed=streamed,
            skew_s=skew_s,
            exhausted=reply.retry is Retry.STOP and status == 429,
        )

    def _skew_s(self, date: str) -> float | None:
        """Return by how many seconds the endpoint's clock is ahead of ours; None if it does not say."""
        try:
            return (parsedate_to_datetime(date) - self._clock()).total_seconds()
        except (ValueError, TypeError, OverflowError):
            return None

"""Polite HTTP client: one request at a time, at the pace it is given, within robots.txt.

It names itself and a contact, keeps to the host it was sent to, and returns a value for every failure of the network.
It never signs in and never works around a page that keeps programs out.
"""

import asyncio
import math
import re
import ssl
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import cache
from types import TracebackType
from typing import Final
from urllib.parse import SplitResult, urljoin, urlsplit

import httpx

from app.domain.errors import InvalidInput
from scrapers.classify import is_challenge
from scrapers.response import Response, StoredCopy
from scrapers.robots import RobotsTxt

AGENT: Final = "Tidemark"
_MAX_REDIRECTS: Final = 5

Pace = Callable[[str], float]
"""host -> seconds to wait before the next request to it may leave (infinity: not today); the call takes the slot."""


class _DailyLimitReached(Exception):
    """A host has had all the requests that a day allows."""


class FixedPace:
    """Pace within one process: at most one request a host every `seconds`."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._free_at: dict[str, float] = {}

    def __call__(self, host: str) -> float:
        now = time.monotonic()
        slot = max(now, self._free_at.get(host, now))
        self._free_at[host] = slot + self._seconds
        return slot - now


@dataclass(frozen=True, slots=True)
class FetchLimits:
    """Limits of one fetch: seconds without a byte, seconds in all, bytes of a body, and how often and how long to wait
    if a site says "later" or fails."""

    timeout_s: float = 20.0
    total_s: float = 90.0
    max_bytes: int = 64 * 2**20
    retries: int = 2
    backoff_s: float = 5.0
    max_wait_s: float = 120.0


class Client:
    """HTTP client for the pages of sites. `contact` (an e-mail address or URL) goes into every User-Agent.

    Raises InvalidInput if the contact is neither. `transport` replaces the network in tests.
    """

    def __init__(
        self,
        *,
        contact: str,
        pace: Pace,
        obey_robots: bool = True,
        limits: FetchLimits = FetchLimits(),
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        if not re.fullmatch(r"[\x21-\x7e]{3,200}", contact) or not re.search(r"[@:]", contact):
            raise InvalidInput("a contact must be an e-mail address or a URL where site owners can reach you")
        self._pace = pace
        self._obey_robots = obey_robots
        self._limits = limits
        self._robots: dict[str, RobotsTxt] = {}
        self._asked_at: dict[str, float] = {}
        self._http = httpx.AsyncClient(
            headers={"User-Agent": f"{AGENT} (+{contact})", "Accept-Encoding": "gzip", "Accept-Language": "en"},
            timeout=limits.timeout_s,
            follow_redirects=False,
            trust_env=False,
            verify=_certificates(),
            transport=transport,
            limits=httpx.Limits(max_connections=1),
        )

    async def __aenter__(self) -> "Client":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def fetch(
        self,
        url: str,
        *,
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        known: StoredCopy | None = None,
    ) -> Response:
        """Request one URL; with `known`, only if it changed (304 otherwise); a `body` makes it a POST.

        Waits if the site asks for it (Retry-After) and retries if it fails, both within the limits; follows redirects
        within the host. A host that has had all the requests of its day is not asked: the response is
        `over_daily_limit`.
        """
        try:
            return await self._fetch_with_retries(url, body, dict(headers or {}) | _conditional_headers(known))
        except _DailyLimitReached as spent:
            return replace(_no_answer(url, str(spent)), over_daily_limit=True)

    async def _fetch_with_retries(self, url: str, body: bytes | None, sent: Mapping[str, str]) -> Response:
        response = await self._fetch_once(url, body, sent)
        for attempt in range(self._limits.retries):
            wait = self._wait_before_retry(response, attempt)
            if wait is None:
                break
            await asyncio.sleep(wait)
            response = await self._fetch_once(url, body, sent)
        return response

    def _wait_before_retry(self, response: Response, attempt: int) -> float | None:
        """Return the seconds before the next try; None if another try is pointless or unwelcome."""
        if response.refusal is not None or is_challenge(response.body):
            return None
        if response.status is not None and response.status not in (429, 500, 502, 503, 504):
            return None
        wait = response.retry_after_s
        if wait is None:
            wait = self._limits.backoff_s * 2**attempt
        return wait if wait <= self._limits.max_wait_s else None

    async def _fetch_once(self, url: str, body: bytes | None, headers: Mapping[str, str]) -> Response:
        """Try once: follow redirects within the host and check each hop against robots.txt."""
        current = url
        for _ in range(_MAX_REDIRECTS + 1):
            parts = _split(current)
            if parts is None:
                return _no_answer(url, f"{current[:200]!r} is no address")
            robots = await self._robots_of(parts)
            if robots is None:
                return _no_answer(url, "robots.txt could not be had, so nothing was asked")
            path = f"{parts.path or '/'}?{parts.query}" if parts.query else parts.path or "/"
            if not robots.allows(AGENT, path):
                return replace(_no_answer(url, ""), refusal=f"robots.txt forbids {path[:200]}", final_url=current)
            response = await self._send(current, parts, body, headers)
            location = response.headers.get("location")
            if response.status not in (301, 302, 303, 307, 308) or not location:
                return replace(response, url=url)
            target = _join(current, location)
            if target is None or not _same_host(parts, target):
                return replace(response, url=url, error=f"redirected to another host: {location[:200]}")
            if response.status in (301, 302, 303):  # as browsers do: the new address gets a GET
                body = None
            current = target
        return replace(response, url=url, error=f"more than {_MAX_REDIRECTS} redirects")

    async def _robots_of(self, parts: SplitResult) -> RobotsTxt | None:
        """Return the host's rules, which are requested once. A missing file allows everything; None if the host failed
        to answer."""
        origin = f"{parts.scheme}://{parts.netloc}"
        if not self._obey_robots:
            return RobotsTxt()
        if origin not in self._robots:
            at = urlsplit(f"{origin}/robots.txt")
            answer = await self._send(at.geturl(), at, None, {})
            if answer.status is None or answer.status >= 500 or answer.status == 429:
                return None  # not stored: the next request asks again
            has_rules = answer.status < 300
            if has_rules and answer.error is not None:
                return None  # there are rules, but they are unknown
            self._robots[origin] = RobotsTxt(answer.body if has_rules else b"")
        return self._robots[origin]

    async def _send(self, url: str, parts: SplitResult, body: bytes | None, headers: Mapping[str, str]) -> Response:
        """Send one request at the host's pace, without following redirects."""
        await self._wait_for_pace(parts)
        try:
            async with asyncio.timeout(self._limits.total_s):
                method = "GET" if body is None else "POST"
                async with self._http.stream(method, url, content=body, headers=dict(headers)) as answer:
                    return await self._read_response(url, answer)
        except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError, OSError, ValueError) as failure:
            return _no_answer(url, f"{type(failure).__name__}: {failure}".rstrip(": ")[:300])

    async def _read_response(self, url: str, answer: httpx.Response) -> Response:
        body, error = await self._read_body(answer)
        now = datetime.now(UTC)
        headers = {name.lower(): value for name, value in answer.headers.items()}
        return Response(
            url=url,
            final_url=url,
            status=answer.status_code,
            fetched_at=now,
            headers=headers,
            body=body,
            error=error,
            retry_after_s=_retry_after(headers.get("retry-after"), now),
        )

    async def _read_body(self, answer: httpx.Response) -> tuple[bytes, str | None]:
        """Return (the body, why it was not read)."""
        packed = answer.headers.get("content-encoding", "").strip().lower()
        # One layer is unpacked chunk by chunk; with two, one chunk of the outer layer may hold gigabytes.
        if packed not in ("", "identity", "gzip"):
            return b"", f"the body is packed as {packed[:40]!r}"
        chunks: list[bytes] = []
        size = 0
        async for chunk in answer.aiter_bytes():
            size += len(chunk)
            if size > self._limits.max_bytes:
                return b"", f"the body is larger than {self._limits.max_bytes} bytes"
            chunks.append(chunk)
        return b"".join(chunks), None

    async def _wait_for_pace(self, parts: SplitResult) -> None:
        """Wait for the host's next slot. Raises _DailyLimitReached if there is none today."""
        host = parts.hostname or ""
        wait = await asyncio.to_thread(self._pace, host)  # the pace may be kept in another process
        if math.isinf(wait):
            raise _DailyLimitReached(f"{host} was asked as often as a day allows; tomorrow goes on")
        robots = self._robots.get(f"{parts.scheme}://{parts.netloc}")
        if robots is not None and host in self._asked_at:
            wait = max(wait, self._asked_at[host] + robots.delay_s(AGENT) - time.monotonic())
        if wait > 0:
            await asyncio.sleep(wait)
        self._asked_at[host] = time.monotonic()


@cache
def _certificates() -> ssl.SSLContext:
    """Return the certificates that are trusted, cached because loading them takes longer than many a visit."""
    return httpx.create_ssl_context()


def _conditional_headers(copy: StoredCopy | None) -> dict[str, str]:
    headers = {}
    if copy is not None and copy.etag:
        headers["If-None-Match"] = copy.etag
    if copy is not None and copy.last_modified:
        headers["If-Modified-Since"] = copy.last_modified
    return headers


def _no_answer(url: str, error: str) -> Response:
    return Response(url=url, final_url=url, status=None, fetched_at=datetime.now(UTC), error=error)


def _split(url: str) -> SplitResult | None:
    """Return the parts of an address that can be requested; None for any other."""
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port that is no number, or a broken bracket
        return None
    return parts if usable else None


def _join(url: str, location: str) -> str | None:
    try:
        return urljoin(url, location)
    except ValueError:
        return None


def _same_host(old: SplitResult, url: str) -> bool:
    """Return whether a redirect stays on the host: same host and port, or the same host from http to https."""
    new = _split(url)
    if new is None or new.hostname != old.hostname:
        return False
    return (new.scheme, new.port) == (old.scheme, old.port) or (
        old.scheme == "http" and new.scheme == "https" and old.port in (None, 80) and new.port in (None, 443)
    )


def _retry_after(value: str | None, now: datetime) -> float | None:
    """Return the seconds of a Retry-After header, which holds seconds or a date."""
    if value is None:
        return None
    if re.fullmatch(r"\s*\d{1,9}\s*", value):
        return float(value)
    try:
        when = parsedate_to_datetime(value)
    except (TypeError, ValueError):
        return None
    when = when if when.tzinfo is not None else when.replace(tzinfo=UTC)
    return max(0.0, (when - now).total_seconds())

"""Outgoing notifications with a timeout: to the operator's webhook and monitor, and to vendors' webhooks.

Vendors' addresses are chosen by outsiders: messages to them go through the guard of requests to endpoints.
"""

import asyncio
import ssl
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import cache
from typing import Any

import aiohttp
import httpx

from app.domain.addresses import Network
from app.domain.errors import AddressRefused
from app.domain.reasons import Reason, error_reason, text_reason
from app.domain.vendors.webhooks import DeliveryResult, OutgoingMessage
from workers.net import connection_reason, open_host, refusal_in

_TIMEOUT_S = 10.0
# The clock wakes once a minute, not to the second; an earlier call is the same wake-up twice.
BEAT_EVERY_S = 55.0
_MESSAGE_S = 15.0  # seconds for a message, with its connection
_GONE = 410


def post(url: str, message: Mapping[str, Any]) -> str | None:
    """Send a message; return None if it was accepted, else the reason. Redirects are not followed."""
    return _failure(lambda: httpx.post(url, json=dict(message), timeout=_TIMEOUT_S, follow_redirects=False))


def _failure(send: Callable[[], httpx.Response]) -> str | None:
    try:
        answer = send()
    except (httpx.InvalidURL, ValueError) as failure:  # their messages repeat the address, which may be a secret
        return f"{type(failure).__name__}: the address or the message cannot be read"
    except (httpx.HTTPError, OSError) as failure:
        return f"{type(failure).__name__}: {failure}"[:300]
    return None if answer.is_success else f"it answered {answer.status_code}"


@dataclass
class MonitorHeartbeat:
    """Heartbeats to an outside monitor, which raises the alarm when they stop: a dead machine cannot report itself."""

    clock: Callable[[], float] = time.monotonic
    _asked_at: float | None = None
    _failed: bool = False

    def send(self, url: str) -> str | None:
        """Request the monitor's address, at most once a minute; return the first failure in a row, else None."""
        moment = self.clock()
        if self._asked_at is not None and moment - self._asked_at < BEAT_EVERY_S:
            return None
        self._asked_at = moment
        failure = _failure(lambda: httpx.get(url, timeout=_TIMEOUT_S, follow_redirects=False))
        before, self._failed = self._failed, failure is not None
        return None if before else failure


def send_messages(
    messages: Sequence[OutgoingMessage], now: datetime, allow: Sequence[Network] = ()
) -> list[tuple[OutgoingMessage, DeliveryResult]]:
    """Send messages side by side, each once, and return each with its result.

    Redirects are not followed, and a receiver's body is not read.
    """
    return asyncio.run(_send_all(messages, now, allow))


async def _send_all(
    messages: Sequence[OutgoingMessage], now: datetime, allow: Sequence[Network]
) -> list[tuple[OutgoingMessage, DeliveryResult]]:
    results = await asyncio.gather(*(_send(message, now, allow) for message in messages))
    return list(zip(messages, results, strict=True))


@cache
def _trusted_authorities() -> ssl.SSLContext:
    return httpx.create_ssl_context()


async def _send(message: OutgoingMessage, now: datetime, allow: Sequence[Network]) -> DeliveryResult:
    try:
        async with (
            asyncio.timeout(_MESSAGE_S),
            open_host(message.url, _trusted_authorities(), allow=allow, connections=1) as way,
            way.post(message.url, message.headers, message.body) as response,
        ):
            return _read_answer(response, now)
    except TimeoutError:
        return DeliveryResult(None, Reason("webhook_late", {"seconds": f"{_MESSAGE_S:g}"}))
    except AddressRefused as refused:
        return DeliveryResult(None, text_reason(error_reason(refused)))
    except aiohttp.ClientError as error:
        inner = refusal_in(error)
        return DeliveryResult(None, connection_reason(error) if inner is None else text_reason(error_reason(inner)))
    except (UnicodeError, ValueError):  # a URL that no HTTP request can carry
        return DeliveryResult(None, Reason("webhook_unsendable"))


def _read_answer(response: aiohttp.ClientResponse, now: datetime) -> DeliveryResult:
    if 200 <= response.status < 300:
        return DeliveryResult(response.status, None)
    gone = response.status == _GONE
    failure = Reason("webhook_gone") if gone else Reason("webhook_answered", {"n": response.status})
    return DeliveryResult(response.status, failure, _retry_after_s(response.headers.get("retry-after"), now))


def _retry_after_s(header: str | None, now: datetime) -> float | None:
    """Return the seconds of a Retry-After header, a number or a date; None if it holds neither."""
    if header is None:
        return None
    if header.strip().isdecimal():
        return float(header[:9])
    try:
        until = parsedate_to_datetime(header)
    except ValueError:
        return None
    return max(0.0, (until.astimezone(UTC) - now).total_seconds())

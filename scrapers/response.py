"""Result of a fetch as a value; a network failure is one too, never an exception."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime


@dataclass(frozen=True, slots=True)
class StoredCopy:
    """Our stored copy of a URL: its validators, and the body to parse again if nothing changed."""

    etag: str | None
    last_modified: str | None
    body: Callable[[], bytes]


@dataclass(frozen=True, slots=True)
class Response:
    """One answer. `status` is None if none came; `error` then says why.

    `refusal` says that the site's robots.txt forbids the request, which was not sent. `error` beside a status means
    that the body was not read (too large, or a redirect that leads away). Header names are in lower case.
    `retry_after_s` is the pause that the site asked for, in seconds. `over_daily_limit` says that no request was sent,
    because the host has had all that a day allows.
    """

    url: str
    final_url: str
    status: int | None
    fetched_at: datetime
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    error: str | None = None
    refusal: str | None = None
    retry_after_s: float | None = None
    over_daily_limit: bool = False

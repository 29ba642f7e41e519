"""What a fetch came to, as a value: a network failure is one too, never an exception."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Known:
    """What we hold of a URL: its validators, and the stored body to parse again when nothing changed."""

    etag: str | None
    last_modified: str | None
    body: Callable[[], bytes]


@dataclass(frozen=True, slots=True)
class Response:
    """One answer. `status` is None when none came, and `error` says why.

    `refusal` tells that we did not ask at all, because the site's robots.txt says so. `error` beside a
    status means the body was not taken (too large, or a redirect that leads away). Header names are
    in lower case. `retry_after_s` is what the site asked for, in seconds. `spent` tells that we did not ask, because
    the host was asked as often as a day allows.
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
    spent: bool = False

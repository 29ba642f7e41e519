"""Sending word out: one JSON message to an operator's own webhook, bounded in time."""

from collections.abc import Mapping
from typing import Any

import httpx

_TIMEOUT_S = 10.0


def post(url: str, message: Mapping[str, Any]) -> str | None:
    """Send a message; None when it was taken, else why not. Redirects are not followed."""
    try:
        answer = httpx.post(url, json=dict(message), timeout=_TIMEOUT_S, follow_redirects=False)
    except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError) as failure:
        return f"{type(failure).__name__}: {failure}"[:300]
    return None if answer.is_success else f"it answered {answer.status_code}"

"""Requests to our own site, past any proxy that the environment names."""

from http.client import HTTPConnection, HTTPException
from typing import NamedTuple
from urllib.parse import urlsplit

from app.config import Settings


class SiteReply(NamedTuple):
    """The status and body of a reply."""

    status: int
    body: bytes


def ask_site(settings: Settings, path: str, timeout_s: float = 2.0) -> SiteReply | None:
    """GET a path of the site on this machine; return None if it does not answer."""
    place = urlsplit(settings.local_url())
    connection = HTTPConnection(place.hostname or "127.0.0.1", place.port, timeout=timeout_s)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        return SiteReply(answer.status, answer.read())
    except (OSError, HTTPException):
        return None
    finally:
        connection.close()

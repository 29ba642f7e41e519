"""Shared responses: pages, boards and files that are the same for every visitor who is not signed in are built once.

The middleware knows HTTP; `app.response_cache` keeps the responses.
"""

import gzip
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from inspect import unwrap
from typing import Any, NamedTuple

from starlette.routing import BaseRoute, Match
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.api.problem_json import MEDIA_TYPE, problem_response, with_request_id
from app.domain.addresses import visitor_key
from app.domain.errors import RateLimited
from app.response_cache import MAX_STORED_BYTES, ResponseCache, ResponseRequest, ServedResponse
from app.services.boards.board_views import matches_etag

# The largest share of the store that one response may take.
_MAX_SHARE = 1 / 8
_ENTRY_OVERHEAD_BYTES = 1024  # an estimate for the key, the headers and their objects
_MAX_CACHED_PATHS = 4096
# A shared response must not depend on the Host header of one visitor.
_NEUTRAL_HOST = b"site.invalid"
# A page with its age is packed once a second; a higher level would take longer than sending it.
_AGED_GZIP_LEVEL = 1


@dataclass(slots=True)
class PackedResponse:
    """A stored response, packed with gzip if its headers say so, and the route that made it.

    `aged` holds the age in seconds that was last shown on the page, and the page with it.
    """

    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes
    route: str
    aged: tuple[int, bytes] | None = None

    def header(self, name: bytes) -> str:
        """Return the value of a header, or an empty string if it is missing."""
        return next((value.decode("latin-1") for key, value in self.headers if key == name), "")


class RouteName(NamedTuple):
    """The route of a response, under which it is counted."""

    path: str


@dataclass(frozen=True, slots=True)
class SharingRules:
    """The rules for sharing responses.

    `by_state` maps each shared handler to True if its responses depend on the boards' state alone, except for queries
    of which `has_more_state` says that they show something else as well, such as a tab of ratings. `locale` returns the
    language that a path and an Accept-Language header choose. The page's `slot` is replaced by `notice`, which states
    the age in seconds in the language of the page's Content-Language. A request with the `cookie` is never answered
    from here.
    """

    by_state: Mapping[Callable[..., Any], bool]
    has_more_state: Callable[[bytes], bool]
    locale: Callable[[str, str], str]
    slot: str
    notice: Callable[[str, int], str]
    cookie: str


class SharedResponses:
    """ASGI middleware that answers from stored responses when they may be shared, and passes all other requests on.

    A response that is not the newest has the header Age, and shows its age if it is a page. `Cache-Control: no-cache`
    asks for the newest.
    """

    def __init__(
        self, app: ASGIApp, cache: ResponseCache[PackedResponse], sharing: SharingRules, routes: Sequence[BaseRoute]
    ) -> None:
        self._app, self._cache, self._sharing, self._routes = app, cache, sharing, routes
        self._cookie, self._slot = sharing.cookie.encode(), sharing.slot.encode()
        self._is_by_state = lru_cache(_MAX_CACHED_PATHS)(self._find_by_state)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = dict(scope["headers"]) if scope["type"] == "http" and scope["method"] == "GET" else None
        by_state = None if headers is None else self._is_by_state(scope["path"])
        if (
            headers is None
            or by_state is None
            or b"authorization" in headers
            or self._cookie in headers.get(b"cookie", b"")
        ):
            await self._app(scope, receive, send)
            return
        accept = headers.get(b"accept", b"")
        wants_json = b"json" in accept and b"text/html" not in accept
        locale = self._sharing.locale(scope["path"], headers.get(b"accept-language", b"").decode("latin-1"))
        client = scope.get("client")
        request = ResponseRequest(
            (scope["path"], scope["query_string"], locale, wants_json),
            partial(self._build_response, scope, locale, wants_json),
            by_state and not self._sharing.has_more_state(scope["query_string"]),
            b"no-cache" in headers.get(b"cache-control", b""),
            visitor_key(client[0]) if client else None,
        )
        try:
            served = await self._cache.get(request)
        except RateLimited as limited:
            await problem_response(429, str(limited), code=limited.code, headers={"Retry-After": "10"})(
                scope, receive, send
            )
            return
        scope["route"] = RouteName(served.value.route)
        await self._send(served, headers, send)

    def _find_by_state(self, path: str) -> bool | None:
        """Return True if the responses under a path depend on the boards' state alone, None if they are not shared."""
        request = {"type": "http", "method": "GET", "path": path, "root_path": "", "headers": []}
        for route in self._routes:
            match, child = route.matches(request)
            if match is Match.FULL:
                return self._sharing.by_state.get(unwrap(child["endpoint"]))
        return None

    async def _build_response(self, scope: Scope, locale: str, wants_json: bool) -> tuple[PackedResponse, int]:
        """Return the application's response to an anonymous visitor of this language and format, and its size in bytes.

        The size is 0 if the response must not be stored.
        """
        inner = {
            **scope,
            "headers": [
                (b"host", _NEUTRAL_HOST),
                (b"accept", b"application/json" if wants_json else b"text/html"),
                (b"accept-encoding", b"gzip"),
                (b"accept-language", locale.encode()),
            ],
            "client": None,
        }
        answer, parts = PackedResponse(500, [], b"", ""), list[bytes]()

        async def receive() -> Message:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def collect(message: Message) -> None:
            if message["type"] == "http.response.start":
                answer.status = message["status"]
                answer.headers = [pair for pair in message["headers"] if pair[0] != b"content-length"]
            else:
                parts.append(message.get("body", b""))

        await self._app(inner, receive, collect)
        answer.body = b"".join(parts)
        answer.route = getattr(inner.get("route"), "path", getattr(inner.get("endpoint"), "__name__", "unmatched"))
        size = len(answer.body) + _ENTRY_OVERHEAD_BYTES
        is_private = "no-store" in answer.header(b"cache-control") or bool(answer.header(b"set-cookie"))
        is_kept = answer.status == 200 and not is_private
        return answer, size if is_kept and size <= _MAX_SHARE * MAX_STORED_BYTES else 0

    async def _send(
        self, served: ServedResponse[PackedResponse], request_headers: Mapping[bytes, bytes], send: Send
    ) -> None:
        answer, status = served.value, served.value.status
        headers, body = answer.headers, answer.body
        is_page = answer.header(b"content-type").startswith("text/html")
        tag = answer.header(b"etag")
        if served.age_s is not None:
            headers = [*headers, (b"age", b"%d" % served.age_s)]
            if is_page:  # the stored tag is of the page without its age
                tag, headers = "", [pair for pair in headers if pair[0] != b"etag"]
                body = self._page_with_age(answer, max(math.ceil(served.age_s), 1))
        if tag and matches_etag(tag, request_headers.get(b"if-none-match", b"").decode("latin-1")):
            status, body = 304, b""
            headers = [pair for pair in headers if pair[0] in (b"etag", b"cache-control", b"vary", b"age")]
        elif answer.header(b"content-encoding") == "gzip" and b"gzip" not in request_headers.get(
            b"accept-encoding", b""
        ):
            body = gzip.decompress(body)
            headers = [pair for pair in headers if pair[0] != b"content-encoding"]
        if answer.header(b"content-type").startswith(MEDIA_TYPE):  # made for an equal request
            if any(name == b"content-encoding" for name, _value in headers):
                body, headers = gzip.decompress(body), [pair for pair in headers if pair[0] != b"content-encoding"]
            body = with_request_id(body)
        if status != 304:
            headers = [*headers, (b"content-length", b"%d" % len(body))]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    def _page_with_age(self, answer: PackedResponse, seconds: int) -> bytes:
        """Return the page with its age on it, packed as it was before."""
        if answer.aged is None or answer.aged[0] != seconds:
            is_packed = answer.header(b"content-encoding") == "gzip"
            page = gzip.decompress(answer.body) if is_packed else answer.body
            notice = self._sharing.notice(answer.header(b"content-language"), seconds).encode()
            page = page.replace(self._slot, notice, 1)
            answer.aged = seconds, gzip.compress(page, _AGED_GZIP_LEVEL, mtime=0) if is_packed else page
        return answer.aged[1]

"""Pages, boards and files that are the same for every visitor who is not signed in: made once for all who ask."""

import gzip
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from inspect import unwrap
from typing import Any, NamedTuple

from starlette.routing import BaseRoute, Match
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.answers import MAX_KEPT_BYTES, AnswerRequest, Answers, ServedAnswer
from app.api.problem_json import problem
from app.domain.addresses import visitor
from app.domain.errors import RateLimited
from app.services.boards.reading import is_known

# One answer may take so much of what all may take.
_SHARE = 1 / 8
_NAMES_BYTES = 1024  # of the question, the headers and what holds them
_PATHS = 4096
# What one visitor calls the site must be in no answer to another.
_NO_HOST = b"site.invalid"
# A copy of an answer with its age is made once a second; packing it well would take longer than sending it.
_QUICK = 1


@dataclass(slots=True)
class PackedAnswer:
    """A response as it was made, packed with gzip if its headers say so, and the route that made it.

    `aged` is the same page with its age in seconds, for the last age that was asked for.
    """

    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes
    route: str
    aged: tuple[int, bytes] | None = None

    def header(self, name: bytes) -> str:
        """The value of a header, empty if it is not there."""
        return next((value.decode("latin-1") for key, value in self.headers if key == name), "")


class RouteName(NamedTuple):
    """The route of an answer, as it is counted."""

    path: str


@dataclass(frozen=True, slots=True)
class Sharing:
    """Which answers are shared, and how.

    `by_state` holds the handlers and whether their answers depend on the boards' state alone; `locale` returns the
    language that a path and an Accept-Language header choose. The page's `slot` is replaced by `notice`, which tells
    its age in seconds in the language of its Content-Language. A request with the `cookie` is never answered here.
    """

    by_state: Mapping[Callable[..., Any], bool]
    locale: Callable[[str, str], str]
    slot: str
    notice: Callable[[str, int], str]
    cookie: str


class SharedAnswers:
    """Answers from what was made for others, where that is the same; all else passes through.

    An answer that is not the newest has the header Age, and says it if it is a page. `Cache-Control: no-cache` asks for
    the newest.
    """

    def __init__(
        self, app: ASGIApp, answers: Answers[PackedAnswer], sharing: Sharing, routes: Sequence[BaseRoute]
    ) -> None:
        self._app, self._answers, self._sharing, self._routes = app, answers, sharing, routes
        self._cookie, self._slot = sharing.cookie.encode(), sharing.slot.encode()
        self._is_by_state = lru_cache(_PATHS)(self._find)

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
        asked = AnswerRequest(
            (scope["path"], scope["query_string"], locale, wants_json),
            partial(self._make, scope, locale, wants_json),
            by_state,
            b"no-cache" in headers.get(b"cache-control", b""),
            visitor(client[0]) if client else None,
        )
        try:
            given = await self._answers.answer(asked)
        except RateLimited as refused:
            await problem(429, str(refused), code=refused.code, headers={"Retry-After": "10"})(scope, receive, send)
            return
        scope["route"] = RouteName(given.value.route)
        await self._send(given, headers, send)

    def _find(self, path: str) -> bool | None:
        """Return whether the answers under a path depend on the state alone; None if they are not shared."""
        request = {"type": "http", "method": "GET", "path": path, "root_path": "", "headers": []}
        for route in self._routes:
            match, child = route.matches(request)
            if match is Match.FULL:
                return self._sharing.by_state.get(unwrap(child["endpoint"]))
        return None

    async def _make(self, scope: Scope, locale: str, wants_json: bool) -> tuple[PackedAnswer, int]:
        """Have the application answer a visitor of whom only the language and the format are known."""
        inner = {
            **scope,
            "headers": [
                (b"host", _NO_HOST),
                (b"accept", b"application/json" if wants_json else b"text/html"),
                (b"accept-encoding", b"gzip"),
                (b"accept-language", locale.encode()),
            ],
            "client": None,
        }
        answer, parts = PackedAnswer(500, [], b"", ""), list[bytes]()

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
        size = len(answer.body) + _NAMES_BYTES
        is_private = "no-store" in answer.header(b"cache-control") or bool(answer.header(b"set-cookie"))
        is_kept = answer.status == 200 and not is_private
        return answer, size if is_kept and size <= _SHARE * MAX_KEPT_BYTES else 0

    async def _send(self, given: ServedAnswer[PackedAnswer], asked: Mapping[bytes, bytes], send: Send) -> None:
        answer, status = given.value, given.value.status
        headers, body = answer.headers, answer.body
        is_page = answer.header(b"content-type").startswith("text/html")
        tag = answer.header(b"etag")
        if given.age_s is not None:
            headers = [*headers, (b"age", b"%d" % given.age_s)]
            if is_page:  # its tag is that of the page without its age
                tag, headers = "", [pair for pair in headers if pair[0] != b"etag"]
                body = self._aged(answer, max(math.ceil(given.age_s), 1))
        if tag and is_known(tag, asked.get(b"if-none-match", b"").decode("latin-1")):
            status, body = 304, b""
            headers = [pair for pair in headers if pair[0] in (b"etag", b"cache-control", b"vary", b"age")]
        elif answer.header(b"content-encoding") == "gzip" and b"gzip" not in asked.get(b"accept-encoding", b""):
            body = gzip.decompress(body)
            headers = [pair for pair in headers if pair[0] != b"content-encoding"]
        if status != 304:
            headers = [*headers, (b"content-length", b"%d" % len(body))]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    def _aged(self, answer: PackedAnswer, seconds: int) -> bytes:
        """The page with its age on it, packed as it was."""
        if answer.aged is None or answer.aged[0] != seconds:
            is_packed = answer.header(b"content-encoding") == "gzip"
            page = gzip.decompress(answer.body) if is_packed else answer.body
            notice = self._sharing.notice(answer.header(b"content-language"), seconds).encode()
            page = page.replace(self._slot, notice, 1)
            answer.aged = seconds, gzip.compress(page, _QUICK, mtime=0) if is_packed else page
        return answer.aged[1]

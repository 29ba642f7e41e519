"""A site on loopback: pages by path, robots.txt, validators, failures, delays, and what was asked."""

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any


@dataclass(frozen=True)
class Reply:
    """What the server answers. `drop` closes the connection without an answer; `delay_s` waits first."""

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    delay_s: float = 0.0
    drop: bool = False


@dataclass(frozen=True)
class Asked:
    """One request as it came, with the monotonic time of its arrival."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes
    at: float


Page = Reply | bytes | list[Reply] | Callable[[Asked], Reply]


class FakeSite:
    """Serves `pages`: path with query, else path alone -> body, reply, list of replies in turn (the last
    one stays), or a function. A reply with an ETag or Last-Modified answers 304 to a matching request.
    Anything else is 404."""

    def __init__(self, pages: Mapping[str, Page] | None = None, robots: str | None = None) -> None:
        self.pages: dict[str, Page] = dict(pages or {})
        if robots is not None:
            self.pages["/robots.txt"] = robots.encode()
        self.asked: list[Asked] = []
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    @property
    def url(self) -> str:
        """The base URL."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def paths(self) -> list[str]:
        """The paths asked for in order, robots.txt left out."""
        return [each.path for each in self.asked if each.path != "/robots.txt"]

    def __enter__(self) -> "FakeSite":
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(timeout=5)

    def answer(self, asked: Asked) -> Reply:
        """The reply to one request, recorded."""
        with self._lock:
            self.asked.append(asked)
            page = self.pages.get(asked.path, self.pages.get(asked.path.partition("?")[0]))
            if isinstance(page, list):
                page = page.pop(0) if len(page) > 1 else page[0]
        if page is None:
            return Reply(b"<html><title>404 Not Found</title></html>", 404)
        reply = Reply(page) if isinstance(page, bytes) else page if isinstance(page, Reply) else page(asked)
        return _not_modified(asked, reply) or reply


def _not_modified(asked: Asked, reply: Reply) -> Reply | None:
    for validator, condition in (("etag", "if-none-match"), ("last-modified", "if-modified-since")):
        held = {name.lower(): value for name, value in reply.headers.items()}.get(validator)
        if held is not None and asked.headers.get(condition) == held:
            return Reply(b"", 304, reply.headers)
    return None


def _handler(site: FakeSite) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True  # the head and the body are two writes: the second would wait 40 ms

        def do_GET(self) -> None:
            self._reply(b"")

        def do_POST(self) -> None:
            self._reply(self.rfile.read(int(self.headers.get("Content-Length") or 0)))

        def _reply(self, body: bytes) -> None:
            headers = {name.lower(): value for name, value in self.headers.items()}
            reply = site.answer(Asked(self.command, self.path, headers, body, time.monotonic()))
            time.sleep(reply.delay_s)
            if reply.drop:
                self.close_connection = True
                return
            self.send_response(reply.status)
            for name, value in reply.headers.items():
                self.send_header(name, value)
            if reply.status != 304:
                self.send_header("Content-Length", str(len(reply.body)))
            with suppress(ConnectionError):  # a client may have read enough
                self.end_headers()
                if reply.status != 304:
                    self.wfile.write(reply.body)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name is the base class's
            """Say nothing: the requests are recorded instead."""

    return Handler


@contextmanager
def fake_site(pages: Mapping[str, Page] | None = None, robots: str | None = None) -> Iterator[FakeSite]:
    """A running fake site."""
    with FakeSite(pages, robots) as site:
        yield site

"""Clients that dawdle: each limit of a connection, told on the wire, while others are served."""

import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from factories import web_app
from served import NO_AUTHORITIES, served
from starlette.responses import Response
from starlette.types import Receive, Scope, Send
from support.waiting import patience, until

from app.api.connections import TimeLimitedProtocol
from app.db.kernel.session import SessionMaker
from app.main import SERVER_OPTIONS

LARGE = 24 << 20
GIVEN_UP_S = 20.0


class Brisk(TimeLimitedProtocol):
    """The same limits, shorter."""

    head_s = body_s = read_s = 0.5


class Steady(TimeLimitedProtocol):
    """Limits that a busy machine keeps."""

    head_s = body_s = 3.0
    read_s = 1.0


async def plain(scope: Scope, receive: Receive, send: Send) -> None:
    """Answers the length of the body; /large with very much, /early before it reads the body."""
    size, more = 0, scope["type"] == "http" and scope["path"] != "/early"
    while more:
        message = await receive()
        size += len(message.get("body", b""))
        more = message.get("more_body", False)
    if scope["type"] == "http":
        body = b"x" * LARGE if scope["path"] == "/large" else str(size).encode()
        await Response(body)(scope, receive, send)


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with served(plain, Brisk) as address:
        yield address


@contextmanager
def connected(url: str) -> Iterator[socket.socket]:
    with socket.create_connection(
        (urlsplit(url).hostname or "", urlsplit(url).port or 0), timeout=patience(GIVEN_UP_S)
    ) as made:
        yield made


def trickle(client: socket.socket, piece: bytes) -> None:
    """Send a piece again and again until the other side ends it."""

    def ended() -> bool:
        try:
            client.sendall(piece)
        except OSError:
            return True
        return False

    until(ended, "the end of the trickle", GIVEN_UP_S)


def heard(client: socket.socket) -> bytes:
    """Everything until the other side closes."""
    said = b""
    try:
        while chunk := client.recv(65536):
            said += chunk
    except ConnectionResetError:
        pass
    return said


def test_who_says_nothing_is_hung_up_on(url: str) -> None:
    with connected(url) as client:
        assert heard(client) == b""


@pytest.mark.parametrize(
    ("begun", "piece"),
    [
        (b"", b"G"),
        (b"GET / HTTP/1.1\r\nHost: a\r\n", b"X-A: b\r\n"),
        (b"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n123456789", b"G"),
        (b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 999999\r\n\r\n", b"x"),
        (b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n"),
        (b"GET /early HTTP/1.1\r\nHost: a\r\nContent-Length: 999999\r\n\r\n", b"x"),
    ],
    ids=["first-line", "head", "second-head", "body", "chunked-body", "body-nobody-reads"],
)
def test_a_trickle_ends_however_long_it_could_go_on(url: str, begun: bytes, piece: bytes) -> None:
    with connected(url) as client:
        client.sendall(begun)
        trickle(client, piece)


@pytest.mark.parametrize("begun", [b"GET / HT", b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n1234"])
def test_who_was_too_slow_is_told(url: str, begun: bytes) -> None:
    with connected(url) as client:
        client.sendall(begun)
        answer = heard(client)
    assert answer.startswith(b"HTTP/1.1 408 ")
    assert b"connection: close" in answer


def test_who_does_not_read_the_answer_is_cut_off(url: str) -> None:
    with connected(url) as client:
        client.sendall(b"GET /large HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        time.sleep(3 * Brisk.read_s)
        assert len(heard(client)) < LARGE


def test_slow_steps_within_the_limits_are_waited_for() -> None:
    head, body = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\n", b"abcd"
    with served(plain, Steady) as url, connected(url) as client:
        for _ in range(4):  # each request has the time anew
            for part in (head[:20], head[20:], body[:2], body[2:]):
                time.sleep(Steady.head_s / 12)
                client.sendall(part)
            answer = b""
            while not answer.endswith(b"\r\n\r\n4"):
                answer += client.recv(65536)
            assert answer.startswith(b"HTTP/1.1 200 ")


def test_slow_readers_that_go_on_reading_get_everything() -> None:
    with served(plain, Steady) as url, connected(url) as client:
        client.sendall(b"GET /large HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        size = 0
        while chunk := client.recv(1 << 19):
            size += len(chunk)
            time.sleep(0.04)
    assert size > LARGE


def test_the_site_serves_others_meanwhile_and_lets_the_slow_ones_go(
    sessions: SessionMaker, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    posted = b" HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 50\r\n\r\na="
    begun = (
        b"GET / HTTP/1.1\r\nHost: a\r\nX: ",
        b"POST /en/login" + posted,
        b"POST /api/v1/vendor/models" + posted.replace(b"x-www-form-urlencoded", b"json"),
    )
    with served(web_app(sessions, tmp_path), Brisk) as url, ExitStack() as stack:
        slow = [stack.enter_context(connected(url)) for _ in range(99)]
        for number, client in enumerate(slow):
            client.sendall(begun[number % 3])
        assert httpx.get(f"{url}/healthz", timeout=60, verify=NO_AUTHORITIES).status_code == 200
        assert {heard(client)[:13] for client in slow} == {b"HTTP/1.1 408 "}
    assert "Traceback" not in "".join(capfd.readouterr())


def test_the_limits_of_the_site_are_seconds_and_not_minutes() -> None:
    assert SERVER_OPTIONS["http"] is TimeLimitedProtocol
    assert max(TimeLimitedProtocol.head_s, TimeLimitedProtocol.body_s, TimeLimitedProtocol.read_s) <= 30

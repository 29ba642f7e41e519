"""A scriptable model endpoint on loopback: the outer interface itself, for tests of whoever asks it.

    with ModelServer(script) as server:
        ... ask server.url ...
        server.asked  # every request it saw, in order

A script is a function from a request to what is said; it runs in the server's thread.
"""

import asyncio
import json
import ssl
import threading
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Self


@dataclass(frozen=True)
class Asked:
    """One request as the server saw it; `number` counts from 0, `at` is its loop's seconds."""

    number: int
    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes
    at: float

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def last_message(self) -> str:
        return str(self.json["messages"][-1]["content"])


@dataclass(frozen=True)
class Say:
    """What the server does: an answer after `delay_s`, no answer at all, or a cut connection."""

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    delay_s: float = 0.0
    stall: bool = False  # never answers
    drop: bool = False  # closes without a word
    endless: bool = False  # sends its body again and again, without end
    pieces: Sequence[bytes] = ()  # sent one after the other in place of the body, `gap_s` apart
    gap_s: float = 0.0
    cut: bool = False  # closes after its pieces, in the middle of the response


Script = Callable[[Asked], Say]


def message(
    content: Any,
    *,
    finish_reason: str | None = "stop",
    usage: Mapping[str, Any] | None = None,
    delay_s: float = 0.0,
    **fields: Any,
) -> Say:
    """A chat completion; `fields` stand in the message beside its content, such as `reasoning`."""
    said = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "model": "fake-model-1",
        "choices": [
            {"index": 0, "message": {"role": "assistant", "content": content, **fields}, "finish_reason": finish_reason}
        ],
        "usage": usage if usage is not None else {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18},
    }
    return as_json(said, delay_s=delay_s)


def streamed(*pieces: Mapping[str, Any] | str, cut: bool = False, gap_s: float = 0.0) -> Say:
    """A stream of events; a piece is an object to send as JSON, or the text of an event such as `[DONE]`."""
    events = [piece if isinstance(piece, str) else json.dumps(piece) for piece in pieces]
    body = [f"data: {event}\n\n".encode() for event in events]
    return Say(headers={"content-type": "text/event-stream"}, pieces=body, gap_s=gap_s, cut=cut)


def said(text: str | None = None, *, finish_reason: str | None = None, **delta: Any) -> dict[str, Any]:
    """One piece of a streamed answer."""
    content = {} if text is None else {"content": text}
    choice = {"index": 0, "delta": content | delta, "finish_reason": finish_reason}
    return {"object": "chat.completion.chunk", "model": "fake-model-1", "choices": [choice]}


USED = {"choices": [], "usage": {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}}


def as_json(value: Any, status: int = 200, *, delay_s: float = 0.0, headers: Mapping[str, str] | None = None) -> Say:
    return Say(
        json.dumps(value).encode(),
        status,
        {"content-type": "application/json", **(headers or {})},
        delay_s,
    )


def error(status: int, text: str = "no", *, code: str | None = None, headers: Mapping[str, str] | None = None) -> Say:
    return as_json({"error": {"message": text, "type": "error", "code": code}}, status, headers=headers)


def rate_limited(retry_after: str | None = None, **headers: str) -> Say:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return error(429, "slow down", headers={**named, **({"retry-after": retry_after} if retry_after else {})})


def html(status: int = 200) -> Say:
    return Say(b"<!doctype html><title>Welcome</title>", status, {"content-type": "text/html"})


def redirect(to: str) -> Say:
    return Say(b"", 307, {"location": to})


def in_turn(*says: Say) -> Script:
    """Says each in turn, by the order in which requests arrive; the last one for ever after."""
    return lambda asked: says[min(asked.number, len(says) - 1)]


class ModelServer:
    """An HTTP/1.1 server in a thread of its own, or `within` a loop that runs already; https with `tls`."""

    def __init__(
        self, script: Script | Say, *, tls: ssl.SSLContext | None = None, host: str = "127.0.0.1", port: int = 0
    ) -> None:
        self.script: Script = script if callable(script) else in_turn(script)
        self.asked: list[Asked] = []
        self.peak = 0  # most requests open at once
        self.connections = 0
        self._open = 0
        self._tls, self._host = tls, host
        self._started = threading.Event()
        self.port = port  # any that is free, if 0

    @property
    def url(self) -> str:
        return f"{'https' if self._tls else 'http'}://{self._host}:{self.port}/v1"

    def times(self) -> Sequence[float]:
        return [each.at for each in self.asked]

    def __enter__(self) -> Self:
        self._thread = threading.Thread(target=self._serve, name="fake-model-server", daemon=True)
        self._thread.start()
        assert self._started.wait(10)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(10)

    def _serve(self) -> None:
        asyncio.run(self._main())  # which also ends the handler of a connection that came as the server closed

    async def _main(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        async with self.within():
            self._started.set()
            await self._stop.wait()

    @asynccontextmanager
    async def within(self) -> AsyncIterator[Self]:
        """Serve in the loop that runs this, by its time."""
        self._handlers: set[asyncio.Task[None]] = set()
        server = await asyncio.start_server(self._handle, self._host, self.port, ssl=self._tls, backlog=512)
        self.port = server.sockets[0].getsockname()[1]
        try:
            yield self
        finally:
            server.close()
            for handler in self._handlers:
                handler.cancel()
            await asyncio.gather(*self._handlers, return_exceptions=True)

    async def _handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._handlers.add(task)
        self.connections += 1
        try:
            while await self._exchange(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError, ssl.SSLError):
            pass  # the client left, or the server ends
        finally:
            self._handlers.discard(task)
            writer.transport.abort()

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        method, path, _ = head[0].split(" ")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:] if line)}
        body = await reader.readexactly(int(headers.get("content-length", "0")))
        asked = Asked(len(self.asked), method, path, headers, body, asyncio.get_running_loop().time())
        self.asked.append(asked)
        self._open += 1
        self.peak = max(self.peak, self._open)
        try:
            return await self._say(self.script(asked), writer)
        finally:
            self._open -= 1

    async def _say(self, say: Say, writer: asyncio.StreamWriter) -> bool:
        if say.stall:
            await asyncio.Event().wait()
        if say.delay_s:
            await asyncio.sleep(say.delay_s)
        if say.drop:
            return False
        length = () if say.endless else (f"content-length: {len(say.body)}",)
        if say.pieces:
            length = ("transfer-encoding: chunked",)
        lines = (f"HTTP/1.1 {say.status} Said", *length, *(f"{name}: {value}" for name, value in say.headers.items()))
        writer.write("\r\n".join((*lines, "", "")).encode("latin-1") + say.body)
        await writer.drain()
        while say.endless:
            writer.write(say.body)
            await writer.drain()
        for piece in say.pieces:
            writer.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
            await writer.drain()
            await asyncio.sleep(say.gap_s)
        if say.pieces and not say.cut:
            writer.write(b"0\r\n\r\n")
        return not say.cut

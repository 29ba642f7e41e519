"""Server-sent events: many listeners, one reader, and neither a thread nor a connection of the database for each.

All that the listeners of a process wait for is read in one thread every two seconds, while there are any. A listener
who takes its events slowly gets the newest and misses those between.
"""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from anyio.to_thread import run_sync
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send
from structlog import get_logger

from app.api.problem_json import problem
from app.domain.addresses import visitor

log = get_logger(__name__)


@dataclass(frozen=True, slots=True)
class News:
    """What is known of one thing now: the event's body, whether it is the last one, and whether anybody may see it."""

    body: Mapping[str, Any]
    last: bool
    public: bool = True


# Of the things that listeners wait for, what is known now; one that is not there any more has no entry.
Reader = Callable[[Collection[int]], Mapping[int, News]]


@dataclass(eq=False)
class _Listener:
    about: int
    stranger: bool  # who sent no key
    who: str | None
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    news: News | None = None
    gone: bool = False


class Hub:
    """The listeners of a process: at most `most`, each for `longest_s` seconds. Half of them may be callers without a
    key, a quarter of these one visitor, and a quarter of all one organisation."""

    def __init__(
        self, read: Reader, *, most: int = 64, every_s: float = 2.0, alive_s: float = 15.0, longest_s: float = 1800.0
    ) -> None:
        self._read, self._most, self._every_s = read, most, every_s
        self._alive_s, self._longest_s = alive_s, longest_s
        self._listeners: set[_Listener] = set()
        self._reading: asyncio.Task[None] | None = None

    @property
    def listeners(self) -> int:
        """How many listen now."""
        return len(self._listeners)

    def enter(self, about: int, *, known: bool, who: str | None = None) -> _Listener | None:
        """A new listener's place; None where all are taken, or all that the organisation or visitor may have."""
        alike = [listener.who for listener in self._listeners if listener.stranger is not known]
        mine = 0 if who is None else alike.count(who)
        if len(self._listeners) >= self._most or mine >= max(self._most // (4 if known else 8), 1):
            return None
        if not known and len(alike) >= self._most // 2:
            return None
        listener = _Listener(about, not known, who)
        self._listeners.add(listener)
        if self._reading is None or self._reading.done():
            self._reading = asyncio.get_running_loop().create_task(self._read_on())
        return listener

    def leave(self, listener: _Listener) -> None:
        """Give the place back."""
        self._listeners.discard(listener)

    async def events(self, listener: _Listener) -> AsyncIterator[str]:
        """The events of a listener as text, until the last one, or until its time is over."""
        loop = asyncio.get_running_loop()
        until, said = loop.time() + self._longest_s, None
        yield "retry: 5000\n\n"
        while (left := until - loop.time()) > 0:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(listener.changed.wait(), min(self._alive_s, left))
            if listener.gone:
                return
            if not listener.changed.is_set():
                yield ": still here\n\n"
                continue
            listener.changed.clear()
            news = listener.news
            assert news is not None  # who is told has been given something
            if news != said:
                said = news
                yield f"event: {'end' if news.last else 'progress'}\ndata: {json.dumps(news.body)}\n\n"
            if news.last:
                return

    async def _read_on(self) -> None:
        """Read and tell, as long as there is a listener."""
        while self._listeners:
            about = {listener.about for listener in self._listeners}
            try:
                found = await run_sync(self._read, about)
            except Exception as error:  # the database is down: the next look may find it again
                log.warning("events.unread", error=str(error).splitlines()[0])
            else:
                self._tell(about, found)
            await asyncio.sleep(self._every_s)

    def _tell(self, about: Collection[int], found: Mapping[int, News]) -> None:
        for listener in self._listeners:
            if listener.about in about:
                news = found.get(listener.about)
                listener.gone = news is None or (listener.stranger and not news.public)
                listener.news = news
                listener.changed.set()


class EventStream(StreamingResponse):
    """The answer to a listener: its events, or 503 where there is no place."""

    media_type = "text/event-stream"

    def __init__(self, hub: Hub, about: int, *, organisation: int | None) -> None:
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        super().__init__(iter(()), headers=headers)
        self._hub, self._about, self._organisation = hub, about, organisation

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hold a place for as long as the answer takes, and not before it begins."""
        host, _port = scope.get("client") or (None, 0)
        known = self._organisation is not None
        who = str(self._organisation) if known else visitor(host)
        listener = self._hub.enter(self._about, known=known, who=who)
        if listener is None:
            full = problem(503, "too many listen already; ask again later", headers={"Retry-After": "30"})
            await full(scope, receive, send)
            return
        try:
            self.body_iterator = self._hub.events(listener)
            await super().__call__(scope, receive, send)
        finally:
            self._hub.leave(listener)

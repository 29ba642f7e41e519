"""Server-sent events with one reader for many listeners; no listener holds a thread or a database connection.

As long as a process has listeners, one thread reads every two seconds all that they wait for. A listener that takes its
events slowly gets the newest one and misses those before it.
"""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from anyio.to_thread import run_sync
from starlette.datastructures import Headers
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send
from structlog import get_logger

from app.api.problem_json import problem_response
from app.domain.addresses import visitor_key

log = get_logger(__name__)


@dataclass(frozen=True, slots=True)
class RunUpdate:
    """The present state of one subject: the event's body, and flags for the last event and for public visibility.

    `version` names what has happened so far: estimates, which change by themselves, are no part of it.
    """

    body: Mapping[str, Any]
    version: str
    is_last: bool
    is_public: bool = True


# Returns the present state of each subject; a subject that is gone has no entry.
UpdateReader = Callable[[Collection[int]], Mapping[int, RunUpdate]]


@dataclass(eq=False)
class _Listener:
    subject: int
    is_anonymous: bool  # it sent no key
    owner: str | None  # an organisation or a visitor
    seen: str | None = None  # the version that it had before it connected again
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    news: RunUpdate | None = None
    gone: bool = False


class EventHub:
    """The listeners of a process: at most `most`, each for `longest_s` seconds.

    Callers without a key may hold half of the places, and one visitor a quarter of these; one organisation may hold a
    quarter of all places.
    """

    def __init__(
        self,
        read: UpdateReader,
        *,
        most: int = 64,
        every_s: float = 2.0,
        alive_s: float = 15.0,
        longest_s: float = 1800.0,
    ) -> None:
        self._read, self._most, self._every_s = read, most, every_s
        self._alive_s, self._longest_s = alive_s, longest_s
        self._listeners: set[_Listener] = set()
        self._reading: asyncio.Task[None] | None = None

    @property
    def listeners(self) -> int:
        """The number of present listeners."""
        return len(self._listeners)

    def enter(self, about: int, *, known: bool, who: str | None = None, seen: str | None = None) -> _Listener | None:
        """Return a new listener, or None if all places are taken, or all that the organisation or visitor may hold.

        `seen` is the version that it has seen, of which it is not told again.
        """
        owners = [listener.owner for listener in self._listeners if listener.is_anonymous is not known]
        held = 0 if who is None else owners.count(who)
        if len(self._listeners) >= self._most or held >= max(self._most // (4 if known else 8), 1):
            return None
        if not known and len(owners) >= self._most // 2:
            return None
        listener = _Listener(about, not known, who, seen)
        self._listeners.add(listener)
        if self._reading is None or self._reading.done():
            self._reading = asyncio.get_running_loop().create_task(self._read_loop())
        return listener

    def stream(self, about: int, *, organisation: int | None) -> "EventStream":
        """Return the response that sends a subject's events; `organisation` is that of a caller who is known."""
        return EventStream(self, about, organisation=organisation)

    def leave(self, listener: _Listener) -> None:
        """Release a listener's place."""
        self._listeners.discard(listener)

    async def events(self, listener: _Listener) -> AsyncIterator[str]:
        """Yield a listener's events as text, until the last one or until its time is over."""
        loop = asyncio.get_running_loop()
        until, sent = loop.time() + self._longest_s, listener.seen
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
            assert news is not None  # set before `changed`
            if news.version != sent or news.is_last:
                sent = news.version
                kind = "end" if news.is_last else "progress"
                yield f"id: {news.version}\nevent: {kind}\ndata: {json.dumps(news.body)}\n\n"
            if news.is_last:
                return

    async def _read_loop(self) -> None:
        """Read and publish updates as long as there is a listener."""
        while self._listeners:
            subjects = {listener.subject for listener in self._listeners}
            try:
                states = await run_sync(self._read, subjects)
            except Exception as error:  # the database may be back at the next read
                log.warning("events.unread", error=str(error).splitlines()[0])
            else:
                self._publish(subjects, states)
            await asyncio.sleep(self._every_s)

    def _publish(self, subjects: Collection[int], states: Mapping[int, RunUpdate]) -> None:
        for listener in self._listeners:
            if listener.subject in subjects:
                news = states.get(listener.subject)
                listener.gone = news is None or (listener.is_anonymous and not news.is_public)
                listener.news = news
                listener.changed.set()


class EventStream(StreamingResponse):
    """The response to a listener: its events, or 503 if no place is free."""

    media_type = "text/event-stream"

    def __init__(self, hub: EventHub, about: int, *, organisation: int | None) -> None:
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        super().__init__(iter(()), headers=headers)
        self._hub, self._about, self._organisation = hub, about, organisation

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hold a place while the response is sent."""
        host, _port = scope.get("client") or (None, 0)
        known = self._organisation is not None
        seen = Headers(scope=scope).get("last-event-id")
        who = str(self._organisation) if known else visitor_key(host)
        listener = self._hub.enter(self._about, known=known, who=who, seen=seen)
        if listener is None:
            full = problem_response(503, "too many listen already; ask again later", headers={"Retry-After": "30"})
            await full(scope, receive, send)
            return
        try:
            self.body_iterator = self._hub.events(listener)
            await super().__call__(scope, receive, send)
        finally:
            self._hub.leave(listener)

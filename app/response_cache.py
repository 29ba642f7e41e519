"""Cache of responses that many readers share: each is built once, stored, and served while a newer one is built.

`app.api.shared_responses` is the middleware that answers requests from it.
"""

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from app.domain.errors import RateLimited

T = TypeVar("T")

# Responses that one process builds at a time. Boards are ranked one by one; most of a response's time is waiting for
# the database, and on a busy machine for the processor.
MAX_BUILDERS = 10
# Requests of one visitor that may wait: far more than the links of a page that a reader follows at once.
MAX_WAITING_PER_VISITOR = 256
# From this many waiting readers on, stored responses are served; fewer readers wait for the newest.
CROWD_READERS = 5
CROWD_S = 2.0
# A single reader waits this long for the newest response before the last one is served.
PATIENCE_S = 2.0
# No older response is served.
MAX_AGE_S = 30.0
# In a crowd: the least time between two readings of the state, and how long the last reading is used meanwhile.
STATE_EVERY_S, STATE_MAX_AGE_S = 0.25, 1.0
# What answers took (time, tokens, money) is no part of the state and reaches boards later: a response holds this long.
STATE_HOLDS_S = 5.0
# In a crowd a response is built again after this many times as long as it took, so that building does not take all
# the time, and well before it is too old to be served.
REST_TIMES, REST_MAX_S = 4, 8.0
MAX_STORED_BYTES = 32 * 1024 * 1024


TimedState = tuple[float, Hashable]  # when its reading began, and the state


@dataclass(frozen=True, slots=True)
class ResponseRequest(Generic[T]):
    """A request for the response of a key.

    `build` returns the response and its size in bytes, 0 if it must not be stored. A response `by_state` depends on the
    state alone, except for what boards report late. `newest` allows no older response.
    """

    key: Hashable
    build: Callable[[], Awaitable[tuple[T, int]]]
    by_state: bool = False
    newest: bool = False
    visitor: str | None = None


@dataclass(frozen=True, slots=True)
class StoredResponse(Generic[T]):
    """A response, the state it was built from, when its building began, the seconds it took, and its size in bytes.

    A response without bytes is served to those who waited for it, and not stored.
    """

    value: T
    state: Hashable
    begun_at: float
    took_s: float
    size: int

    def holds(self, state: Hashable) -> bool:
        """Return whether this response was built from a state; None is an unknown state."""
        return state is not None and self.state == state


@dataclass(frozen=True, slots=True)
class ServedResponse(Generic[T]):
    """A response as it is served. `age_s` is None for the newest."""

    value: T
    age_s: float | None = None


class BuildQueue:
    """A fixed number of seats for builders, given to visitors in rotation; a visitor's requests keep their order."""

    def __init__(self, seats: int, most: int = MAX_WAITING_PER_VISITOR) -> None:
        self._free, self._most = seats, most
        self._lines: OrderedDict[str | None, deque[asyncio.Future[None]]] = OrderedDict()

    def check(self, visitor: str | None) -> None:
        """Raise RateLimited if a visitor has too many requests waiting; None stands for many visitors."""
        if visitor is not None and len(self._lines.get(visitor, ())) >= self._most:
            raise RateLimited(f"{self._most} requests from your address are already waiting; try again later")

    @asynccontextmanager
    async def seat(self, visitor: str | None) -> AsyncIterator[None]:
        """Hold a seat for as long as the block runs."""
        if self._free:
            self._free -= 1
        else:
            call = asyncio.get_running_loop().create_future()
            self._lines.setdefault(visitor, deque()).append(call)
            await call
        try:
            yield
        finally:
            self._leave()

    def _leave(self) -> None:
        if not self._lines:
            self._free += 1
            return
        visitor, line = self._lines.popitem(last=False)
        line.popleft().set_result(None)
        if line:
            self._lines[visitor] = line


class ResponseCache(Generic[T]):
    """The responses of one process.

    A reader gets a response whose building began after it asked, or one of the present state; all who ask the same wait
    for one building. In a crowd, or if building takes long, a reader gets the last response with its age instead while
    the next one is built. `read_state` returns what every response `by_state` is built from, None if it is unknown.
    """

    def __init__(
        self,
        read_state: Callable[[], Awaitable[Hashable]],
        builders: int = MAX_BUILDERS,
        max_bytes: int = MAX_STORED_BYTES,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.patience_s = PATIENCE_S
        self._read_state, self._max_bytes, self._clock = read_state, max_bytes, clock
        self._queue = BuildQueue(builders)
        self._stored: OrderedDict[Hashable, StoredResponse[T]] = OrderedDict()
        self._bytes = 0
        self._building: dict[Hashable, asyncio.Task[StoredResponse[T]]] = {}
        self._state: TimedState = (-STATE_MAX_AGE_S, None)
        self._reading: asyncio.Task[TimedState] | None = None
        self._waiting = 0
        self._crowd_until = 0.0
        self._crowd = asyncio.Event()

    @property
    def building(self) -> int:
        """The number of responses that are being built or wait for a seat."""
        return len(self._building)

    async def get(self, request: ResponseRequest[T]) -> ServedResponse[T]:
        """Return the response of a key. Raises RateLimited, and what building it raises."""
        arrived = self._clock()
        if arrived < self._crowd_until:
            served = None if request.newest else self._serve_in_crowd(request, arrived)
            if served is not None:
                return served
        else:
            self._crowd.clear()
        self._waiting += 1
        if self._waiting >= CROWD_READERS:
            self._crowd_until = arrived + CROWD_S
            self._crowd.set()
        try:
            return await self._wait(request, arrived)
        finally:
            self._waiting -= 1

    def _serve_in_crowd(self, request: ResponseRequest[T], arrived: float) -> ServedResponse[T] | None:
        stored = self._stored.get(request.key)
        if stored is None:
            return None
        self._stored.move_to_end(request.key)
        age = arrived - stored.begun_at
        if request.by_state and age < STATE_HOLDS_S and stored.holds(self._recent_state(arrived)):
            return ServedResponse(stored.value)
        if age > MAX_AGE_S:
            return None
        if age > min(REST_TIMES * stored.took_s, REST_MAX_S):
            self._start(replace(request, visitor=None))
        return ServedResponse(stored.value, age)

    async def _wait(self, request: ResponseRequest[T], arrived: float) -> ServedResponse[T]:
        state = await self._state_since(arrived) if request.by_state else None

        def is_newest(stored: StoredResponse[T]) -> bool:
            return stored.begun_at >= arrived or (arrived - stored.begun_at < STATE_HOLDS_S and stored.holds(state))

        while True:
            stored = self._stored.get(request.key)
            if stored is not None and is_newest(stored):
                self._stored.move_to_end(request.key)
                return ServedResponse(stored.value)
            building = self._start(request)
            if stored is not None and not request.newest and arrived - stored.begun_at <= MAX_AGE_S:
                await self._wait_patiently(building, arrived)
                if not building.done():
                    return ServedResponse(stored.value, self._clock() - stored.begun_at)
            built = await asyncio.shield(building)
            if is_newest(built):
                return ServedResponse(built.value)

    async def _wait_patiently(self, building: "asyncio.Task[StoredResponse[T]]", arrived: float) -> None:
        """Return when the building has ended, a crowd has formed, or this reader has waited long enough."""
        crowd = asyncio.create_task(self._crowd.wait())
        wait_s = max(arrived + self.patience_s - self._clock(), 0)
        await asyncio.wait((building, crowd), timeout=wait_s, return_when=asyncio.FIRST_COMPLETED)
        crowd.cancel()

    def _start(self, request: ResponseRequest[T]) -> "asyncio.Task[StoredResponse[T]]":
        """Return the task that makes a response; start one if there is none."""
        building = self._building.get(request.key)
        if building is None:
            self._queue.check(request.visitor)
            building = self._building[request.key] = asyncio.create_task(self._build(request))
            building.add_done_callback(_retrieve_failure)
        return building

    async def _build(self, request: ResponseRequest[T]) -> StoredResponse[T]:
        built = None
        try:
            async with self._queue.seat(request.visitor):
                begun = self._clock()
                state = await self._state_since(begun) if request.by_state else None
                value, size = await request.build()
                built = StoredResponse(value, state, begun, self._clock() - begun, size)
                return built
        finally:  # not in a callback: a reader who sees that this has ended must find the result
            del self._building[request.key]
            self._store(request.key, built)

    def _store(self, key: Hashable, built: StoredResponse[T] | None) -> None:
        """Replace the last response by the new one; a failure removes it."""
        if (last := self._stored.pop(key, None)) is not None:
            self._bytes -= last.size
        if built is None or not built.size:
            return
        self._stored[key] = built
        self._bytes += built.size
        while self._bytes > self._max_bytes:
            self._bytes -= self._stored.popitem(last=False)[1].size

    def _recent_state(self, now: float) -> Hashable:
        """Return the state as it was a moment ago, None if the last reading is too old; start a new reading if due."""
        read, state = self._state
        if now - read > STATE_EVERY_S and self._reading is None:
            self._read()
        return state if now - read <= STATE_MAX_AGE_S else None

    async def _state_since(self, moment: float) -> Hashable:
        """Return the state as it is read after a moment; all who wait share one reading."""
        while self._state[0] < moment:
            await asyncio.shield(self._reading or self._read())
        return self._state[1]

    def _read(self) -> "asyncio.Task[TimedState]":
        async def read() -> TimedState:
            begun = self._clock()
            try:
                self._state = begun, await self._read_state()
                return self._state
            finally:
                self._reading = None

        self._reading = asyncio.create_task(read())
        self._reading.add_done_callback(_retrieve_failure)
        return self._reading


def _retrieve_failure(task: "asyncio.Task[T]") -> None:
    """Retrieve a failure that no reader waited for; the next reader has the response built again."""
    if not task.cancelled():
        task.exception()

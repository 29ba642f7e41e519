"""Shared answers: each is made once for all who ask, kept, and served while a newer one is made."""

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from app.domain.errors import RateLimited

T = TypeVar("T")

# Answers that one process makes at a time. Boards are ranked one by one; most of an answer's time is waiting for the
# database, and on a busy machine for the processor.
MAX_MAKERS = 10
# Questions of one visitor that may wait: far more than the links of a page that a reader follows at once.
MAX_WAITING_PER_VISITOR = 256
# From this many waiting readers on, kept answers are served; fewer readers wait for the newest.
CROWD_READERS = 5
CROWD_S = 2.0
# A single reader waits this long for the newest answer before the last one is served.
PATIENCE_S = 2.0
# No older answer is served.
MAX_AGE_S = 30.0
# In a crowd: the least time between two readings of the state, and how long the last reading is used meanwhile.
STATE_EVERY_S, STATE_MAX_AGE_S = 0.25, 1.0
# What answers took (time, tokens, money) is no part of the state and reaches boards later: an answer holds this long.
STATE_HOLDS_S = 5.0
# In a crowd an answer is made again after this many times as long as it took, so that making does not take all the
# time, and well before it is too old to be served.
REST_TIMES, REST_MAX_S = 4, 8.0
MAX_KEPT_BYTES = 32 * 1024 * 1024


TimedState = tuple[float, Hashable]  # when its reading began, and the state


@dataclass(frozen=True, slots=True)
class AnswerRequest(Generic[T]):
    """A question and how it is answered.

    `make` returns the answer and its size in bytes, 0 if it must not be kept. An answer `by_state` depends on the state
    alone, except for what boards report late. `newest` allows no older answer.
    """

    question: Hashable
    make: Callable[[], Awaitable[tuple[T, int]]]
    by_state: bool = False
    newest: bool = False
    visitor: str | None = None


@dataclass(frozen=True, slots=True)
class KeptAnswer(Generic[T]):
    """An answer, the state it was made from, when its making began, the seconds it took, and its size in bytes.

    An answer without bytes is served to those who waited for it, and not kept.
    """

    value: T
    state: Hashable
    begun_at: float
    took_s: float
    size: int

    def holds(self, state: Hashable) -> bool:
        """Return whether this answer was made from a state; None is an unknown state."""
        return state is not None and self.state == state


@dataclass(frozen=True, slots=True)
class ServedAnswer(Generic[T]):
    """An answer as it is served. `age_s` is None for the newest."""

    value: T
    age_s: float | None = None


class MakerQueue:
    """A fixed number of seats, given to waiting visitors in rotation; each visitor's questions keep their order."""

    def __init__(self, seats: int, most: int = MAX_WAITING_PER_VISITOR) -> None:
        self._free, self._most = seats, most
        self._lines: OrderedDict[str | None, deque[asyncio.Future[None]]] = OrderedDict()

    def check(self, visitor: str | None) -> None:
        """Raise RateLimited if a visitor has too many questions waiting; None stands for many visitors."""
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


class AnswerCache(Generic[T]):
    """The answers of one process.

    A reader gets an answer whose making began after it asked, or one of the present state; all who ask the same wait
    for one making. In a crowd, or when a making takes long, a reader gets the last answer with its age instead, while
    the next one is made. `read_state` returns what every answer `by_state` is made from, None if it is unknown.
    """

    def __init__(
        self,
        read_state: Callable[[], Awaitable[Hashable]],
        makers: int = MAX_MAKERS,
        max_bytes: int = MAX_KEPT_BYTES,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.patience_s = PATIENCE_S
        self._read_state, self._max_bytes, self._clock = read_state, max_bytes, clock
        self._queue = MakerQueue(makers)
        self._kept: OrderedDict[Hashable, KeptAnswer[T]] = OrderedDict()
        self._bytes = 0
        self._making: dict[Hashable, asyncio.Task[KeptAnswer[T]]] = {}
        self._state: TimedState = (-STATE_MAX_AGE_S, None)
        self._reading: asyncio.Task[TimedState] | None = None
        self._waiting = 0
        self._crowd_until = 0.0
        self._crowd = asyncio.Event()

    @property
    def making(self) -> int:
        """The number of answers that are being made or wait for a seat."""
        return len(self._making)

    async def answer(self, request: AnswerRequest[T]) -> ServedAnswer[T]:
        """Return the answer to a question. Raises RateLimited, and what making it raises."""
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

    def _serve_in_crowd(self, request: AnswerRequest[T], arrived: float) -> ServedAnswer[T] | None:
        kept = self._kept.get(request.question)
        if kept is None:
            return None
        self._kept.move_to_end(request.question)
        age = arrived - kept.begun_at
        if request.by_state and age < STATE_HOLDS_S and kept.holds(self._recent_state(arrived)):
            return ServedAnswer(kept.value)
        if age > MAX_AGE_S:
            return None
        if age > min(REST_TIMES * kept.took_s, REST_MAX_S):
            self._start(replace(request, visitor=None))
        return ServedAnswer(kept.value, age)

    async def _wait(self, request: AnswerRequest[T], arrived: float) -> ServedAnswer[T]:
        state = await self._state_since(arrived) if request.by_state else None

        def is_newest(kept: KeptAnswer[T]) -> bool:
            return kept.begun_at >= arrived or (arrived - kept.begun_at < STATE_HOLDS_S and kept.holds(state))

        while True:
            kept = self._kept.get(request.question)
            if kept is not None and is_newest(kept):
                self._kept.move_to_end(request.question)
                return ServedAnswer(kept.value)
            making = self._start(request)
            if kept is not None and not request.newest and arrived - kept.begun_at <= MAX_AGE_S:
                await self._wait_patiently(making, arrived)
                if not making.done():
                    return ServedAnswer(kept.value, self._clock() - kept.begun_at)
            made = await asyncio.shield(making)
            if is_newest(made):
                return ServedAnswer(made.value)

    async def _wait_patiently(self, making: "asyncio.Task[KeptAnswer[T]]", arrived: float) -> None:
        """Return when the making has ended, a crowd has formed, or this reader has waited long enough."""
        crowd = asyncio.create_task(self._crowd.wait())
        wait_s = max(arrived + self.patience_s - self._clock(), 0)
        await asyncio.wait((making, crowd), timeout=wait_s, return_when=asyncio.FIRST_COMPLETED)
        crowd.cancel()

    def _start(self, request: AnswerRequest[T]) -> "asyncio.Task[KeptAnswer[T]]":
        """Return the task that makes an answer; start one if there is none."""
        making = self._making.get(request.question)
        if making is None:
            self._queue.check(request.visitor)
            making = self._making[request.question] = asyncio.create_task(self._make(request))
            making.add_done_callback(_retrieve_failure)
        return making

    async def _make(self, request: AnswerRequest[T]) -> KeptAnswer[T]:
        made = None
        try:
            async with self._queue.seat(request.visitor):
                begun = self._clock()
                state = await self._state_since(begun) if request.by_state else None
                value, size = await request.make()
                made = KeptAnswer(value, state, begun, self._clock() - begun, size)
                return made
        finally:  # not in a callback: a reader who sees that this has ended must find the result
            del self._making[request.question]
            self._keep(request.question, made)

    def _keep(self, question: Hashable, made: KeptAnswer[T] | None) -> None:
        """Replace the last answer by the new one; a failure removes it."""
        if (last := self._kept.pop(question, None)) is not None:
            self._bytes -= last.size
        if made is None or not made.size:
            return
        self._kept[question] = made
        self._bytes += made.size
        while self._bytes > self._max_bytes:
            self._bytes -= self._kept.popitem(last=False)[1].size

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
    """Retrieve a failure that no reader waited for; the next reader has the answer made again."""
    if not task.cancelled():
        task.exception()

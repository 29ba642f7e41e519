"""Answers that are made once for all who ask, kept, and given while newer ones are made."""

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from app.domain.errors import RateLimited

T = TypeVar("T")

# So many answers are made at once in a process. Boards are ranked one by one; most of the time of an answer is waiting
# for the database, and on a busy machine for the processor.
MAKERS = 10
# The questions of one visitor that may wait to be made: far more than any page has links that somebody follows at once.
MAX_WAITING_PER_VISITOR = 256
# Fewer readers than this who wait at once get the newest answer.
CROWD = 5
CROWD_S = 2.0
# A reader alone waits so long for the newest answer before the last one is given.
PATIENCE_S = 2.0
# No answer that is known to be older than this is given.
MAX_AGE_S = 30.0
# In a crowd the state is read so often, and believed for so long while it is read again.
STATE_EVERY_S, STATE_MAX_AGE_S = 0.25, 1.0
# Boards tell late what answers took, whatever their state: an answer of the same state holds so long.
STATE_HOLDS_S = 5.0
# In a crowd an answer is made again after so many times as long as it took, so that not all time goes into making, and
# well before it is too old to be given.
REST_TIMES, REST_MAX_S = 4, 8.0
MAX_KEPT_BYTES = 32 * 1024 * 1024


State = tuple[float, Hashable]  # when its reading began, and what it was


@dataclass(frozen=True, slots=True)
class AnswerRequest(Generic[T]):
    """A question and how it is answered.

    `make` returns the answer and its bytes, 0 if it must not be kept. One `by_state` depends on the state alone,
    but for what is told late. `newest` allows no older answer.
    """

    question: Hashable
    make: Callable[[], Awaitable[tuple[T, int]]]
    by_state: bool = False
    newest: bool = False
    visitor: str | None = None


@dataclass(frozen=True, slots=True)
class KeptAnswer(Generic[T]):
    """An answer, the state of what it was made from, when its making began, how long it took, and its bytes.

    One without bytes is given to those who waited for it, and not kept.
    """

    value: T
    state: Hashable
    begun: float
    took: float
    size: int

    def holds(self, state: Hashable) -> bool:
        """Return whether this answer was made from a state; None is a state that is not known."""
        return state is not None and self.state == state


@dataclass(frozen=True, slots=True)
class ServedAnswer(Generic[T]):
    """An answer as it is given. `age_s` is None for the newest."""

    value: T
    age_s: float | None = None


class MakerQueue:
    """A number of seats; the visitors who wait get them in turn, each in the order in which it asked."""

    def __init__(self, seats: int, most: int = MAX_WAITING_PER_VISITOR) -> None:
        self._free, self._most = seats, most
        self._lines: OrderedDict[str | None, deque[asyncio.Future[None]]] = OrderedDict()

    def check(self, visitor: str | None) -> None:
        """Raise RateLimited if a visitor has too many questions waiting; None stands for many visitors."""
        if visitor is not None and len(self._lines.get(visitor, ())) >= self._most:
            raise RateLimited(f"{self._most} questions from your address wait for answers already; ask again later")

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


class Answers(Generic[T]):
    """The answers of one process.

    A reader gets an answer whose making began after it asked, or one of the present state; all who ask the same wait
    for one making. In a crowd, or when a making takes long, a reader gets the last answer with its age instead, while
    the next one is made. `read_state` returns what every answer `by_state` is made from, None if it cannot be known.
    """

    def __init__(
        self,
        read_state: Callable[[], Awaitable[Hashable]],
        makers: int = MAKERS,
        max_bytes: int = MAX_KEPT_BYTES,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.patience_s = PATIENCE_S
        self._read_state, self._max_bytes, self._clock = read_state, max_bytes, clock
        self._queue = MakerQueue(makers)
        self._kept: OrderedDict[Hashable, KeptAnswer[T]] = OrderedDict()
        self._bytes = 0
        self._making: dict[Hashable, asyncio.Task[KeptAnswer[T]]] = {}
        self._state: State = (-STATE_MAX_AGE_S, None)
        self._reading: asyncio.Task[State] | None = None
        self._waiting = 0
        self._crowd_until = 0.0
        self._crowd = asyncio.Event()

    @property
    def making(self) -> int:
        """The number of answers that are being made or wait for their turn."""
        return len(self._making)

    async def answer(self, asked: AnswerRequest[T]) -> ServedAnswer[T]:
        """Return the answer to a question. Raises RateLimited, and what making it raises."""
        arrived = self._clock()
        if arrived < self._crowd_until:
            given = None if asked.newest else self._given_in_crowd(asked, arrived)
            if given is not None:
                return given
        else:
            self._crowd.clear()
        self._waiting += 1
        if self._waiting >= CROWD:
            self._crowd_until = arrived + CROWD_S
            self._crowd.set()
        try:
            return await self._wait(asked, arrived)
        finally:
            self._waiting -= 1

    def _given_in_crowd(self, asked: AnswerRequest[T], arrived: float) -> ServedAnswer[T] | None:
        kept = self._kept.get(asked.question)
        if kept is None:
            return None
        self._kept.move_to_end(asked.question)
        age = arrived - kept.begun
        if asked.by_state and age < STATE_HOLDS_S and kept.holds(self._recent_state(arrived)):
            return ServedAnswer(kept.value)
        if age > MAX_AGE_S:
            return None
        if age > min(REST_TIMES * kept.took, REST_MAX_S):
            self._start(replace(asked, visitor=None))
        return ServedAnswer(kept.value, age)

    async def _wait(self, asked: AnswerRequest[T], arrived: float) -> ServedAnswer[T]:
        state = await self._state_since(arrived) if asked.by_state else None

        def is_newest(kept: KeptAnswer[T]) -> bool:
            return kept.begun >= arrived or (arrived - kept.begun < STATE_HOLDS_S and kept.holds(state))

        while True:
            kept = self._kept.get(asked.question)
            if kept is not None and is_newest(kept):
                self._kept.move_to_end(asked.question)
                return ServedAnswer(kept.value)
            making = self._start(asked)
            if kept is not None and not asked.newest and arrived - kept.begun <= MAX_AGE_S:
                await self._wait_patiently(making, arrived)
                if not making.done():
                    return ServedAnswer(kept.value, self._clock() - kept.begun)
            made = await asyncio.shield(making)
            if is_newest(made):
                return ServedAnswer(made.value)

    async def _wait_patiently(self, making: "asyncio.Task[KeptAnswer[T]]", arrived: float) -> None:
        """Return when the making has ended, a crowd has come, or this reader has waited long enough."""
        crowd = asyncio.create_task(self._crowd.wait())
        left = max(arrived + self.patience_s - self._clock(), 0)
        await asyncio.wait((making, crowd), timeout=left, return_when=asyncio.FIRST_COMPLETED)
        crowd.cancel()

    def _start(self, asked: AnswerRequest[T]) -> "asyncio.Task[KeptAnswer[T]]":
        """Return the making of an answer, begun or waiting for its turn, of a new one if there is none."""
        making = self._making.get(asked.question)
        if making is None:
            self._queue.check(asked.visitor)
            making = self._making[asked.question] = asyncio.create_task(self._make(asked))
            making.add_done_callback(_look_at_failure)
        return making

    async def _make(self, asked: AnswerRequest[T]) -> KeptAnswer[T]:
        made = None
        try:
            async with self._queue.seat(asked.visitor):
                begun = self._clock()
                state = await self._state_since(begun) if asked.by_state else None
                value, size = await asked.make()
                made = KeptAnswer(value, state, begun, self._clock() - begun, size)
                return made
        finally:  # and not in a callback: who sees that this has ended must find what came of it
            del self._making[asked.question]
            self._keep(asked.question, made)

    def _keep(self, question: Hashable, made: KeptAnswer[T] | None) -> None:
        """Keep what was made in place of the last answer, which a failure replaces, too."""
        if (last := self._kept.pop(question, None)) is not None:
            self._bytes -= last.size
        if made is None or not made.size:
            return
        self._kept[question] = made
        self._bytes += made.size
        while self._bytes > self._max_bytes:
            self._bytes -= self._kept.popitem(last=False)[1].size

    def _recent_state(self, now: float) -> Hashable:
        """Return the state as it was a moment ago, None if it has not been read for longer; have it read again."""
        read, state = self._state
        if now - read > STATE_EVERY_S and self._reading is None:
            self._read()
        return state if now - read <= STATE_MAX_AGE_S else None

    async def _state_since(self, moment: float) -> Hashable:
        """Return the state as it is read after a moment, in one reading for all who wait for it."""
        while self._state[0] < moment:
            await asyncio.shield(self._reading or self._read())
        return self._state[1]

    def _read(self) -> "asyncio.Task[State]":
        async def read() -> State:
            begun = self._clock()
            try:
                self._state = begun, await self._read_state()
                return self._state
            finally:
                self._reading = None

        self._reading = asyncio.create_task(read())
        self._reading.add_done_callback(_look_at_failure)
        return self._reading


def _look_at_failure(task: "asyncio.Task[T]") -> None:
    """Take a failure that no reader waited for; the next reader has the answer made again."""
    if not task.cancelled():
        task.exception()

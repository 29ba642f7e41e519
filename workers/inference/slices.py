"""A slice: a bounded time in which an endpoint is asked a list of requests, as fast as it allows."""

import asyncio
import heapq
import itertools
import logging
import random
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from app.domain.addresses import Network
from app.domain.asking.completions import (
    Answered,
    Completion,
    EndpointSpec,
    Failed,
    FailureOwner,
    InferenceRequest,
    Outcome,
    Retry,
)
from app.domain.errors import AddressRefused
from workers.inference.backends import Backend
from workers.inference.limiter import Pace
from workers.inference.wire import Trouble, ask_once, open_door
from workers.net import Door

_log = logging.getLogger(__name__)

_TRIES = 4  # counted failures of one request in one slice before it is handed back
_BACKOFF_S = (1.0, 30.0)  # first and longest wait where the endpoint names none
_PATIENCE_S = 60.0  # a wait longer than this is the database's business, not a slice's
_SHARE = 0.9  # of a slice that one try may take, so that an endpoint that never answers is found out


@dataclass(slots=True)
class _Job:
    request: InferenceRequest
    failures: int = 0
    refusals: int = 0
    trouble: Trouble | None = None  # the last counted one

    def failed(self, trouble: Trouble) -> None:
        if trouble.rate_limited:
            self.refusals += 1
        else:
            self.failures += 1
            self.trouble = trouble


class Slice:
    """Asks every request and emits exactly one outcome for each; `run` once, in any event loop."""

    def __init__(
        self,
        endpoint: EndpointSpec,
        backend: Backend,
        requests: Sequence[InferenceRequest],
        *,
        pace: Pace,
        allow: Sequence[Network],
        deadline_s: float,
        clock: Callable[[], datetime],
        emit: Callable[[Outcome], None],
    ) -> None:
        self._endpoint, self._backend, self._allow = endpoint, backend, allow
        self._pace, self._clock, self._emit = pace, clock, emit
        self._deadline_s = deadline_s
        self._timeout_s = min(endpoint.timeout_s, deadline_s * _SHARE)
        self._fresh = deque(_Job(request) for request in requests)
        self._waiting: list[tuple[float, int, _Job]] = []  # heap by the time a retry is due
        self._flying: dict[asyncio.Task[None], _Job] = {}
        self._order = itertools.count()
        self._typical_s = 0.0  # running mean of the answers' latency
        self._stopped: Trouble | None = None
        self._bug: BaseException | None = None
        self._halted = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._wake: asyncio.Event | None = None

    async def run(self) -> None:
        """Work until every request has its outcome or the time is over; then hand back the rest."""
        self._loop, self._wake = asyncio.get_running_loop(), asyncio.Event()
        self._ends = self._loop.time() + self._deadline_s
        try:
            async with open_door(self._endpoint, self._allow, min(self._pace.ceiling, len(self._fresh))) as way:
                await self._work(way)
        except AddressRefused as refused:
            self._stopped = Trouble(str(refused), Retry.STOP)
        if self._bug is not None:
            raise self._bug
        self._hand_back()

    async def _work(self, way: Door) -> None:
        assert self._loop is not None
        while not self._halted and not self._bug and (now := self._loop.time()) < self._ends:
            job = self._next(now)
            if job is not None:
                task = self._loop.create_task(self._try(job, way))
                task.add_done_callback(self._landed)
                self._flying[task] = job
            elif self._flying or self._hopes(now):
                await self._sleep(now)
            else:
                break
        await self._abandon()

    def halt(self) -> None:
        """End the slice now, from any thread; whatever is unfinished is handed back."""
        self._halted = True
        if self._loop is not None and self._wake is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._wake.set)

    def _next(self, now: float) -> _Job | None:
        """The request to send now; None where there is none, or no room, or no time for an answer."""
        if self._stopped or now + self._typical_s >= self._ends or not self._pace.has_room(len(self._flying), now):
            return None
        if self._waiting and self._waiting[0][0] <= now:
            return heapq.heappop(self._waiting)[2]
        return self._fresh.popleft() if self._fresh else None

    def _hopes(self, now: float) -> bool:
        """Whether waiting, with nothing on its way, can lead to another request in this slice."""
        if self._stopped or not (self._fresh or self._waiting):
            return False
        due = max(self._pace.opens_at, 0.0 if self._fresh else self._waiting[0][0])
        return max(now, due) + self._typical_s < self._ends and due - now <= _PATIENCE_S

    async def _sleep(self, now: float) -> None:
        """Until a call ends, a retry falls due, the endpoint opens again, or the slice ends."""
        assert self._loop is not None
        assert self._wake is not None
        moments = [self._ends, self._pace.opens_at, *(entry[0] for entry in self._waiting[:1])]
        alarm = self._loop.call_at(min(moment for moment in moments if moment > now), self._wake.set)
        await self._wake.wait()
        self._wake.clear()
        alarm.cancel()

    async def _try(self, job: _Job, way: Door) -> None:
        assert self._wake is not None
        try:
            result = await ask_once(
                way,
                self._backend,
                self._endpoint,
                job.request,
                timeout_s=self._timeout_s,
                clock=self._clock,
            )
        except Exception as bug:  # one hostile answer must not cost the others theirs
            _log.exception("inference.client_failed")
            result = Trouble(f"our client failed ({type(bug).__name__})", Retry.LATER, FailureOwner.US)
        finally:
            self._wake.set()
        task = asyncio.current_task()
        assert task is not None
        del self._flying[task]
        self._settle(job, result)

    def _landed(self, task: asyncio.Task[None]) -> None:
        """An error outside a call is the slice's own: it ends the slice, and the caller sees it."""
        if not task.cancelled() and task.exception() is not None:
            self._bug = task.exception()
            assert self._wake is not None
            self._wake.set()

    def _settle(self, job: _Job, result: Completion | Trouble) -> None:
        if isinstance(result, Completion):
            self._pace.answered()
            latency_s = result.latency_ms / 1000
            self._typical_s += (latency_s - self._typical_s) * (0.1 if self._typical_s else 1.0)
            self._emit(Answered(job.request.sample_id, result))
        elif result.retry is Retry.LATER:
            self._postpone(job, result)
        else:
            if result.retry is Retry.STOP:
                self._stopped = self._stopped or result
            self._emit(self._failure(job, result))

    def _postpone(self, job: _Job, trouble: Trouble) -> None:
        assert self._loop is not None
        now = self._loop.time()
        job.failed(trouble)
        wait_s = self._backoff(job) if trouble.wait_s is None else trouble.wait_s
        if trouble.rate_limited:
            self._pace.rate_limited(now, wait_s, asked=trouble.wait_s is not None)
        else:
            self._pace.unwell()
        if job.failures >= _TRIES or wait_s > _PATIENCE_S or now + wait_s >= self._ends:
            self._emit(self._failure(job, trouble, wait_s))
        else:
            heapq.heappush(self._waiting, (now + wait_s, next(self._order), job))

    def _backoff(self, job: _Job) -> float:
        first, longest = _BACKOFF_S
        spread = random.uniform(0.5, 1.0)  # noqa: S311  # so that retries do not march in step; no secret
        return float(min(longest, first * 2 ** min(job.failures + job.refusals - 1, 10)) * spread)

    async def _abandon(self) -> None:
        for task in self._flying:
            task.cancel()
        await asyncio.gather(*self._flying, return_exceptions=True)

    def _hand_back(self) -> None:
        """One outcome for every request that has none: sent and unanswered, waiting for a retry, or never sent."""
        assert self._loop is not None
        now = self._loop.time()
        for due, _, job in self._waiting:
            self._emit(self._leftover(job, max(due, self._pace.opens_at) - now))
        for job in (*self._flying.values(), *self._fresh):
            self._emit(self._leftover(job, self._pace.opens_at - now))

    def _leftover(self, job: _Job, wait_s: float) -> Failed:
        if job.trouble is not None:
            return self._failure(job, job.trouble, wait_s)
        if self._stopped is not None:
            return self._failure(job, self._stopped)
        if job.refusals or wait_s > 0 or self._pace.refusing:
            return self._failure(job, Trouble("rate limited by the endpoint", Retry.LATER, rate_limited=True), wait_s)
        ended = Trouble("the slice ended before an answer", Retry.LATER, FailureOwner.US)
        return Failed(job.request.sample_id, ended.reason, ended.retry, ended.owner, counts=False)

    def _failure(self, job: _Job, trouble: Trouble, wait_s: float = 0.0) -> Failed:
        """A 429 and a stopped endpoint say nothing of the sample, so they do not use up its attempts."""
        return Failed(
            sample_id=job.request.sample_id,
            reason=trouble.reason,
            retry=trouble.retry,
            owner=trouble.owner,
            not_before=self._clock() + timedelta(seconds=wait_s) if wait_s > 0 else None,
            counts=job.trouble is not None or not (trouble.rate_limited or trouble.retry is Retry.STOP),
        )

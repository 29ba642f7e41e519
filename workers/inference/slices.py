"""A slice: a limited time in which an endpoint is asked a list of requests, as fast as it allows.

When the time is over nothing more is sent. Calls under way then go on for as long as one answer may take.
"""

import asyncio
import contextlib
import heapq
import itertools
import logging
import random
from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from app.domain.addresses import Network
from app.domain.asking.completions import (
    AnsweredSample,
    Completion,
    EndpointSpec,
    FailedSample,
    FailureOwner,
    InferenceRequest,
    Retry,
    RetryNotice,
    SampleOutcome,
)
from app.domain.errors import AddressRefused
from app.domain.reasons import Reason, error_reason
from workers.inference.backends import Backend
from workers.inference.calls import EndpointCall, group_requests, max_answers
from workers.inference.limiter import EndpointPace
from workers.inference.wire import CallFailure, Reply, ask_once, open_endpoint
from workers.net import HostClient

_log = logging.getLogger(__name__)

_MAX_FAILURES = 4  # counted failures of one request in one slice before it is handed back
_MAX_BACKOFF_S = 30.0
_MAX_WAIT_S = 20.0  # a longer wait is scheduled in the database, not in a slice
_MAX_REFUSED_IN_A_ROW = 3  # requests of a run that had answers, before the run counts as refused
_CLOSED_S, _CLOSED_ANSWERS = 60.0, 10.0  # seconds, and typical answers, before the end: nothing is added then

SLICE_ENDED = CallFailure(Reason("slice_ended"), Retry.LATER, FailureOwner.US)
_UNWANTED = CallFailure(Reason("run_ended"), Retry.LATER, FailureOwner.US)
_LEFT_ALONE = "the endpoint is left alone for a while after it failed"


class SliceRunner:
    """A loop that asks every request and emits exactly one outcome for each; call `run` once, in any event loop."""

    def __init__(
        self,
        endpoint: EndpointSpec,
        backend: Backend,
        requests: Sequence[InferenceRequest],
        *,
        pace: EndpointPace,
        allow: Sequence[Network],
        deadline_s: float,
        clock: Callable[[], datetime],
        emit: Callable[[SampleOutcome | RetryNotice], None],
        backoff_s: float = 1.0,
        opened: Callable[..., contextlib.AbstractAsyncContextManager[HostClient | None]] = open_endpoint,
    ) -> None:
        self._endpoint, self._backend, self._allow = endpoint, backend, allow
        self._pace, self._clock, self._emit = pace, clock, emit
        self._deadline_s, self._backoff_s, self._opened = deadline_s, backoff_s, opened
        self._fresh = deque(self._calls(requests))
        self._waiting: list[tuple[float, int, EndpointCall]] = []  # heap by the time a retry is due
        self._under_way: dict[asyncio.Task[None], EndpointCall] = {}
        self._answers_under_way = 0
        self._order = itertools.count()
        self._typical_s = 0.0  # running mean of the answers' latency
        self._stopped: CallFailure | None = None
        self._refused: dict[int, int] = {}  # by run, without an answer between
        self._had_answers = {request.run_id for request in requests if request.run_answered}
        self._failed_runs: dict[int, CallFailure] = {}
        self._unwanted: set[int] = set()
        self._last_failure: CallFailure | None = None
        self._draining = False
        self._answered_at = self._since_1970 = 0.0
        self._replied_at = 0.0  # when the last whole response came
        self._error: BaseException | None = None
        self._halted = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._wake: asyncio.Event | None = None

    async def run(self) -> None:
        """Work until every request has its outcome, or until the time is over and the calls under way have ended."""
        self._loop, self._wake = asyncio.get_running_loop(), asyncio.Event()
        # Waits are shared between workers, so their moments are in wall-clock time, which does not jump within a slice.
        self._since_1970 = self._clock().timestamp() - self._loop.time()
        self._answered_at = self._now()
        self._ends = self._answered_at + self._deadline_s
        try:
            async with self._opened(self._backend, self._endpoint, self._allow, self._pace.ceiling) as way:
                await self._work(way)
        except AddressRefused as refused:
            self._stopped = CallFailure(error_reason(refused), Retry.STOP)
        if self._error is not None:
            raise self._error
        self._hand_back()

    async def _work(self, way: HostClient | None) -> None:
        assert self._loop is not None
        while not self._halted and not self._error:
            now = self._now()
            if self._stopped or self._draining or now >= self._ends:
                self._hand_back_unsent()
            job = self._next(now)
            if job is not None:
                job.sent += 1
                job.sent_at = now
                self._answers_under_way += len(job.requests)
                task = self._loop.create_task(self._try(job, way))
                task.add_done_callback(self._note_bug)
                self._under_way[task] = job
                self._pace.hour.count(now, sent=1)
            elif self._under_way or self._can_continue(now):
                await self._sleep(now)
            else:
                break
        await self._cancel_all()

    def halt(self) -> None:
        """End the slice now, from any thread; unfinished requests are handed back."""
        self._halted = True
        self._run_in_loop(lambda: None)

    def drain(self) -> None:
        """Send nothing more, from any thread; the slice ends with the calls under way."""
        self._draining = True
        self._run_in_loop(lambda: None)

    def drop(self, sample_ids: Collection[int]) -> None:
        """Stop asking these samples, from any thread, since they are unwanted now; calls under way are awaited."""

        def unwanted() -> None:
            self._unwanted.update(sample_ids)
            self._hand_back_chosen(self._is_unwanted, _UNWANTED)

        self._run_in_loop(unwanted)

    def add(self, requests: Sequence[InferenceRequest]) -> None:
        """Ask these too, from any thread. Requests that arrive after the end have no outcome."""
        self._run_in_loop(lambda: self._fresh.extend(self._calls(requests)))
        self._run_in_loop(
            lambda: self._had_answers.update(request.run_id for request in requests if request.run_answered)
        )

    def _calls(self, requests: Sequence[InferenceRequest]) -> Iterator[EndpointCall]:
        """Group requests into calls, for as many answers as the endpoint gives at once."""
        alone = self._pace.alone_until > self._clock().timestamp()
        return group_requests(
            requests, lambda sampling: 1 if alone else max_answers(self._backend, self._endpoint, sampling)
        )

    def _is_unwanted(self, job: EndpointCall) -> bool:
        return any(request.sample_id in self._unwanted for request in job.requests)

    @property
    def spare(self) -> bool:
        """True if the endpoint answers, all requests have been sent, and there is time for more."""
        if self._loop is None or self._fresh or self._stopped or self._draining or self._halted:
            return False
        closed_s = max(_CLOSED_S, _CLOSED_ANSWERS * self._typical_s)
        return self._typical_s > 0 and not self._pace.refusing and self._ends - self._now() > closed_s

    @property
    def silent_s(self) -> float:
        """Seconds since the last answer, or since the start."""
        return self._now() - self._answered_at if self._loop is not None else 0.0

    @property
    def typical_s(self) -> float:
        """Seconds that an answer took lately; 0 before the first."""
        return self._typical_s

    def _run_in_loop(self, do: Callable[[], None]) -> None:
        def done() -> None:
            assert self._wake is not None
            do()
            self._wake.set()

        if self._loop is not None and self._wake is not None and not self._loop.is_closed():
            with contextlib.suppress(RuntimeError):  # the loop was closed meanwhile
                self._loop.call_soon_threadsafe(done)

    def _now(self) -> float:
        assert self._loop is not None
        return self._loop.time() + self._since_1970

    def _hand_back_chosen(self, which: Callable[[EndpointCall], bool], trouble: CallFailure) -> None:
        """Hand back now the chosen calls that are not under way."""
        chosen = [job for job in (*self._fresh, *(entry[2] for entry in self._waiting)) if which(job)]
        if not chosen:
            return
        self._fresh = deque(job for job in self._fresh if not which(job))
        self._waiting = [entry for entry in self._waiting if not which(entry[2])]
        heapq.heapify(self._waiting)
        for job in chosen:
            self._emit_each(job, lambda single: single.uncounted_failure(trouble))

    def _emit_each(self, job: EndpointCall, outcome: Callable[[EndpointCall], SampleOutcome | RetryNotice]) -> None:
        """Emit the outcome of each request of a call."""
        for single in job.split():
            self._emit(outcome(single))

    def _next(self, now: float) -> EndpointCall | None:
        """Return the call to send now; None without one, without room, or without time for an answer."""
        if self._stopped or self._draining or now + self._typical_s >= self._ends:
            return None
        again = bool(self._waiting) and self._waiting[0][0] <= now
        if not again and not self._fresh:
            return None
        job = self._waiting[0][2] if again else self._fresh[0]
        answers, calls = len(job.requests), len(self._under_way)
        if not self._pace.has_room(self._answers_under_way, now, answers=answers, calls=calls):
            return None
        return heapq.heappop(self._waiting)[2] if again else self._fresh.popleft()

    def _can_continue(self, now: float) -> bool:
        """Return whether waiting, with nothing under way, can lead to another call in this slice."""
        if self._stopped or self._draining or not (self._fresh or self._waiting):
            return False
        due = max(self._pace.ready_at(now), 0.0 if self._fresh else self._waiting[0][0])
        return max(now, due) + self._typical_s < self._ends and due - now <= _MAX_WAIT_S

    async def _sleep(self, now: float) -> None:
        """Wait until a call ends, a retry falls due, the endpoint opens again, or the slice ends."""
        assert self._loop is not None
        assert self._wake is not None
        moments = [self._ends, self._pace.ready_at(now), *(entry[0] for entry in self._waiting[:1])]
        alarms = [
            self._loop.call_at(moment - self._since_1970, self._wake.set)
            for moment in sorted(moment for moment in moments if moment > now)[:1]
        ]
        await self._wake.wait()
        self._wake.clear()
        for alarm in alarms:
            alarm.cancel()

    async def _try(self, job: EndpointCall, way: HostClient | None) -> None:
        assert self._wake is not None
        try:
            timeout_s, clock = self._endpoint.timeout_s, self._clock
            result = await ask_once(way, self._backend, self._endpoint, job.request, timeout_s=timeout_s, clock=clock)
        except Exception as bug:  # one hostile answer must not end the others
            _log.exception("inference.client_failed")
            result = CallFailure(Reason("client_failed", {"what": type(bug).__name__}), Retry.LATER, FailureOwner.US)
        finally:
            self._wake.set()
        task = asyncio.current_task()
        assert task is not None
        del self._under_way[task]
        self._answers_under_way -= len(job.requests)
        self._settle(job, result)

    def _note_bug(self, task: asyncio.Task[None]) -> None:
        """End the slice on an error outside a call, which is the slice's own; the caller gets it."""
        if not task.cancelled() and task.exception() is not None:
            self._error = task.exception()
            assert self._wake is not None
            self._wake.set()

    def _settle(self, job: EndpointCall, reply: Reply) -> None:
        if isinstance(reply, CallFailure):
            self._handle_failure(job, reply)
            return
        replies = (reply,) if isinstance(reply, Completion) else reply
        now, run = self._now(), job.run
        self._answered_at = self._replied_at = now
        self._pace.hour.count(now, answered=1)
        self._had_answers.add(run)
        self._refused[run] = 0
        single, *more = job.split()
        for call, result in zip((single, *more), replies, strict=False):
            if isinstance(result, CallFailure):
                self._handle_failure(call, result)
                continue
            self._pace.record_answer()
            latency_s = result.latency_ms / 1000
            self._typical_s += (latency_s - self._typical_s) * (0.1 if self._typical_s else 1.0)
            self._emit(AnsweredSample(call.request.sample_id, result, call.sent))
        if len(replies) < len(job.requests):
            self._ask_alone(more[len(replies) - 1 :])

    def _handle_failure(self, job: EndpointCall, trouble: CallFailure) -> None:
        self._last_failure = trouble
        if trouble.replied:
            self._replied_at = self._now()
        # A refusal may be because several answers are asked for.
        if trouble.retry is Retry.RUN and trouble.replied and len(job.requests) > 1:
            self._ask_alone(job.split())
            return
        # An endpoint that replied to others meanwhile was reachable.
        job.is_endpoints |= trouble.owner is FailureOwner.VENDOR and (trouble.replied or self._replied_at > job.sent_at)
        job.is_ours |= trouble.owner is FailureOwner.US
        if trouble.retry is Retry.LATER:
            self._postpone(job, trouble)
            return
        if trouble.retry is Retry.RUN:
            trouble = self._refuse(job.run, trouble)
        elif trouble.retry is Retry.STOP:
            self._stopped = self._stopped or trouble
        self._emit_each(job, lambda single: self._failure(single, trouble))

    def _ask_alone(self, calls: Sequence[EndpointCall]) -> None:
        """Ask for one answer at a time from now on, these first: the endpoint gave fewer than were asked for."""
        self._pace.ask_alone(self._now())
        again = [single for single in calls if not self._is_over(single)]
        for unwanted in calls:
            if unwanted not in again:
                self._emit(self._leftover(unwanted, 0.0))
        self._fresh = deque(single for job in (*again, *self._fresh) for single in job.split())
        self._waiting = [(due, next(self._order), single) for due, _, job in self._waiting for single in job.split()]
        heapq.heapify(self._waiting)

    def _is_over(self, job: EndpointCall) -> bool:
        return self._draining or job.run in self._failed_runs or self._is_unwanted(job)

    def _refuse(self, run: int, trouble: CallFailure) -> CallFailure:
        """Count a refused request of a run. A single refusal among answers concerns its sample alone."""
        self._refused[run] = self._refused.get(run, 0) + 1
        alone = run in self._had_answers and self._refused[run] < _MAX_REFUSED_IN_A_ROW
        if alone and run not in self._failed_runs:
            return replace(trouble, retry=Retry.NEVER)
        self._failed_runs.setdefault(run, trouble)
        self._hand_back_chosen(lambda job: job.run == run, trouble)
        return trouble

    def _postpone(self, job: EndpointCall, trouble: CallFailure) -> None:
        now = self._now()
        job.count_failure(trouble)
        # A header cannot shorten the backoff: an endpoint that asks for immediate retries gets them no sooner.
        wait_s = max(self._backoff(job), trouble.wait_s or 0.0)
        if trouble.rate_limited:
            self._pace.record_rate_limit(now, wait_s, asked=trouble.wait_s is not None)
        elif trouble.owner is FailureOwner.VENDOR:
            self._pace.record_failure(now, wait_s)
        if self._is_over(job):
            self._emit_each(job, lambda single: self._leftover(single, wait_s))
        elif job.failures >= _MAX_FAILURES or wait_s > _MAX_WAIT_S or now + wait_s >= self._ends:
            self._emit_each(job, lambda single: self._failure(single, trouble, wait_s))
        else:
            # Failed requests are retried one by one: the endpoint may lack time or memory for several.
            for single in [job] if trouble.rate_limited else job.split():
                heapq.heappush(self._waiting, (now + wait_s, next(self._order), single))
            if len(job.requests) > 1 and trouble.owner is FailureOwner.VENDOR and not trouble.replied:
                self._ask_alone(())
            self._emit_each(job, lambda single: RetryNotice(single.request.sample_id, trouble.reason, trouble.owner))

    def _backoff(self, job: EndpointCall) -> float:
        spread = random.uniform(0.5, 1.0)  # noqa: S311  # so that retries do not come in step; no secret
        times = min(job.failures + job.refusals - 1, 10)
        return float(min(_MAX_BACKOFF_S, self._backoff_s * 2**times) * spread)

    async def _cancel_all(self) -> None:
        for task in self._under_way:
            task.cancel()
        await asyncio.gather(*self._under_way, return_exceptions=True)

    def _hand_back(self) -> None:
        """Emit an outcome for every request without one: unanswered, waiting for a retry, or never sent."""
        wait_s = self._pace.ready_at(self._now()) - self._now()
        for job in self._under_way.values():
            self._emit_each(job, lambda single: self._leftover(single, wait_s))
        self._hand_back_unsent()

    def _hand_back_unsent(self) -> None:
        """Hand back requests that are not under way, so that others may ask them however long the last answers take."""
        now = self._now()
        opens = self._pace.ready_at(now)
        unsent = [(job, max(due, opens)) for due, _, job in self._waiting] + [(job, opens) for job in self._fresh]
        self._waiting.clear()
        self._fresh.clear()
        for job, due in unsent:
            for single in job.split():
                self._emit(self._leftover(single, due - now))

    def _leftover(self, job: EndpointCall, wait_s: float) -> FailedSample:
        if job.last_failure is not None:
            return self._failure(job, job.last_failure, wait_s)
        if self._stopped is not None:
            return self._failure(job, self._stopped)
        if job.refusals or wait_s > 0 or self._pace.refusing:
            reason = _LEFT_ALONE if self._last_failure is None else self._last_failure.reason
            return self._failure(job, CallFailure(reason, Retry.LATER, rate_limited=True), wait_s)
        return job.uncounted_failure(SLICE_ENDED)

    def _failure(self, job: EndpointCall, trouble: CallFailure, wait_s: float = 0.0) -> FailedSample:
        return job.outcome(trouble, self._clock() + timedelta(seconds=wait_s) if wait_s > 0 else None)

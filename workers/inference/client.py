"""The client of a model endpoint: requests in, one outcome for each out, as they come."""

import asyncio
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from queue import Empty, SimpleQueue

from app.domain.addresses import Network
from app.domain.asking.completions import (
    AnsweredSample,
    EndpointSpec,
    FailedSample,
    InferenceRequest,
    RetryNotice,
    SampleOutcome,
)
from workers.inference.backends import named_backend
from workers.inference.limiter import Paces
from workers.inference.slices import SLICE_ENDED, SliceRunner

_TICK_S = 1.0
# Outcomes within this time, up to this many, are stored together: a transaction costs more than an answer in it.
_GATHER_S, _GATHER_MAX = 0.2, 64


def ask(
    endpoint: EndpointSpec,
    requests: Iterable[InferenceRequest],
    *,
    deadline_s: float,
    clock: Callable[[], datetime],
    allow: Sequence[Network] = (),
    paces: Paces | None = None,
) -> Iterator[SampleOutcome]:
    """Ask every request and yield exactly one outcome for each, in the order they come.

    The calls run in a thread of their own while the caller stores outcomes. Nothing is sent after `deadline_s` seconds:
    unsent requests are then yielded as Failed with `Retry.LATER`, and calls under way are awaited, as long as one
    answer of this endpoint may take (`wire.ask_once`). `allow` is the operator's list of networks that need not be
    public; `paces` carries what was learned of the endpoint's limits from slice to slice. Closing the iterator early
    ends every call. Raises NotFound for an unknown back end.
    """
    for batch in ask_in_batches(endpoint, requests, deadline_s=deadline_s, clock=clock, allow=allow, paces=paces):
        yield from batch


@dataclass(frozen=True, slots=True)
class SliceProgress:
    """The progress of a slice: failures that are tried again, and how long nothing was answered."""

    notes: tuple[RetryNotice, ...]
    silent_s: float
    typical_s: float  # of an answer; 0 before the first
    spare: bool = False  # more could be asked: the endpoint answers, and all requests have been sent


@dataclass(frozen=True, slots=True)
class SliceSteering:
    """Instructions to a slice: samples that are no longer wanted, whether to send no more, and whether to end at once.

    `more` is asked too, each request with its own outcome.
    """

    dropped: Collection[int] = ()
    more: Sequence[InferenceRequest] = ()
    drain: bool = False
    end: bool = False


def ask_in_batches(
    endpoint: EndpointSpec,
    requests: Iterable[InferenceRequest],
    *,
    deadline_s: float,
    clock: Callable[[], datetime],
    allow: Sequence[Network] = (),
    paces: Paces | None = None,
    look: Callable[[SliceProgress], SliceSteering] | None = None,
) -> Iterator[list[SampleOutcome]]:
    """Ask like `ask`, but yield all outcomes since the last batch together: one transaction's worth.

    `look` is called about every second, in the caller's thread, and steers the slice.
    """
    backend = named_backend(endpoint.backend)
    batch = tuple(requests)
    if not batch:
        return
    paces = paces or Paces()
    pace = paces.of(endpoint)
    arrived: SimpleQueue[SampleOutcome | RetryNotice | _EndOfSlice] = SimpleQueue()
    added = set[int]()  # those without an outcome yet
    work = SliceRunner(
        endpoint,
        backend,
        batch,
        pace=pace,
        allow=allow,
        deadline_s=deadline_s,
        clock=clock,
        emit=arrived.put,
        backoff_s=paces.backoff_s,
    )

    def tick(notes: Sequence[RetryNotice]) -> None:
        paces.keep(endpoint, pace)
        if look is None:
            return
        steer = look(SliceProgress(tuple(notes), work.silent_s, work.typical_s, work.spare))
        if steer.dropped:
            work.drop(steer.dropped)
        if steer.more:
            added.update(request.sample_id for request in steer.more)
            work.add(steer.more)
        if steer.drain:
            work.drain()
        if steer.end:
            work.halt()

    thread = threading.Thread(target=_run, args=(work, arrived), name="inference", daemon=True)
    thread.start()
    try:
        for outcomes in _batches(arrived, tick):
            added.difference_update(outcome.sample_id for outcome in outcomes)
            yield outcomes
        if added:  # added just as the slice ended
            yield [
                FailedSample(
                    sample_id, SLICE_ENDED.reason, SLICE_ENDED.retry, SLICE_ENDED.owner, counts=False, requests=0
                )
                for sample_id in added
            ]
    finally:
        work.halt()
        thread.join()
        paces.keep(endpoint, pace)


class _EndOfSlice:
    """The last thing in the queue; carries the thread's error, if any."""

    def __init__(self, error: BaseException | None) -> None:
        self.error = error


def _run(work: SliceRunner, arrived: "SimpleQueue[SampleOutcome | RetryNotice | _EndOfSlice]") -> None:
    try:
        asyncio.run(work.run())
    except BaseException as error:  # passed to the caller's thread, which raises it
        arrived.put(_EndOfSlice(error))
    else:
        arrived.put(_EndOfSlice(None))


def _batches(
    arrived: "SimpleQueue[SampleOutcome | RetryNotice | _EndOfSlice]", tick: Callable[[Sequence[RetryNotice]], None]
) -> Iterator[list[SampleOutcome]]:
    notes: list[RetryNotice] = []
    ticked = time.monotonic()
    while True:
        items = list(_ready(arrived, max(0.0, ticked + _TICK_S - time.monotonic())))
        notes += [item for item in items if isinstance(item, RetryNotice)]
        batch = [item for item in items if isinstance(item, AnsweredSample | FailedSample)]
        if batch:
            yield batch
        for end in (item for item in items if isinstance(item, _EndOfSlice)):
            if end.error is not None:
                raise end.error
            return
        if time.monotonic() >= ticked + _TICK_S:
            tick(notes)
            notes, ticked = [], time.monotonic()


def _ready(
    arrived: "SimpleQueue[SampleOutcome | RetryNotice | _EndOfSlice]", wait_s: float
) -> "Iterator[SampleOutcome | RetryNotice | _EndOfSlice]":
    """Yield what has come: wait up to `wait_s` for the first, then `_GATHER_S` for those close behind."""
    try:
        item = arrived.get(timeout=wait_s)
        until = time.monotonic() + _GATHER_S
        for _more in range(_GATHER_MAX - 1):
            yield item
            if isinstance(item, _EndOfSlice):
                return
            item = arrived.get(timeout=max(0.0, until - time.monotonic()))
        yield item
    except Empty:
        return

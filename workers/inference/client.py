"""Asking a model endpoint: requests in, one outcome for each out, as they come."""

import asyncio
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from queue import Empty, SimpleQueue

from app.domain.addresses import Network
from app.domain.asking.completions import EndpointSpec, InferenceRequest, Outcome
from app.domain.errors import NotFound
from app.domain.registry import discover
from workers.inference.backends import Backend
from workers.inference.limiter import Paces
from workers.inference.slices import Slice


def ask(
    endpoint: EndpointSpec,
    requests: Iterable[InferenceRequest],
    *,
    deadline_s: float,
    clock: Callable[[], datetime],
    allow: Sequence[Network] = (),
    paces: Paces | None = None,
) -> Iterator[Outcome]:
    """Ask every request and yield exactly one outcome for each, in the order they come.

    The calls go on in a thread of their own while the caller stores what it got. The slice ends after
    `deadline_s` seconds at the latest: what is unfinished then is yielded as Failed with `Retry.LATER`.
    A call is given the endpoint's `timeout_s`, at most nine tenths of the slice, so a slice should be
    longer than the endpoint's timeout. `allow` is the operator's list of networks that need not be
    public; `paces` carries what was learned of the endpoint's limits from slice to slice. Closing the
    iterator early ends every call. Raises NotFound for a back end that does not exist.
    """
    for batch in ask_in_batches(endpoint, requests, deadline_s=deadline_s, clock=clock, allow=allow, paces=paces):
        yield from batch


def ask_in_batches(
    endpoint: EndpointSpec,
    requests: Iterable[InferenceRequest],
    *,
    deadline_s: float,
    clock: Callable[[], datetime],
    allow: Sequence[Network] = (),
    paces: Paces | None = None,
) -> Iterator[list[Outcome]]:
    """As `ask`, but yields everything that has come since the last batch: one transaction's worth."""
    backend = _backend(endpoint.backend)
    batch = tuple(requests)
    if not batch:
        return
    arrived: SimpleQueue[Outcome | _End] = SimpleQueue()
    work = Slice(
        endpoint,
        backend,
        batch,
        pace=(paces or Paces()).of(endpoint),
        allow=allow,
        deadline_s=deadline_s,
        clock=clock,
        emit=arrived.put,
    )
    thread = threading.Thread(target=_run, args=(work, arrived), name="inference", daemon=True)
    thread.start()
    try:
        yield from _batches(arrived)
    finally:
        work.halt()
        thread.join()


class _End:
    """The last thing in the queue; carries what went wrong in the thread, if anything did."""

    def __init__(self, error: BaseException | None) -> None:
        self.error = error


def _backend(name: str) -> Backend:
    backend = discover("workers.inference.backends", "BACKEND", Backend).get(name)
    if backend is None:
        raise NotFound(f"there is no back end {name!r}")
    return backend


def _run(work: Slice, arrived: "SimpleQueue[Outcome | _End]") -> None:
    try:
        asyncio.run(work.run())
    except BaseException as error:  # handed to the caller's thread, which raises it
        arrived.put(_End(error))
    else:
        arrived.put(_End(None))


def _batches(arrived: "SimpleQueue[Outcome | _End]") -> Iterator[list[Outcome]]:
    while True:
        batch: list[Outcome] = []
        end: _End | None = None
        first = arrived.get()
        for item in (first, *_ready(arrived)):
            if isinstance(item, _End):
                end = item
            else:
                batch.append(item)
        if batch:
            yield batch
        if end is not None:
            if end.error is not None:
                raise end.error
            return


def _ready(arrived: "SimpleQueue[Outcome | _End]") -> "Iterator[Outcome | _End]":
    try:
        while True:
            yield arrived.get_nowait()
    except Empty:
        return

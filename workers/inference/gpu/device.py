"""One worker's device and the server on it: its weights, its next work, and its health."""

import fcntl
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

from app.domain.asking.completions import EndpointSpec, FailedSample, FailureOwner, Retry, SampleOutcome
from app.domain.asking.weights import DueWeights, ServingSetup, Weights, WeightsRotation
from app.domain.errors import Conflict, Unavailable
from workers.inference.gpu.engine_server import START_S, EngineServer, ServerPlace
from workers.inference.gpu.engines import Engine
from workers.inference.gpu.gauges import Gauges
from workers.inference.limiter import Paces

IDLE_S: Final = 600.0  # after which a server without work ends
SLICE: Final = 512
_MAX_FAILED_CHECKS: Final = 3  # checks in a row that a server may leave unanswered


class Device:
    """A group of devices that one worker owns, with at most one server on it.

    `choose`, `serve` and the slices belong to one thread; `look`, `report` and `close` may come from another. Raises
    Conflict if another worker owns the same device of the same state.
    """

    def __init__(
        self,
        engine: Engine,
        home: ServerPlace,
        *,
        idle_s: float = IDLE_S,
        start_s: float = START_S,
        turns: WeightsRotation | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.engine, self.home = engine, home
        self._idle_s, self._start_s, self._clock = idle_s, start_s, clock
        self._turns = WeightsRotation() if turns is None else turns
        self._lock_file = _lock_device(home)
        self._server_lock = threading.RLock()  # for the server's start and stop
        self._server: EngineServer | None = None
        self._served: ServingSetup | None = None
        self._endpoint: int | None = None
        self._state, self._trouble = "idle", ""
        self._busy, self._closing = False, False
        self._replied = self._mute = False  # in this slice: it replied to a request, or was silent for too long
        self._used_at, self._failed_checks = clock(), 0
        self._gauges, self._tokens_at, self._rate = Gauges(), (clock(), 0.0), 0.0
        self.limit = SLICE  # samples in a slice
        self.restarts = 0
        self.paces = Paces()
        home.clean_up()  # after a worker that was killed together with its guard

    @property
    def alive(self) -> bool:
        """True if there is a running server."""
        server = self._server
        return server is not None and server.alive

    @property
    def is_well(self) -> bool:
        """True if it takes whole slices: after a server died it gets few samples at a time."""
        return self.limit == SLICE

    def choose(self, waiting: Sequence[DueWeights]) -> DueWeights | None:
        """Return the next endpoint to serve, of those whose weights this machine has; None if there is none."""
        possible = [endpoint for endpoint in waiting if self._refusal(endpoint.weights) is None]
        if waiting and not possible:
            self._trouble = str(self._refusal(waiting[0].weights))
        warm = self._server.weights if self._server is not None and self.alive else None
        return self._turns.choose(possible, warm, self._clock())

    def _refusal(self, weights: Weights) -> str | None:
        return EngineServer(self.engine, weights, self.home).refusal()

    def serve(self, chosen: DueWeights) -> ServingSetup | None:
        """Serve these weights, by the running server if it can; on failure return None, and let the endpoint rest."""
        with self._server_lock:
            self._endpoint = chosen.endpoint_id
            if self.alive and self._server is not None and self._server.weights == chosen.weights:
                return self._served
            try:
                self._end()
                self._state = "starting"
                self._server = EngineServer(self.engine, chosen.weights, self.home)
                self._server.start()
                self._served = self._server.wait(self._start_s, stop=lambda: self._closing)
            except (Unavailable, OSError) as trouble:
                self._failed(str(trouble))
                return None
            except BaseException:
                self._end()
                raise
            self._state, self._trouble, self.paces = "ready", "", Paces()
            self._used_at = self._clock()
            self._tokens_at, self._rate, self._failed_checks = (self._clock(), 0.0), 0.0, 0
            return self._served

    def begin(self, endpoint: EndpointSpec) -> EndpointSpec:
        """Begin a slice; return the endpoint with the address of this worker's own server, and of no other."""
        assert self._server is not None
        self._busy, self._replied, self._mute = True, False, False
        lacking = {} if self.engine.streams else {"stream": False}
        # Batch-invariant kernels may draw the same from one seed for all answers of a request.
        alone = self._server.weights.deterministic or not self.engine.several
        extra = {**endpoint.extra, **lacking, **({"answers": 1} if alone else {})}
        return replace(
            endpoint, backend=self.engine.backend, base_url=self._server.url, secret=self._server.key, trusted=True,
            own=True, extra=extra,
        )  # fmt: skip

    def ours(self, outcomes: Iterable[SampleOutcome]) -> list[SampleOutcome]:
        """Return the outcomes with the server's failures as our own, so that none stops the endpoint."""
        listed = list(outcomes)
        self._replied |= any(not isinstance(outcome, FailedSample) or outcome.own is True for outcome in listed)
        self._mute |= any(
            isinstance(outcome, FailedSample) and outcome.counts and outcome.own is None for outcome in listed
        )
        return [_ours(outcome) for outcome in listed]

    def end(self) -> bool:
        """End a slice; return whether its server died, so that the requests count as attempts.

        The next slices are smaller then, until one ends well: a prompt that ends its server is soon alone. A running
        server that answered nothing for as long as an answer may take is ended: an engine may hang behind a front end
        that reports health.
        """
        self._busy, self._used_at = False, self._clock()
        hangs = self._mute and not self._replied
        if self.alive and not hangs:
            self.limit = min(SLICE, self.limit * 2)
            if self._endpoint is not None:
                self._turns.record_success(self._endpoint)
            return False
        self.limit = max(1, self.limit // 4)
        with self._server_lock:
            words = "" if self._server is None else self._server.last_words()
            self._failed(f"the {self.engine.name} server {'answered nobody' if hangs else 'died'}: {words}")
        return True

    def _failed(self, trouble: str) -> None:
        self._state, self._trouble = "failed", trouble[:1000]
        if self._endpoint is not None:
            self._turns.record_failure(self._endpoint, self._clock())
        self.restarts += 1
        with suppress(Unavailable):
            self._end()
        self._state = "failed"

    def _end(self) -> None:
        server, self._server, self._served = self._server, None, None
        self._state, self._gauges, self._rate = "idle", Gauges(), 0.0
        if server is not None:
            server.stop()

    def look(self) -> None:
        """Check the server: end one that has been idle for long, is dead, or no longer answers."""
        server = self._server
        if server is None or self._state != "ready":
            return
        if server.alive:
            self._count(server.gauges() or Gauges())
        self._failed_checks = 0 if server.alive and server.healthy() else self._failed_checks + 1
        idle = not self._busy and self._clock() - self._used_at > self._idle_s
        if (idle or self._failed_checks >= _MAX_FAILED_CHECKS) and self._server_lock.acquire(blocking=False):
            try:
                if self._server is not server:
                    return
                if self._busy and self._failed_checks >= _MAX_FAILED_CHECKS:
                    server.stop()  # its slice notices the death
                elif self._failed_checks >= _MAX_FAILED_CHECKS:
                    # Nothing asks it, and its leftovers must not wait for the next slice.
                    self._failed(f"the {self.engine.name} server died without work: {server.last_words()}")
                elif not self._busy:
                    self._end()
            finally:
                self._server_lock.release()

    def _count(self, gauges: Gauges) -> None:
        now, (then, before) = self._clock(), self._tokens_at
        if gauges.tokens is not None and now > then:
            self._rate = max(0.0, gauges.tokens - before) / (now - then)
            self._tokens_at = (now, gauges.tokens)
        self._gauges = gauges

    def report(self) -> dict[str, Any]:
        """Return the state for operators, as plain values."""
        server, served, gauges = self._server, self._served, self._gauges
        return {
            "device": ",".join(self.home.devices) or "cpu",
            "engine": self.engine.name,
            "version": None if served is None else served.version,
            "model": None if server is None else server.weights.name,
            "state": "busy" if self._busy else self._state,
            "running": gauges.running,
            "waiting": gauges.waiting,
            "cache": gauges.cache,
            "tokens_per_s": round(self._rate, 1),
            "restarts": self.restarts,
            "trouble": self._trouble or None,
        }

    def close(self) -> None:
        """End the server and release the device."""
        self._closing = True
        with self._server_lock:
            self._end()
        self._lock_file.close()


def _lock_device(home: ServerPlace) -> Any:
    """Lock the device for this state while this process lives. Raises Conflict if another worker has it."""
    home.folder.mkdir(parents=True, exist_ok=True)
    file = (home.folder / f"{home.name}.lock").open("w")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        raise Conflict(f"another worker has {home.name}") from None
    return file


def _ours(outcome: SampleOutcome) -> SampleOutcome:
    if not isinstance(outcome, FailedSample) or outcome.retry is Retry.NEVER:
        return outcome
    retry = Retry.LATER if outcome.retry is Retry.STOP else outcome.retry
    return replace(outcome, retry=retry, owner=FailureOwner.US, own=None)

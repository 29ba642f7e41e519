"""What asking costs: requests a second, CPU and memory of the client, beside a bare aiohttp loop.

The endpoint runs in a process of its own. The client's figures include writing every outcome into its row
of a PostgreSQL that flushes to disk, but where the endpoint answers at once; the bare loop stores nothing.
"""

import asyncio
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from ipaddress import ip_network
from pathlib import Path

import aiohttp

from app.domain.asking.completions import Answered, EndpointSpec, InferenceRequest, Message, Prompt
from app.domain.asking.protocols import Sampling
from app.domain.errors import Unavailable
from perf import lm_eval_beside
from perf.database import Record, sample_store
from perf.rows import Row, at_least, at_most, told, within
from workers.inference.client import ask_in_batches
from workers.inference.limiter import Paces

KEY = "TIDEMARK_PERF_KEY"  # the environment's name for the key of an operator's endpoint
_CONCURRENCY, _CROWD = 64, 256  # requests at once
# Shares of what the bare client does: its rate, its CPU, and its rate where the endpoint answers at once.
_RATE, _CPU, _RATE_AT_ONCE = 0.97, 4.0, 0.5
_PSS_MB = 150.0
_LATENCY_S, _JITTER_S = 0.2, 0.05
_DEADLINE_S = 30.0  # of one measurement against the mock; an operator's endpoint has longer
_OPERATOR_DEADLINE_S = 140.0
_LOOPBACK = (ip_network("127.0.0.0/8"), ip_network("::1/128"))
_QUESTION = "Read the numbers of the first line and print their sum. " * 30


def measure(
    endpoint_url: str | None = None, requests: int = 2000, record: Record | None = None, model: str = "mock"
) -> list[Row]:
    """Ask `requests` times at concurrency 64 and say what it took, after the bare client did the same.

    Without `endpoint_url` the endpoint is a mock of 200 ms +- 50 ms, which is then asked four times as much at
    concurrency 256, and one that answers at once; with it only that endpoint is asked for `model`, loopback allowed, a
    cooldown lasts as long as its Retry-After, and the bare figures count what is answered at the first try. Of such an
    endpoint rates and CPU are told and not judged by. At 256 at once the rate is judged by from the second quarter of
    the answers on, and told of the whole: until then the bound on what an endpoint is sent lets no more than 64 leave,
    and 15 % more with every round of answers. `record` is called with the outcomes as they
    come, in the place of the rows of a database; rates count answered requests alone. Raises Unavailable where not one
    is answered.
    """
    with ExitStack() as stack:
        recorder = record
        store = stack.enter_context(sample_store()) if recorder is None else lambda _: recorder
        return _measure(endpoint_url, requests, store, model)


def _measure(endpoint_url: str | None, requests: int, store: Callable[[int], Record], model: str) -> list[Row]:
    if endpoint_url is not None:
        bare = asyncio.run(_bare(endpoint_url, requests, model))
        figures = _client(endpoint_url, requests, store(requests), _OPERATOR_DEADLINE_S, model)
        return [*_rows(figures, bare, judged=False), *_beside(endpoint_url, requests, model, figures, bare)]
    with _mock(_LATENCY_S, _JITTER_S) as url:
        bare = asyncio.run(_bare(url, requests))
        figures = _client(url, requests, store(requests))
        beside = _beside(url, requests, "mock", figures, bare)
        crowd = requests * _CROWD // _CONCURRENCY  # as many for each that is asked at once
        bare_crowd = asyncio.run(_bare(url, crowd, at_once=_CROWD))
        crowded = _client(url, crowd, store(crowd), at_once=_CROWD)
    with _mock(0.0, 0.0) as url:
        bare_at_once = asyncio.run(_bare(url, requests))
        at_once = _client(url, requests, lambda _batch: None)  # the client alone: rows have the figures above
    speed = at_least("inference.c0.per_s", at_once.per_s, "requests/s", bare_at_once.per_s, _RATE_AT_ONCE)
    settled = at_least(
        "inference.c256.settled_per_s", crowded.settled_per_s, "requests/s", bare_crowd.settled_per_s, _RATE
    )
    crowd_rows = [told("inference.c256.per_s", crowded.per_s, "requests/s", bare_crowd.per_s), settled]
    crowd_rows += _rows(crowded, bare_crowd, name="inference.c256")[1:]
    return [*_rows(figures, bare), *crowd_rows, speed, *beside]


def _beside(url: str, requests: int, model: str, figures: "_Figures", bare: "_Figures") -> list[Row]:
    """What lm_eval takes for as many requests, where it is installed, and our rate as a multiple of its."""
    python = lm_eval_beside.interpreter()
    key = os.environ.get(KEY, "key")
    took = None if python is None else lm_eval_beside.ask(python, url, model, requests, _CONCURRENCY, key)
    if took is None or not took[0]:
        return []
    answered, wall_s, cpu_s = took
    return [
        told("inference.c64.lm_eval.per_s", answered / wall_s, "requests/s", bare.per_s),
        told("inference.c64.lm_eval.cpu_s_per_1000", cpu_s / answered * 1000, "s", bare.cpu_s_per_1000),
        told("inference.c64.lm_eval.ratio", figures.per_s * wall_s / answered, "x its rate"),
    ]


@dataclass(frozen=True, slots=True)
class _Figures:
    """Answered of all requests, a second, and from their second quarter on; CPU seconds per 1,000; peak PSS in MB."""

    requests: int
    answered: int
    per_s: float
    settled_per_s: float
    cpu_s_per_1000: float
    pss_mb: float | None = None


class _Watch:
    """Counts answers, and notes when a quarter of what was asked for is there."""

    def __init__(self, requests: int) -> None:
        self.answered = 0
        self._requests = requests
        self._started, self._cpu = time.perf_counter(), time.process_time()
        self._quarter = (0, self._started)

    def count(self, answers: int) -> None:
        before, self.answered = self.answered, self.answered + answers
        if before < self._requests / 4 <= self.answered:
            self._quarter = (self.answered, time.perf_counter())

    def figures(self, pss_mb: float | None = None) -> _Figures:
        now, cpu_s = time.perf_counter(), time.process_time() - self._cpu
        early, since = self._quarter
        settled = (self.answered - early) / (now - since)
        per_s = self.answered / (now - self._started)
        return _Figures(self._requests, self.answered, per_s, settled, cpu_s / self.answered * 1000, pss_mb)


def _rows(figures: _Figures, bare: _Figures, *, judged: bool = True, name: str = "inference.c64") -> list[Row]:
    per_s, cpu_s = figures.per_s, figures.cpu_s_per_1000
    if not judged:
        rows = [
            told(f"{name}.per_s", per_s, "requests/s", bare.per_s),
            told(f"{name}.cpu_s_per_1000", cpu_s, "s", bare.cpu_s_per_1000),
        ]
    else:
        rows = [
            at_least(f"{name}.per_s", per_s, "requests/s", bare.per_s, _RATE),
            at_most(f"{name}.cpu_s_per_1000", cpu_s, "s", bare.cpu_s_per_1000, _CPU),
        ]
    whole = figures.answered == figures.requests
    rows.append(Row(f"{name}.answered", figures.answered, "requests", figures.requests, None, ok=whole))
    if figures.pss_mb is not None:
        rows.append(within(f"{name}.pss_mb", figures.pss_mb, "MB", _PSS_MB))
    return rows


def _client(
    url: str, requests: int, record: Record, deadline_s: float = _DEADLINE_S, model: str = "mock",
    at_once: int = _CONCURRENCY,
) -> _Figures:  # fmt: skip
    """The service's own client, every outcome recorded; retries go on while there is time."""
    endpoint = EndpointSpec(1, "openai_chat", url, model, os.environ.get(KEY, "key"), at_once, timeout_s=30.0)
    prompt = Prompt((Message("user", _QUESTION),))
    questions = [InferenceRequest(number, prompt, Sampling(), seed=number) for number in range(requests)]
    paces = Paces(cooldown_s=0.0)
    with _peak_pss() as peak:
        watch = _Watch(requests)
        for batch in ask_in_batches(
            endpoint, questions, allow=_LOOPBACK, deadline_s=deadline_s, clock=lambda: datetime.now(UTC), paces=paces
        ):
            record(batch)
            watch.count(sum(isinstance(outcome, Answered) for outcome in batch))
        if not watch.answered:
            raise Unavailable(f"{url} answered none of {requests} requests within {deadline_s:g} s")
        figures = watch.figures()
    return replace(figures, pss_mb=peak())


async def _bare(url: str, requests: int, model: str = "mock", at_once: int = _CONCURRENCY) -> _Figures:
    """The same number of requests by aiohttp alone: no limits, retries, address guard or storing; answers are read.

    Raises Unavailable where not one is answered.
    """
    body = {"model": model, "messages": [{"role": "user", "content": _QUESTION}]}
    headers = {"authorization": f"Bearer {os.environ.get(KEY, 'key')}"}
    left = iter(range(requests))
    watch = _Watch(requests)

    async def work(client: aiohttp.ClientSession) -> None:
        for _ in left:
            with suppress(aiohttp.ClientError, TimeoutError):  # it tries nothing again
                async with client.post(f"{url}/chat/completions", json=body, headers=headers) as response:
                    response.raise_for_status()
                    await response.json()
                    watch.count(1)

    connector = aiohttp.TCPConnector(limit=at_once)
    limits = aiohttp.ClientTimeout(total=_DEADLINE_S)
    async with aiohttp.ClientSession(connector=connector, timeout=limits) as client, asyncio.TaskGroup() as workers:
        for _ in range(at_once):
            workers.create_task(work(client))
    if not watch.answered:
        raise Unavailable(f"{url} answered none of {requests} requests")
    return watch.figures()


@contextmanager
def _mock(latency_s: float, jitter_s: float) -> Iterator[str]:
    command = [sys.executable, "-m", "perf.mock_endpoint", str(latency_s), str(jitter_s)]
    home = Path(__file__).resolve().parents[1]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=home) as server:
        assert server.stdout is not None
        assert server.stdin is not None
        try:
            port = server.stdout.readline().strip()
            if not port:
                raise Unavailable("the mock endpoint did not start")
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            server.stdin.close()  # it ends with its input
            try:
                server.wait(5)
            except subprocess.TimeoutExpired:
                server.kill()


@contextmanager
def _peak_pss() -> Iterator[Callable[[], float | None]]:
    """Samples this process's proportional set size; the peak in MB, None where the kernel does not tell."""
    rollup = Path("/proc/self/smaps_rollup")
    sizes: list[float] = []
    stop = threading.Event()

    def sample() -> None:
        while True:
            sizes.append(_pss_mb(rollup))
            if stop.wait(0.5):
                return

    if not rollup.exists():
        yield lambda: None
        return
    thread = threading.Thread(target=sample, name="pss", daemon=True)
    thread.start()
    try:
        yield lambda: max(sizes)
    finally:
        stop.set()
        thread.join()


def _pss_mb(rollup: Path) -> float:
    line = next(line for line in rollup.read_text().splitlines() if line.startswith("Pss:"))
    return int(line.split()[1]) * 1024 / 1e6

"""The cost of asking: requests per second, CPU and memory of the client, beside a bare aiohttp loop.

The endpoint runs in a process of its own. The client's figures include writing every outcome to its row of a PostgreSQL
that flushes to disk, except for the endpoint that answers at once; the bare loop stores nothing.
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

from app.domain.asking.completions import AnsweredSample, EndpointSpec, InferenceRequest, Message, Prompt
from app.domain.asking.protocols import Sampling
from app.domain.errors import Unavailable
from perf import lm_eval_comparison
from perf.database import Record, sample_store
from perf.figures import PerfFigure, figure_at_least, figure_at_most, figure_within, informative_figure
from workers.inference.client import ask_in_batches
from workers.inference.limiter import Paces

KEY = "TIDEMARK_PERF_KEY"  # the environment variable with the key of an operator's endpoint
_CONCURRENCY, _HIGH_CONCURRENCY = 64, 256  # requests at once
# Multiples of the bare client's figures: its rate, its CPU, and its rate if the endpoint answers at once.
_RATE, _CPU, _RATE_AT_ONCE = 0.97, 4.0, 0.5
_PSS_MB = 150.0
_LATENCY_S, _JITTER_S = 0.2, 0.05
_DEADLINE_S = 30.0  # of one measurement against the mock
_OPERATOR_DEADLINE_S = 140.0
_LOOPBACK = (ip_network("127.0.0.0/8"), ip_network("::1/128"))
_PROMPT = "Read the numbers of the first line and print their sum. " * 30


def measure(
    endpoint_url: str | None = None, requests: int = 2000, record: Record | None = None, model: str = "mock"
) -> list[PerfFigure]:
    """Send `requests` requests, 64 at once, by the bare client and then by ours, and return the figures.

    Without `endpoint_url` the endpoint is a mock of 200 ms +- 50 ms, which then gets four times as many requests, 256
    at once; a second mock answers at once. With `endpoint_url` only that endpoint is asked for `model`: loopback is
    allowed, a cooldown lasts as long as its Retry-After, the bare figures count first tries alone, and rates and CPU
    have no budget.

    The budget of the rate at 256 at once starts with the second quarter of the answers: the bound on requests to an
    endpoint begins at 64 and grows by 15 % with every round of answers. `record` is called with the outcomes as they
    arrive, in place of a database. Rates count answered requests alone. Raises Unavailable if none is answered.
    """
    with ExitStack() as stack:
        recorder = record
        store = stack.enter_context(sample_store()) if recorder is None else lambda _: recorder
        return _measure(endpoint_url, requests, store, model)


def _measure(endpoint_url: str | None, requests: int, store: Callable[[int], Record], model: str) -> list[PerfFigure]:
    if endpoint_url is not None:
        bare = asyncio.run(_measure_bare(endpoint_url, requests, model))
        figures = _measure_client(endpoint_url, requests, store(requests), _OPERATOR_DEADLINE_S, model)
        return [*_rows(figures, bare, judged=False), *_compare_lm_eval(endpoint_url, requests, model, figures, bare)]
    with _run_mock(_LATENCY_S, _JITTER_S) as url:
        bare = asyncio.run(_measure_bare(url, requests))
        figures = _measure_client(url, requests, store(requests))
        beside = _compare_lm_eval(url, requests, "mock", figures, bare)
        many = requests * _HIGH_CONCURRENCY // _CONCURRENCY  # as many for each concurrent request
        bare_many = asyncio.run(_measure_bare(url, many, at_once=_HIGH_CONCURRENCY))
        many_figures = _measure_client(url, many, store(many), at_once=_HIGH_CONCURRENCY)
    with _run_mock(0.0, 0.0) as url:
        bare_at_once = asyncio.run(_measure_bare(url, requests))
        at_once = _measure_client(url, requests, lambda _batch: None)  # nothing is recorded
    speed = figure_at_least("inference.c0.per_s", at_once.per_s, "requests/s", bare_at_once.per_s, _RATE_AT_ONCE)
    settled = figure_at_least(
        "inference.c256.settled_per_s", many_figures.settled_per_s, "requests/s", bare_many.settled_per_s, _RATE
    )
    many_rows = [informative_figure("inference.c256.per_s", many_figures.per_s, "requests/s", bare_many.per_s), settled]
    many_rows += _rows(many_figures, bare_many, name="inference.c256")[1:]
    return [*_rows(figures, bare), *many_rows, speed, *beside]


def _compare_lm_eval(url: str, requests: int, model: str, figures: "_Figures", bare: "_Figures") -> list[PerfFigure]:
    """Return lm_eval's figures for as many requests, if it is installed, and our rate as a multiple of its."""
    python = lm_eval_comparison.find_interpreter()
    key = os.environ.get(KEY, "key")
    result = None if python is None else lm_eval_comparison.run_client(python, url, model, requests, _CONCURRENCY, key)
    if result is None or not result[0]:
        return []
    answered, wall_s, cpu_s = result
    return [
        informative_figure("inference.c64.lm_eval.per_s", answered / wall_s, "requests/s", bare.per_s),
        informative_figure("inference.c64.lm_eval.cpu_s_per_1000", cpu_s / answered * 1000, "s", bare.cpu_s_per_1000),
        informative_figure("inference.c64.lm_eval.ratio", figures.per_s * wall_s / answered, "x its rate"),
    ]


@dataclass(frozen=True, slots=True)
class _Figures:
    """The figures of one client: rates of all answers and from the second quarter on, CPU seconds, peak PSS in MB."""

    requests: int
    answered: int
    per_s: float
    settled_per_s: float
    cpu_s_per_1000: float
    pss_mb: float | None = None


class _Meter:
    """A meter that counts answers and records when a quarter of the requests are answered."""

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


def _rows(figures: _Figures, bare: _Figures, *, judged: bool = True, name: str = "inference.c64") -> list[PerfFigure]:
    per_s, cpu_s = figures.per_s, figures.cpu_s_per_1000
    if not judged:
        rows = [
            informative_figure(f"{name}.per_s", per_s, "requests/s", bare.per_s),
            informative_figure(f"{name}.cpu_s_per_1000", cpu_s, "s", bare.cpu_s_per_1000),
        ]
    else:
        rows = [
            figure_at_least(f"{name}.per_s", per_s, "requests/s", bare.per_s, _RATE),
            figure_at_most(f"{name}.cpu_s_per_1000", cpu_s, "s", bare.cpu_s_per_1000, _CPU),
        ]
    whole = figures.answered == figures.requests
    rows.append(PerfFigure(f"{name}.answered", figures.answered, "requests", figures.requests, None, ok=whole))
    if figures.pss_mb is not None:
        rows.append(figure_within(f"{name}.pss_mb", figures.pss_mb, "MB", _PSS_MB))
    return rows


def _measure_client(
    url: str, requests: int, record: Record, deadline_s: float = _DEADLINE_S, model: str = "mock",
    at_once: int = _CONCURRENCY,
) -> _Figures:  # fmt: skip
    """Measure the service's own client with every outcome recorded; it retries as long as there is time."""
    endpoint = EndpointSpec(1, "openai_chat", url, model, os.environ.get(KEY, "key"), at_once, timeout_s=30.0)
    prompt = Prompt((Message("user", _PROMPT),))
    batch_requests = [InferenceRequest(number, prompt, Sampling(), seed=number) for number in range(requests)]
    paces = Paces(cooldown_s=0.0)
    with _peak_pss() as peak:
        meter = _Meter(requests)
        for batch in ask_in_batches(
            endpoint,
            batch_requests,
            allow=_LOOPBACK,
            deadline_s=deadline_s,
            clock=lambda: datetime.now(UTC),
            paces=paces,
        ):
            record(batch)
            meter.count(sum(isinstance(outcome, AnsweredSample) for outcome in batch))
        if not meter.answered:
            raise Unavailable(f"{url} answered none of {requests} requests within {deadline_s:g} s")
        figures = meter.figures()
    return replace(figures, pss_mb=peak())


async def _measure_bare(url: str, requests: int, model: str = "mock", at_once: int = _CONCURRENCY) -> _Figures:
    """Measure aiohttp alone with as many requests: no limits, retries, address guard or storage; answers are read.

    Raises Unavailable if none is answered.
    """
    body = {"model": model, "messages": [{"role": "user", "content": _PROMPT}]}
    headers = {"authorization": f"Bearer {os.environ.get(KEY, 'key')}"}
    left = iter(range(requests))
    meter = _Meter(requests)

    async def work(client: aiohttp.ClientSession) -> None:
        for _ in left:
            with suppress(aiohttp.ClientError, TimeoutError):  # no retries
                async with client.post(f"{url}/chat/completions", json=body, headers=headers) as response:
                    response.raise_for_status()
                    await response.json()
                    meter.count(1)

    connector = aiohttp.TCPConnector(limit=at_once)
    limits = aiohttp.ClientTimeout(total=_DEADLINE_S)
    async with aiohttp.ClientSession(connector=connector, timeout=limits) as client, asyncio.TaskGroup() as workers:
        for _ in range(at_once):
            workers.create_task(work(client))
    if not meter.answered:
        raise Unavailable(f"{url} answered none of {requests} requests")
    return meter.figures()


@contextmanager
def _run_mock(latency_s: float, jitter_s: float) -> Iterator[str]:
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
            server.stdin.close()  # the mock ends with its input
            try:
                server.wait(5)
            except subprocess.TimeoutExpired:
                server.kill()


@contextmanager
def _peak_pss() -> Iterator[Callable[[], float | None]]:
    """Sample this process's proportional set size; yield a function that returns the peak in MB.

    It returns None if the kernel does not report it.
    """
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

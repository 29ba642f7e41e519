"""Request metrics of the site, summed over all processes that serve it."""

import math
import mmap
from collections.abc import Iterator
from itertools import accumulate

from prometheus_client import Metric
from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily
from prometheus_client.registry import Collector
from starlette.types import Scope

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE")
_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, math.inf)
# One name for each route, method and status and for each bucket of a route: some thousands. The rest of the mapping is
# never written and takes no memory.
_MAX_NUMBERS, _NAMES_BYTES = 1 << 16, 1 << 23


class RequestMetrics(Collector):
    """Counts of requests by route and status, and their times, for as many processes as will be forked afterwards."""

    def __init__(self, processes: int = 1) -> None:
        self._parts = [_SharedNumbers() for _ in range(processes)]
        self.select_process(0)

    def select_process(self, process: int) -> None:
        """Count as one of the processes, and continue the numbers of its predecessor."""
        self._mine = self._parts[process]
        self._places = {name: place for place, name in enumerate(self._mine.names())}

    def count_request(self, scope: Scope, status: int, seconds: float) -> None:
        """Count one request under its route's pattern or its page's name; paths would be too many labels."""
        handler = getattr(scope.get("endpoint"), "__name__", "unmatched")
        route = getattr(scope.get("route"), "path", handler)
        method = scope["method"] if scope["method"] in METHODS else "other"
        self._add(f"requests {method} {status} {route}", 1)
        self._add(f"took {_bucket_label(next(limit for limit in _BUCKETS if seconds <= limit))} {route}", 1)
        self._add(f"seconds {route}", seconds)

    def _add(self, name: str, amount: float) -> None:
        place = self._places.get(name)
        if place is None:
            place = self._places[name] = self._mine.begin(len(self._places), name)
        self._mine.numbers[place] += amount

    def collect(self) -> Iterator[Metric]:
        """Yield the sums over all processes, for Prometheus."""
        sums: dict[str, float] = {}
        for part in self._parts:
            for place, name in enumerate(part.names()):
                sums[name] = sums.get(name, 0.0) + part.numbers[place]
        requests = CounterMetricFamily(
            "tidemark_http_requests", "Requests answered.", labels=("method", "route", "status")
        )
        times = HistogramMetricFamily("tidemark_http_seconds", "Time to the end of a response.", labels=("route",))
        for name, value in sums.items():
            kind, rest = name.split(" ", 1)
            if kind == "requests":
                method, status, route = rest.split(" ", 2)
                requests.add_metric((method, route, status), value)
            elif kind == "seconds":
                limits = [_bucket_label(limit) for limit in _BUCKETS]
                counts = accumulate(sums.get(f"took {limit} {rest}", 0.0) for limit in limits)
                times.add_metric((rest,), list(zip(limits, counts, strict=True)), value)
        yield requests
        yield times


def _bucket_label(limit: float) -> str:
    return "+Inf" if limit == math.inf else str(limit)


class _SharedNumbers:
    """Named numbers in shared memory, written by one process; a name keeps its place."""

    def __init__(self) -> None:
        self.numbers = memoryview(mmap.mmap(-1, 8 * _MAX_NUMBERS)).cast("d")
        self._names = mmap.mmap(-1, _NAMES_BYTES)

    def names(self) -> list[str]:
        """Return the names, each at the place of its number."""
        return self._names[: self._names.find(b"\0")].decode().split("\n")[:-1]

    def begin(self, place: int, name: str) -> int:
        """Add a name and return the place of its number."""
        line, end = f"{name}\n".encode(), self._names.find(b"\0")
        self._names[end : end + len(line)] = line  # a reader ignores a partly written name: no newline ends it yet
        return place

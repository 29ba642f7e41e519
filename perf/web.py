"""Response times for 200 readers while answers are judged: a fresh `up`, whose league is being judged.

The readers keep their connections and request the next page as soon as they have one. The bare limit is a constant page
of the same site, read by the same readers right before and right after.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from app.response_cache import MAX_AGE_S
from perf.figures import PerfFigure, figure_at_most, figure_within, informative_figure
from perf.first_view import measure_first_view
from perf.readers import PageFetch, run_readers

_READERS, _READ_S, _BARE_S = 200, 30.0, 6.0
_START_S, _STOP_S = 40.0, 15.0
_FIRST_READERS, _FIRST_S = 8, 10.0  # of first reads, reported separately
_CONSTANT = "/robots.txt"
_BOARDS = (
    "/en/", "/zh/", "/en/", "/zh/", "/en/?difficulty=easy", "/en/?difficulty=hard", "/en/?from=2026-01-01",
    "/en/?exposure=hide", "/en/boards/repair", "/zh/boards/execution", "/api/v1/boards/codegen",
    "/api/v1/boards/codegen.csv",
)  # fmt: skip
_PLAIN = ("/en/models", "/zh/problems", "/en/status", "/en/changes")
_MODELS, _PROBLEMS = 4, 6
# The budget of a page: a multiple of a constant page's time, plus a fixed time. Most are sent as stored.
_MAX_TIMES_BARE, _PLUS_MS = 3, 100.0
# The server's time for a page that is not stored yet, beside a constant page.
_BOARD_MS, _PAGE_MS, _COLD_PAGES = 150.0, 300.0, 40


def measure() -> list[PerfFigure]:
    """Return the figures of a temporary service. Raises RuntimeError if it does not start."""
    with _service() as port:
        paths = [*_BOARDS, *_PLAIN, *_sample_pages(port)]
        first = run_readers(port, paths, _FIRST_READERS, _FIRST_S)
        bare = run_readers(port, [_CONSTANT], _READERS, _BARE_S)
        before = _board(port)["revision"]
        visits = run_readers(port, paths, _READERS, _READ_S)
        revisions = _board(port)["revision"] - before
        bare += run_readers(port, [_CONSTANT], _READERS, _BARE_S)
        return [*_rows(visits, bare, first, revisions), *_server_times(port), *measure_first_view(port)]


def _server_times(port: int) -> list[PerfFigure]:
    """Return the times of pages that nobody has read yet, one after the other; a constant page is the bare limit."""
    bare = sorted(_read_ms(port, _CONSTANT) for _ in range(_COLD_PAGES))
    plus = _p95(bare)
    models = [
        f"/en/models/{each['slug']}?skip={skip}" for each in _get(port, "/api/v1/models")["data"] for skip in (0, 20)
    ]
    problems = _get(port, "/api/v1/problems")["data"][:_COLD_PAGES]
    kinds = {
        "board": (_BOARD_MS, [f"/en/?from=2026-{month:02}-{day:02}" for month in (1, 2, 3, 4) for day in range(1, 11)]),
        "model": (_PAGE_MS, models),
        "problem": (_PAGE_MS, [f"/en/problems/{each['source']}/{each['external_id']}" for each in problems]),
    }
    return [
        figure_at_most(f"web.{kind}.cold_p95_ms", _p95([_read_ms(port, path) for path in paths]), "ms", plus, 1, budget)
        for kind, (budget, paths) in kinds.items()
    ]


def _read_ms(port: int, path: str) -> float:
    began = time.perf_counter()
    _read(port, path)
    return 1000 * (time.perf_counter() - began)


def _p95(times: Sequence[float]) -> float:
    return sorted(times)[min(int(0.95 * len(times)), len(times) - 1)]


def _rows(
    visits: Sequence[PageFetch], bare: Sequence[PageFetch], first: Sequence[PageFetch], revisions: int
) -> list[PerfFigure]:
    failed = sum(visit.status >= 500 for visit in visits)
    lost = sum(visit.status != 200 for visit in visits) - failed
    return [
        figure_within("web.readers.errors_5xx", failed, "", 0),
        figure_within("web.readers.unanswered", lost, "", 0),
        figure_at_most(
            "web.readers.p99_ms", _quantile(visits, 0.99), "ms", _quantile(bare, 0.99), _MAX_TIMES_BARE, _PLUS_MS
        ),
        informative_figure("web.readers.p50_ms", _quantile(visits, 0.5), "ms", _quantile(bare, 0.5)),
        informative_figure("web.readers.per_s", len(visits) / _READ_S, "1/s", len(bare) / (2 * _BARE_S)),
        figure_within("web.readers.age_s", max((visit.age_s for visit in visits), default=0.0), "s", MAX_AGE_S),
        informative_figure("web.readers.revisions", revisions, ""),
        informative_figure("web.first.p99_ms", _quantile(first, 0.99), "ms"),
    ]


def _quantile(visits: Sequence[PageFetch], quantile: float) -> float:
    """Return a quantile of the visits' milliseconds. Raises RuntimeError if there are no visits."""
    times = sorted(visit.ms for visit in visits)
    if not times:
        raise RuntimeError("the site answered no reader")
    return times[min(int(quantile * len(times)), len(times) - 1)]


@contextmanager
def _service() -> Iterator[int]:
    """Start a fresh `up` and yield its port once its board has a ranked row."""
    folder = Path(tempfile.mkdtemp(prefix="tm-perf-web-"))
    log = folder / "up.log"
    command = [sys.executable, "-m", "app.cli", "up", "--no-system-packages", "--port", "0"]
    environment = {**os.environ, "TIDEMARK_STATE": str(folder / "state")}
    with log.open("wb") as out:
        service = subprocess.Popen(
            command, cwd=Path(__file__).resolve().parents[1], stdout=out, stderr=out, env=environment
        )
    try:
        yield _wait_until_ready(log, service)
    finally:
        service.terminate()
        try:
            service.wait(_STOP_S)
        except subprocess.TimeoutExpired:
            service.kill()
            service.wait()
        shutil.rmtree(folder, ignore_errors=True)


def _wait_until_ready(log: Path, service: "subprocess.Popen[bytes]") -> int:
    end = time.monotonic() + _START_S
    while time.monotonic() < end and service.poll() is None:
        address = re.search(r"is at http://[^:/]+:(\d+)", log.read_text(errors="replace"))
        if address is not None and any(row["rank"] for row in _board(int(address[1]))["rows"]):
            return int(address[1])
        time.sleep(0.5)
    if address is not None:
        return int(address[1])  # measure anyway, though a slow judge has ranked nothing yet
    raise RuntimeError(f"the service did not come up: {log.read_text(errors='replace')[-2000:]}")


def _sample_pages(port: int) -> Iterator[str]:
    """Yield the pages of some models and problems."""
    for model in _get(port, "/api/v1/models")["data"][:_MODELS]:
        yield f"/en/models/{model['slug']}"
    for problem in _get(port, "/api/v1/problems")["data"][:_PROBLEMS]:
        yield f"/en/problems/{problem['source']}/{problem['external_id']}"


def _board(port: int) -> dict[str, Any]:
    return _get(port, "/api/v1/boards/codegen")


def _get(port: int, path: str) -> dict[str, Any]:
    body: dict[str, Any] = json.loads(_read(port, path))
    return body


def _read(port: int, path: str) -> bytes:
    newest = urllib.request.Request(f"http://127.0.0.1:{port}{path}", headers={"Cache-Control": "no-cache"})
    with urllib.request.urlopen(newest, timeout=2 * _START_S) as answer:
        body: bytes = answer.read()
    return body

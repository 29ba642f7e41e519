"""Real engines with tiny weights, from `worker gpu` to a board, with two kills between; what is left afterwards.

On a machine with a GPU an engine that `python3` has runs on the first one; else on the processor.
"""

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest
from pipeline.test_local_weights import QUESTIONS, fresh_database, questions, serve, states
from sqlalchemy import select
from support.engines import kill
from support.real_engines import Place, used_memory
from support.rules import ROOT
from support.waiting import until

from app.config import Settings
from app.db.runs import local_endpoints as store
from app.db.tables import CellRow, Model, Run, Sample
from app.domain.boards.board import BoardQuery
from app.domain.states import SampleState
from app.services.boards import board_views
from workers import tasks
from workers.context import Context, make_context, use
from workers.inference.gpu.engines import Engine
from workers.inference.gpu.engines.transformers import ENGINE as TRANSFORMERS
from workers.inference.gpu.engines.vllm import ENGINE as VLLM
from workers.inference.gpu.guard import SEGMENTS, TAG

__all__ = ["fresh_database", "questions"]  # fixtures
pytestmark = [pytest.mark.slow, pytest.mark.timeout(2400), pytest.mark.sandbox]
_NOISE_MB = 64  # a GPU's own bookkeeping
START_S = 600.0  # an engine imports for a minute or two on a busy machine


@pytest.fixture
def ctx(settings: Settings) -> Iterator[Context]:
    made = use(make_context(settings.model_copy(update={"lease_s": 5.0})))
    yield made
    made.close()


@contextmanager
def working(ctx: Context, folder: Path, engine: Engine, place: Place) -> Iterator["subprocess.Popen[bytes]"]:
    """`worker gpu` over this engine."""
    fleet = {
        "TIDEMARK_STATE": str(folder), "TIDEMARK_DATABASE_URL": ctx.settings.database_url,
        "TIDEMARK_REDIS_URL": ctx.settings.redis_url, "TIDEMARK_LEASE_S": "5",
        "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1",
    }  # fmt: skip
    command = [sys.executable, "-m", "app.cli", "worker", "gpu", "--devices", ",".join(place.devices) or "cpu"]
    process = subprocess.Popen(
        [*command, "--engine", engine.name, "--engine-command", shlex.join(place.command(engine))],
        env={**os.environ, **fleet}, cwd=ROOT,
    )  # fmt: skip
    try:
        yield process
    finally:
        process.terminate()
        ended = process.wait(120)
    assert ended == 0


def of_server(folder: Path) -> list[int]:
    """The processes of the server that runs now: its guard, its own first one, and the others."""
    [record] = (folder / "gpu").glob("*.server.json")
    wanted, found = f"{TAG}={json.loads(record.read_text())['tag']}".encode(), []
    for path in Path("/proc").glob("[0-9]*/environ"):
        try:
            if wanted in path.read_bytes().split(b"\0"):
                found.append(int(path.parent.name))
        except OSError:
            continue
    [guard] = [pid for pid in found if "guard.py" in Path(f"/proc/{pid}/cmdline").read_text()]
    [first] = [pid for pid in found if parent(pid) == guard]
    return [guard, first, *(pid for pid in found if pid not in (guard, first))]


def gone(pids: list[int]) -> bool:
    """Whether none of these runs."""
    return not any(Path(f"/proc/{pid}").exists() for pid in pids)


def parent(pid: int) -> int:
    """The process that started it."""
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def answered(ctx: Context, number: int) -> None:
    """Wait until so many samples are answered; the clock would sweep."""

    def enough() -> bool:
        tasks.sweep()
        return states(ctx)[SampleState.ANSWERED] >= number

    until(enough, f"{number} answers", START_S)


def segments_of(pids: list[int]) -> set[Path]:
    """The shared memory that these processes use; other servers of this machine have theirs."""
    used = set()
    for pid in pids:
        for line in Path(f"/proc/{pid}/maps").read_text().splitlines():
            name = line.partition(f" {SEGMENTS}/")[2]
            if name and not name.endswith(" (deleted)"):
                used.add(SEGMENTS / name)
    return used


def texts(ctx: Context, slug: str) -> dict[int, str | None]:
    """The answers of a model by problem."""
    with ctx.sessions() as session:
        rows = session.execute(
            select(Sample.problem_id, Sample.response).join(Run).join(Model).where(Model.slug == slug)
        )
        return {row[0]: row[1] for row in rows}


@pytest.mark.parametrize("engine", [VLLM, TRANSFORMERS], ids=lambda engine: engine.name)
def test_from_weights_to_a_board_with_its_guard_and_its_server_killed(
    ctx: Context, engine: Engine, places: Callable[[str], Place], tiny_weights: Path, tmp_path: Path
) -> None:
    weights = SimpleNamespace(weights=tiny_weights)
    place = places(engine.name)
    before = used_memory() if place.devices else 0
    with working(ctx, tmp_path, engine, place):
        used = set[Path]()
        for number, slug in enumerate(("tern", "knot")):  # the guard is killed with one, the server with the other
            serve(ctx, weights, slug, dtype="float32", max_running=2)  # type: ignore[arg-type]
            answered(ctx, number * QUESTIONS + 1)
            killed = of_server(tmp_path)
            used |= segments_of(killed)
            kill(killed[number])
            answered(ctx, (number + 1) * QUESTIONS)
            # All may have been answered before the kill.
            until(partial(gone, killed), "the end of what was killed", 60)
    assert [path for path in used if path.exists()] == []
    if place.devices:
        until(lambda: used_memory() <= before + _NOISE_MB, "the device's memory back", 30)
    assert texts(ctx, "tern") == texts(ctx, "knot"), "the same weights, requests and seeds answer the same"
    tasks.grade_answers()
    tasks.aggregate()
    with ctx.sessions() as session:
        assert [cell.n for cell in session.scalars(select(CellRow))] == [1] * 2 * QUESTIONS
        for rows in store.servings(session, set(session.scalars(select(Run.id)))).values():
            assert {row[1]["engine"] for row in rows} == {engine.name}
            assert {row[1]["device"] for row in rows} == {",".join(place.devices) or "cpu"}
            assert all(row[1]["version"] for row in rows)
    board = ctx.commit(board_views.board, BoardQuery(protocol="house"), ctx.cubes)
    assert {row.model for row in board.rows} == {"tern", "knot"}

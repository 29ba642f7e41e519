"""GPU workers, as each last said of itself."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from app.db.kernel.session import Session
from app.db.operations import ops as store
from app.domain.asking.weights import GPU_QUEUES
from app.services.runs.judge_state import SILENT_AFTER


@dataclass(frozen=True, slots=True)
class GpuWorker:
    """A GPU worker's last word. `cache` is a share; counts that its engine does not give are None.

    `state` is idle, starting, ready, busy (a slice is asked) or failed, with its `trouble`.
    """

    name: str
    at: datetime
    silent: bool
    device: str
    engine: str
    version: str | None
    model: str | None
    state: str
    running: float | None
    waiting: float | None
    cache: float | None
    tokens_per_s: float | None
    restarts: int
    trouble: str | None


def gpu_workers(session: Session, now: datetime) -> tuple[GpuWorker, ...]:
    """Every GPU worker, by name."""
    return tuple(
        _worker(row.queue.removeprefix(GPU_QUEUES), row.at, now - row.at > SILENT_AFTER, row.detail)
        for row in sorted(store.heartbeats(session), key=lambda row: row.queue)
        if row.queue.startswith(GPU_QUEUES)
    )


def _worker(name: str, at: datetime, silent: bool, said: Mapping[str, Any]) -> GpuWorker:
    return GpuWorker(
        name=name, at=at, silent=silent, device=str(said.get("device", "")), engine=str(said.get("engine", "")),
        version=said.get("version"), model=said.get("model"), state=str(said.get("state", "idle")),
        running=said.get("running"), waiting=said.get("waiting"), cache=said.get("cache"),
        tokens_per_s=said.get("tokens_per_s"), restarts=int(said.get("restarts", 0)), trouble=said.get("trouble"),
    )  # fmt: skip
